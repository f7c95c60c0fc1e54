"""The id server beside Redis: `./dev bench server [--quick]`, which builds what this needs.

    python3 tests/bench/server/run.py [--quick] [--only WORD] [--json FILE] [--polyflaked FILE] [--load FILE]

Rows and goals are in goals.py. Ratios are of CPU time: it is what another program on the machine changes least, but latencies
mean something on an idle machine only. The status is 1 where an id came twice or did not rise.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[1:1] = [str(ROOT / "tests" / folder) for folder in (".", "bench/report", "server")]

import figures  # noqa: E402
import goals  # noqa: E402
from awake import awake  # noqa: E402
from blocked_claims import blocked_claims  # noqa: E402
from goals import Row, spread  # noqa: E402
from load import Load  # noqa: E402
from measured import LISTENERS, Measured  # noqa: E402
from servers import Redis  # noqa: E402

BESIDE = ("--appendonly", "no")  # Redis as its package has it: snapshots alone


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.rounds, self.seconds = (3, 0.5) if options.quick else (9, 2.0)
        self.open_seconds = 5 if options.quick else 60
        self.flood_seconds = 3 if options.quick else 10

    def all(self) -> Iterator[Row]:
        kinds = (self.beside_redis, self.open_loops, self.too_many, self.never_read, self.idle)
        for kind in kinds:
            if self._options.only in (None, kind.__name__):
                yield from kind()

    def server(self, store: Redis | None = None) -> Measured:
        return Measured(self._options.polyflaked, store)

    def load(self, server: Measured | Redis) -> Load:
        return Load(self._options.load, server)

    def beside_redis(self) -> Iterator[Row]:
        with self.server() as server, Redis(*BESIDE) as redis:
            ours, theirs = self.load(server), self.load(redis)
            for row in goals.PAIRED:
                yield self.pairs(row, ours, theirs)
            with awake():
                for row in goals.PAIRED:
                    yield self.pairs(replace(row, name=f"{row.name}, processors awake"), ours, theirs)
            name, options = goals.BATCH
            raw = [ours.run("resp", self.seconds, *options) for _ in range(self.rounds)]
            us = spread([one["cpu_us_per_id"] for one in raw])
            yield Row(name, {"us": us, "errors": errors_of(raw)}, {"us": goals.BATCH_GOAL_US, "errors": 0}, raw=raw)

    def pairs(self, row: goals.Paired, ours: Load, theirs: Load) -> Row:
        raw, ratios = [], []
        for _ in range(self.rounds):
            pair = [
                ours.run(row.protocol, self.seconds, *row.options),
                theirs.run("resp", self.seconds, *row.options),
            ]
            raw += pair
            ratios.append(pair[0]["cpu_us_per_request"] / pair[1]["cpu_us_per_request"])
        found: dict[str, Any] = {"ratio": spread(ratios), "errors": errors_of(raw)}
        for name, mine in (("ours", raw[0::2]), ("Redis", raw[1::2])):
            found[f"us_{name}"] = spread([one["cpu_us_per_request"] for one in mine])
            found[f"per_second_{name}"] = goals.median(one["requests"] / one["seconds"] for one in mine)
        return Row(row.name, found, {"ratio": row.goal, "errors": 0}, raw=raw)

    def open_loops(self) -> Iterator[Row]:
        for leased in (False, True):
            with ExitStack() as stack:
                store = stack.enter_context(Redis()) if leased else None
                load = self.load(stack.enter_context(self.server(store)))
                for protocol in LISTENERS:
                    name = f"{protocol.upper()} at 10 000/s, 50 connections, {'Redis lease' if leased else 'host'}"
                    raw = load.run(protocol, self.open_seconds, *goals.OPEN_LOOP)
                    yield open_loop_row(name, raw, goals.OPEN_LOOP_GOALS_MS)
            with ExitStack() as stack:
                folder = Path(stack.enter_context(TemporaryDirectory()))
                store = stack.enter_context(Redis()).url + "/0?namespace=claims&auto_init=1" if leased else ""
                found = blocked_claims(folder, store, seconds=self.open_seconds)
            yield Row(
                f"claims at 10 000/s, {'Redis lease' if leased else 'host'}", found, {"blocked": 0}, {"claims": 1}
            )
        with Redis(*BESIDE) as redis:
            raw = self.load(redis).run("resp", self.open_seconds, *goals.OPEN_LOOP)
            yield open_loop_row("Redis at 10 000/s, 50 connections", raw, {})

    def too_many(self) -> Iterator[Row]:
        with self.server() as server:
            raw = self.load(server).run("resp", self.flood_seconds, *goals.TOO_MANY)
        found = {
            "share": raw["ids"] / raw["seconds"] / goals.IDS_PER_SECOND,
            "busy": raw["errors"].get("busy", 0),
            "other_errors": errors_of([raw]) - raw["errors"].get("busy", 0),
            "refused_p99_ms": raw.get("refused_p99_ms", 0.0),
            "refused_most_ms": raw.get("refused_most_ms", 0.0),
            "given_p99_ms": raw["p99_ms"],
            "late_sends": raw["late_sends"],
            "waited_for_cpu": waited(raw),
            "memory_mib": raw["memory_mib"]["most"],
        }
        wanted = {"refused_p99_ms": 5.0, "other_errors": 0, "memory_mib": 64.0}
        yield Row("RESP NEXT 10000, 8 M ids/s wanted", found, wanted, {"share": 0.99, "busy": 1}, [raw])

    def never_read(self) -> Iterator[Row]:
        with self.server() as server:
            load = self.load(server)
            hostile = load.begin("resp", self.flood_seconds + 1, *goals.NEVER_READ)
            beside = load.run("resp", self.flood_seconds, "--depth", 16)
            raw = [load.end("resp", hostile), beside]
        found = {
            "errors": errors_of([beside]),
            "p50_ms": beside["p50_ms"],
            "p99_ms": beside["p99_ms"],
            "requests": beside["requests"],
            "waited_for_cpu": waited(beside),
            "memory_mib": max(one["memory_mib"]["most"] for one in raw),
        }
        wanted = {"errors": 0, "p99_ms": 5.0, "memory_mib": 96.0}
        yield Row("Depth 16 beside 200 connections that never read", found, wanted, raw=raw)

    def idle(self) -> Iterator[Row]:
        with self.server() as server:
            raw = self.load(server).run("resp", self.seconds, "--idle", goals.IDLE)
        found = {"memory_mib": raw["memory_mib"]["most"], "before_mib": raw["memory_mib"]["before"], "ids": raw["ids"]}
        yield Row(f"{goals.IDLE} idle connections", found, {"memory_mib": 100.0}, {"ids": goals.IDLE}, [raw])


def open_loop_row(name: str, raw: dict[str, Any], most_ms: dict[str, float]) -> Row:
    percentiles = ("p50", "p99", "p99_9", "most")
    found = {f"{part}_ms": raw[f"{part}_ms"] for part in percentiles if f"{part}_ms" in raw}
    found |= {"late_sends": raw["late_sends"], "waited_for_cpu": waited(raw)}
    found |= {"errors": errors_of([raw]), "cpu_us": raw["cpu_us_per_request"]}
    return Row(name, found, {f"{part}_ms": goal for part, goal in most_ms.items()} | {"errors": 0}, raw=[raw])


def waited(raw: dict[str, Any]) -> float:
    """The share of the time that the server's threads could run, but other programs had the processors."""
    return raw["waited_seconds"] / raw["seconds"]


def errors_of(raw: list[dict[str, Any]]) -> int:
    return sum(sum(one.get("errors", {}).values()) for one in raw)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short runs, whose figures mean little")
    parser.add_argument("--only", help="rows of one kind: beside_redis, open_loops, too_many, never_read or idle")
    parser.add_argument("--json", type=Path, default=ROOT / "build/bench/server.json")
    parser.add_argument("--polyflaked", type=Path, default=ROOT / "build/cpp/server/polyflaked")
    parser.add_argument("--load", type=Path, default=ROOT / "build/cpp/tests/load/polyflake_load")
    options = parser.parse_args()
    begin, found = os.getloadavg(), []
    for row in Bench(options).all():
        found.append(row)
        print(goals.table([row]), flush=True)
    missed = [f"{row.name}: {words}" for row in found for words in row.missed()]
    print(f"\nload of the machine {begin[0]:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end")
    print(f"{len(missed)} goals are missed", *missed, sep="\n- ")
    report = {**figures.machine(), "load": [begin, os.getloadavg()], "rows": [vars(row) for row in found]}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(report, indent=1), "ascii")


if __name__ == "__main__":
    main()
