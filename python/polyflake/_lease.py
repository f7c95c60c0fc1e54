"""The runner of leases and counters: it steps the session of one of them with its store.

A lease has one runner in this process, shared by all generators opened
with the same store and layout. Its thread is a daemon and sleeps nearly always. The core makes all
decisions. For clients of asyncio: _lease_asyncio.py.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

from polyflake import _core
from polyflake._store_session import StoreSession

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Callable

    from polyflake._lease_runners import AnyLeaseRunner
    from polyflake.stores._store import Store

CLOSING_S = 0.5  # time limit for giving a node id back


class _Gate:
    """Replaces threading.Event for signal handlers.

    A signal handler could wait for the lock of an Event in the very thread that holds it.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._waiters: list[SimpleQueue[None]] = []

    def open(self) -> None:
        self._is_open = True
        for waiter in list(self._waiters):
            waiter.put(None)

    def wait(self, timeout_s: float) -> None:
        waiter: SimpleQueue[None] = SimpleQueue()
        self._waiters.append(waiter)
        try:
            if not self._is_open:
                with suppress(Empty):
                    waiter.get(timeout=timeout_s)
        finally:
            self._waiters.remove(waiter)


class LeaseRunner:
    """Keeps one lease: a thread gets the first window and renews it until the last user leaves."""

    def __init__(
        self,
        lease: _core.Lease | _core.Counter,
        store: Store,
        leave: Callable[[AnyLeaseRunner, bool], None],
        started: Callable[[], None],
    ) -> None:
        """leave: takes one user off a runner; started: called after each start of the thread."""
        self._leave = leave
        self._started = started
        self.lease = lease
        self.users = 0
        self.ended = False  # its runner has stopped
        self._store = store
        self._starting = threading.RLock()  # reentrant for signal handlers
        self._begin()

    def _begin(self) -> None:
        self._session = StoreSession(self.lease, self._store, self.lease.command_timeout_ms / 1000)
        # each wakes the runner; True: a generator was dropped
        self._calls: SimpleQueue[bool] = SimpleQueue()
        self._opened = _Gate()  # open once there is a window, or there will be none
        self._closing_until: float | None = None
        self._thread: threading.Thread | None = None

    def after_fork(self) -> None:
        """Starts afresh in a copy of the process; never touches objects of the original again."""
        _core.keep_forever(self._session)
        self._starting = threading.RLock()
        self._begin()

    def open(self) -> None:
        """Blocks until there is a window. Errors: the failure that prevents it."""
        self._start()
        self._opened.wait(self.lease.acquire_timeout_ms / 1000 + CLOSING_S)
        if not self.lease.granted:
            self.lease.raise_failure()

    def _start(self) -> None:
        with self._starting:
            if self._thread is not None:
                return
            self.ended = False
            if not self.lease.of_this_execution:
                self.lease.begin_anew()
            thread = threading.Thread(target=self._run, name="polyflake-lease", daemon=True)
            thread.start()
            self._thread = thread  # last: if starting fails, the next call tries again
        self._started()

    def _run(self) -> None:
        try:
            while self._closing_until is None or time.monotonic() < self._closing_until:
                self._session.timeout_s = self.lease.command_timeout_ms / 1000
                what, sleep_s = self._session.step()
                self._session.report(self.lease.take_report())
                if self.lease.granted:
                    self._opened.open()
                if what in ("failed", "done"):
                    break
                if what == "sleep":
                    self._sleep(sleep_s)
        finally:
            self.ended = True
            self._opened.open()
            self._session.disconnect()

    def _sleep(self, s: float) -> None:
        with suppress(Empty):
            if self._calls.get(timeout=s):
                self._leave(self, False)

    def dropped(self) -> None:
        """Notes that a generator is gone without close().

        The garbage collector calls it, at any time and in any thread, so it takes no lock.
        """
        self._calls.put(True)

    def renew(self) -> None:
        """Renews now. Blocks until it is done. Errors: the failure that prevents it."""
        lease = lease_of(self)
        before = lease.confirmations
        lease.hurry()
        self._calls.put(False)
        wait_renewed(self, before)

    def close(self) -> None:
        """Ends issuing; the runner gives the node id back, if that is possible soon."""
        if not self.lease.of_this_execution:
            return
        self._closing_until = time.monotonic() + CLOSING_S
        self.lease.release()
        self._calls.put(False)

    closes_at_once = False  # generators wait for the end

    def wait_closed(self, deadline: float) -> None:
        """Blocks until close() has done its work, at most until this time of time.monotonic()."""
        if self.lease.of_this_execution and self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(max(deadline - time.monotonic(), 0))

    def look_after(self, blocking: bool = True) -> None:
        """Starts the lease again in a copy of the process, with new connections; wakes the runner.

        Called before a call waits for a window or a number.
        """
        if self.lease.of_this_execution and self._thread is not None:
            self._calls.put(False)
            return
        if blocking:
            self.open()
        else:
            self._start()


def lease_of(runner: AnyLeaseRunner) -> _core.Lease:
    """Returns the lease of a runner. Counters have no windows to renew."""
    assert isinstance(runner.lease, _core.Lease)
    return runner.lease


def wait_renewed(runner: AnyLeaseRunner, before: int) -> None:
    """Blocks until the store has confirmed more windows than `before`. Errors: what prevents it."""
    lease = lease_of(runner)
    deadline = time.monotonic() + 2 * lease.command_timeout_ms / 1000
    while lease.confirmations == before:
        if runner.ended or time.monotonic() > deadline:
            lease.raise_failure()
        time.sleep(0.001)
