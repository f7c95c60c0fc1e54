"""What an id costs in Python, next to floors measured in the same run.

    python3 tests/bench/python/bench.py [--json FILE]

A ratio compares a chunk of work with the mean of the floor's chunks before and after it, so that a machine that
changes speed changes both; shown are the median and the quartiles of all rounds.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from array import array
from itertools import repeat
from statistics import median, quantiles

import polyflake

ROUNDS = 120
CHUNK_NS = 1_000_000
SATURATED_MS = 2000

# A tick holds four million ids, so that no call waits: what is measured is work.
WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"


def calls_of(function, *arguments):
    """A loop that calls the function so many times and says how long it took; as bare as a loop can be."""

    def run(count):
        begin = time.perf_counter_ns()
        for _ in repeat(None, count):
            function(*arguments)
        return time.perf_counter_ns() - begin

    def run_without_arguments(count):
        begin = time.perf_counter_ns()
        for _ in repeat(None, count):
            function()
        return time.perf_counter_ns() - begin

    return run if arguments else run_without_arguments


def calibrated(run):
    """How many calls take about one chunk."""
    count = 1
    while run(count) < CHUNK_NS:
        count *= 2
    return max(1, round(count * CHUNK_NS / min(run(count) for _ in range(5))))


def compare(name, floor_name, floor, candidate, generator):
    """Alternates floor, candidate, floor, candidate, ..., floor."""
    floor_count, count = calibrated(floor), calibrated(candidate)
    waits = generator.stats().waits
    ratios, costs, floors = [], [], []
    before = floor(floor_count) / floor_count
    for _ in range(ROUNDS):
        cost = candidate(count) / count
        after = floor(floor_count) / floor_count
        ratios.append(cost / ((before + after) / 2))
        costs.append(cost)
        floors.append(after)
        before = after
    low, middle, high = quantiles(ratios, n=4)
    return {
        "name": name,
        "floor": floor_name,
        "ns": median(costs),
        "floor_ns": median(floors),
        "ratio": middle,
        "quartiles": [low, high],
        "rounds": ROUNDS,
        "waits": generator.stats().waits - waits,
    }


def next_id_row():
    generator = polyflake.Generator(0, layout=WIDE)
    return compare("next_id()", "time.time_ns()", calls_of(time.time_ns), calls_of(generator.next_id), generator)


def fill_row():
    generator = polyflake.Generator(0, layout=WIDE)
    ids = array("Q", bytes(4096 * 8))
    prepared = memoryview(array("Q", (index << 40 for index in range(4096))))
    copy = memoryview(ids).__setitem__
    return compare(
        "fill(4096 ids)",
        "memoryview copy of 4096",
        calls_of(copy, slice(None), prepared),
        calls_of(generator.fill, ids),
        generator,
    )


def saturated_row():
    """The default layout as fast as it goes for two seconds, every id kept and compared."""
    generator = polyflake.Generator(1, max_wait_ms=100)
    ids = array("Q", b"\1" * (8 * 4096 * (SATURATED_MS + 600)))  # its pages exist before the clock starts
    next_id, now = generator.next_id, time.perf_counter_ns
    for _ in range(200_000):
        next_id()
    count = 0
    cpu_begin, begin = time.process_time_ns(), now()
    while now() - begin < SATURATED_MS * 1_000_000:
        for count in range(count, count + 4096):
            ids[count] = next_id()
        count += 1
    elapsed_ms = (now() - begin) / 1e6
    cpu_seconds = (time.process_time_ns() - cpu_begin) / 1e9
    del ids[count:]
    if len(set(ids)) != count or any(later <= earlier for earlier, later in zip(ids, ids[1:])):
        raise SystemExit("an id is not above the one before it")
    ticks = generator.layout.decode(ids[-1]).tick - generator.layout.decode(ids[0]).tick + 1
    return {
        "name": "default layout, one thread, saturated",
        "ids": count,
        "duplicates": 0,  # strictly increasing, or this line is not reached
        "ticks_of_ids": ticks,
        "elapsed_ms": elapsed_ms,
        "share_of_ceiling_by_ids": count / (4096 * ticks),
        "share_of_ceiling_by_clock": count / (4096 * elapsed_ms),
        "cpu_seconds_per_million": cpu_seconds / count * 1e6,
        "cores": cpu_seconds * 1000 / elapsed_ms,
    }


def main():
    parser = argparse.ArgumentParser(description="Measures what an id costs in Python.")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    path = parser.parse_args().json

    compared = [next_id_row(), fill_row()]
    saturated = saturated_row()
    for row in compared:
        low, high = row["quartiles"]
        print(
            f"{row['name']:16} {row['ns']:8.1f} ns   {row['floor']:26} {row['floor_ns']:8.1f} ns   "
            f"{row['ratio']:.2f} x ({low:.2f} to {high:.2f})"
        )
    print(
        f"{saturated['name']}: {saturated['ids']} ids, no duplicate; "
        f"{saturated['share_of_ceiling_by_ids']:.2%} of the ceiling by the ids' ticks, "
        f"{saturated['share_of_ceiling_by_clock']:.2%} by the clock; "
        f"{saturated['cpu_seconds_per_million']:.3f} CPU s per million ids ({saturated['cores']:.2f} cores)"
    )
    if path:
        report = {
            "language": "python",
            "runtime": platform.python_version(),
            "version": polyflake.__version__,
            "rows": [*compared, saturated],
        }
        with open(path, "w", encoding="ascii") as file:
            json.dump(report, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
