"""Standard input and output: pipes that end early, terminals, a million lines."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest
from conftest import LIMIT


def line_of(program: subprocess.Popen) -> bytes:
    """The next line, which is the only one that it has written so far; b"" where none comes."""
    return program.stdout.readline() if select.select([program.stdout], [], [], LIMIT)[0] else b""


def encoder(entry) -> subprocess.Popen:
    """A program that writes ids as hex, and waits for them."""
    return subprocess.Popen(
        [*entry.prefix, "encode", "--codec", "hex"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=entry.environment(),
    )


def test_a_reader_that_goes_ends_it_quietly(entry):
    program = subprocess.Popen(
        [*entry.prefix, "inspect", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=entry.environment(),
    )
    program.stdout.close()
    try:
        program.stdin.write(b"1\n" * 100_000)
        program.stdin.close()
    except BrokenPipeError:
        pass
    assert program.stderr.read() == b""
    assert program.wait(LIMIT) == 141


FULL = b"polyflake: output cannot be written: No space left on device\n"


def to_a_full_disk(entry, *arguments: str) -> subprocess.CompletedProcess:
    with open("/dev/full", "wb") as full:
        return subprocess.run(
            [*entry.prefix, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=entry.environment(),
            timeout=LIMIT,
            check=False,
        )


def test_output_that_cannot_be_written_is_an_error(entry):
    done = to_a_full_disk(entry, "presets")
    assert (done.returncode, done.stderr) == (1, FULL)


def test_an_error_is_told_where_the_output_cannot_be_written(entry):
    done = to_a_full_disk(entry, "layout", "leaf", "nonsense")
    assert done.returncode == 1
    error, full = done.stderr.splitlines(keepends=True)
    assert error.startswith(b"polyflake: unknown_preset: ")
    assert full == FULL


def test_no_file_of_ours_gets_the_number_of_a_closed_stream(entry, tmp_path):
    if entry.name in ("node", "java"):
        pytest.skip("its runtime has taken the numbers before the command begins")
    home = str(tmp_path / "home")
    script = 'exec "$@" 0<&- 1>&-'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *entry.prefix, "next", "-n", "3", "--worker", "host:0"],
        stderr=subprocess.PIPE,
        env=entry.environment(POLYFLAKE_HOME=home),
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == b"polyflake: output cannot be written: Bad file descriptor\n"
    assert "free, last of " in entry.run("leases", environment={"POLYFLAKE_HOME": home}).out
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 0<&-', "sh", *entry.prefix, "encode", "--codec", "hex"],
        capture_output=True,
        env=entry.environment(),
        timeout=LIMIT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"polyflake: input cannot be read: Bad file descriptor\n"


def test_what_is_known_is_shown_before_more_is_waited_for(entry):
    program = encoder(entry)
    for id in (5, 6):
        program.stdin.write(f"{id}\n".encode())
        program.stdin.flush()
        assert line_of(program) == f"{id:016x}\n".encode()
    program.stdin.close()
    assert program.wait(LIMIT) == 0
    program.stdout.close()


def test_lines_of_any_length_are_lines(entry):
    stdin = b"1\n" + b"9" * 300_000 + b"\n2\n" + b"8" * 65_536 + b"\n3"
    result = entry.run("decode", "--codec", "decimal", "--keep-going", stdin=stdin)
    assert (result.exit_code, result.out) == (1, "1\n2\n3\n")
    assert result.err == (
        "polyflake: text_invalid: line 2: it has 64 KiB or more\npolyflake: text_invalid: line 4: it has 64 KiB or more\n"
    )


def test_a_hundred_thousand_lines_come_out_as_they_went_in(entry):
    ids = [str(n * 92_000_000_000_000) for n in range(100_000)]
    result = entry.run("inspect", "--json", "--now", "2026-01-01", stdin="\n".join(ids).encode())
    assert (result.exit_code, result.err) == (0, "")
    assert [json.loads(line)["id"] for line in result.out.splitlines()] == ids


def test_an_interrupt_ends_it(entry):
    program = encoder(entry)
    program.stdin.write(b"5\n")
    program.stdin.flush()
    line_of(program)  # it runs, and waits for more
    program.send_signal(signal.SIGINT)
    assert program.wait(LIMIT) in (-signal.SIGINT, 128 + signal.SIGINT)
    program.stdin.close()
    program.stdout.close()


def rest_of(terminal: int) -> bytes:
    """What is shown there until nobody is there any more."""
    shown = b""
    try:
        while chunk := os.read(terminal, 65_536):
            shown += chunk
    except OSError:  # how a terminal says that
        pass
    os.close(terminal)
    return shown


def on_a_terminal(entry, *arguments: str, environment: dict[str, str] | None = None) -> bytes:
    """What it prints there, with standard input, output and error all on it."""
    ours, its = pty.openpty()
    program = subprocess.Popen(
        [*entry.prefix, *arguments], stdin=its, stdout=its, stderr=its, env=entry.environment(**(environment or {}))
    )
    os.close(its)
    shown = rest_of(ours)
    program.wait(LIMIT)
    return shown


def test_a_terminal_gets_colors(entry):
    assert b"\x1b[" in on_a_terminal(entry, "inspect", "1")


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["inspect", "1"], {"NO_COLOR": "1"}),
        (["inspect", "1"], {"TERM": "dumb"}),
        (["inspect", "1", "--color", "never"], {}),
    ],
)
def test_a_terminal_gets_none_where_they_are_not_wanted(entry, arguments, environment):
    assert b"\x1b[" not in on_a_terminal(entry, *arguments, environment=environment)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_terminal_as_it_was(entry, number):
    if entry.name != "cpp":
        pytest.skip("signals belong to the host there")
    ours, its = pty.openpty()
    with subprocess.Popen(
        [*entry.prefix, "inspect"], stdin=subprocess.PIPE, stdout=its, stderr=its, env=entry.environment()
    ) as program:
        os.close(its)
        program.stdin.write(b"1\n")
        program.stdin.flush()
        shown = os.read(ours, 65_536)
        program.send_signal(number)
        assert program.wait(LIMIT) == -number
    try:
        while chunk := os.read(ours, 65_536):
            shown += chunk
    except OSError:
        pass
    os.close(ours)
    assert shown.endswith(b"\x1b[0m")


def test_a_terminal_is_not_waited_for(entry):
    assert b"usage: give at least one" in on_a_terminal(entry, "inspect")


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_long_work_shows_how_far_it_is_on_a_terminal(entry, kind):
    ours, its = pty.openpty()
    program = subprocess.Popen(
        [*entry.prefix, "encode", "--codec", "hex"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=its,
        env=entry.environment(TERM=kind),
    )
    os.close(its)
    shown = b""
    end = time.monotonic() + (1 if kind == "dumb" else LIMIT)
    while b" ids" not in shown and time.monotonic() < end:
        program.stdin.write(b"1\n" * 8192)
        program.stdin.flush()
        if select.select([ours], [], [], 0)[0]:
            shown += os.read(ours, 65_536)
    program.stdin.close()
    shown += rest_of(ours)
    assert program.wait(LIMIT) == 0
    if kind == "dumb":
        assert shown == b""
    else:
        assert b" ids" in shown
        assert shown.endswith(b"\r\x1b[K")


HOST = """
import time
from polyflake._core import Command

command = Command([b"next", b"-n", b"1000000000000", b"--worker", b"redis://host/0?namespace=n"])
end = time.monotonic() + 0.3  # some times what it takes for progress to be shown
late = False
while command.step() is not None:
    if late:
        command.fail("store_unavailable", "it is gone")
    else:
        late = time.monotonic() > end
        command.deliver([["1"]] * 4096)  # the last of them after that time, however few there were
assert command.exit_code == 1
"""


def test_an_error_stands_on_a_line_of_its_own():
    ours, its = pty.openpty()
    host = subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.DEVNULL, stderr=its)
    os.close(its)
    shown = rest_of(ours)
    assert host.wait(LIMIT) == 0
    assert b" ids" in shown
    assert shown.endswith(b" ids\r\x1b[Kpolyflake: store_unavailable: it is gone\r\n")
