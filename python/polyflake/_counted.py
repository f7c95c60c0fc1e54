"""The common base of sources whose ids are numbers of a counter in a store."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import count, fail, shown, signed, text
from polyflake._imports import late_import
from polyflake._issuing import Issuing
from polyflake._options import store_for
from polyflake._warning import warn_of_opening

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

    from polyflake._lease_runners import CounterOf
    from polyflake.stores._store import Store


def counter_of(
    name: str | None, numbers: dict[str, int | None], dates: tuple[_core.DateNumbers, str] | None = None
) -> CounterOf:
    """Returns the counter of this name. dates: its numbers and zone, for dates."""
    with late_import("polyflake._lease_runners"):
        from polyflake._lease_runners import CounterOf

    given = {one: signed(one, value, "option_invalid") for one, value in numbers.items() if value is not None}
    return CounterOf(text("name", name, "option_invalid"), given, dates)


class Counted(Issuing, _core.CountedSource):
    """Numbers of a counter in a store."""

    _store_option = "store"

    def _open_counter(self, kind: str, store: str | Store, **options: Any) -> None:
        """Opens the counter. Blocks: until it was read. Errors: as the sources."""
        known = None if store is None else store_for(store)  # not that of the environment
        if known is None:
            fail(
                "option_invalid", f"store is the address of a store, or a store of polyflake.stores, not {shown(store)}"
            )
        native = _core.Options()
        native.set_kind(kind)
        self._open_with(native, known, self._held_by(**options), native.set_counter)
        warn_of_opening()

    def renew(self) -> None:
        """Does nothing: numbers are fetched ahead of need, or when a call needs them."""

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
