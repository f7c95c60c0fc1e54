"""The tasks of operators on counters: making one, setting one."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import fail, shown, signed, text
from polyflake._zones import check_zone
from polyflake.stores._namespaces import carry_out_task, opened

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Literal

    from polyflake._dates import _Period
    from polyflake.stores._store import Store


def init_counter(
    store: Store | str,
    name: str | list[str],
    *,
    after: int,
    kind: Literal["segment", "date"] = "segment",
    rate: int | None = None,
    burst: int | None = None,
    top: int | None = None,
    failover: Literal["jump", "stop", "trust"] = "jump",
    period: _Period | None = None,
    digits: int | None = None,
    zone: str | None = None,
) -> None:
    """Creates the counter, or each of a list of names, unless one of this shape exists.

    The first number is after + 1. after has no default: give the last number of the table that the
    counter feeds, since it would begin at that again if the store were flushed. failover is the
    reaction to a store that may have lost writes: "jump" goes on above all that was lost, "stop"
    gives no number until raise_counter(), "trust" guarantees that the store loses none. rate
    (default 1 000 000 a second) and burst (10 000 000) only size the jump after a failover. top is
    the last number (2**63 - 2). They are of segments. Dates have a period ("yyyyMMdd", "yyyyMM" or
    "yyyy"), digits (of the count, 1 to 10; 6) and a zone ("+00:00"), as DateIds has them; after is
    of the present period. Needs the namespace: init_namespace() makes it.

    Errors: option_invalid, namespace_not_initialised, layout_mismatch (a counter of another shape),
    store_unavailable, store_misconfigured. Blocks: I/O.
    """
    numbers = {"rate": rate, "burst": burst, "top": top, "digits": digits}
    texts = {"period": period, "zone": zone}
    options = {"kind": text("kind", kind, "option_invalid"), "failover": text("failover", failover, "option_invalid")}
    options.update((one, str(_positive(one, value))) for one, value in numbers.items() if value is not None)
    options.update((one, text(one, value, "option_invalid")) for one, value in texts.items() if value is not None)
    if zone is not None:
        check_zone(zone)
    last = _positive("after", after)
    store = opened(store)
    for one in name if isinstance(name, (list, tuple)) else [name]:
        counter = text("name", one, "option_invalid")
        names, values = list(options), list(options.values())
        carry_out_task(_core.CounterTask.init(store.address, counter, last, names, values, store.placeholder), store)


def raise_counter(store: Store | str, name: str, *, after: int) -> None:
    """Sets the counter: its next number is after + 1, also if that is lower.

    The caller guarantees that no number above `after` was or will be given out. Use it after a
    store was restored, before clients are let in, and for a counter that refuses with
    store_went_back: processes that refused it go on by themselves.

    Errors: as init_counter(). Blocks: I/O.
    """
    store = opened(store)
    counter = text("name", name, "option_invalid")
    task = _core.CounterTask.set(store.address, counter, _positive("after", after), 0, store.placeholder)
    carry_out_task(task, store)


def _positive(name: str, value: int) -> int:
    number = signed(name, value, "option_invalid")
    if number < 0:
        fail("option_invalid", f"{name} must not be negative, as {shown(value)} is")
    return number
