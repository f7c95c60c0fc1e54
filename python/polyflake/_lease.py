"""The runner of leases: it carries commands from the core to the client of a store.

It carries the replies back. A lease has one runner in this process, shared by all generators opened
with the same store and layout. Its thread is a daemon and sleeps nearly always. The core makes all
decisions. For clients of asyncio: _lease_asyncio.py.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

from polyflake import _core
from polyflake._carrier import Carrier, noting
from polyflake._reports import log

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, Callable

    from polyflake._lease_runners import AnyLeaseRunner
    from polyflake.stores._store import Connection, Store

CLOSING_S = 0.5  # time limit for giving a node id back
_MOMENT_S = 0.1  # time limit for closing a connection
_LINGER_S = 0.5  # how long connections that were given up are closed again
TASK_S = 30.0  # time limit for a task of operators
TASK_COMMAND_S = 5.0


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


class StoreSession:
    """A conversation with a store: commands of the core, over a new connection after a failure."""

    def __init__(self, session: _core.StoreSession, store: Store, timeout_s: float) -> None:
        self._session = session
        self.timeout_s = timeout_s  # for the next command
        self._store = store
        self._connection: Connection | None = None
        self._given_up: list[_Line] = []  # under way perhaps, in threads of their own
        self._carrier = Carrier()

    def step(self) -> tuple[str, float]:
        """Does the next step. Returns what the core said, and the time to sleep, in s.

        "command" means that a command was carried out.
        """
        what, number, name, parts, sleep_ms = self._session.step()
        if what == "command":
            self._carry(number, name, parts)
        return what, sleep_ms / 1000

    def _carry(self, number: int, name: str, parts: list[list[str]]) -> None:
        self._end_given_up()
        line = _Line(self._store, self._session.setup(), self._connection, self.timeout_s)
        self._connection = None
        try:
            rows = self._carrier.carry(self.timeout_s, lambda: line.run(name, parts))
        except BaseException as error:  # from any client: the core decides what follows
            line.give_up()
            self._given_up.append(line)
            if not isinstance(error, Exception):
                self._session.fail(number, "", "interrupted")
                raise
            self._session.fail(number, *self._store.failure_of(error))
        else:
            self._connection = line.connection
            # later replies on it would answer other requests
            if not self._session.deliver(number, rows):
                self._connection = None
                line.give_up()

    def report(self, line: list[str]) -> None:
        """Logs a line of take_report() aside: a handler that blocks must not hold up renewals."""
        if line:
            with suppress(TimeoutError):
                self._carrier.carry(_MOMENT_S, lambda: log(*line))

    def _end_given_up(self) -> bool:
        """Closes again what was given up; returns whether anything is still under way.

        A client that was just connecting may have had nothing to close yet.
        """
        self._given_up = [line for line in self._given_up if not line.ended]
        for line in self._given_up:
            line.give_up()
        return bool(self._given_up)

    def disconnect(self) -> None:
        deadline = time.monotonic() + _LINGER_S
        while self._end_given_up() and time.monotonic() < deadline:
            time.sleep(0.01)
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                self._carrier.carry(_MOMENT_S, connection.close)
        self._carrier.stop(_MOMENT_S)  # one that is left may end the process


class _Line:
    """One command under way, over the previous connection or a new one."""

    def __init__(self, store: Store, setup: list[str], connection: Connection | None, timeout_s: float) -> None:
        self.connection = connection
        self.ended = False
        self._store = store
        self._setup = setup
        self._timeout_s = timeout_s
        self._given_up = False
        self._close_opening: Callable[[], Any] | None = None

    def run(self, name: str, parts: list[list[str]]) -> list[list[str | None]]:
        try:
            return self._run(name, parts)
        finally:
            self.ended = True

    def _run(self, name: str, parts: list[list[str]]) -> list[list[str | None]]:
        if self.connection is None:
            self.connection = noting(self._note, lambda: self._store.connect(self._setup, self._timeout_s))
        if self._given_up:  # given up while it connected
            self.connection.close()
            raise TimeoutError
        return self.connection.run(name, parts, self._timeout_s)

    def _note(self, close: Callable[[], Any]) -> None:
        self._close_opening = close
        if self._given_up:
            raise TimeoutError

    def give_up(self) -> None:
        self._given_up = True
        for close in (self._close_opening, getattr(self.connection, "close", None)):
            if close is not None:
                with suppress(Exception):
                    close()


class LeaseRunner:
    """Keeps one lease: a thread gets the first window and renews it until the last user leaves."""

    def __init__(
        self, store: Store, layout: str, leave: Callable[[AnyLeaseRunner, bool], None], started: Callable[[], None]
    ) -> None:
        """leave: takes one user off a runner; started: called after each start of the thread."""
        self._leave = leave
        self._started = started
        self.lease = _core.Lease(store.address, layout, store.placeholder)
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
        before = self.lease.confirmations
        self.lease.hurry()
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
        """Starts the lease again in a copy of the process, with new connections.

        Called before a call waits for a window.
        """
        if self.lease.of_this_execution and self._thread is not None:
            return
        if blocking:
            self.open()
        else:
            self._start()


def wait_renewed(runner: AnyLeaseRunner, before: int) -> None:
    """Blocks until the store has confirmed more windows than `before`. Errors: what prevents it."""
    lease = runner.lease
    deadline = time.monotonic() + 2 * lease.command_timeout_ms / 1000
    while lease.confirmations == before:
        if runner.ended or time.monotonic() > deadline:
            lease.raise_failure()
        time.sleep(0.001)


def carry_out(task: _core.NamespaceTask, store: Store) -> None:
    """Carries out a task of operators. Blocks: I/O. Errors: its failure, store_unavailable."""
    session = StoreSession(task, store, TASK_COMMAND_S)
    deadline = time.monotonic() + TASK_S
    try:
        while True:
            what, sleep_s = session.step()
            if what == "done":
                return
            if what == "failed" or time.monotonic() > deadline:
                _core.fail("store_unavailable", f"{store!r} cannot be reached")
            if what == "sleep":
                time.sleep(sleep_s)
    finally:
        session.disconnect()
