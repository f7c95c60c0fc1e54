"""The processes and folders of servers, looked at from outside, to see that none is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .guard import children_of

TESTS = Path(__file__).parents[1]


def with_descendants(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        found += children_of(each)
    return found


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start_by_another(*names: str) -> tuple[subprocess.Popen[str], list[int], list[Path]]:
    """Servers of another process, with all processes and folders below it."""
    command = [sys.executable, "-m", "servers", *names]
    starter = subprocess.Popen(command, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    for _ in range(1 + len(names)):
        assert starter.stdout.readline().startswith("POLYFLAKE_TEST_")
    guards = children_of(starter.pid)
    folders = [Path(Path(f"/proc/{guard}/cmdline").read_text().split("\0")[5]) for guard in guards]
    assert len(guards) == len(names) and all(folder.is_dir() for folder in folders)
    return starter, with_descendants(starter.pid), folders


def nothing_is_left(processes: list[int], folders: list[Path]) -> bool:
    return not any(map(runs, processes)) and not any(folder.exists() for folder in folders)
