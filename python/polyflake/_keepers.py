"""The keepers of this process: which lease belongs to which store and layout, and who still uses it.

The lock is held for moments only, never while a store is spoken to. The garbage collector takes it nowhere; a signal handler may
take it once more in the thread that has it.
"""

from __future__ import annotations

import atexit
import os
import threading
import time

from polyflake._arguments import fail
from polyflake._imports import late_import
from polyflake._lease import CLOSING_S, Keeper
from polyflake.stores import Store, store_of

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Union

    from polyflake._lease_asyncio import AsyncKeeper

    AnyKeeper = Union[Keeper, AsyncKeeper]

_keepers: dict[tuple[object, str], AnyKeeper] = {}
_closing: list[AnyKeeper] = []  # that give their node id back now
_lock = threading.RLock()
_watched = False  # the end of a process that a thread forked


def keeper_of(worker: str | Store, layout: str) -> AnyKeeper:
    """The keeper for one more generator, with a window. Blocks: I/O."""
    keeper = _enter(worker, layout, in_loop=False)
    try:
        keeper.open()
    except BaseException:  # also what a signal handler raises
        leave(keeper, wait=False)
        raise
    return keeper


async def keeper_in_loop(store: Store, layout: str) -> AnyKeeper:
    """The same for a client of asyncio."""
    keeper = _enter(store, layout, in_loop=True)
    try:
        await keeper.open_in_loop()  # type: ignore[union-attr]
    except BaseException:
        leave(keeper, wait=False)
        raise
    return keeper


def _enter(worker: str | Store, layout: str, in_loop: bool) -> AnyKeeper:
    key = worker, layout
    with _lock:
        keeper = _keepers.get(key)
        if keeper is None or keeper.ended:
            keeper = _made(worker, layout, in_loop)
            _keepers[key] = keeper
        keeper.users += 1
        return keeper


def _made(worker: str | Store, layout: str, in_loop: bool) -> AnyKeeper:
    store = store_of(worker) if isinstance(worker, str) else worker
    if not store.is_asyncio:
        return Keeper(store, layout)
    if not in_loop:
        fail("option_invalid", f"{store!r} has a client of asyncio: open it with await Generator.open(...)")
    with late_import("polyflake._lease_asyncio"):
        from polyflake._lease_asyncio import AsyncKeeper

    return AsyncKeeper(store, layout)


def leave(keeper: AnyKeeper, wait: bool = True) -> None:
    """One generator less; the last one gives the node id back. Blocks, if it is to wait: half a second at most."""
    with _lock:
        keeper.users -= 1
        if keeper.users > 0:
            return
        for key in [key for key, kept in _keepers.items() if kept is keeper]:
            del _keepers[key]
        _closing[:] = [one for one in _closing if not one.ended] + [keeper]
    keeper.close()
    if wait:
        keeper.wait_closed(time.monotonic() + CLOSING_S)


def close_all() -> None:
    """Gives back what can be given back within half a second; the end of a process."""
    with _lock:
        keepers = [*_keepers.values(), *_closing]
        _keepers.clear()
    for keeper in keepers:
        keeper.close()
    deadline = time.monotonic() + CLOSING_S
    for keeper in keepers:
        keeper.wait_closed(deadline)


def watch_end() -> None:
    """Where a thread forked this process: its end is that of the process, as soon as no other thread is left, so ours must end.

    At the end of other processes the interpreter ends ours. Of threads that Python did not start, nobody hears the end.
    """
    global _watched
    main = threading.main_thread()
    if _watched or type(main).__name__ in ("_MainThread", "_DummyThread"):
        return
    _watched = True
    threading.Thread(target=_close_after, args=(main,), name="polyflake-end", daemon=True).start()


def _close_after(thread: threading.Thread | None) -> None:
    """Waits for this one, and for all that the interpreter would wait for."""
    while thread is not None:
        thread.join()
        thread = next((one for one in threading.enumerate() if not one.daemon), None)
    close_all()


def _after_fork() -> None:
    global _lock, _watched
    _lock = threading.RLock()
    _watched = False
    for keeper in [*_keepers.values(), *_closing]:
        keeper.after_fork()
    _closing.clear()


atexit.register(close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
