"""The runner of leases: it carries commands from the core to a store's client and replies back.

A lease has one keeper in this process, shared by all generators that were opened with the same store and layout. Its thread is
a daemon and sleeps nearly always. What is decided is decided in the core.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

from polyflake import _core
from polyflake._arguments import fail

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from polyflake.stores import Connection, Store

_CLOSING_S = 0.5  # for giving a node id back


class Talk:
    """One conversation with a store: commands of the core, over a connection that is made anew after a failure."""

    def __init__(self, talk: _core.StoreTalk, store: Store, timeout_s: float) -> None:
        self._talk = talk
        self._store = store
        self._timeout_s = timeout_s
        self._connection: Connection | None = None

    def step(self) -> tuple[str, float]:
        """Does what is to be done next; returns what the core said ("command" once it was done) and for how long to sleep, in s."""
        what, number, name, parts, sleep_ms = self._talk.step()
        if what == "command":
            self._carry(number, name, parts)
        return what, sleep_ms / 1000

    def _carry(self, number: int, name: str, parts: list[list[str]]) -> None:
        try:
            rows = self._connected().run(name, parts, self._timeout_s)
        except Exception as error:  # of whatever client it is: the core decides what comes of it
            self.disconnect()
            self._talk.fail(number, self._store.code_of(error), self._store.words_of(error))
        else:
            self._talk.deliver(number, rows)

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._store.connect(self._talk.setup(), self._timeout_s)
        return self._connection

    def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


class Keeper:
    """Keeps one lease. open() blocks until there is a window; then a thread renews it until close()."""

    def __init__(self, store: Store, layout: str) -> None:
        self.lease = _core.Lease(store.address, layout, store.placeholder)
        self.users = 0
        self._store = store
        self._begin()

    def _begin(self) -> None:
        self._talk = Talk(self.lease, self._store, self.lease.command_timeout_ms / 1000)
        self._wake = threading.Event()
        self._closing_until: float | None = None
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        while not self.lease.granted:
            what, sleep_s = self._talk.step()
            if what in ("failed", "done"):
                self._talk.disconnect()
                self.lease.raise_failure()
            if what == "sleep" and not self.lease.granted:
                time.sleep(sleep_s)
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="polyflake-lease", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self._closing_until is None or time.monotonic() < self._closing_until:
            what, sleep_s = self._talk.step()
            if what in ("failed", "done"):
                break
            if what == "sleep":
                self._wake.wait(sleep_s)
                self._wake.clear()
        self._talk.disconnect()

    def renew(self) -> None:
        """Renews now; returns once it is done, or raises what keeps it from it."""
        before = self.lease.renewals
        self.lease.hurry()
        self._wake.set()
        deadline = time.monotonic() + 2 * self.lease.command_timeout_ms / 1000
        while self.lease.renewals == before:
            if time.monotonic() > deadline:
                self.lease.raise_failure()
            time.sleep(0.001)

    def close(self) -> None:
        """Gives the node id back, if that can be done soon."""
        if not self.lease.ours:
            return
        self._closing_until = time.monotonic() + _CLOSING_S
        self.lease.release()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_CLOSING_S)

    def look_after(self) -> None:
        """In a copy of the process, at the first call that finds no window: the lease is begun anew, with another connection."""
        if self.lease.ours:
            return
        with _copies:
            if self.lease.ours:
                return
            self._store.forget_connections()
            self.lease.begin_anew()
            self._begin()
            self._start()


# By what was asked for.
_keepers: dict[tuple[object, str], Keeper] = {}
_opening = threading.Lock()
_copies = threading.Lock()


def keeper_of(store: Store, key: object, layout: str) -> Keeper:
    """The keeper for one more generator; blocks until its lease has a window."""
    with _opening:
        keeper = _keepers.get((key, layout))
        if keeper is None:
            keeper = Keeper(store, layout)
            keeper.open()
            _keepers[key, layout] = keeper
        keeper.look_after()
        keeper.users += 1
        return keeper


def leave(keeper: Keeper) -> None:
    """One generator less; the last one gives the node id back."""
    with _opening:
        keeper.users -= 1
        if keeper.users > 0:
            return
        for key in [key for key, kept in _keepers.items() if kept is keeper]:
            del _keepers[key]
    keeper.close()


def carry_out(task: _core.NamespaceTask, store: Store) -> None:
    """A task of operators, to its end."""
    talk = Talk(task, store, timeout_s=5)
    try:
        while True:
            what, sleep_s = talk.step()
            if what == "done":
                return
            if what == "failed":
                fail("store_unavailable", f"{store!r} cannot be reached")
            if what == "sleep":
                time.sleep(sleep_s)
    finally:
        talk.disconnect()


def _renew_locks() -> None:
    global _opening, _copies
    _opening = threading.Lock()
    _copies = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)
