"""The programs that host the command line: `--entry cpp=build/cpp/cli/polyflake --entry python='build/venv/bin/python -m polyflake'`."""

from __future__ import annotations

import functools
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from staying import LIMIT, Staying, staying

ROOT = Path(__file__).parents[2]
# Interrupts end programs as at a terminal. A shell ignores them in what it runs in the background, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass
class Result:
    exit_code: int
    out: str
    err: str


@dataclass
class Entry:
    """One of the four programs."""

    name: str
    prefix: list[str]
    home: Path
    java_clients: str

    def with_clients(self) -> Entry:
        """The same with the clients of stores: `java -jar` has but the jar."""
        if "-jar" not in self.prefix:
            return self
        at = self.prefix.index("-jar")
        path = os.pathsep.join([self.prefix[at + 1], f"{self.java_clients}/*"])
        prefix = [*self.prefix[:at], "-cp", path, "io.github.polyflake.Main"]
        return Entry(self.name, prefix, self.home, self.java_clients)

    def environment(self, **changes: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("POLYFLAKE_", "NO_COLOR"))}
        return kept | {"TZ": "UTC", "LC_ALL": "C.UTF-8", "POLYFLAKE_HOME": str(self.home), "TERM": "xterm"} | changes

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: dict[str, str] | None = None,
        user: int | None = None,
    ) -> Result:
        done = subprocess.run(
            [*self.prefix, *arguments],
            input=stdin,
            capture_output=True,
            env=self.environment(**(environment or {})),
            timeout=LIMIT,
            check=False,
            user=user,
        )
        # Bytes, one character each: what is compared is exactly what was written.
        return Result(done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1"))

    def ask(self, *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Result:
        """The same, of a program that may have run other commands before: hosts stay, unless the environment is another."""
        if self.name == "cpp" or environment:
            return self.run(*arguments, stdin=stdin, environment=environment)
        exit_code, out, err = self.staying.run(arguments, stdin)
        return Result(exit_code, out.decode("latin-1"), err.decode("latin-1"))

    @functools.cached_property
    def staying(self) -> Staying:
        return staying(self.name, self.prefix, self.environment())

    def close(self) -> None:
        if "staying" in vars(self):
            vars(self).pop("staying").close()


def pytest_addoption(parser):
    parser.addoption("--entry", action="append", default=[], metavar="NAME=COMMAND", help="a program to test")
    parser.addoption("--java-clients", default="", metavar="FOLDER", help="jars of the clients of stores")
    parser.addoption("--write", action="store_true", help="write what the first one prints to tests/cli/expected")


def pytest_configure(config):
    config.addinivalue_line("markers", "with_clients(whether): for programs that have clients of stores, or have none")


def pytest_generate_tests(metafunc):
    if "entry_option" in metafunc.fixturenames:
        options = metafunc.config.getoption("entry") or [f"cpp={ROOT / 'build/cpp/cli/polyflake'}"]
        marker = metafunc.definition.get_closest_marker("with_clients")
        if marker is not None:
            options = [option for option in options if option.startswith("cpp=") is not marker.args[0]]
        names = [option.partition("=")[0] for option in options]
        # A program has one worker of pytest -n, so that its home and the program that stays are there once.
        entries = [
            pytest.param(option, id=name, marks=pytest.mark.xdist_group(name))
            for option, name in zip(options, names, strict=True)
        ]
        metafunc.parametrize("entry_option", entries, scope="session")


@pytest.fixture(scope="session")
def entry(entry_option: str, pytestconfig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Entry]:
    name, _, command = entry_option.partition("=")
    words = [str(ROOT / word) if (ROOT / word).is_file() else word for word in shlex.split(command)]
    program = Entry(name, words, tmp_path_factory.mktemp("home"), pytestconfig.getoption("java_clients"))
    yield program
    program.close()
