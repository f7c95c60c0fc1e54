"""The rows of kinds of ids, each beside the packages of PyPI for the same. The floor is a reading of the clock.

`price` is what the others do not do, from their code.
"""

from __future__ import annotations

import importlib.metadata
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from peers import OURS, Library

import polyflake

BATCH = 4096
LOW_BITS = 2**64 - 1  # of an id: most of them random, or a counter

# A tick holds millions of ids, so that no call waits: what is measured is work.
WIDE = "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"

SOURCES: dict[str, Callable[[], Any]] = {
    "uuid7": polyflake.Uuid7,
    "uuid7.worker": lambda: polyflake.Uuid7(0, layout=WIDE, max_wait_ms=1000),
    "uuid4": polyflake.Uuid4,
    "objectid": polyflake.ObjectIds,
}


def low_bits_of_uuid(id: Any) -> int:
    return int(id.int) & LOW_BITS


def without_process(text: str) -> int:
    """Seconds and counter of an ObjectId, of which the process is the same for all."""
    return int(text[:8] + text[18:], 16)


def others() -> Iterator[tuple[str, Library]]:
    import bson
    import ulid
    import uuid6
    import uuid_utils
    import uuid_utils.compat

    def label(package: str) -> str:
        return f"{package} {importlib.metadata.version(package)}"

    def of(row: str, package: str, call: str, function: Any, price: str, number: Any = low_bits_of_uuid) -> Any:
        return row, Library(label(package), call, lambda: function, price, number=number)

    own_class = "no uuid.UUID, but a class of its own"
    yield of("uuid7", "uuid-utils", "uuid_utils.uuid7()", uuid_utils.uuid7, own_class)
    yield of("uuid7", "uuid-utils", "uuid_utils.compat.uuid7()", uuid_utils.compat.uuid7, "")
    yield of("uuid7", "uuid6", "uuid6.uuid7()", uuid6.uuid7, "two threads may get one time and no order")
    yield of(
        "uuid7",
        "python-ulid",
        "ULID()",
        ulid.ULID,
        "a class and a text of its own; no order within a ms",
        lambda id: int(id) & LOW_BITS,
    )
    yield of("uuid4", "uuid-utils", "uuid_utils.uuid4()", uuid_utils.uuid4, own_class)
    yield "uuid4", Library("Python's own", "uuid.uuid4()", lambda: uuid.uuid4, number=low_bits_of_uuid)
    yield of(
        "objectid",
        "pymongo",
        "str(ObjectId())",
        lambda: str(bson.ObjectId()),
        "a counter that goes round; a class of its own before the text",
        without_process,
    )


def own(row: str) -> Library:
    source = SOURCES[row]()
    number = without_process if row == "objectid" else low_bits_of_uuid
    call = f"{type(source).__name__}.next_id()"
    return Library(OURS, call, lambda: source.next_id, number=number, generator=source)


def fills_of(source: Any) -> Callable[[int], tuple[int, Iterable[int]]]:
    """So many ids, in fills of BATCH; the ns are those of the ids that were asked for."""
    ids = bytearray(16 * BATCH)
    low_words = memoryview(ids).cast("Q")[1::2]

    def run(count: int) -> tuple[int, Iterable[int]]:
        fills = -(-count // BATCH)
        begin = time.perf_counter_ns()
        for _ in range(fills):
            source.fill(ids)
        return (time.perf_counter_ns() - begin) * count // (fills * BATCH), low_words

    return run


def add_rows(bench: Any, calls_of: Callable[[Callable[[], Any]], Any], with_packages: bool) -> None:
    clock = calls_of(time.time_ns)
    packages = list(others()) if with_packages and any(map(bench.wants, SOURCES)) else []
    for row in filter(bench.wants, SOURCES):
        for library in [own(row), *(library for name, library in packages if name == row)]:
            bench.compare(row, library, clock, calls_of(library.open()))
    for row in filter(bench.wants, ("uuid7.fill", "uuid4.fill")):
        source = SOURCES[row.removesuffix(".fill")]()
        library = Library(OURS, f"{type(source).__name__}.fill()", lambda: source.next_id, generator=source)
        bench.compare(row, library, clock, fills_of(source))
