"""As many ids as there are to be had: every id is kept and compared with all others.

Each run has a process of its own, since some libraries remember what was issued before:

    saturation.py LIBRARY CALL THREADS SECONDS     prints the row as JSON

The room for ids exists, and has been touched, before the clock starts. The share of the ceiling is, for ours, of what
the ticks hold that these ids span; for peers, of what the ticks hold that passed meanwhile. The collector is off: it
would go through every object that is kept, and none of them is garbage.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Mapping, MutableSequence
from itertools import chain, islice
from operator import ge
from typing import Any

import polyflake

import peers
from peers import OURS, Issue, Library

STEP = 512  # ids between two looks at the clock
WARM_UP_IDS = 20_000
IDS_PER_MS = 12_000  # room for a library without a ceiling
SPARE_MS = 600


def row(library: Library, threads: int, seconds: float, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Of a run in a new process, with these variables in its environment too."""
    command = [sys.executable, __file__, library.label, library.call, str(threads), str(seconds)]
    done = subprocess.run(command, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class _Taker(threading.Thread):
    """Takes ids into its own room from the moment on that all begin."""

    def __init__(self, issue: Issue, room: MutableSequence[Any], seconds: float, begin: threading.Barrier) -> None:
        super().__init__()
        self.issue, self.room, self.seconds, self.begin = issue, room, seconds, begin
        self.count = 0
        self.clock_ns = 0  # Unix time after the last id

    def run(self) -> None:
        issue, room, count, last = self.issue, self.room, 0, len(self.room) - STEP
        now = time.perf_counter
        self.begin.wait()
        end = now() + self.seconds
        while now() < end and count <= last:
            for count in range(count, count + STEP):
                room[count] = issue()
            count += 1
        self.clock_ns = time.time_ns()
        self.count = count

    def ids(self) -> list[Any]:
        """Without None, which snowflake-id returns where it has no id to give."""
        return [id for id in islice(self.room, self.count) if id is not None]


def measured(library: Library, threads: int, seconds: float) -> dict[str, Any]:
    """The row, from this process."""
    issue = library.open()
    for _ in range(WARM_UP_IDS):
        issue()
    begin = threading.Barrier(threads + 1)
    takers = [_Taker(issue, _room(library, seconds), seconds, begin) for _ in range(threads)]
    for taker in takers:
        taker.start()
    gc.disable()
    begin.wait()
    cpu_begin, wall_begin = time.process_time(), time.perf_counter()
    for taker in takers:
        taker.join()
    cpu_seconds, elapsed = time.process_time() - cpu_begin, time.perf_counter() - wall_begin

    taken = [taker.ids() for taker in takers]
    count = sum(map(len, taken))
    return {
        "kind": "saturated",
        "key": None,
        "library": library.label,
        "name": library.call,
        "threads": threads,
        "seconds": elapsed,
        "ids": count,
        "duplicates": _duplicates(library, taken),
        "share": _share_of_ours(taken) if library.label == OURS else _share(library, count, elapsed),
        "ahead_ms": _ahead_ms(library, [(ids[-1], taker.clock_ns) for ids, taker in zip(taken, takers) if ids]),
        "cpu_seconds_per_million": cpu_seconds / count * 1e6,
        "price": library.price,
    }


def _room(library: Library, seconds: float) -> MutableSequence[Any]:
    per_ms = IDS_PER_MS if library.capacity is None else library.capacity / library.tick_ms
    size = int(per_ms * (seconds * 1000 + SPARE_MS))
    return array("Q", b"\1" * (8 * size)) if library.plain else [None] * size


def _duplicates(library: Library, taken: list[list[Any]]) -> int:
    numbers = [library.number(id) for id in chain(*taken)]
    if library.capacity is None:
        return len(numbers) - len(set(numbers))
    numbers.sort()  # almost sorted already, while a set would fare badly with numbers so alike
    return sum(earlier == later for earlier, later in zip(numbers, islice(numbers, 1, None)))


def _share(library: Library, count: int, elapsed: float) -> float | None:
    return None if library.capacity is None else count / (library.capacity * elapsed * 1000 / library.tick_ms)


def _share_of_ours(taken: list[list[int]]) -> float:
    if any(any(map(ge, ids, islice(ids, 1, None))) for ids in taken):
        raise SystemExit("an id is not above the one that the same thread got before it")
    ticks = [polyflake.decode(id).tick for ids in taken for id in (ids[0], ids[-1])]
    return sum(map(len, taken)) / (4096 * (max(ticks) - min(ticks) + 1))


def _ahead_ms(library: Library, ends: list[tuple[Any, int]]) -> int | None:
    """How far the last id of a thread was ahead of the clock (negative: behind it), in whole ticks; the most of all."""
    if library.time_ms is None:
        return None
    tick_ns = library.tick_ms * 1_000_000
    return max(library.time_ms(id) - clock_ns // tick_ns * library.tick_ms for id, clock_ns in ends)


def main() -> None:
    label, call, threads, seconds = sys.argv[1:]
    libraries = [peers.ours()] if label == OURS else peers.peers()
    (library,) = (library for library in libraries if (library.label, library.call) == (label, call))
    json.dump(measured(library, int(threads), float(seconds)), sys.stdout)


if __name__ == "__main__":
    main()
