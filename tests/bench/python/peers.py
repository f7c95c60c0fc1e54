"""The libraries that are compared: ours and the Snowflake packages of PyPI.

Each is called as its documentation shows, with its defaults and a node id of the caller's choice where it has one. A
`price` says what a call does not do, from the library's code. What all the peers lack is not repeated: none notices a
fork, or another generator of the same node id.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polyflake

Issue = Callable[[], Any]

OURS = f"polyflake {polyflake.__version__}"


def _itself(id: Any) -> Any:
    return id


@dataclass(frozen=True)
class Library:
    label: str  # package and version
    call: str  # as a user writes it
    open: Callable[[], Issue]
    price: str = ""
    capacity: int = 4096  # ids in a tick
    tick_ms: int = 1
    number: Callable[[Any], int] = _itself  # an id as a number
    time_ms: Callable[[int], int] = lambda id: id >> 22  # of that number
    generator: polyflake.Generator | None = None  # where it can say how often calls have waited

    @property
    def chunk(self) -> int:
        """Ids that fit in a tick without waiting, at most 2000."""
        return min(2000, self.capacity // 2)


def _label(package: str) -> str:
    return f"{package} {importlib.metadata.version(package)}"


def own(call: str, generator: polyflake.Generator) -> Library:
    return Library(OURS, call, lambda: generator.next_id, generator=generator)


def ours() -> Library:
    layout = polyflake.Layout("polyflake")
    return Library(
        OURS,
        "Generator.next_id()",
        # The default wait is 10 ms; a machine that stops a thread for longer should cost time, not an error.
        lambda: polyflake.Generator(1, max_wait_ms=1000).next_id,
        time_ms=lambda id: layout.decode(id).time_ms,
    )


def of_the_module() -> Library:
    def first() -> Issue:
        os.environ["POLYFLAKE_WORKER"] = "3"
        polyflake.next_id()
        return polyflake.next_id

    return Library(OURS, "polyflake.next_id()", first)


def as_text() -> Library:
    return Library(OURS, "Generator.next_id_string()", lambda: polyflake.Generator(2).next_id_string, number=int)


def peers() -> list[Library]:
    import snowflake
    import snowflake_id_toolkit
    import sonyflake_turbo
    import tsidpy

    pycsnowflake = _pycsnowflake()
    schema = pycsnowflake.Schema()
    sonyflake_epoch_ms = 1000 * sonyflake_turbo.SONYFLAKE_EPOCH
    return [
        Library(
            _label("pycsnowflake"),
            "Generator.generate()",
            lambda: pycsnowflake.Generator(schema, 0, 1).generate,
            "spins with the GIL held when a ms is full or the clock steps back",
            time_ms=lambda id: (id >> 22) + schema.epoch,
        ),
        Library(
            _label("sonyflake-turbo"),
            "next(SonyFlake)",
            # As a bound method, which costs the same as next().
            lambda: sonyflake_turbo.SonyFlake(*range(16)).__next__,
            "256 ids per 10 ms and machine id; holds 16 machine ids here",
            capacity=16 * 256,
            tick_ms=10,
            time_ms=lambda id: (id >> 24) * 10 + sonyflake_epoch_ms,
        ),
        Library(
            _label("snowflake-id"),
            "next(SnowflakeGenerator)",
            lambda: snowflake.SnowflakeGenerator(1).__next__,
            "returns None when a ms is full or the clock steps back; no lock",
        ),
        Library(
            _label("snowflake-id-toolkit"),
            "TwitterSnowflakeIDGenerator.generate_next_id()",
            lambda: snowflake_id_toolkit.TwitterSnowflakeIDGenerator(1).generate_next_id,
            "id 4097 of a ms spills into the node id; raises when the clock steps back",
        ),
        Library(
            _label("tsidpy"),
            "TSIDGenerator.create()",
            lambda: tsidpy.TSIDGenerator(node=1).create,
            "runs ahead of the clock without bound when a ms is full or the clock steps back",
            number=lambda id: id.number,
            time_ms=lambda id: (id >> 22) + tsidpy.TSID_EPOCH,
        ),
    ]


def _pycsnowflake() -> Any:
    """Its module is called snowflake, as is that of snowflake-id, which hides it; so it is loaded by its file."""
    files = importlib.metadata.files("pycsnowflake") or []
    (file,) = (file for file in files if file.name.startswith("snowflake.") and file.suffix == ".so")
    spec = importlib.util.spec_from_file_location("pycsnowflake.snowflake", file.locate())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
