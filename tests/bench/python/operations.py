"""The operations whose cost is compared with a floor."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable
from typing import Any

import polyflake

from pairing import Loop, Operation, calls_of, from_a_fresh_tick
from peers import OURS, Library

CLOCK = "time.time_ns()"

# A millisecond holds four million ids, so that no call waits: what is measured is work.
WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"


def single_next_id(suffix: str = "") -> Operation:
    """`suffix` names the clock in the run that uses another one."""
    generator = polyflake.Generator(0, layout=WIDE)
    name = "Generator.next_id()" + (f", {suffix} clock" if suffix else "")
    key = ".".join(filter(None, ("python.next_id", suffix)))
    loop, clock = calls_of(generator.next_id), calls_of(time.time_ns)
    return Operation("single call", OURS, name, loop, CLOCK, clock, key, waits=_waits(generator))


def own() -> list[Operation]:
    clock = calls_of(time.time_ns)
    generator = polyflake.Generator(0, layout=WIDE)
    waits = _waits(generator)
    ids, few = array("Q", bytes(8 * 4096)), array("Q", bytes(8 * 64))
    of_a_list = calls_of(array("Q", generator.next_ids(1000)).tolist)
    list_floor = "array('Q').tolist() of 1000 ids"
    # These would use up even a wide millisecond: half of it at a time.
    fill = from_a_fresh_tick(calls_of(generator.fill, ids), 1)
    half_full = 2**22 // 2 // 4096

    def row(group: str, name: str, loop: Loop, floor_name: str = CLOCK, floor: Loop = clock, **more: Any) -> Operation:
        return Operation(group, OURS, name, loop, floor_name, floor, waits=waits, **more)

    return [
        single_next_id(),
        row("single call", "Generator.try_next_id()", calls_of(generator.try_next_id)),
        _of_the_module(clock),
        row(
            "batch",
            "Generator.next_ids(1000)",
            calls_of(generator.next_ids, 1000),
            list_floor,
            of_a_list,
            key="python.next_ids_1000",
        ),
        row("batch", "Generator.fill(64 ids), whole call", calls_of(generator.fill, few)),
        row(
            "batch",
            "Generator.fill(4096 ids), per id",
            fill,
            key="python.fill_4096_per_id",
            ids_per_call=4096,
            chunk=half_full,
        ),
    ]


def _of_the_module(clock: Loop) -> Operation:
    """polyflake.next_id(): its generator has the default layout, so it runs from a fresh ms as the peers do."""
    os.environ["POLYFLAKE_WORKER"] = "3"
    polyflake.next_id()
    loop = from_a_fresh_tick(calls_of(polyflake.next_id), 1)
    return Operation("single call", OURS, "polyflake.next_id()", loop, CLOCK, clock, chunk=2000)


def of_libraries(libraries: list[Library]) -> list[Operation]:
    """One call of each library. A chunk begins at a fresh tick and fits in it, so that nobody waits."""
    clock = calls_of(time.time_ns)
    return [
        Operation(
            "peers",
            library.label,
            library.call,
            from_a_fresh_tick(calls_of(library.open()), library.tick_ms),
            CLOCK,
            clock,
            price=library.price,
            chunk=library.chunk,
        )
        for library in libraries
    ]


def _waits(generator: polyflake.Generator) -> Callable[[], int]:
    return lambda: generator.stats().waits
