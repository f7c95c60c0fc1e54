"""The Python benchmarks: bench.py --json FILE [--quick] [--no-peers] [--only ROW]

Work and its floor in turns: floor, work, floor, in chunks of about a millisecond. What is written are the times as they
were taken, and counts; tests/bench/report makes ratios of them, and rows.py there says what each row means. The floor is
polyflake_bare, which has to be on the path. All ids of all chunks are compared.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Iterable
from itertools import islice, repeat
from operator import eq
from typing import Any

import counted
import kinds
import peers
import polyflake_bare
import text_forms
from peers import Library

import polyflake

CHUNK_NS = 1_000_000

# A millisecond holds millions of ids, so that no call waits: what is measured is work.
WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"
WIDER = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z"

# Makes so many calls; returns the nanoseconds they took, and ids among what they gave.
Loop = Callable[[int], tuple[int, Iterable[Any]]]


def calls_of(function: Callable[[], Any]) -> Loop:
    """What the calls give is kept while they last, of floor and work alike."""

    def run(count: int) -> tuple[int, Iterable[Any]]:
        begin = time.perf_counter_ns()
        given = [function() for _ in repeat(None, count)]
        return time.perf_counter_ns() - begin, given

    return run


def batches_of(function: Callable[..., Any], argument: Any = None) -> Loop:
    """Of a batch the last call's ids are kept: those it returns, or those in its argument."""

    def run(count: int) -> tuple[int, Iterable[Any]]:
        given = argument
        begin = time.perf_counter_ns()
        for _ in repeat(None, count):
            found = function(given)
        return time.perf_counter_ns() - begin, given if found is None else found

    return run


def await_fresh_tick(tick_ms: int) -> None:
    tick_ns = tick_ms * 1_000_000
    before = time.time_ns() // tick_ns
    while time.time_ns() // tick_ns == before:
        pass


def calls_of_a_chunk(loop: Loop) -> int:
    count = 1
    while min(loop(count)[0] for _ in range(2)) < CHUNK_NS:
        count *= 2
    return count


def duplicates_among(numbers: Iterable[Any]) -> int:
    ordered = sorted(numbers)
    return sum(map(eq, ordered, islice(ordered, 1, None)))


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.rounds = 11 if options.quick else 121
        self.only = options.only
        self.rows: list[dict[str, Any]] = []

    def wants(self, row: str) -> bool:
        return self.only in (None, row)

    def add(self, row: str, library: Library, figures: dict[str, Any]) -> None:
        print(row, library.label, library.call, file=sys.stderr)
        subject = {"library": library.label, "call": library.call, "price": library.price}
        self.rows.append({"row": row, **subject, **figures})

    def compare(self, row: str, library: Library, floor: Loop, work: Loop, fresh: bool = False) -> None:
        """`fresh`: a chunk begins with a tick and fits into it, as for generators whose ticks are used up soon."""
        count = library.chunk if fresh else calls_of_a_chunk(work)
        floor_count = 2000 if fresh else calls_of_a_chunk(floor)
        ids, rounds, waits = array("Q"), [], 0
        for measured in range(-5, self.rounds):
            before, _ = floor(floor_count)
            if fresh:
                await_fresh_tick(library.tick_ms)
            ns, given = work(count)
            ids.extend(map(library.number, given))
            after, _ = floor(floor_count)
            if measured == -1 and library.generator is not None:
                waits = library.generator.stats().waits  # the first call may have waited for its window
            if measured >= 0:
                rounds.append([before / floor_count, ns / count, after / floor_count])
        if library.generator is not None:
            waits = library.generator.stats().waits - waits
        figures = {"rounds": rounds, "ids": len(ids), "duplicates": duplicates_among(ids), "waits": waits}
        self.add(row, library, figures)


def measure(bench: Bench, options: argparse.Namespace) -> None:
    bare = calls_of(polyflake_bare.work)
    gc.disable()  # as timeit does
    if bench.wants("next_id"):
        generator = polyflake.Generator(0, layout=WIDE)
        bench.compare("next_id", peers.own("Generator.next_id()", generator), bare, calls_of(generator.next_id))
    if bench.wants("next_ids_1000"):
        generator = polyflake.Generator(0, layout=WIDER)
        floor = array("Q", generator.next_ids(1000)).tolist
        own = peers.own("Generator.next_ids(1000)", generator)
        bench.compare("next_ids_1000", own, batches_of(lambda _: floor()), batches_of(generator.next_ids, 1000))
    if bench.wants("fill_4096"):
        generator = polyflake.Generator(0, layout=WIDER)
        words = array("Q", bytes(8 * 4096))
        own = peers.own("Generator.fill()", generator)
        bench.compare("fill_4096", own, batches_of(polyflake_bare.fill, words), batches_of(generator.fill, words))
    libraries = [peers.ours(), *([] if options.no_peers else peers.peers())]
    if bench.wants("call"):
        for library in [*libraries, peers.of_the_module(), peers.as_text()]:
            bench.compare("call", library, bare, calls_of(library.open()), fresh=True)
    text_forms.add_rows(bench, not options.no_peers)
    kinds.add_rows(bench, calls_of, not options.no_peers)
    counted.add_rows(bench, calls_of)
    gc.enable()
    if bench.wants("saturated"):
        for library in libraries:
            seconds = (2 if library is libraries[0] else 1) / (10 if options.quick else 1)
            for threads in (1, 2):  # in a process of its own: some remember what was issued before
                command = [sys.executable, os.path.join(os.path.dirname(__file__), "saturation.py")]
                command += [library.label, library.call, str(threads), str(seconds)]
                done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
                bench.add("saturated", library, json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what an id costs in Python.")
    parser.add_argument("--json", metavar="FILE", required=True)
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that all works, the figures are rough")
    parser.add_argument("--no-peers", action="store_true", help="leave the other libraries out")
    parser.add_argument("--only", metavar="ROW")
    options = parser.parse_args()
    bench = Bench(options)
    measure(bench, options)
    runtime = f"{platform.python_implementation()} {platform.python_version()}"
    report = {"language": "python", "runtime": runtime, "time": polyflake_bare.time, "rows": bench.rows}
    with open(options.json, "w", encoding="ascii") as file:
        json.dump(report, file)


if __name__ == "__main__":
    main()
