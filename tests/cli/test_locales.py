"""Whatever the locale of the host: the same bytes, and no argument that was not read as it was typed."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from conftest import LIMIT


@pytest.fixture(scope="session")
def german(tmp_path_factory) -> dict[str, str]:
    """A locale that has a decimal comma and words of its own for errors."""
    folder = tmp_path_factory.mktemp("locales")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], check=True)
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}


def test_numbers_have_a_decimal_point(entry, german):
    result = entry.run("layout", "--now", "2026-11-22", environment=german)
    assert "years left     62.8\n" in result.out
    assert re.search(r"\de\+\d", entry.run("layout", "twitter", "yitter").out) is None
    assert "," not in re.findall(r"ns  .*|[\d.,]+ ns", entry.run("bench", environment=german).out)[0]


def test_errors_of_the_system_are_in_english(entry, german):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*entry.prefix, "presets"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=entry.environment(**german),
            timeout=LIMIT,
            check=False,
        )
    assert done.stderr == b"polyflake: output cannot be written: No space left on device\n"
    result = entry.run("seal", "--key-file", "/nowhere/key", "1", environment=german)
    assert result.err.endswith("No such file or directory\n")


@pytest.fixture
def sealed(entry, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text("0708" * 16 + "\n")
    key_file.chmod(0o600)

    def seal(tweak: bytes, **environment: str) -> tuple[int, bytes, bytes]:
        done = subprocess.run(
            [*entry.prefix, "seal", "--key-file", str(key_file), "--tweak", tweak, "878208028622848005"],
            capture_output=True,
            env=entry.environment(**environment),
            timeout=LIMIT,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return seal


REFUSED = b"polyflake: usage: argument 5 cannot be read in this locale: set LC_ALL=C.UTF-8 (see --help)\n"


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_a_tweak_is_read_as_it_was_typed_or_not_at_all(sealed, locale):
    for tweak in ("\u00fc".encode(), "\u00e9".encode(), "\u65e5".encode()):
        code, out, err = sealed(tweak, LC_ALL=locale)
        assert (code, out, err) == (2, b"", REFUSED) or out == sealed(tweak)[1]
    assert sealed(b"order", LC_ALL=locale) == sealed(b"order")
    assert sealed(b"?", LC_ALL=locale) == sealed(b"?")


def test_a_tweak_is_the_same_in_a_locale_of_another_encoding(sealed, tmp_path):
    subprocess.run(["localedef", "-i", "de_DE", "-f", "ISO-8859-1", tmp_path / "de_DE.ISO-8859-1"], check=True)
    latin = {"LOCPATH": os.fspath(tmp_path), "LC_ALL": "de_DE.ISO-8859-1"}
    assert sealed("\u00fc".encode(), **latin) == sealed("\u00fc".encode())
    assert sealed(b"\xfc", **latin) == (2, b"", REFUSED)


@pytest.mark.parametrize(
    "tweak", [b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xef\xbf\xbd"]
)
def test_what_is_no_utf_8_is_refused(sealed, tweak):
    assert sealed(tweak) == (2, b"", REFUSED)


@pytest.mark.parametrize("tweak", ["\u00fc", "\u0800", "\uffff", "\U0010ffff", "\U0001f600 \ue000"])
def test_what_is_utf_8_is_taken(sealed, tweak):
    code, out, err = sealed(tweak.encode())
    assert (code, len(out), err) == (0, 12, b"")
