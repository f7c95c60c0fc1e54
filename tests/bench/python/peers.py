"""The libraries that are compared: ours, the Snowflake packages of PyPI, and the usual UUIDs and ULIDs.

Each is called as its documentation shows, with its defaults and a node id of the caller's choice where it has one. A
`price` says what a call does not do, from the library's code. What all the Snowflake peers lack is not repeated: none
notices a fork, or another generator of the same node id.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

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
    capacity: Optional[int] = None  # ids in a tick; None: no limit worth the name
    tick_ms: int = 1
    plain: bool = True  # every call returns an int below 2**64
    number: Callable[[Any], Any] = _itself  # an id as something to sort
    time_ms: Optional[Callable[[Any], int]] = None  # of an id; None: it carries no time

    @property
    def chunk(self) -> int:
        """Ids that fit in a tick without waiting, at most 2000."""
        return 2000 if self.capacity is None else min(2000, self.capacity // 2)


def _label(package: str) -> str:
    return f"{package} {importlib.metadata.version(package)}"


def ours() -> Library:
    layout = polyflake.Layout("polyflake")
    return Library(
        OURS,
        "Generator.next_id()",
        # The default wait is 10 ms; a machine that stops a thread for longer should cost time, not an error.
        lambda: polyflake.Generator(1, max_wait_ms=1000).next_id,
        capacity=4096,
        time_ms=lambda id: layout.decode(id).time_ms,
    )


def peers() -> list[Library]:
    import snowflake
    import snowflake_id_toolkit
    import sonyflake_turbo
    import tsidpy
    import ulid
    import ulid_transform
    import uuid6
    import uuid_extensions
    import uuid_utils

    pycsnowflake = _pycsnowflake()
    schema = pycsnowflake.Schema()
    sonyflake_epoch_ms = 1000 * sonyflake_turbo.SONYFLAKE_EPOCH
    return [
        Library(
            _label("pycsnowflake"),
            "Generator.generate()",
            lambda: pycsnowflake.Generator(schema, 0, 1).generate,
            "spins with the GIL held when a ms is full or the clock steps back",
            capacity=4096,
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
            capacity=4096,
            plain=False,
            time_ms=lambda id: id >> 22,
        ),
        Library(
            _label("snowflake-id-toolkit"),
            "TwitterSnowflakeIDGenerator.generate_next_id()",
            lambda: snowflake_id_toolkit.TwitterSnowflakeIDGenerator(1).generate_next_id,
            "id 4097 of a ms spills into the node id; raises when the clock steps back",
            capacity=4096,
            time_ms=lambda id: id >> 22,
        ),
        Library(
            _label("tsidpy"),
            "TSIDGenerator.create()",
            lambda: tsidpy.TSIDGenerator(node=1).create,
            "runs ahead of the clock without bound when a ms is full or the clock steps back",
            capacity=4096,
            plain=False,
            number=lambda id: id.number,
            time_ms=lambda id: int(id.timestamp),
        ),
        Library(
            f"uuid of Python {platform.python_version()}",
            "uuid4()",
            lambda: uuid.uuid4,
            "128 bits, unique by chance; not ordered: random",
            plain=False,
            number=int,
        ),
        Library(
            _label("uuid-utils"),
            "uuid4()",
            lambda: uuid_utils.uuid4,
            "128 bits, unique by chance; not ordered: random",
            plain=False,
            number=int,
        ),
        Library(
            _label("uuid-utils"),
            "uuid7()",
            lambda: uuid_utils.uuid7,
            "128 bits, unique by chance",
            plain=False,
            number=int,
            time_ms=lambda id: int(id) >> 80,
        ),
        Library(
            _label("uuid6"),
            "uuid7()",
            lambda: uuid6.uuid7,
            "128 bits, unique by chance; one id per ms, so it runs ahead of the clock without bound",
            plain=False,
            number=int,
            time_ms=lambda id: int(id) >> 80,
        ),
        Library(
            _label("uuid7"),
            "uuid7()",
            lambda: uuid_extensions.uuid7,
            "128 bits, unique by chance; as in a draft, not as in RFC 9562; goes back with the clock",
            plain=False,
            number=int,
            # 36 bits of seconds, 12 of their fraction, then the version and more of the fraction
            time_ms=lambda id: (int(id) >> 92) * 1000 + ((int(id) >> 80 & 0xFFF) * 1000 >> 12),
        ),
        Library(
            _label("python-ulid"),
            "ULID()",
            lambda: ulid.ULID,
            "128 bits, unique by chance; goes back with the clock",
            plain=False,
            number=lambda id: id.bytes,
            time_ms=lambda id: id.milliseconds,
        ),
        Library(
            _label("ulid-transform"),
            "ulid_now()",
            lambda: ulid_transform.ulid_now,
            "128 bits, as text, unique by chance; not ordered within a ms; a forked child repeats random bits",
            plain=False,
            time_ms=ulid_transform.ulid_to_timestamp,
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
