"""What each row of the benchmarks means: said here once, for all languages, for the tables and for the page."""

from __future__ import annotations

from dataclasses import dataclass, field

NAMES = {"cpp": "C++", "python": "Python", "node": "Node", "java": "Java", "rust": "Rust"}

BARE = "the bare work"
THREE = ("python", "node", "java")


@dataclass(frozen=True)
class Row:
    """`goals` are by language: at most this for a ratio, at least this for a share."""

    what: str
    floor: str = ""
    goals: dict[str, float] = field(default_factory=dict)


ROWS = {
    "next_id": Row(
        "one call on one thread, in a layout that it does not use up", BARE, {"cpp": 1.10, **dict.fromkeys(THREE, 1.15)}
    ),
    "next_id.plain": Row("the same with `POLYFLAKE_TICK_CACHE=off`", "the bare work with the clock"),
    "next_id.per_thread": Row("the same with ordering `per_thread`", BARE),
    "next_id.leased": Row(
        "the same with a node id that is leased from a store", "one call of a generator of a number", {"cpp": 1.02}
    ),
    "two_threads": Row(
        "one call, while two threads call one generator", "the bare work of two threads on one word", {"cpp": 1.25}
    ),
    "two_threads.per_thread": Row(
        "the same with ordering `per_thread`", "the same with ordering `strict`", {"cpp": 0.5}
    ),
    "fill_4096": Row(
        "4096 ids at once into memory",
        "counting up in that memory, in C++ by the library's own loop for ids "
        "that are claimed; in Java `Arrays.fill()`",
        {"cpp": 1.10},
    ),
    "next_ids_1000": Row("1000 ids at once as a list", "`array('Q').tolist()` of 1000 ids"),
    "call": Row("one call as the library comes, from the beginning of one of its ticks and within it", BARE),
    "saturated": Row(
        "as many ids as there are, for 1 or 2 s: the share of what the layout has in that time, CPU seconds "
        "of the process per million ids, and how far the last id is ahead of the clock",
        "",
        dict.fromkeys(("cpp", *THREE), 0.995),
    ),
    "crowd": Row("the same from 64 threads: also the fewest ids of a thread, of the most, and the longest single call"),
    "memory.generator": Row("resident memory of one more generator of a node id"),
    "memory.node_id": Row("resident memory of the first generator of a node id"),
    "start": Row("a fresh process that loads the package and, in Java, issues an id: what it takes over a bare one"),
    "size": Row("the package as built here, native library included"),
}


def goal_of(language: str, row: str, ours: bool) -> float | None:
    return ROWS[row].goals.get(language) if ours else None


def bound(row: str, goal: float) -> str:
    return f">= {goal:.1%}" if row == "saturated" else f"<= {goal:.2f}"


def is_met(row: str, value: float, goal: float) -> bool:
    return value >= goal if row == "saturated" else value <= goal
