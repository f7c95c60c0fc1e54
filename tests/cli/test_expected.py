"""All programs print the same bytes: what stands in expected/ for each case of cases.toml.

After a change on purpose, `pytest tests/cli/test_expected.py --write` writes it anew; look at what git says of it.
"""

from __future__ import annotations

import re

import pytest
import tomllib
from conftest import ROOT

FOLDER = ROOT / "tests/cli"
EXPECTED = FOLDER / "expected"
CASES = {case["name"]: case for case in tomllib.loads((FOLDER / "cases.toml").read_text())["case"]}


def text_of(result) -> str:
    parts = [f"exit code {result.exit_code}\n"]
    for name, text in (("standard output", result.out), ("standard error", result.err)):
        if text:
            parts.append(f"--- {name}\n{text}")
    return "".join(parts)


@pytest.mark.parametrize("name", CASES)
def test_it_prints_what_is_expected(entry, name, request):
    case = CASES[name]
    stdin = case.get("input", "").encode("latin-1")
    result = entry.run(*case["arguments"], stdin=stdin, environment=case.get("environment"))
    file = EXPECTED / f"{name}.txt"
    if request.config.getoption("write"):
        file.write_text(text_of(result), encoding="latin-1")
    assert text_of(result) == file.read_text(encoding="latin-1")


def test_each_expectation_has_its_case():
    assert {file.stem for file in EXPECTED.iterdir()} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_it_is_expected_on_any_day(name):
    """What tells how long something is ago, or is still to come, is asked for as of a time."""
    text = (EXPECTED / f"{name}.txt").read_text(encoding="latin-1")
    if re.search(r"\b(ago|plausible|years left|age_ms)\b|\bin \d+ (second|minute|hour|day|year)", text):
        assert "--now" in CASES[name]["arguments"]
