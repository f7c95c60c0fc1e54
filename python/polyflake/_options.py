"""The options of a generator: checked, and converted for the core."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import wraps

from polyflake import _core
from polyflake._arguments import fail, integer, quoted, shown, signed, text
from polyflake._clients import store_taking
from polyflake.clock import ManualClock
from polyflake.layout import Layout

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, Callable, Literal, NoReturn, TypeVar, Union

    from polyflake.stores._store import Store

    _Worker = Union[int, str, Mapping[str, int], Store]
    _Ordering = Literal["strict", "per_thread"]
    _Constructor = TypeVar("_Constructor", bound=Callable[..., None])

_NODE_FIELDS = ("worker", "datacenter", "machine", "node", "process", "server", "shard")


def names_checked(constructor: _Constructor) -> _Constructor:
    """Refuses unknown options, with advice and the error of every language.

    It is a decorator, so that type checkers and inspect see only the parameters of the constructor.
    """
    code = constructor.__code__
    options = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]

    @wraps(constructor)
    def checked(*arguments: Any, **given: Any) -> None:
        for name in given:
            if name not in options:
                _refuse_option(name, options)
        constructor(*arguments, **given)

    return checked  # type: ignore[return-value]


def _refuse_option(name: str, options: tuple[str, ...]) -> NoReturn:
    known = ", ".join(options)
    fail("option_invalid", f"there is no option {quoted(name)}; {_advice(name, options)}options are {known}")


def _advice(name: str, options: tuple[str, ...]) -> str:
    if name in ("epoch", "epoch_ms", "layout"):
        if "layout" not in options:
            return "these ids have no layout; "
        example = "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"
        return f"the epoch is part of the layout, layout={example!r}; "
    field = name.removesuffix("_id")
    if field in _NODE_FIELDS:
        if "worker" not in options:
            return "these ids have no node id; "
        return f"a node id is given as worker=7, or by the fields of the layout as worker={{{field!r}: 7, ...}}; "
    meant = _core.closest(name, options)
    return f"did you mean {meant}? " if meant else ""


def store_for(worker: _Worker | None) -> str | Store | None:
    """Returns the store, or its address, that a worker or the environment names.

    Returns None for other workers.
    """
    source = os.environ.get("POLYFLAKE_WORKER", "") if worker is None else worker
    if isinstance(source, str):
        return source if _core.is_store_address(source) else None
    return source if hasattr(source, "address") else None  # type: ignore[return-value]


def layout_text(layout: str | Layout) -> str:
    """Returns the canonical text, also of a preset. Errors: as Layout()."""
    return str(layout if isinstance(layout, Layout) else Layout(layout))


def native_options(
    worker: _Worker | None,
    layout: str | Layout,
    ordering: _Ordering,
    clock: ManualClock | None,
    **numbers: int | None,
) -> _core.Options:
    """Returns the options of Generator for the core.

    Errors: those of wrong types and of Layout; opening a generator checks the rest.
    """
    options = _core.Options()
    options.set_layout(str(layout) if isinstance(layout, Layout) else text("layout", layout, "layout_invalid"))
    set_worker(options, worker, clock)
    for name, number in numbers.items():
        if number is not None:
            options.set_number(name, signed(name, number, "option_invalid"))
    options.set_ordering(text("ordering", ordering, "option_invalid"))
    set_clock(options, clock)
    return options


def options_of_kind(kind: str, clock: ManualClock | None, entropy: bytes | None, **numbers: int) -> _core.Options:
    """Returns the options of a kind whose ids are not numbers. Errors: as native_options()."""
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


def _refuse_client(worker: object) -> None:
    """Names the store for a client that was passed without it."""
    store = store_taking(worker)
    if store is not None:
        fail("worker_source_invalid", f"worker is a client: pass {store}(client, namespace=...)")


def set_clock(options: _core.Options, clock: ManualClock | None) -> None:
    if clock is None:
        return
    if not isinstance(clock, ManualClock):
        fail("option_invalid", f"clock must be a ManualClock or None, not {shown(clock)}")
    options.set_clock(clock._native)


def set_worker(options: _core.Options, worker: _Worker | None, clock: ManualClock | None) -> None:
    """Sets all workers but a lease, which is set once it is granted."""
    if store_for(worker) is not None:
        if clock is not None:
            fail("option_invalid", "a lease goes by the clocks of this host and its store, not by a manual clock")
        return
    if worker is None:
        return
    if isinstance(worker, str):
        options.set_worker_text(worker)
    elif isinstance(worker, Mapping):
        names = [text("the name of a node field", name, "unknown_field") for name in worker]
        options.set_worker_fields(names, [signed(name, worker[name], "field_out_of_range") for name in names])
    else:
        _refuse_client(worker)
        what = 'worker, if no source such as "host", no mapping of fields and no store or address of one,'
        number = integer(what, worker, "worker_source_invalid")
        options.set_worker_number(signed("worker", number, "field_out_of_range"))
