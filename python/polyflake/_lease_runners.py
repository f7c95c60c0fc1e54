"""The runners of this process: the leases and counters of each store, and their users.

The lock is held only briefly, never during I/O with a store. The garbage collector never takes it.
A signal handler that opens or closes a generator may take it again in the same thread.
"""

from __future__ import annotations

import atexit
import os
import threading
import time

from polyflake import _core
from polyflake._arguments import fail
from polyflake._imports import late_import
from polyflake._lease import CLOSING_S, LeaseRunner
from polyflake.stores._store import Store
from polyflake.stores._url import store_of

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Union

    from polyflake._lease_asyncio import AsyncLeaseRunner

    AnyLeaseRunner = Union[LeaseRunner, AsyncLeaseRunner]

_runners: dict[tuple[object, object], AnyLeaseRunner] = {}
_closing: list[AnyLeaseRunner] = []  # that give their node id back now
_lock = threading.RLock()
_watched = False  # a thread waits for the end of this process, which a thread forked


class LeaseOf:
    """Makes the lease of a store. Generators with equal keys share one."""

    opener = "Generator.open(...)"

    def __init__(self, layout: str) -> None:
        self.key = (layout,)

    def make(self, store: Store) -> _core.Lease:
        return _core.Lease(store.address, self.key[0], store.placeholder)


class CounterOf:
    """Makes a counter of a store. Sources with equal keys share one."""

    def __init__(self, name: str, numbers: dict[str, int], dates: tuple[_core.DateNumbers, str] | None = None) -> None:
        """dates: the numbers and the zone of a counter of dates."""
        self._dates = dates
        shape = None if dates is None else (dates[0].period, dates[0].digits, dates[1])
        self.key = (name, tuple(sorted(numbers.items())), shape)
        self.opener = "Segment.open(...)" if dates is None else "DateIds.open(...)"

    def make(self, store: Store) -> _core.Counter:
        name, numbers, _ = self.key
        names, values = [one for one, _ in numbers], [value for _, value in numbers]
        if self._dates is None:
            return _core.Counter(store.address, name, names, values, store.placeholder)
        return _core.Counter(store.address, name, *self._dates, names, values, store.placeholder)


def runner_of(store: str | Store, held: LeaseOf | CounterOf) -> AnyLeaseRunner:
    """Returns the runner for one more source, with a window or an open counter. Blocks: I/O."""
    runner = _enter(store, held, in_loop=False)
    try:
        runner.open()
    except BaseException:  # also an exception of a signal handler
        leave(runner, wait=False)
        raise
    return runner


async def runner_in_loop(store: Store, held: LeaseOf | CounterOf) -> AnyLeaseRunner:
    """Returns the same with a client of asyncio."""
    runner = _enter(store, held, in_loop=True)
    try:
        await runner.open_in_loop()  # type: ignore[union-attr]
    except BaseException:
        leave(runner, wait=False)
        raise
    return runner


def _enter(worker: str | Store, held: LeaseOf | CounterOf, in_loop: bool) -> AnyLeaseRunner:
    key = worker, held.key
    with _lock:
        runner = _runners.get(key)
        if runner is None or runner.ended:
            made = _made(worker, held, in_loop)
            runner = _runners.get(key)  # a signal handler may have made one meanwhile
            if runner is None or runner.ended:
                _runners[key] = runner = made
        runner.users += 1
        return runner


def _made(worker: str | Store, held: LeaseOf | CounterOf, in_loop: bool) -> AnyLeaseRunner:
    store = store_of(worker) if isinstance(worker, str) else worker
    if not store.is_asyncio:
        return LeaseRunner(held.make(store), store, leave, watch_end)
    if not in_loop:
        fail("option_invalid", f"{store!r} has a client of asyncio: open it with await {held.opener}")
    with late_import("polyflake._lease_asyncio"):
        from polyflake._lease_asyncio import AsyncLeaseRunner

    return AsyncLeaseRunner(held.make(store), store, leave)


def leave(runner: AnyLeaseRunner, wait: bool = True) -> None:
    """Removes one generator; the last one gives the node id back.

    Blocks: half a second at most, if `wait` is set.
    """
    with _lock:
        # first of all, so that no signal handler gets a runner about to close
        if runner.users == 1:
            for key in [key for key, kept in list(_runners.items()) if kept is runner]:
                _runners.pop(key, None)
        runner.users -= 1
        if runner.users > 0:
            return
        _closing[:] = [one for one in _closing if not one.ended] + [runner]
    runner.close()
    if wait:
        runner.wait_closed(time.monotonic() + CLOSING_S)


def close_all() -> None:
    """Gives node ids back at the end of a process, for at most half a second."""
    with _lock:
        runners = [*_runners.values(), *_closing]
        _runners.clear()
    for runner in runners:
        runner.close()
    deadline = time.monotonic() + CLOSING_S
    for runner in runners:
        runner.wait_closed(deadline)


def watch_end() -> None:
    """Watches the end of a process that a thread forked.

    That thread is the main thread there, and the process ends once no other thread is left, so our
    threads must end. In other processes the interpreter ends them at exit. The end of a thread that
    Python did not start cannot be observed.
    """
    global _watched
    main = threading.main_thread()
    if _watched or type(main).__name__ in ("_MainThread", "_DummyThread"):
        return
    _watched = True
    threading.Thread(target=_close_after, args=(main,), name="polyflake-end", daemon=True).start()


def _close_after(thread: threading.Thread | None) -> None:
    """Waits for this thread, and for all others that the interpreter would wait for."""
    while thread is not None:
        thread.join()
        thread = next((one for one in threading.enumerate() if not one.daemon), None)
    close_all()


def _after_fork() -> None:
    global _lock, _watched
    _lock = threading.RLock()
    _watched = False
    for runner in [*_runners.values(), *_closing]:
        runner.after_fork()
    _closing.clear()


atexit.register(close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
