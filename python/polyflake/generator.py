"""Generators, which issue ids."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import count
from polyflake._issuing import Issuing, opening_off_the_loop
from polyflake._options import names_checked, native_options, store_for
from polyflake._warning import warn_of_opening
from polyflake.clock import ManualClock
from polyflake.layout import Layout
from polyflake.values import Parts

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from datetime import datetime
    from typing import TypedDict

    from typing_extensions import Self

    from polyflake._options import _Ordering, _Worker

    class GeneratorOptions(TypedDict, total=False):
        """The options of Generator that have a name alone, for open("snowflake")."""

        layout: str | Layout
        max_wait_ms: int
        max_lead_ms: int
        sequence_spread: int | None
        ordering: _Ordering
        clock: ManualClock | None


class Generator(Issuing, _core.Generator):
    """Issues ids that no other generator of this namespace issues.

    worker is the source of the node id: an integer or one integer per node field (the caller
    guarantees that no other process uses it), "host" (a free one of this machine), "host:7" (node
    id 7), "ordinal" (the number at the end of the host name), or, for a lease, the address of a
    store ("redis://host/0?namespace=orders") or a store of polyflake.stores. Default:
    POLYFLAKE_WORKER in the environment, else "host". The "host" sources are safe on one machine
    only: another machine, or a container with its own registry folder, hands out the same node ids.
    layout is a Layout, its text or the name of a preset. max_wait_ms is the longest wait of one
    call for the clock; max_lead_ms is how far ids may run ahead of the clock without waiting. Both
    count in whole ticks, rounded down. sequence_spread is the number of values at which the
    sequence of a tick may begin: 1 means always at 0; None means an eighth of its capacity, the
    maximum. ordering "strict": an id is above each id whose call returned before its call began.
    ordering "per_thread", for extreme rates: ids rise within each thread; ids of different threads
    are in order only down to the tick. clock is a ManualClock in tests.

    A generator per call is harmless: generators with the same layout and node id share one state.
    After a fork a "host" source or a lease takes a new node id by itself; a static number raises
    forked_generator.

    Errors: option_invalid, worker_source_invalid, field_out_of_range, unknown_field, worker_in_use,
    no_worker_free, registry_unusable, forked_generator, clock_before_epoch, time_exhausted, with a
    store namespace_not_initialised, wrong_namespace, layout_mismatch, store_unavailable,
    clock_skew, and those of Layout(). ImportError names the missing client of a store. Blocks:
    "host" sources do file I/O, and leases do I/O of the store, without the GIL. No source waits for
    its window to begin; the first call for an id does. Thread safety: any thread.
    """

    @names_checked
    def __init__(
        self,
        worker: _Worker | None = None,
        *,
        layout: str | Layout = "polyflake",
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        sequence_spread: int | None = None,
        ordering: _Ordering = "strict",
        clock: ManualClock | None = None,
    ) -> None:
        options = native_options(
            worker,
            layout,
            ordering,
            clock,
            max_wait_ms=max_wait_ms,
            max_lead_ms=max_lead_ms,
            sequence_spread=sequence_spread,
        )
        self._open(options, store_for(worker), layout)
        self._layout = Layout(self._layout_text)
        warn_of_opening()

    if TYPE_CHECKING:

        @classmethod
        async def open(
            cls,
            worker: _Worker | None = None,
            *,
            layout: str | Layout = "polyflake",
            max_wait_ms: int = 10,
            max_lead_ms: int = 0,
            sequence_spread: int | None = None,
            ordering: _Ordering = "strict",
            clock: ManualClock | None = None,
        ) -> Self: ...

    else:
        open = opening_off_the_loop(__init__)

    @property
    def kind(self) -> str:
        """The name of this kind of source: "snowflake"."""
        return "snowflake"

    @property
    def layout(self) -> Layout:
        """The layout of the ids."""
        return self._layout

    def next_ids(self, n: int, /) -> list[int]:
        """Returns n ids in rising order: exactly those that n single calls would have given.

        Errors: as next_id(), and option_invalid if n is negative or not an integer. Blocks: as long
        as n ids need, without the GIL. Thread safety: any thread.
        """
        return self._next_ids(count("n", n))

    def decode(self, id: int | str, /) -> Parts:
        """Returns the parts of an id of this layout. Errors: as Layout.decode()."""
        return self._layout.decode(id)

    def first_id(self, time: datetime | int, /) -> int:
        """Returns the smallest id of the tick that contains this time.

        It bounds queries only if the timestamp is the first field of the layout. Errors: as
        Layout.first_id().
        """
        return self._layout.first_id(time)

    def last_id(self, time: datetime | int, /) -> int:
        """Returns the largest id of the tick that contains this time.

        It bounds queries only if the timestamp is the first field of the layout. Errors: as
        Layout.last_id().
        """
        return self._layout.last_id(time)

    async def next_id_async(self) -> int:
        """Returns the next id; waits on timers of asyncio instead of blocking.

        It also waits until its window has begun. A cancelled call loses at most an unused id.
        Errors: as next_id(). Blocks: about every 1.5 s one call does the file I/O of a "host"
        worker; if even that is too long for the event loop, call renew() in a thread every second.
        """
        id: int = await self._claimed()
        return id

    async def next_ids_async(self, n: int, /) -> list[int]:
        """Returns n ids in rising order, waiting as next_id_async() does.

        Ids of other calls may come between them. A cancelled call loses the ids that it has. Errors
        and blocking: as next_id_async(), and option_invalid as next_ids().
        """
        return await self._claimed_many(count("n", n))

    def __repr__(self) -> str:
        if not hasattr(self, "_layout"):
            return "<polyflake.Generator not opened>"
        state = self.state().name
        shown = "" if state == "open" else f" {state}"
        return f"<polyflake.Generator worker={self.worker} layout={str(self.layout)!r}{shown}>"
