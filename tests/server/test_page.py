"""The page of the id server says what the program says. Its blocks are run by tests/lint/snippets.py."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from polyflaked import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/server.md").read_text("ascii")
MOVING_IN = (ROOT / "docs/migrating.md").read_text("ascii")


def said(*words: str | Path) -> str:
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, check=True).stdout


def table_at(head: str) -> list[str]:
    """The rows of the page's table with this head."""
    lines = PAGE.splitlines()
    begin = lines.index(head)
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        rows.append(line)
    return rows


def configurations() -> list[str]:
    return re.findall(r'^```toml title="(?!tokens)\S+"\n(.*?)^```$', PAGE + MOVING_IN, re.M | re.S)


def test_the_table_of_keys_is_the_one_that_the_program_prints():
    printed = said("--config-help").splitlines()
    assert table_at(printed[0]) == printed


def test_there_are_configurations_to_check():
    assert len(configurations()) >= 4


@pytest.mark.parametrize("text", configurations())
def test_a_configuration_of_the_pages_is_right(text, tmp_path):
    file = tmp_path / "server.toml"
    file.write_text(text)
    assert said("--check-config", "--config", file) == f"{file}: ok\n"


def test_the_tokens_of_the_page_are_right(tmp_path):
    (tokens,) = re.findall(r'^```toml title="tokens.toml"\n(.*?)^```$', PAGE, re.M | re.S)
    (file := tmp_path / "tokens.toml").write_text(tokens)
    (configuration := tmp_path / "server.toml").write_text(
        f'[generator.orders]\nworker = 1\n[[listener]]\nprotocol = "http"\naddress = "127.0.0.1:0"\ntokens = "{file}"\n'
    )
    assert said("--check-config", "--config", configuration) == f"{configuration}: ok\n"


def test_refusals_have_the_status_of_the_page(server):
    statuses = {}
    for row in table_at("| code | HTTP | meaning |")[2:]:
        codes, status = row.split("|")[1:3]
        all_codes, all_statuses = re.findall(r"`(\w+)`", codes), re.findall(r"\d{3}", status)
        pairs = zip(all_codes, all_statuses if len(all_statuses) > 1 else all_statuses * len(all_codes), strict=True)
        statuses.update({code: int(one) for code, one in pairs})
    for path, method, code in (
        ("/v1/ids/orders?n=x", "POST", "option_invalid"),
        ("/v1/ids/orders?n=20000", "POST", "batch_too_large"),
        ("/v1/ids/orders?after=x", "POST", "text_invalid"),
        ("/v1/ids/orders?after=9223372036854775808", "POST", "id_out_of_range"),
        ("/v1/decode/1?layout=x", "GET", "unknown_preset"),
        ("/v1/decode/1?layout=x:", "GET", "layout_invalid"),
        ("/v1/ids/other", "POST", "unknown_key"),
        ("/other", "GET", "not_found"),
        ("/v1/ids/orders", "GET", "method_not_allowed"),
        ("/v1/ids/orders?after=9000000000000000000", "POST", "clock_behind"),
    ):
        status, body = server.http(path, method)
        assert (status, f'"code":"{code}"' in body) == (statuses[code], True), (path, status, body)


def test_exit_codes_are_those_of_the_page(tmp_path):
    file = tmp_path / "server.toml"
    file.write_text("worker = 7\n")
    for words in (["--config", file], ["--config", tmp_path / "missing"], ["--unknown"]):
        assert subprocess.run([PROGRAM, *words], capture_output=True, timeout=60, check=False).returncode == 2
    assert "| 2 | wrong arguments or configuration" in PAGE
