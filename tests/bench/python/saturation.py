"""As many ids as there are to be had, in a process of its own; every id is kept and compared with all others.

    saturation.py LIBRARY CALL THREADS SECONDS     prints counts as JSON

What was possible is, for ours, what the ticks hold that these ids span; for peers, what the ticks hold that passed
meanwhile. The collector is off: it would go through every object that is kept, and none of them is garbage.
"""

from __future__ import annotations

import gc
import json
import sys
import threading
import time
from itertools import chain, repeat
from operator import ge

import peers
from bench import duplicates_among
from peers import OURS, Issue

import polyflake

STEP = 512  # ids between two looks at the clock
WARM_UP_IDS = 20_000


class Taker(threading.Thread):
    """Takes ids from the moment on that all begin."""

    def __init__(self, issue: Issue, seconds: float, begin: threading.Barrier) -> None:
        super().__init__()
        self.issue, self.seconds, self.begin = issue, seconds, begin
        self.ids: list = []
        self.clock_ms = 0  # Unix time after the last id

    def run(self) -> None:
        issue, ids = self.issue, self.ids
        now = time.perf_counter
        self.begin.wait()
        end = now() + self.seconds
        while now() < end:
            ids += [issue() for _ in repeat(None, STEP)]
        self.clock_ms = time.time_ns() // 1_000_000


def main() -> None:
    label, call, threads, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    libraries = [peers.ours()] if label == OURS else peers.peers()
    (library,) = (library for library in libraries if (library.label, library.call) == (label, call))
    issue = library.open()
    for _ in range(WARM_UP_IDS):
        issue()
    begin = threading.Barrier(threads + 1)
    takers = [Taker(issue, seconds, begin) for _ in range(threads)]
    for taker in takers:
        taker.start()
    gc.disable()
    begin.wait()
    cpu_begin, wall_begin = time.process_time(), time.perf_counter()
    for taker in takers:
        taker.join()
    cpu_seconds, elapsed = time.process_time() - cpu_begin, time.perf_counter() - wall_begin

    # snowflake-id returns None where it has no id to give.
    taken = [[library.number(id) for id in taker.ids if id is not None] for taker in takers]
    if label == OURS and any(any(map(ge, ids, ids[1:])) for ids in taken):
        raise SystemExit("an id is not above the one that the same thread got before it")
    ticks = elapsed * 1000 / library.tick_ms
    if label == OURS:
        ends = [polyflake.decode(id).tick for ids in taken for id in (ids[0], ids[-1])]
        ticks = max(ends) - min(ends) + 1
    count = sum(map(len, taken))
    figures = {
        "threads": threads,
        "seconds": elapsed,
        "cpu_seconds": cpu_seconds,
        "ids": count,
        "duplicates": duplicates_among(chain(*taken)),
        "taken": count,
        "possible": round(library.capacity * ticks),
        # In whole ticks, the most of all threads.
        "ahead_ms": max(
            library.time_ms(ids[-1]) - taker.clock_ms // library.tick_ms * library.tick_ms
            for ids, taker in zip(taken, takers)
        ),
    }
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
