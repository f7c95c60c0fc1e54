"""Sources of ids by the name of their kind: the kinds of this package."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import count, instant, text
from polyflake._dates import DateIds, DateNumbers, DateParts
from polyflake._issuing import Issuing
from polyflake._kinds import open_registered, parsed
from polyflake._options import names_checked, options_of_kind
from polyflake._segment import Segment
from polyflake._tickets import Tickets
from polyflake._uuids import Uuid4, Uuid7
from polyflake.clock import ManualClock
from polyflake.generator import Generator
from polyflake.values import ObjectIdParts, Uuid7Parts

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any, Callable, Literal, overload

    from typing_extensions import Unpack

    from polyflake._dates import _Period
    from polyflake._kinds import IdSource
    from polyflake._options import _Worker
    from polyflake._tickets import _Server
    from polyflake.generator import GeneratorOptions
    from polyflake.layout import Layout
    from polyflake.stores._store import Store

# Exported by polyflake, as open() is.
__all__ = [
    "DateIds",
    "DateNumbers",
    "DateParts",
    "ObjectIdParts",
    "ObjectIds",
    "Segment",
    "Tickets",
    "Uuid4",
    "Uuid7",
    "Uuid7Parts",
]


class ObjectIds(Issuing, _core.StampedSource):
    """MongoDB's 12-byte ids as text of 24 hex digits, which rise for the life of the process.

    They rise regardless of its clock. The counter starts each second at a random value and carries
    into the next second, so no id repeats; servers and drivers accept that as well as a counter
    that wraps around. A forked child has its own process bytes. max_wait_ms, max_lead_ms and clock
    are as of Generator, but a call may always wait out one second. entropy, for tests with a clock,
    is two words of 8 bytes: the key of the seconds, and the process in the low 40 bits.

    Errors: option_invalid, registry_unusable, clock_before_epoch, time_exhausted. Blocks: never.
    Thread safety: any thread.
    """

    @names_checked
    def __init__(
        self,
        *,
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        clock: ManualClock | None = None,
        entropy: bytes | None = None,
    ) -> None:
        options = options_of_kind("objectid", clock, entropy, max_wait_ms=max_wait_ms, max_lead_ms=max_lead_ms)
        self._open(options, None, "")

    @property
    def kind(self) -> str:
        """The name of this kind of source: "objectid"."""
        return "objectid"

    def next_ids(self, n: int, /) -> list[str]:
        """Returns n ids in rising order. Errors: as next_id(), and option_invalid.

        Blocks: as long as n ids need.
        """
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> str:
        """Returns the next id; waits on timers of asyncio instead of blocking.

        Errors: as next_id().
        """
        id: str = await self._claimed()
        return id

    async def next_ids_async(self, n: int, /) -> list[str]:
        """Returns n ids in rising order, waiting as next_id_async() does.

        Ids of other calls may come between them. Errors: as next_ids().
        """
        return await self._claimed_many(count("n", n))

    def decode(self, id: str, /) -> ObjectIdParts:
        """Returns the parts of an id. Errors: text_invalid."""
        given = _core.parse_id("objectid", text("an ObjectId", id, "text_invalid"))
        return ObjectIdParts(*_core.decode_id("objectid", "", given))

    def first_id(self, time: datetime | int, /) -> str:
        """Returns the least ObjectId of this second, for range queries on `_id`.

        Errors: field_out_of_range, option_invalid.
        """
        return _core.id_text("objectid", _core.first_id("objectid", instant(time)))

    def last_id(self, time: datetime | int, /) -> str:
        """Returns the greatest ObjectId of this second. Errors: as first_id()."""
        return _core.id_text("objectid", _core.last_id("objectid", instant(time)))

    def __repr__(self) -> str:
        return "<polyflake.ObjectIds>"


_BUILT_IN: dict[str, Callable[..., Any]] = {
    "snowflake": Generator,
    "uuid7": Uuid7,
    "uuid4": Uuid4,
    "objectid": ObjectIds,
    "segment": Segment,
    "date": DateIds,
    "ticket": Tickets,
}

if TYPE_CHECKING:

    @overload
    def open(
        kind: Literal["snowflake"], /, worker: _Worker | None = None, **options: Unpack[GeneratorOptions]
    ) -> Generator: ...
    @overload
    def open(
        kind: Literal["uuid7"],
        /,
        worker: _Worker | None = None,
        *,
        layout: str | Layout | None = None,
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        clock: ManualClock | None = None,
        entropy: bytes | None = None,
    ) -> Uuid7: ...
    @overload
    def open(kind: Literal["uuid4"], /, *, clock: ManualClock | None = None, entropy: bytes | None = None) -> Uuid4: ...
    @overload
    def open(
        kind: Literal["objectid"],
        /,
        *,
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        clock: ManualClock | None = None,
        entropy: bytes | None = None,
    ) -> ObjectIds: ...
    @overload
    def open(
        kind: Literal["segment"],
        /,
        store: str | Store,
        *,
        name: str,
        step: int | None = None,
        hold_ms: int = 30_000,
        min_step: int = 100,
        max_step: int = 1_000_000,
        timeout_ms: int = 2000,
    ) -> Segment: ...
    @overload
    def open(
        kind: Literal["date"],
        /,
        store: str | Store,
        *,
        name: str,
        prefix: str = "",
        period: _Period = "yyyyMMdd",
        digits: int = 6,
        zone: str = "+00:00",
        step: int = 1,
        timeout_ms: int = 2000,
    ) -> DateIds: ...
    @overload
    def open(
        kind: Literal["ticket"],
        /,
        store: _Server | Sequence[_Server],
        *,
        table: str = "Tickets64",
        timeout_ms: int = 2000,
    ) -> Tickets: ...
    @overload
    def open(kind: str, /, **options: Any) -> IdSource[Any]: ...


def open(kind: str, /, *arguments: Any, **options: Any) -> Any:
    """Opens a source of ids by the name of its kind.

    Kinds are those of kinds(). Options of a kind of this package are those of its class: Generator
    for "snowflake", Uuid7 for "uuid7", Segment for "segment" and so on. "segment:" and "date:"
    may be followed by the address of the store, "ticket:" by that of a single server. A registered
    kind pops the options it knows;
    `store` among them is the text after the ":" of "name:store".

    Errors: text_invalid, unknown_kind, option_invalid, and those of the source. Blocks: as the
    source.
    """
    name, store = parsed(kind)
    if name in _BUILT_IN:
        if store is not None:
            arguments = (store, *arguments)
        return _BUILT_IN[name](*arguments, **options)
    return open_registered(name, store, arguments, options)
