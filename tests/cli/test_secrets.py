"""What a command is refused for shows no text that was given at the wrong place: it may hold a secret.

One program is asked, as all of them run the same library.
"""

from __future__ import annotations

import random
import re
import string

import pytest
from conftest import ROOT, Entry

COMMANDS = [
    *("next", "inspect", "encode", "decode", "range", "layout", "presets", "diff", "key", "seal", "unseal", "leases"),
    *("init", "raise-floor", "counters", "raise-counter", "doctor", "completion", "man"),
]
SPELLINGS = 6  # for each place
WINDOW = 8  # as many characters of a secret in a row are a leak
LETTERS = string.ascii_letters + string.digits
STRANGE = "!#$%^&*()+=[]{};:'\"|,<>?`~ @"  # of these a word has none
FORMS = ["{}", "user:{}@host", "host=h password={}", "redis:/user:{}@host", "redis://user:{}@host", "redis://user:{}"]


def secrets_of(draw):
    while True:
        length = draw.randint(25, 60)
        yield "".join(draw.choice(LETTERS) for _ in range(length))
        yield "".join(draw.choice(LETTERS + STRANGE) for _ in range(length)) + draw.choice(STRANGE)


def leaks(text, secret):
    return any(secret[i : i + WINDOW] in text for i in range(len(secret) - WINDOW + 1))


@pytest.fixture
def program(tmp_path):
    return Entry("cpp", [str(ROOT / "build/cpp/cli/polyflake")], tmp_path / "home", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_refused_is_not_shown(program, command, tmp_path):
    options = re.findall(r"(--[a-z-]+) [A-Z]", program.run(command, "--help").out)
    draw = random.Random(command)
    secrets = secrets_of(draw)
    refused = 0
    for place in ["argument", "name of an option", "standard input", "POLYFLAKE_WORKER", *options]:
        for _ in range(SPELLINGS):
            secret = next(secrets)
            given = draw.choice(FORMS).replace("{}", secret)
            arguments = {
                "argument": [command, given],
                "name of an option": [command, f"--{given}"],
                "standard input": [command],
                "POLYFLAKE_WORKER": [command],
            }.get(place, [command, place, given])
            environment = {"POLYFLAKE_WORKER": given} if place == "POLYFLAKE_WORKER" else None
            if command == "key":
                arguments = [str(tmp_path / "no folder" / one) if one == given else one for one in arguments]
            result = program.run(*arguments, stdin=given.encode(), environment=environment)
            refused += result.exit_code != 0
            said = result.err + (result.out if result.exit_code != 0 else "")
            assert not leaks(said, secret), f"{place}: {given!r}: {said}"
    assert refused >= SPELLINGS


def test_all_commands_are_asked(program):
    listed = re.findall(r"^  ([a-z][a-z-]+) {2,}[A-Z]", program.run("--help").out, flags=re.M)
    assert set(listed) - set(COMMANDS) == {"bench"}, "it takes seconds, and no text"
    secret = next(secrets_of(random.Random(1)))
    assert not leaks(program.run(secret).err, secret)
