"""Segments: the numbers of a counter in a store."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import count, fail, shown, signed, text
from polyflake._imports import late_import
from polyflake._issuing import Issuing, opening_off_the_loop
from polyflake._options import names_checked, store_for
from polyflake._warning import warn_of_opening

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self

    from polyflake._lease_runners import CounterOf
    from polyflake.stores._store import Store


_DEFAULTS = {"hold_ms": 30_000, "min_step": 100, "max_step": 1_000_000, "timeout_ms": 2000}


class Segment(Issuing, _core.CountedSource):
    """The numbers of a counter in a store: unique for all hosts that use it, dense, and rising.

    store is the address of a store ("postgresql://host/db?namespace=shop") or a store of
    polyflake.stores; name is the name of the counter, which an operator made once with
    polyflake.stores.init_counter(). Numbers come in ranges, which a thread (or a task, for a client
    of asyncio) fetches ahead of need. step is the size of a range; None adapts it, between min_step
    and max_step, to hold_ms: how long the store may be away at a steady rate. step=1 leaves no gaps
    in normal running, at one round trip a call. timeout_ms is the longest wait of one call for the
    store. Numbers of one process rise; hosts take their ranges in turn. A process that is killed
    loses the numbers it holds (stats().held); close() gives them back. Sources with the same store,
    name and options share one state, for the life of the process.

    Errors: option_invalid, worker_source_invalid (the address), namespace_not_initialised (no such
    counter), layout_mismatch (a counter of another kind), wrong_namespace, store_unavailable,
    store_went_back, store_misconfigured, clock_skew. ImportError names the missing client of a
    store. Blocks: until the counter was read, at most timeout_ms, without the GIL. Thread safety:
    any thread.
    """

    _store_option = "store"

    @names_checked
    def __init__(
        self,
        store: str | Store,
        *,
        name: str,
        step: int | None = None,
        hold_ms: int = 30_000,
        min_step: int = 100,
        max_step: int = 1_000_000,
        timeout_ms: int = 2000,
    ) -> None:
        known = None if store is None else store_for(store)  # not that of the environment
        if known is None:
            fail(
                "option_invalid", f"store is the address of a store, or a store of polyflake.stores, not {shown(store)}"
            )
        held = self._held_by(
            name=name, step=step, hold_ms=hold_ms, min_step=min_step, max_step=max_step, timeout_ms=timeout_ms
        )
        options = _core.Options()
        options.set_kind("segment")
        self._open_with(options, known, held, options.set_counter)
        warn_of_opening()

    @classmethod
    def _held_by(cls, *, name: str | None = None, store: object = None, **numbers: Any) -> CounterOf:
        """Returns the counter that these options name."""
        with late_import("polyflake._lease_runners"):
            from polyflake._lease_runners import CounterOf

        return CounterOf(
            text("name", name, "option_invalid"),
            {
                one: signed(one, value, "option_invalid")
                for one, value in {**_DEFAULTS, **numbers}.items()
                if value is not None
            },
        )

    if TYPE_CHECKING:

        @classmethod
        async def open(
            cls,
            store: str | Store,
            *,
            name: str,
            step: int | None = None,
            hold_ms: int = 30_000,
            min_step: int = 100,
            max_step: int = 1_000_000,
            timeout_ms: int = 2000,
        ) -> Self: ...

    else:
        open = opening_off_the_loop(__init__)

    @property
    def kind(self) -> str:
        """The name of this kind of source: "segment"."""
        return "segment"

    def renew(self) -> None:
        """Does nothing: a segment fetches numbers ahead of need by itself."""

    def next_ids(self, n: int, /) -> list[int]:
        """Returns n numbers in rising order. Errors: as next_id(), and option_invalid.

        Blocks: until the store gave that many, each fetch at most timeout_ms, without the GIL.
        """
        return self._next_ids(count("n", n))

    async def next_id_async(self) -> int:
        """Returns the next number; waits on timers of asyncio instead of blocking.

        Errors: as next_id().
        """
        number: int = await self._claimed()
        return number

    async def next_ids_async(self, n: int, /) -> list[int]:
        """Returns n numbers in rising order, waiting as next_id_async() does.

        Numbers of other calls may come between them. Errors: as next_ids().
        """
        return await self._claimed_many(count("n", n))

    def __repr__(self) -> str:
        return "<polyflake.Segment>"
