"""The tasks of operators: making a namespace, listing its leases, raising its floor."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import fail, flag, shown, signed, text
from polyflake._store_session import carry_out
from polyflake.layout import Layout
from polyflake.stores._url import store_of

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    from polyflake.stores._store import Store

    class LeaseInfo(NamedTuple):
        """A node id in use."""

        node: int
        until_ms: int
        """The end of the window in Unix milliseconds."""
        label: str
        """Host and pid of the holder, or ""; untrusted."""

else:
    from collections import namedtuple

    LeaseInfo = namedtuple("LeaseInfo", ("node", "until_ms", "label"))


def opened(store: Store | str) -> Store:
    return store_of(store) if isinstance(store, str) else store


def carry_out_task(task: _core.StoreSession, store: Store) -> None:
    if not store.is_asyncio:
        carry_out(task, store)
        return
    import asyncio

    from polyflake._lease_asyncio import carry_out_in_loop

    if asyncio._get_running_loop() is not None:
        fail("option_invalid", f"{store!r}: this call blocks the event loop; await asyncio.to_thread(...) of it")
    asyncio.run(carry_out_in_loop(task, store))


def init_namespace(
    store: Store | str,
    *,
    layout: str | Layout = "polyflake",
    fresh: bool = False,
    replicas: Literal["named", "fenced"] = "named",
) -> str:
    """Creates the namespace, unless one of this layout exists. Returns its uuid.

    fresh guarantees that no namespace of this name ever existed, so the first window need not wait
    for the windows of a lost one. replicas (Redis only): "named" counts the present copies;
    "fenced" counts any copies, and guarantees that no demoted primary is ever served again. Errors:
    layout_mismatch, store_unavailable, option_invalid. Blocks: I/O.
    """
    store = opened(store)
    if replicas not in ("named", "fenced"):
        fail("option_invalid", f'replicas must be "named" or "fenced", not {shown(replicas)}')
    task = _core.NamespaceTask.init(store.address, str(layout), store.placeholder, flag("fresh", fresh))
    if replicas == "fenced":
        task.fence()
    carry_out_task(task, store)
    return task.uuid


def leases(store: Store | str, *, layout: str | Layout = "polyflake") -> list[LeaseInfo]:
    """Returns the node ids in use and their holders, in order of the node ids.

    Each entry has node, until_ms (Unix ms) and label (host and pid). Errors:
    namespace_not_initialised, layout_mismatch, store_unavailable. Blocks: I/O.
    """
    store = opened(store)
    task = _core.NamespaceTask.leases(store.address, str(layout), store.placeholder)
    carry_out_task(task, store)
    return [LeaseInfo(*one) for one in task.held()]


def raise_floor(
    store: Store | str,
    *,
    layout: str | Layout = "polyflake",
    time_ms: int | None = None,
    id: int | None = None,
    lower: bool = False,
    copies: list[str] | None = None,
) -> None:
    """Sets the time before which no window begins: time_ms (Unix ms), or the tick after an id.

    No earlier holder of a node id can write again. Use it after a store was restored, before
    clients are let in, or to move in from another system. A floor earlier than the recorded one
    needs lower=True, and must be at least W + 2S from now: use it after a host with a wrong clock
    has closed the namespace. copies (Redis only) names the servers whose majority counts from now
    on, like ["10.0.0.1:6379", ...]; the call returns once all of them have it. The caller
    guarantees that no other server, and no older dump, is ever served as a primary again. With
    copies alone the floor stays. Errors: namespace_not_initialised, layout_mismatch,
    store_unavailable, option_invalid; field_out_of_range for a time outside the layout. Blocks:
    I/O.
    """
    if [time_ms, id].count(None) == 0 or [time_ms, id, copies].count(None) == 3:
        fail("option_invalid", "raise_floor() needs time_ms, id or copies, and not both time_ms and id")
    if lower and time_ms is None and id is None:
        fail("option_invalid", "lower needs time_ms or id: with copies alone the floor stays")
    if id is not None:
        parts = Layout(str(layout)).decode(id)
        time_ms = Layout(str(layout)).decode(Layout(str(layout)).encode(tick=parts.tick + 1)).time_ms
    elif time_ms is None:
        time_ms = Layout(str(layout)).epoch_ms  # below any floor
    floor_ms = signed("time_ms", time_ms, "option_invalid")
    flag("lower", lower)
    if copies is not None and not isinstance(copies, (list, tuple)):
        fail("option_invalid", f"copies must be a list of texts, not {shown(copies)}")
    store = opened(store)
    task = _core.NamespaceTask.raise_floor(store.address, str(layout), store.placeholder, floor_ms, lower)
    if copies is not None:
        task.name_copies(",".join(text("copies", one, "option_invalid") for one in copies))
    carry_out_task(task, store)
