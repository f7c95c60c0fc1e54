"""Segments: the numbers of a counter in a store."""

from __future__ import annotations

from polyflake._counted import Counted, counter_of
from polyflake._issuing import opening_off_the_loop
from polyflake._options import names_checked

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self

    from polyflake._lease_runners import CounterOf
    from polyflake.stores._store import Store


_DEFAULTS = {"hold_ms": 30_000, "min_step": 100, "max_step": 1_000_000, "timeout_ms": 2000}


class Segment(Counted):
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
        self._open_counter(
            "segment",
            store,
            name=name,
            step=step,
            hold_ms=hold_ms,
            min_step=min_step,
            max_step=max_step,
            timeout_ms=timeout_ms,
        )

    @classmethod
    def _held_by(cls, *, name: str | None = None, store: object = None, **numbers: Any) -> CounterOf:
        """Returns the counter that these options name."""
        return counter_of(name, {**_DEFAULTS, **numbers})

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

    def __repr__(self) -> str:
        return "<polyflake.Segment>"
