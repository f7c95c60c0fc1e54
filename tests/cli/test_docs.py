"""docs/command-line.md: what stands below an example is what it prints."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest
from conftest import LIMIT, ROOT

PAGE = (ROOT / "docs/command-line.md").read_text(encoding="ascii")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_prints_what_the_page_says(entry, number, tmp_path):
    commands, expected = EXAMPLES[number]
    program = tmp_path / "polyflake"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(entry.prefix)} "$@"\n')
    program.chmod(0o755)
    environment = entry.environment()
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    done = subprocess.run(
        ["sh", "-euc", commands],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        timeout=LIMIT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == expected


def test_every_command_is_on_the_page(entry):
    commands = re.findall(
        r"^  (\w[\w-]*)  ", entry.run("--help").out.split("Subcommands:")[1].split("Exit codes:")[0], re.M
    )
    assert len(EXAMPLES) >= 8
    assert [command for command in commands if not re.search(rf"polyflake {command}\b", PAGE)] == []
