"""What each row of the benchmarks means: said here once, for all languages, for the tables and for the page."""

from __future__ import annotations

from dataclasses import dataclass, field

NAMES = {"cpp": "C++", "python": "Python", "node": "Node", "java": "Java"}

BARE = "the bare work"
THREE = ("python", "node", "java")
STAMPED = (
    "in C++ the bare work with 8 bytes of the entropy in use and the store of the id; in Python `time.time_ns()`, in Node "
    "`process.hrtime.bigint()`, in Java `System.currentTimeMillis()`"
)
OTHERS = (
    "in C++ `std::to_chars()` and `std::from_chars()` of the same ids in decimal, 19 digits instead of our 11 or 13; else "
    "the fastest of the other ways below"
)


@dataclass(frozen=True)
class Row:
    """`goals` are by language, of what `measure` names; `goals_ns` are of the time of one call as well, whatever the
    machine."""

    what: str
    floor: str = ""
    goals: dict[str, float] = field(default_factory=dict)
    measure: str = "ratio"
    goals_ns: dict[str, float] = field(default_factory=dict)
    least_share: float | None = None  # the goal of every language


ROWS = {
    "next_id": Row(
        "one call on one thread, in a layout with more ids than it takes",
        BARE,
        {"cpp": 1.10, **dict.fromkeys(THREE, 1.15)},
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
    "seal.64": Row(
        "a private id of 64 bits, with a key of 256 bits",
        "ten blocks of AES, each over the result of the last, by the same library",
        goals_ns={"cpp": 250},
    ),
    "seal": Row(
        "the same with 63 bits: two runs of FF1 an id on average, so the goal for one run is that of `seal.64`",
        "the same",
    ),
    "call": Row(
        "one call with the defaults of the library, from the beginning of one of its ticks and within it", BARE
    ),
    "saturated": Row(
        "as many ids as there are, for 1 or 2 s: the share of the ids that the layout has in that time, CPU seconds "
        "of the process per million ids, and how far the last id is ahead of the clock",
        "",
        dict.fromkeys(("cpp", *THREE), 0.995),
        "share",
    ),
    "crowd": Row(
        "the same from 64 threads: also the fewest ids of a thread as a share of the most, and the longest single call"
    ),
    "inspect": Row(
        "a million ids of all times, piped through `polyflake inspect --json` in a time zone with summer time",
        goals={"cpp": 2},
        measure="s",
    ),
    "memory.generator": Row("resident memory of one more generator of a node id"),
    "memory.node_id": Row("resident memory of the first generator of a node id"),
    "codec.encode": Row(
        "a random id of 63 bits as text; every text is read back and compared",
        OTHERS,
        {"cpp": 0.8, "python": 0.2, "node": 1.0, "java": 1.0},
        goals_ns={"cpp": 12},
    ),
    "codec.encode_many": Row("the same, many at once, time per id", "the floor of `codec.encode`"),
    "codec.decode": Row("such a text back to the id", OTHERS, {"cpp": 1.0, "python": 0.2, "node": 1.0, "java": 1.0}),
    "codec.decode_many": Row("the same, many at once, time per text", "the floor of `codec.decode`"),
    "uuid7": Row(
        "one UUID of version 7: `uuid.UUID` in Python, its text in Node, `java.util.UUID` in Java",
        STAMPED,
        {"cpp": 1.5, "python": 2.5, "node": 3.0, "java": 2.5},
    ),
    "uuid7.worker": Row("the same with a worker, that is with a node id", "the floor of `uuid7`"),
    "uuid4": Row("one UUID of version 4", "the floor of `uuid7`"),
    "objectid": Row("one id of 12 bytes; in Python, Node and Java its text", "the floor of `uuid7`", {"node": 2.5}),
    "uuid7.fill": Row(
        "4096 UUIDs of version 7 at once into memory, time per id; in C++ repeated from the beginning of a "
        "tick, for at most the 262 144 that it has",
        "in C++ 8 bytes of the entropy in use and a store of 16 bytes; else the floor of `uuid7`",
        {"cpp": 1.5, "python": 0.15},
    ),
    "uuid4.fill": Row("the same of version 4", "the floor of `uuid7.fill`"),
    "segment": Row(
        "one number of a counter in the store in memory",
        "one relaxed atomic add: in Python and Node as an empty native call, in Java `AtomicLong.getAndIncrement()`",
        {"cpp": 1.15, "python": 1.15, "node": 1.15, "java": 1.5},
    ),
    "segment.two_threads": Row(
        "the same from two threads: 1 over the sum of their rates", "the same from two threads", {"cpp": 1.25}
    ),
    "segment.fetches": Row(
        "a process that takes numbers at a steady rate, for ten minutes of made-up time and four million numbers at least, "
        "after a minute and as many: how often it asks the store for a range. Ours are counted in the core, which decides "
        "that for each language, and which asks twice a minute besides, to keep a jump small"
    ),
    "date": Row(
        "one number of a counter of dates in a Redis of this host, with `step=1`, from one thread in each of eight "
        "processes: 1 over the sum of their rates; also the fewest numbers of a process as a share of the most",
        "INCR by one client in each of the eight",
        {"python": 3.33},
        least_share=0.5,
    ),
    "date.64": Row(
        "the same from 64 threads in each of eight processes", "the floor of `date`", {"python": 0.333}, least_share=0.5
    ),
    "start": Row(
        "the extra time of a fresh process that loads the package and, in Java, issues an id, over a bare process"
    ),
    "size": Row("the package as built here, native library included"),
}

KINDS = ("uuid7", "uuid4", "objectid", "segment", "segment.two_threads")  # rows that other libraries have as well


def goals_of(language: str, name: str) -> list[tuple[str, float]]:
    """What is judged of a row of ours, and its goal."""
    row = ROWS[name]
    found = [
        (measure, goals[language])
        for measure, goals in ((row.measure, row.goals), ("ns", row.goals_ns))
        if language in goals
    ]
    return [*found, ("least_share", row.least_share)] if found and row.least_share else found


def bound(measure: str, goal: float) -> str:
    if measure == "share":
        return f">= {goal:.1%}"
    if measure == "least_share":
        return f"least share >= {goal:.0%}"
    return f"<= {goal:.2f}" if measure == "ratio" else f"<= {goal:g} {measure}"


def is_met(measure: str, value: float, goal: float) -> bool:
    return value >= goal if measure.endswith("share") else value <= goal
