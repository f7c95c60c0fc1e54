"""The runner of leases: it carries commands from the core to a store's client and replies back.

A lease has one keeper in this process, which all generators share that were opened with the same store and layout. Its thread
is a daemon and sleeps nearly always. What is decided is decided in the core. For clients of asyncio: _lease_asyncio.py.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

from polyflake import _core
from polyflake._carrier import Carrier, noting

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, Callable

    from polyflake._keepers import AnyKeeper
    from polyflake.stores import Connection, Store

CLOSING_S = 0.5  # for giving a node id back
_MOMENT_S = 0.1  # for closing a connection
TASK_S = 30.0  # for a task of operators
TASK_COMMAND_S = 5.0


class _Gate:
    """As threading.Event, whose lock a signal handler cannot wait for in a thread that has it."""

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


class Talk:
    """One conversation with a store: commands of the core, over a connection that is made anew after a failure."""

    def __init__(self, talk: _core.StoreTalk, store: Store, timeout_s: float) -> None:
        self._talk = talk
        self.timeout_s = timeout_s  # of the next command
        self._store = store
        self._connection: Connection | None = None
        self._carrier = Carrier()

    def step(self) -> tuple[str, float]:
        """Does what is to be done next; returns what the core said ("command" once it was done) and for how long to sleep, in s."""
        what, number, name, parts, sleep_ms = self._talk.step()
        if what == "command":
            self._carry(number, name, parts)
        return what, sleep_ms / 1000

    def _carry(self, number: int, name: str, parts: list[list[str]]) -> None:
        line = _Line(self._store, self._talk.setup(), self._connection, self.timeout_s)
        self._connection = None
        try:
            rows = self._carrier.carry(self.timeout_s, lambda: line.run(name, parts))
        except BaseException as error:  # of whatever client it is: the core decides what comes of it
            line.give_up()
            if not isinstance(error, Exception):
                self._talk.fail(number, "", "interrupted")
                raise
            self._talk.fail(number, self._store.code_of(error), self._store.words_of(error))
        else:
            self._connection = line.connection
            if not self._talk.deliver(number, rows):  # later replies on it answer other requests
                self._connection = None
                line.give_up()

    def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                self._carrier.carry(_MOMENT_S, connection.close)
        self._carrier.stop()


class _Line:
    """One command on its way: with the connection of the one before, or with a new one."""

    def __init__(self, store: Store, setup: list[str], connection: Connection | None, timeout_s: float) -> None:
        self.connection = connection
        self._store = store
        self._setup = setup
        self._timeout_s = timeout_s
        self._given_up = False
        self._close_opening: Callable[[], Any] | None = None

    def run(self, name: str, parts: list[list[str]]) -> list[list[str | None]]:
        if self.connection is None:
            self.connection = noting(self._note, lambda: self._store.connect(self._setup, self._timeout_s))
        if self._given_up:  # while it connected
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


class Keeper:
    """Keeps one lease: a thread gets its first window and renews it, until the last of its users has left."""

    def __init__(self, store: Store, layout: str) -> None:
        self.lease = _core.Lease(store.address, layout, store.placeholder)
        self.users = 0
        self.ended = False  # its runner has stopped
        self._store = store
        self._starting = threading.RLock()  # which a signal handler may take again
        self._begin()

    def _begin(self) -> None:
        self._talk = Talk(self.lease, self._store, self.lease.command_timeout_ms / 1000)
        self._calls: SimpleQueue[bool] = SimpleQueue()  # what wakes the runner; True: somebody has left
        self._opened = _Gate()  # there was a window, or there will be none
        self._closing_until: float | None = None
        self._thread: threading.Thread | None = None

    def after_fork(self) -> None:
        """In a copy of the process: nothing here is touched again that its original has."""
        _core.keep_forever(self._talk)
        self._starting = threading.RLock()
        self._begin()

    def open(self) -> None:
        """Blocks until there is a window. Errors: what keeps it from one."""
        self._start()
        self._opened.wait(self.lease.acquire_timeout_ms / 1000 + CLOSING_S)
        if not self.lease.granted:
            self.lease.raise_failure()

    def _start(self) -> None:
        with self._starting:
            if self._thread is not None:
                return
            self.ended = False
            if not self.lease.ours:
                self.lease.begin_anew()
            thread = threading.Thread(target=self._run, name="polyflake-lease", daemon=True)
            thread.start()
            self._thread = thread  # not before: where none can be started now, the next call tries again
        self._watch_end()

    def _run(self) -> None:
        try:
            while self._closing_until is None or time.monotonic() < self._closing_until:
                self._talk.timeout_s = self.lease.command_timeout_ms / 1000
                what, sleep_s = self._talk.step()
                if self.lease.granted:
                    self._opened.open()
                if what in ("failed", "done"):
                    break
                if what == "sleep":
                    self._sleep(sleep_s)
        finally:
            self.ended = True
            self._opened.open()
            self._talk.disconnect()

    def _sleep(self, s: float) -> None:
        with suppress(Empty):
            if self._calls.get(timeout=s):
                self._leave()

    def _watch_end(self) -> None:
        from polyflake._keepers import watch_end

        watch_end()

    def _leave(self) -> None:
        from polyflake._keepers import leave

        leave(self, wait=False)

    def dropped(self) -> None:
        """A generator is gone without close(). Called by the garbage collector, at any time and in any thread: takes no lock."""
        self._calls.put(True)

    def renew(self) -> None:
        """Renews now; returns once it is done, or raises what keeps it from it."""
        before = self.lease.renewals
        self.lease.hurry()
        self._calls.put(False)
        wait_renewed(self, before)

    def close(self) -> None:
        """Nothing more is issued; the runner gives the node id back, if that can be done soon."""
        if not self.lease.ours:
            return
        self._closing_until = time.monotonic() + CLOSING_S
        self.lease.release()
        self._calls.put(False)

    def wait_closed(self, deadline: float) -> None:
        """Blocks until close() has done what it can, at most until this time of time.monotonic()."""
        if self.lease.ours and self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(max(deadline - time.monotonic(), 0))

    def look_after(self, blocking: bool = True) -> None:
        """In a copy of the process, before a call waits for a window: the lease is begun anew, with connections of its own."""
        if self.lease.ours and self._thread is not None:
            return
        if blocking:
            self.open()
        else:
            self._start()


def wait_renewed(keeper: AnyKeeper, before: int) -> None:
    """Until there are more renewals than `before`. Errors: what keeps it from them."""
    lease = keeper.lease
    deadline = time.monotonic() + 2 * lease.command_timeout_ms / 1000
    while lease.renewals == before:
        if keeper.ended or time.monotonic() > deadline:
            lease.raise_failure()
        time.sleep(0.001)


def carry_out(task: _core.NamespaceTask, store: Store) -> None:
    """A task of operators, to its end. Blocks: I/O. Errors: what ended it, store_unavailable."""
    talk = Talk(task, store, TASK_COMMAND_S)
    deadline = time.monotonic() + TASK_S
    try:
        while True:
            what, sleep_s = talk.step()
            if what == "done":
                return
            if what == "failed" or time.monotonic() > deadline:
                _core.fail("store_unavailable", f"{store!r} cannot be reached")
            if what == "sleep":
                time.sleep(sleep_s)
    finally:
        talk.disconnect()
