"""Generators: what issues ids."""

from __future__ import annotations

from collections.abc import Mapping

from polyflake import _core
from polyflake._arguments import fail, integer, shown, signed, text
from polyflake.clock import ManualClock
from polyflake.layout import Layout
from polyflake.values import Stats

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Literal, NoReturn, Union

    _Worker = Union[int, str, Mapping[str, int]]

_OPTIONS = ("worker", "layout", "max_wait_ms", "max_lead_ms", "sequence_spread", "ordering", "clock")


class Generator(_core.Generator):
    """Issues ids that no other generator of this namespace issues.

    worker says where the node id comes from: an integer or one integer per node field (the caller vouches
    that nobody else uses it), "host" (a free one of this machine), "host:7" (that one), "ordinal" (the
    number at the end of the host name). Absent: POLYFLAKE_WORKER in the environment, else "host".
    The "host" sources are safe on one machine only: another one, or a container with a registry folder of
    its own, hands out the same node ids.
    layout is a Layout, its text or the name of a preset.
    max_wait_ms is the longest that one call may wait for the clock, max_lead_ms how far ids may run ahead
    of the clock without waiting; both count in whole ticks, rounded down. sequence_spread is where a
    tick's sequence may begin: 1 means always at 0, None an eighth of its capacity, the most allowed.
    ordering "strict": an id is above all whose call returned before its call began. "per_thread", for
    extreme rates: only a thread's own ids rise; those of different threads are in order as far as the tick.
    clock is a ManualClock in tests.

    Opening a generator per call is harmless: those with the same layout and node id share one state.
    After a fork a "host" source takes a new node id by itself; a static number raises forked_generator.

    Errors: option_invalid, worker_source_invalid, field_out_of_range, unknown_field, worker_in_use,
    no_worker_free, registry_unusable, forked_generator, clock_before_epoch, time_exhausted, and those of
    Layout. Blocking: "host" sources do file I/O and wait up to 2 s where a node id is new on this
    machine, numbers wait one tick at their first use; without the GIL, and signal handlers run meanwhile.
    Thread safety: any thread.
    """

    def __init__(
        self,
        worker: _Worker | None = None,
        *,
        layout: str | Layout = "polyflake",
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        sequence_spread: int | None = None,
        ordering: Literal["strict", "per_thread"] = "strict",
        clock: ManualClock | None = None,
        **misspelled: NoReturn,
    ) -> None:
        for name in misspelled:
            _refuse_option(name)
        options = _core.Options()
        options.set_layout(str(layout) if isinstance(layout, Layout) else text("layout", layout, "layout_invalid"))
        _set_worker(options, worker)
        options.set_max_wait_ms(signed("max_wait_ms", max_wait_ms, "option_invalid"))
        options.set_max_lead_ms(signed("max_lead_ms", max_lead_ms, "option_invalid"))
        if sequence_spread is not None:
            options.set_sequence_spread(signed("sequence_spread", sequence_spread, "option_invalid"))
        options.set_ordering(text("ordering", ordering, "option_invalid"))
        if clock is not None:
            if not isinstance(clock, ManualClock):
                fail("option_invalid", f"clock must be a ManualClock or None, not {shown(clock)}")
            options.set_clock(clock._native)
        sleeps_here = clock is None  # on a manual clock opening sleeps nowhere, it moves the clock
        options.set_wait_for_start(not sleeps_here)
        super().__init__(options)
        if sleeps_here:
            self._wait_for_start()
        self._layout = Layout(self._layout_text)

    @property
    def layout(self) -> Layout:
        """The layout of the ids."""
        return self._layout

    def next_ids(self, n: int, /) -> list[int]:
        """Issues n ids in rising order: exactly those that n single calls would have given.

        Errors: as next_id(), and option_invalid where n is no integer or negative.
        Blocking: as long as n needs, without the GIL. Thread safety: any thread.
        """
        count = signed("n", n, "option_invalid")
        if count < 0:
            fail("option_invalid", f"n must be 0 or more, not {count}")
        return self._next_ids(count)

    async def next_id_async(self) -> int:
        """next_id() that waits in asyncio instead of blocking. Cancelling it loses at most an unused id."""
        from asyncio import sleep  # here, since importing it takes longer than all the rest

        while True:
            word = self._claim()
            if word >= 0:
                return word
            waited_ns = 0
            while (ns := self._wait_ns(~word, waited_ns)) > 0:
                await sleep(ns / 1e9)
                waited_ns += ns
            if ns == 0:
                return ~word

    def stats(self) -> Stats:
        """What this generator did so far, and where it stands."""
        return Stats(*self._stats())

    def __iter__(self) -> Generator:
        """Ids without end: `for id in generator` is next_id() again and again."""
        return self

    def __enter__(self) -> Generator:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if not hasattr(self, "_layout"):
            return "<polyflake.Generator not opened>"
        state = " closed" if self.closed else ""
        return f"<polyflake.Generator worker={self.worker} layout={str(self.layout)!r}{state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Generator cannot be pickled or copied: the copy would issue the same ids; open another")


def _set_worker(options: _core.Options, worker: _Worker | None) -> None:
    if worker is None:
        return
    if isinstance(worker, str):
        options.set_worker_text(worker)
    elif isinstance(worker, Mapping):
        names = [text("the name of a node field", name, "unknown_field") for name in worker]
        options.set_worker_fields(names, [signed(name, worker[name], "field_out_of_range") for name in names])
    else:
        number = integer("worker", worker, "worker_source_invalid")
        options.set_worker_number(signed("worker", number, "field_out_of_range"))


def _refuse_option(name: str) -> NoReturn:
    from difflib import get_close_matches

    close = get_close_matches(name, _OPTIONS, n=1)
    advice = f"did you mean {close[0]}? " if close else ""
    fail("option_invalid", f"there is no option {name[:32]!a}; {advice}options are {', '.join(_OPTIONS)}")
