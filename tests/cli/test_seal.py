"""seal and unseal: private forms of ids, with a key from a file."""

from __future__ import annotations

import subprocess

import pytest
from conftest import LIMIT

import polyflake

KEY = bytes(range(32))
IDS = ["878208028622848005", "0", "9223372036854775807"]


@pytest.fixture
def key_file(tmp_path) -> str:
    file = tmp_path / "key"
    file.write_text(KEY.hex() + "\n")
    file.chmod(0o600)
    return str(file)


def test_texts_are_those_of_the_library_and_read_back(entry, key_file):
    result = entry.ask("seal", "--key-file", key_file, "--tweak", "order", *IDS)
    assert (result.exit_code, result.err) == (0, "")
    seal = polyflake.Seal(KEY, tweak="order")
    assert result.out.splitlines() == [seal.encode(int(id)) for id in IDS]
    back = entry.ask("unseal", "--key-file", key_file, "--tweak", "order", stdin=result.out.encode())
    assert back.out.splitlines() == IDS


def test_every_option_has_its_effect(entry, key_file):
    options = ["--key-file", key_file, "--tweak", "user", "--bits", "64", "--key-id", "k1", "--codec", "crockford32"]
    result = entry.ask("seal", *options, "18446744073709551615")
    seal = polyflake.Seal(KEY, tweak="user", bits=64, key_id="k1")
    assert result.out == seal.encode(2**64 - 1, "crockford32") + "\n"
    assert entry.ask("unseal", *options, result.out.strip()).out == "18446744073709551615\n"


def test_several_keys_are_a_ring_whose_first_one_seals(entry, key_file, tmp_path):
    other = tmp_path / "other"
    other.write_text("abcd" * 8 + "\n")
    other.chmod(0o600)
    old = entry.ask("seal", "--key-file", key_file, "--key-id", "k1", IDS[0]).out
    ring = ["--key-file", str(other), "--key-id", "k2", "--key-file", key_file, "--key-id", "k1"]
    new = entry.ask("seal", *ring, IDS[0]).out
    assert (old[:3], new[:3]) == ("k1_", "k2_")
    assert entry.ask("unseal", *ring, stdin=(old + new).encode()).out == f"{IDS[0]}\n" * 2
    result = entry.ask("unseal", "--key-file", str(other), *ring[4:], old.strip())
    assert (result.exit_code, result.out) == (2, "")
    assert "give a --key-id for each --key-file" in result.err
    assert "no seal of the ring has this key id" in entry.ask("unseal", *ring, "k3_11111111111").err


def test_a_line_that_is_refused_is_named(entry, key_file):
    result = entry.ask("seal", "--key-file", key_file, "--keep-going", stdin=b"x\n9223372036854775808\n1\n")
    assert result.exit_code == 1
    assert len(result.out.splitlines()) == 1
    codes = [line.split(": ")[1:3] for line in result.err.splitlines()]
    assert codes == [["text_invalid", "line 1"], ["id_out_of_range", "line 2"]]


def test_a_key_that_everybody_may_read_is_refused_and_not_shown(entry, tmp_path):
    file = tmp_path / "key"
    file.write_text(KEY.hex() + "\n")
    file.chmod(0o644)
    result = entry.ask("seal", "--key-file", str(file), "1")
    assert (result.exit_code, result.out) == (1, "")
    assert result.err.startswith("polyflake: option_invalid: ")
    assert KEY.hex()[:8] not in result.err


@pytest.mark.parametrize("path", ["/dev/stdin", None])
@pytest.mark.parametrize("command", ["seal", "unseal"])
def test_a_key_is_not_read_again_as_ids(entry, key_file, command, path):
    with open(key_file, "rb") as key:
        done = subprocess.run(
            [*entry.prefix, command, "--key-file", path or key_file],
            stdin=key,
            capture_output=True,
            env=entry.environment(),
            timeout=LIMIT,
            check=False,
        )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == (
        b"polyflake: usage: standard input cannot be both --key-file and what is to be read with it (see --help)\n"
    )


def test_a_key_may_come_from_standard_input_where_ids_are_arguments(entry, key_file):
    with open(key_file, "rb") as key:
        done = subprocess.run(
            [*entry.prefix, "seal", "--key-file", "/dev/stdin", *IDS],
            stdin=key,
            capture_output=True,
            env=entry.environment(),
            timeout=LIMIT,
            check=False,
        )
    assert done.stdout.decode() == entry.ask("seal", "--key-file", key_file, *IDS).out


def test_a_key_is_not_taken_from_the_command_line(entry):
    result = entry.ask("seal", "--key", KEY.hex(), "1")
    assert result.exit_code == 2


def test_a_key_that_was_given_for_its_file_is_not_shown(entry):
    result = entry.ask("seal", "--key-file", KEY.hex(), "1")
    assert result.exit_code == 1
    assert KEY.hex()[:8] not in result.err


def test_an_unknown_codec_is_refused_where_no_text_follows(entry, key_file):
    for command in ("seal", "unseal"):
        result = entry.ask(command, "--key-file", key_file, "--codec", "nope", stdin=b"")
        assert (result.exit_code, result.out) == (1, "")
        assert result.err.startswith("polyflake: option_invalid: ")
