"""Sources of the kinds beside the snowflake: UUIDs and MongoDB's ids."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import count, fail, instant, shown, signed, text, uuid_bytes
from polyflake._issuing import Closable, Issuing, opening_off_the_loop
from polyflake._options import names_checked, set_clock, set_worker, store_for
from polyflake._warning import warn_of_opening
from polyflake.clock import ManualClock
from polyflake.layout import Layout
from polyflake.values import ObjectIdParts, Stats, Uuid7Parts

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any
    from uuid import UUID

    from typing_extensions import Self

    from polyflake._options import _Worker


def _native_options(kind: str, clock: ManualClock | None, entropy: bytes | None, **numbers: int) -> _core.Options:
    options = _core.Options()
    options.set_kind(kind)
    for name, number in numbers.items():
        options.set_number(name, signed(name, number, "option_invalid"))
    set_clock(options, clock)
    if entropy is not None:
        if not isinstance(entropy, (bytes, bytearray)):
            fail("option_invalid", f"entropy must be bytes, not {shown(entropy)}")
        options.set_entropy(bytes(entropy))
    return options


class Uuid7(Issuing, _core.StampedSource):
    """UUIDs of version 7 (RFC 9562), which rise for the life of the process, whatever its clock does.

    Without a worker chance keeps processes apart: 56 random bits an id, and a counter that begins each millisecond at a place of
    this process. The clock is held up where it is set back (stats().held_ms), and a child of a fork draws bits of its own.
    With a worker, as of Generator, each id carries the tick, sequence and node id of a granted window, so that no two are
    equal, whatever their tails; then all that Generator says of clocks, waits and forks holds. layout goes with a worker, and has
    ticks of 1 ms. max_wait_ms, max_lead_ms and clock are as of Generator; entropy, for tests with a clock, is what stands
    for random bits: words of 8 bytes, without a worker first the key of the milliseconds, then one an id.

    Errors: option_invalid, layout_invalid, registry_unusable; with a worker those of Generator(). Blocks: I/O of the worker.
    Thread safety: any thread.
    """

    @names_checked
    def __init__(
        self,
        worker: _Worker | None = None,
        *,
        layout: str | Layout | None = None,
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        clock: ManualClock | None = None,
        entropy: bytes | None = None,
    ) -> None:
        options = _native_options("uuid7", clock, entropy, max_wait_ms=max_wait_ms, max_lead_ms=max_lead_ms)
        if layout is not None:
            options.set_layout(str(layout) if isinstance(layout, Layout) else text("layout", layout, "layout_invalid"))
        store = None
        if worker is not None:
            set_worker(options, worker, clock)
            store = store_for(worker)
        self._open(options, store, "polyflake" if layout is None else layout)
        self._layout_of_worker = "" if worker is None else self._layout_text
        warn_of_opening()

    if TYPE_CHECKING:

        @classmethod
        async def open(
            cls,
            worker: _Worker | None = None,
            *,
            layout: str | Layout | None = None,
            max_wait_ms: int = 10,
            max_lead_ms: int = 0,
            clock: ManualClock | None = None,
            entropy: bytes | None = None,
        ) -> Self: ...

    else:
        open = opening_off_the_loop(__init__)

    @property
    def kind(self) -> str:
        """The name of this kind of source: "uuid7"."""
        return "uuid7"

    @property
    def layout(self) -> Layout:
        """Of the positions: without a worker `timestamp:45 sequence:18 tick=1ms epoch=1970-01-01T00:00:00.000Z`."""
        return Layout(self._layout_text)

    def next_ids(self, n: int, /) -> list[UUID]:
        """Issues n ids in rising order. Errors: as next_id(), and option_invalid. Blocks: as long as n needs."""
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> UUID:
        """next_id() that waits on timers of asyncio instead of blocking. Errors: as next_id()."""
        id: UUID = await _spelled(self)
        return id

    def decode(self, id: UUID | str, /) -> Uuid7Parts:
        """What an id says. Errors: text_invalid, id_out_of_range (not of version 7), field_out_of_range."""
        return Uuid7Parts(*_core.decode_uuid7(self._layout_of_worker, uuid_bytes(id)))

    def first_id(self, time: datetime | int, /) -> UUID:
        """The least UUID of version 7 of this millisecond: `id >= first_id(t)` selects what is not older.

        The time is an aware datetime or Unix milliseconds. Errors: field_out_of_range, option_invalid.
        """
        return _uuid(_core.first_uuid7(instant(time)))

    def last_id(self, time: datetime | int, /) -> UUID:
        """The greatest UUID of version 7 of this millisecond. Errors: as first_id()."""
        return _uuid(_core.last_uuid7(instant(time)))

    def __repr__(self) -> str:
        if not hasattr(self, "_layout_of_worker"):
            return "<polyflake.Uuid7 not opened>"
        return f"<polyflake.Uuid7 {'without a worker' if self._layout_of_worker == '' else f'worker={self.worker}'}>"


class ObjectIds(Issuing, _core.StampedSource):
    """MongoDB's 12-byte ids as text of 24 hex digits, which rise for the life of the process, whatever its clock does.

    The counter begins each second at a place that chance decides and carries into the next second, so no id comes twice; servers
    and drivers take both that and a counter that goes round. A child of a fork has process bytes of its own.
    max_wait_ms, max_lead_ms and clock are as of Generator, a second is always waited out; entropy, for tests with a clock, is two
    words of 8 bytes: the key of the seconds, and the process in the low 40 bits.

    Errors: option_invalid, registry_unusable, clock_before_epoch, time_exhausted. Blocks: never. Thread safety: any thread.
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
        options = _native_options("objectid", clock, entropy, max_wait_ms=max_wait_ms, max_lead_ms=max_lead_ms)
        self._open(options, None, "")

    @property
    def kind(self) -> str:
        """The name of this kind of source: "objectid"."""
        return "objectid"

    def next_ids(self, n: int, /) -> list[str]:
        """Issues n ids in rising order. Errors: as next_id(), and option_invalid. Blocks: as long as n needs."""
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> str:
        """next_id() that waits on timers of asyncio instead of blocking. Errors: as next_id()."""
        id: str = await _spelled(self)
        return id

    def decode(self, id: str, /) -> ObjectIdParts:
        """What an id says. Errors: text_invalid."""
        return ObjectIdParts(*_core.decode_object_id(_core.parse_object_id(text("an ObjectId", id, "text_invalid"))))

    def first_id(self, time: datetime | int, /) -> str:
        """The least ObjectId of this second, for range queries on `_id`. Errors: field_out_of_range, option_invalid."""
        return _core.first_object_id(instant(time)).hex()

    def last_id(self, time: datetime | int, /) -> str:
        """The greatest ObjectId of this second. Errors: as first_id()."""
        return _core.last_object_id(instant(time)).hex()

    def __repr__(self) -> str:
        return "<polyflake.ObjectIds>"


