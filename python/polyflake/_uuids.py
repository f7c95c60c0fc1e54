"""Sources of UUIDs."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import count, instant, text, uuid_bytes
from polyflake._closable import Closable
from polyflake._issuing import Issuing, opening_off_the_loop
from polyflake._options import names_checked, options_of_kind, set_worker, store_for
from polyflake._warning import warn_of_opening
from polyflake.clock import ManualClock
from polyflake.layout import Layout
from polyflake.values import Stats, Uuid7Parts

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from typing_extensions import Self

    from polyflake._options import _Worker


class Uuid7(Issuing, _core.StampedSource):
    """UUIDs of version 7 (RFC 9562), which rise for the life of the process despite its clock.

    Without a worker only random bits keep the ids of two processes apart: each id has 56, and the
    counter begins each millisecond at a position of this process. The source stays ahead of a clock
    that is set back (stats().held_ms), and a forked child draws its own bits. With a worker, as of
    Generator, each id has the tick, sequence and node id of a granted window, so no two ids are
    equal, regardless of their tails; the rules of Generator for clocks, waits and forks apply.
    layout needs a worker, and ticks of 1 ms. max_wait_ms, max_lead_ms and clock are as of
    Generator. entropy, for tests with a clock, replaces the random bits, in words of 8 bytes:
    without a worker first the key of the milliseconds, then one word per id.

    Errors: option_invalid, layout_invalid, registry_unusable; with a worker those of Generator().
    Blocks: I/O of the worker. Thread safety: any thread.
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
        options = options_of_kind("uuid7", clock, entropy, max_wait_ms=max_wait_ms, max_lead_ms=max_lead_ms)
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
        """The layout of the positions.

        Without a worker it is `timestamp:45 sequence:18 tick=1ms epoch=1970-01-01T00:00:00.000Z`.
        """
        return Layout(self._layout_text)

    def next_ids(self, n: int, /) -> list[UUID]:
        """Returns n ids in rising order. Errors: as next_id(), and option_invalid.

        Blocks: as long as n ids need.
        """
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> UUID:
        """Returns the next id; waits on timers of asyncio instead of blocking.

        Errors: as next_id().
        """
        id: UUID = await self._claimed()
        return id

    async def next_ids_async(self, n: int, /) -> list[UUID]:
        """Returns n ids in rising order, waiting as next_id_async() does.

        Ids of other calls may come between them. Errors: as next_ids().
        """
        return await self._claimed_many(count("n", n))

    def decode(self, id: UUID | str, /) -> Uuid7Parts:
        """Returns the parts of an id.

        Errors: text_invalid, id_out_of_range (not of version 7), field_out_of_range.
        """
        return Uuid7Parts(*_core.decode_id("uuid7", self._layout_of_worker, uuid_bytes(id)))

    def first_id(self, time: datetime | int, /) -> UUID:
        """Returns the least UUID of version 7 of this millisecond: a lower bound of queries.

        `id >= first_id(t)` selects the ids of this millisecond and later ones. The time is an aware
        datetime or Unix milliseconds. Errors: field_out_of_range, option_invalid.
        """
        return _uuid(_core.first_id("uuid7", instant(time)))

    def last_id(self, time: datetime | int, /) -> UUID:
        """Returns the greatest UUID of version 7 of this millisecond. Errors: as first_id()."""
        return _uuid(_core.last_id("uuid7", instant(time)))

    def __repr__(self) -> str:
        if not hasattr(self, "_layout_of_worker"):
            return "<polyflake.Uuid7 not opened>"
        return f"<polyflake.Uuid7 {'without a worker' if self._layout_of_worker == '' else f'worker={self.worker}'}>"


class Uuid4(Closable, _core.BytesSource):
    """UUIDs of version 4 (RFC 9562): 122 random bits each, in no order.

    clock and entropy are for tests: entropy replaces the random bits, in words of 8 bytes, two per
    id.

    Errors: option_invalid. Blocks: never. Thread safety: any thread.
    """

    @names_checked
    def __init__(self, *, clock: ManualClock | None = None, entropy: bytes | None = None) -> None:
        super().__init__(options_of_kind("uuid4", clock, entropy))

    @property
    def kind(self) -> str:
        """The name of this kind of source: "uuid4"."""
        return "uuid4"

    def try_next_id(self) -> UUID:
        """Returns the next id, as next_id(), which never waits."""
        id: UUID = self.next_id()
        return id

    def next_ids(self, n: int, /) -> list[UUID]:
        """Returns n ids. Errors: as next_id(), and option_invalid."""
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> UUID:
        """Returns the next id, as next_id(), which never waits."""
        return self.try_next_id()

    async def next_ids_async(self, n: int, /) -> list[UUID]:
        """Returns n ids, as next_ids(), which never waits."""
        return self.next_ids(n)

    def stats(self) -> Stats:
        """Returns the number of ids issued, and zeros, since there is no clock to wait for."""
        return Stats(**self._stats(), namespace_uuid=None)

    def __repr__(self) -> str:
        return "<polyflake.Uuid4>"


def _uuid(given: bytes) -> UUID:
    from uuid import UUID  # imported here: it takes longer than all other imports

    return UUID(bytes=given)
