"""All programs print the same bytes, those that are expected of each case:

- of cases.toml: expected/<name>.txt, which `pytest tests/cli/test_expected.py --write` writes after a change on
  purpose; look at what git says of it. A case with `pages` has no file: it prints what those cases print, then `together`.
- of errors.toml: one line on standard error, which stands there.
"""

from __future__ import annotations

import re

import pytest
import tomllib
from conftest import ROOT, Result

FOLDER = ROOT / "tests/cli"
EXPECTED = FOLDER / "expected"
CASES = {
    case["name"]: case
    for file in ("cases.toml", "errors.toml")
    for case in tomllib.loads((FOLDER / file).read_text())["case"]
}
FILES = {name: EXPECTED / f"{name}.txt" for name, case in CASES.items() if not {"pages", "error"} & set(case)}
PRINTED = "exit code 0\n--- standard output\n"


def text_of(result: Result) -> str:
    parts = [f"exit code {result.exit_code}\n"]
    for name, text in (("standard output", result.out), ("standard error", result.err)):
        if text:
            parts.append(f"--- {name}\n{text}")
    return "".join(parts)


def expected_of(name: str) -> str:
    case = CASES[name]
    if "error" in case:
        return text_of(Result(2 if case["error"].startswith("usage: ") else 1, "", f"polyflake: {case['error']}\n"))
    if "pages" in case:
        pages = [expected_of(page) for page in case["pages"]]
        assert all(page.startswith(PRINTED) for page in pages)
        texts = [page.removeprefix(PRINTED) for page in pages]
        if "together" in case:
            texts.append(f"{'together':<15}" + f"\n{'':<15}".join(case["together"]) + "\n")
        return PRINTED + "\n".join(texts)
    return FILES[name].read_text(encoding="latin-1")


@pytest.mark.parametrize("name", CASES)
def test_it_prints_what_is_expected(entry, name, request):
    case = CASES[name]
    stdin = case.get("input", "").encode("latin-1")
    result = entry.ask(*case["arguments"], stdin=stdin, environment=case.get("environment"))
    if name in FILES and request.config.getoption("write"):
        FILES[name].write_text(text_of(result), encoding="latin-1")
    assert text_of(result) == expected_of(name)


def test_each_expectation_has_its_case():
    assert set(EXPECTED.iterdir()) == set(FILES.values())


@pytest.mark.parametrize("name", CASES)
def test_it_is_expected_on_any_day(name):
    """What tells how long something is ago, or is still to come, is asked for as of a time."""
    if re.search(r"\b(ago|plausible|years left|age_ms)\b|\bin \d+ (second|minute|hour|day|year)", expected_of(name)):
        assert "--now" in CASES[name]["arguments"]