class Uuid4(Closable, _core.RandomSource):
    """UUIDs of version 4 (RFC 9562): 122 random bits each, in no order.

    clock and entropy are for tests: words of 8 bytes that stand for random bits, two an id.

    Errors: option_invalid. Blocks: never. Thread safety: any thread.
    """

    @names_checked
    def __init__(self, *, clock: ManualClock | None = None, entropy: bytes | None = None) -> None:
        super().__init__(_native_options("uuid4", clock, entropy))

    @property
    def kind(self) -> str:
        """The name of this kind of source: "uuid4"."""
        return "uuid4"

    def try_next_id(self) -> UUID:
        """The same as next_id(), which never waits."""
        return self.next_id()

    def next_ids(self, n: int, /) -> list[UUID]:
        """Issues n ids. Errors: as next_id(), and option_invalid."""
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> UUID:
        """The same as next_id(), which never waits."""
        return self.next_id()

    def stats(self) -> Stats:
        """How many ids were issued, and zeros: there is no clock to wait for."""
        return Stats(**self._stats(), namespace_uuid=None)

    def __repr__(self) -> str:
        return "<polyflake.Uuid4>"


async def _spelled(source: Any) -> Any:
    while True:
        execution = _core.execution()
        id = source._spelled(await source._claimed(), execution)
        if id is not None:
            return id


def _uuid(given: bytes) -> UUID:
    from uuid import UUID  # here, since importing it takes longer than all the rest

    return UUID(bytes=given)
