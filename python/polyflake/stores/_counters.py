"""The tasks of operators on counters: making them, listing them, setting one."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import fail, shown, signed, text
from polyflake._zones import check_zone
from polyflake.stores._namespaces import carry_out_task, opened

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal, NamedTuple

    from polyflake._dates import _Period
    from polyflake.stores._store import Store

    class CounterState(NamedTuple):
        """A counter of a store, as counters() found it."""

        name: str
        kind: str
        """ "segment" or "date"."""
        next: int
        """The next number; of a date its count within the period."""
        room: int
        """The numbers that can be taken before the record is written again."""
        top: int
        """The last number."""
        failover: str
        """ "jump", "stop" or "trust"."""
        top_up_age_ms: int | None
        """The ms since the room was topped up, by the store's clock; None if that is not needed."""
        incarnation: str
        """The incarnation of the store that the record belongs to."""
        incarnation_changed: bool
        """True if the store has another incarnation now, or the record was put back or edited.

        Then the next process that takes numbers jumps, refuses or goes on, as failover says.
        """
        jump_to: int | None
        """The number at which the counter would go on after a failover now.

        None if it would not jump, because of its store or its options, or because its period ends
        first.
        """
        period: str | None
        """ "yyyyMMdd", "yyyyMM" or "yyyy"; None for a segment, like the next three."""
        digits: int | None
        zone: str | None
        period_label: int | None
        """The recorded period, such as 20230414."""

else:
    from collections import namedtuple
    from collections.abc import Mapping

    CounterState = namedtuple(
        "CounterState",
        "name kind next room top failover top_up_age_ms incarnation incarnation_changed jump_to "
        "period digits zone period_label",
    )


def init_counter(
    store: Store | str,
    name: str | Sequence[str] | Mapping[str, int],
    *,
    after: int | None = None,
    kind: Literal["segment", "date"] = "segment",
    rate: int | None = None,
    burst: int | None = None,
    top: int | None = None,
    failover: Literal["jump", "stop", "trust"] = "jump",
    period: _Period | None = None,
    digits: int | None = None,
    zone: str | None = None,
) -> None:
    """Creates the counter, or each of several, unless one of this shape exists.

    name is a name, a list of names, or a mapping of names to what is `after` for each. The first
    number is after + 1. after has no default: give the last number of the table that the counter
    feeds, since it would begin at that again if the store were flushed. failover is the reaction to
    a store that may have lost writes: "jump" goes on above all that was lost, "stop" gives no
    number until raise_counter(), "trust" guarantees that the store loses none. rate (default
    1 000 000 a second) and burst (10 000 000) only size the jump after a failover. top is the last
    number (2**63 - 2). Those three are of segments. A date has a period ("yyyyMMdd", "yyyyMM" or
    "yyyy"), digits (of the count, 1 to 10; 6) and a zone ("+00:00"), as DateIds has them; its after
    is of the present period. Needs the namespace: init_namespace() makes it. Nothing is created if
    an argument is refused.

    Errors: option_invalid, namespace_not_initialised, layout_mismatch (a counter of another shape),
    store_unavailable, store_misconfigured. Blocks: I/O.
    """
    texts = {"kind": kind, "failover": failover, "period": period, "zone": zone}
    names, values = _options(texts, {"rate": rate, "burst": burst, "top": top, "digits": digits})
    lasts = _lasts(name, after)
    store = opened(store)
    tasks = [_core.CounterTask.init(store.address, one, last, names, values, store.placeholder) for one, last in lasts]
    for task in tasks:
        carry_out_task(task, store)


def raise_counter(store: Store | str, name: str, *, after: int, period: int | None = None) -> None:
    """Sets the counter: its next number is after + 1, also if that is lower.

    The caller guarantees that no number above `after` was or will be given out. Use it after a
    store was restored, before clients are let in, and for a counter that refuses with
    store_went_back: processes that refused it go on by themselves. period is that of `after`, for a
    date, like 20230414, which is refused once it is over; by default the present one.

    Errors: as init_counter(). Blocks: I/O.
    """
    store = opened(store)
    counter = text("name", name, "option_invalid")
    label = 0 if period is None else _positive("period", period)
    if period == 0:
        fail("option_invalid", "period is a label, like 20230414, not 0")
    task = _core.CounterTask.set(store.address, counter, _positive("after", after), label, store.placeholder)
    carry_out_task(task, store)


def counters(store: Store | str) -> list[CounterState]:
    """Returns the counters of the namespace, in order of their names. Writes nothing.

    Errors: namespace_not_initialised, store_unavailable. Blocks: I/O, once for each counter.
    """
    store = opened(store)
    task = _core.CounterList(store.address, store.placeholder)
    carry_out_task(task, store)
    return [CounterState(*one) for one in task.states()]


def _options(texts: dict[str, str | None], numbers: dict[str, int | None]) -> tuple[list[str], list[str]]:
    """Returns the names of the options that are given, and their texts."""
    options = {one: text(one, value, "option_invalid") for one, value in texts.items() if value is not None}
    options.update((one, str(_positive(one, value))) for one, value in numbers.items() if value is not None)
    check_zone(options.get("zone", "+00:00"))
    return list(options), list(options.values())


def _lasts(name: str | Sequence[str] | Mapping[str, int], after: int | None) -> list[tuple[str, int]]:
    """Returns each name with the number that its counter follows."""
    pairs: list[tuple[object, int]]
    if isinstance(name, Mapping):
        if after is not None:
            fail("option_invalid", "a mapping has what is after for each name: leave out after")
        pairs = list(name.items())
    elif after is None:
        fail("option_invalid", "after has no default: give the last number that is taken, 0 if there is none")
    else:
        names: Any = name if isinstance(name, (list, tuple)) else [name]
        pairs = [(one, after) for one in names]
    if not pairs:
        fail("option_invalid", "no name of a counter was given")
    return [(text("name", one, "option_invalid"), _positive("after", last)) for one, last in pairs]


def _positive(name: str, value: int) -> int:
    number = signed(name, value, "option_invalid")
    if number < 0:
        fail("option_invalid", f"{name} must not be negative, as {shown(value)} is")
    return number
