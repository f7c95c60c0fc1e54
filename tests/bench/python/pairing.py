"""Ratios: a candidate beside a floor, in turns, so that a machine that changes speed changes both.

A round is floor, candidate, floor; its ratio is the candidate over the mean of its two neighbours. All operations take
turns in every round. Shown are the median and the quartiles over the rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from statistics import median, quantiles
from typing import Any, Optional

Loop = Callable[[int], int]  # makes so many calls and returns the nanoseconds they took

CHUNK_NS = 1_000_000


def calls_of(function: Callable[..., object], *argument: object) -> Loop:
    """A loop around the function, as bare as a loop can be. Floor and candidate pay for the loop alike."""

    def run(count: int) -> int:
        begin = time.perf_counter_ns()
        for _ in repeat(None, count):
            function()
        return time.perf_counter_ns() - begin

    def run_with_argument(count: int) -> int:
        (given,) = argument
        begin = time.perf_counter_ns()
        for _ in repeat(None, count):
            function(given)
        return time.perf_counter_ns() - begin

    return run_with_argument if argument else run


def from_a_fresh_tick(loop: Loop, tick_ms: int) -> Loop:
    """The loop, begun when the clock's tick has just changed: what it then issues in one tick never has to wait."""
    tick_ns = tick_ms * 1_000_000

    def run(count: int) -> int:
        before = time.time_ns() // tick_ns
        while time.time_ns() // tick_ns == before:
            pass
        return loop(count)

    return run


@dataclass(frozen=True)
class Operation:
    group: str
    library: str
    name: str
    candidate: Loop
    floor_name: str
    floor: Loop
    key: Optional[str] = None
    price: str = ""
    ids_per_call: int = 1  # above 1 where the figures are per id
    chunk: Optional[int] = None  # calls of the candidate at a time; None: as many as take CHUNK_NS
    waits: Callable[[], int] = lambda: 0  # how often calls have waited so far; all is in vain if they do

    def seconds_of(self, calls: int) -> float:
        """For a tool that asks for a number of calls of its own choice."""
        spent, chunk = 0, self.chunk or calls
        while calls > 0:
            spent += self.candidate(min(calls, chunk))
            calls -= chunk
        return spent / 1e9


class _Pair:
    """An operation with its counts, and what its rounds found."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.floor_count = _calls_of_a_chunk(operation.floor)
        self.count = operation.chunk or _calls_of_a_chunk(operation.candidate)
        self.costs: list[float] = []
        self.floors: list[float] = []
        self.ratios: list[float] = []
        for _ in range(5):
            self._round()
        self.waits = operation.waits()

    def measure(self) -> None:
        cost, floor = self._round()
        self.costs.append(cost)
        self.floors.append(floor)
        self.ratios.append(cost / floor)

    def _round(self) -> tuple[float, float]:
        operation = self.operation
        before = operation.floor(self.floor_count)
        cost = operation.candidate(self.count)
        after = operation.floor(self.floor_count)
        return cost / (self.count * operation.ids_per_call), (before + after) / (2 * self.floor_count)

    def row(self) -> dict[str, Any]:
        operation = self.operation
        waits = operation.waits() - self.waits
        low, middle, high = quantiles(self.ratios, n=4)
        return {
            "kind": "ratio",
            "key": operation.key,
            "group": operation.group,
            "library": operation.library,
            "name": operation.name,
            "floor": operation.floor_name,
            "ns": median(self.costs),
            "floor_ns": median(self.floors),
            "ratio": middle,
            "quartiles": [low, high],
            "rounds": len(self.ratios),
            "tool_ns": None,
            "price": f"{waits} calls had to wait, so this is not work alone" if waits else operation.price,
        }


def _calls_of_a_chunk(loop: Loop) -> int:
    count = 1
    while loop(count) < CHUNK_NS:
        count *= 2
    return max(1, round(count * CHUNK_NS / min(loop(count) for _ in range(5))))


def compared(operations: list[Operation], rounds: int) -> list[dict[str, Any]]:
    """One row for each operation, in their order."""
    pairs = [_Pair(operation) for operation in operations]
    for _ in range(rounds):
        for pair in pairs:
            pair.measure()
    return [pair.row() for pair in pairs]
