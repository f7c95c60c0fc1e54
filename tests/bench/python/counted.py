"""The rows of counters.

Those of segments take numbers from the store in memory; their floor is one atomic add in a native call. Those of dates
take them one by one from a Redis of this host, from eight processes at once; their floor is INCR from as many.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import polyflake_bare
from peers import OURS, Library
from servers import Redis

import polyflake
from polyflake.stores import init_counter, init_namespace

PROCESSES = 8
AFTER = 2**60  # so that a number is as long as an id


def add_rows(bench: Any, calls_of: Callable[[Callable[[], Any]], Any]) -> None:
    if bench.wants("segment"):
        store = "memory://bench?namespace=bench"
        init_namespace(store)
        init_counter(store, "bench", after=AFTER)
        with polyflake.Segment(store, name="bench") as ids:
            library = Library(OURS, "Segment.next_id()", lambda: ids.next_id)
            bench.compare("segment", library, calls_of(polyflake_bare.count), calls_of(ids.next_id))
    for row, callers in (("date", 1), ("date.64", 64)):
        if bench.wants(row):
            add_date_row(bench, row, callers)


class Takers:
    """Processes that take numbers of one counter at once (date_taker.py), or INCR ones beside it."""

    def __init__(self, stack: ExitStack, url: str, folder: Path, callers: int) -> None:
        self.files = [folder / f"taker{i}" for i in range(PROCESSES)]
        program = str(Path(__file__).with_name("date_taker.py"))
        self.processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, program, url, str(file), str(callers)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for file in self.files
        ]
        for process in self.processes:
            self._line_of(process)  # it is open

    def counts(self, command: str, seconds: float) -> list[int]:
        """Returns how many numbers each process took."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(f"{command} {seconds}\n")
            process.stdin.flush()
        return [int(self._line_of(process)) for process in self.processes]

    def end(self) -> array[int]:
        """Every number that was taken from the counter."""
        ids = array("Q")
        for process, file in zip(self.processes, self.files):
            process.communicate()
            ids.frombytes(file.read_bytes())
        return ids

    @staticmethod
    def _line_of(process: subprocess.Popen[str]) -> Any:
        assert process.stdout is not None
        return json.loads(process.stdout.readline())


def add_date_row(bench: Any, row: str, callers: int) -> None:
    seconds = 0.5
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = f"{stack.enter_context(Redis()).url}?namespace=bench"
        init_namespace(url, fresh=True)
        init_counter(url, "bench", after=0, kind="date", digits=10)
        takers = Takers(stack, url, folder, callers)
        rounds, shares = [], []
        for measured in range(-1, max(3, bench.rounds // 10)):
            before = takers.counts("floor", seconds)
            work = takers.counts("work", seconds)
            after = takers.counts("floor", seconds)
            if measured >= 0:
                rounds.append([seconds * 1e9 / sum(counts) for counts in (before, work, after)])
                shares.append(min(work) / max(work))
        ids = takers.end()
    call = f"DateIds.next_id(), step=1, {callers} threads in each of {PROCESSES} processes"
    figures = {"rounds": rounds, "ids": len(ids), "duplicates": len(ids) - len(set(ids)), "least_shares": shares}
    bench.add(row, Library(OURS, call, lambda: ids.pop), figures)
