"""The connections to ticket servers: one for each server, which one call uses at a time.

The core decides which server a call asks, with which statements, and whether its answer is
believed.
"""

from __future__ import annotations

import atexit
import os
import threading
from contextlib import suppress

from polyflake import _core
from polyflake._arguments import fail, items, shown
from polyflake._store_session import StoreSession
from polyflake.stores.sql import SqlStore

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

_pools: dict[tuple[object, ...], _Pool] = {}
_clients: dict[Any, str] = {}  # the names of clients of users, for the life of the process
_dropped: list[_Pool] = []  # that a source was dropped of; the garbage collector takes no lock
_lock = threading.RLock()


class _Pool:
    """The sessions with the servers of one list, shared by all sources with that list and table."""

    def __init__(self, key: tuple[object, ...], servers: _core.TicketServers, stores: list[SqlStore], syntax: str):
        self.users = 0
        self._key = key
        self._servers = servers  # its sessions share what this process knows
        self._stores = stores
        self._syntax = syntax
        self._begin()

    def _begin(self) -> None:
        self._turn = threading.Condition()
        self._calls = 0  # in progress
        self._sessions = [
            StoreSession(self._servers.session(number, self._syntax), store, 0)
            for number, store in enumerate(self._stores, 1)
        ]

    def after_fork(self) -> None:
        """Starts afresh in a copy of the process; never touches objects of the original again."""
        _core.keep_forever(self._sessions)
        self._begin()

    def next_id(self, call: _core.TicketCall) -> int:
        """Carries on a call until there is a number. Blocks: I/O."""
        turn = self._turn
        with turn:
            self._calls += 1
        try:
            while True:
                what, number, server, limit_ms = call.step()
                if what == "number":
                    return number
                if what == "wait":
                    with turn:
                        turn.wait(limit_ms / 1000)
                else:
                    session = self._sessions[server - 1]
                    session.timeout_s = limit_ms / 1000
                    session.step()
        finally:
            call.end()
            with turn:
                if turn is self._turn:  # not in a copy that was made meanwhile
                    self._calls -= 1
                    turn.notify_all()
                    self._disconnect_if_left()

    def leave(self) -> None:
        """Removes one source; the last one closes the connections that no call uses."""
        with _lock:
            self.users -= 1
            if self.users == 0 and _pools.get(self._key) is self:
                del _pools[self._key]
        with self._turn:
            self._disconnect_if_left()

    def _disconnect_if_left(self) -> None:
        if self.users == 0 and self._calls == 0:
            self.disconnect()

    def disconnect(self) -> None:
        for session in self._sessions:
            session.disconnect()


def join(store: Any, table: str, timeout_ms: int, syntax: str) -> tuple[_core.TicketServers, _Pool]:
    """Returns the servers for one more source, and the pool that it leaves when it is closed."""
    given = list(items("store", store, "option_invalid")) if isinstance(store, (list, tuple)) else [store]
    stores = [_store_of(one, number) for number, one in enumerate(given, 1)]
    clients = [one if isinstance(one, str) else _name_of(one) for one in given]
    shown_as = [one.address.shown for one in stores]
    servers = _core.TicketServers(clients, shown_as, table, timeout_ms)
    key = (*clients, table, syntax)
    with suppress(IndexError):  # another thread may take the last one
        while True:
            _dropped.pop().leave()
    with _lock:
        pool = _pools.get(key)
        if pool is None:
            of_pool = _core.TicketServers(clients, shown_as, table, timeout_ms)
            pool = _pools[key] = _Pool(key, of_pool, stores, syntax)
        pool.users += 1
    return servers, pool


def _store_of(server: Any, number: int) -> SqlStore:
    if isinstance(server, str):
        return SqlStore._of_address(_core.StoreAddress.parse_ticket_server(server))
    if not callable(server) and not hasattr(server, "pool"):
        fail(
            "option_invalid",
            "store lists ticket servers: addresses such as mysql://user@host/db, or functions that return a new "
            f"connection, not {shown(server)}",
        )
    return SqlStore._of_client(server, _core.StoreAddress("mysql", f"{number} of the list"))


def _name_of(client: Any) -> str:
    """Returns a name that equal clients share, as sources with equal clients share their state."""
    try:
        with _lock:
            return _clients.setdefault(client, _core.new_ticket_client())
    except TypeError:
        fail("option_invalid", f"a client of a ticket server must be hashable, not {shown(client)}")


def dropped(pool: _Pool) -> None:
    """Removes one source that was never closed, when the next one is opened."""
    _dropped.append(pool)


def _disconnect_all() -> None:
    """At the end of the interpreter, which must find no thread of a connection."""
    with _lock:
        pools = list(_pools.values())
    for pool in pools:
        pool.disconnect()


def _after_fork() -> None:
    global _lock
    _lock = threading.RLock()
    _dropped.clear()
    for pool in list(_pools.values()):
        pool.after_fork()


atexit.register(_disconnect_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
