"""The rows of the id server: what is measured, and what is wanted of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

IDS_PER_SECOND = 4_096_000  # of the default layout


@dataclass(frozen=True)
class Paired:
    """CPU time of the server a request, beside Redis in turns. The same connections and depth, unless redis has others."""

    name: str
    protocol: str
    options: tuple[object, ...]
    goal: float  # at most so many times what Redis takes


PAIRED = (
    Paired("RESP INCR, 1 connection, depth 1", "resp", ("--depth", 1), 1.15),
    Paired("RESP INCR, 1 connection, depth 16", "resp", ("--depth", 16), 0.9),
    Paired("RESP INCR, 1 connection, depth 64", "resp", ("--depth", 64), 0.6),
    Paired("RESP INCR, 1 connection, depth 256", "resp", ("--depth", 256), 0.5),
    Paired("RESP INCR, 50 connections, depth 1", "resp", ("--connections", 50), 1.1),
    Paired("HTTP, 1 connection, depth 16", "http", ("--depth", 16), 1.5),
    Paired("Thrift, 1 connection, depth 16", "thrift", ("--depth", 16), 1.0),
)
BATCH = ("RESP NEXT 1000, CPU an id", ("--batch", 1000))
BATCH_GOAL_US = 0.1
OPEN_LOOP = ("--rate", 10_000, "--connections", 50)
OPEN_LOOP_GOALS_MS = {"p99": 2.0, "p99_9": 5.0}
# Twice what the layout has. At the longest wait of 500 ms 205 requests of 4.096 M ids/s are under way, so each has a
# connection without another request before it.
TOO_MANY = ("--batch", 10_000, "--rate", 800, "--connections", 400)
NEVER_READ = ("--never-read", "--connections", 200, "--depth", 500, "--batch", 10_000)
IDLE = 10_000


@dataclass
class Row:
    """One line of the table: figures by name, and goals for some of them."""

    name: str
    figures: dict[str, float | list[float]] = field(default_factory=dict)
    at_most: dict[str, float] = field(default_factory=dict)
    at_least: dict[str, float] = field(default_factory=dict)
    raw: list[dict[str, Any]] = field(default_factory=list)  # what polyflake_load printed

    def missed(self) -> list[str]:
        more = [f"{name} <= {goal:g}" for name, goal in self.at_most.items() if middle(self.figures[name]) > goal]
        less = [f"{name} >= {goal:g}" for name, goal in self.at_least.items() if middle(self.figures[name]) < goal]
        return more + less

    def goals(self) -> str:
        more = [f"{name} <= {goal:g}" for name, goal in self.at_most.items()]
        return ", ".join(more + [f"{name} >= {goal:g}" for name, goal in self.at_least.items()])


def middle(value: float | list[float]) -> float:
    return value[1] if isinstance(value, list) else value


def spread(values: list[float]) -> list[float]:
    """Lower quartile, median, upper quartile."""
    if len(values) < 2:
        return values * 3
    low, _, high = quantiles(values, method="inclusive")
    return [low, median(values), high]


def text_of(value: float | list[float]) -> str:
    if isinstance(value, list):
        return f"{value[1]:.3g} ({value[0]:.3g} to {value[2]:.3g})"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def table(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        missed = row.missed()
        verdict = "missed: " + ", ".join(missed) if missed else "met" if row.at_most or row.at_least else ""
        lines.append(row.name)
        lines.append("    " + ", ".join(f"{name} {text_of(value)}" for name, value in row.figures.items()))
        if verdict:
            lines.append(f"    goal {row.goals()}: {verdict}")
    return "\n".join(lines)
