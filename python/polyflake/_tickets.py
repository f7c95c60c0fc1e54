"""Tickets: the numbers of ticket servers, MySQL or MariaDB tables with AUTO_INCREMENT."""

from __future__ import annotations

from weakref import finalize

from polyflake._arguments import count, fail, signed, text
from polyflake._closable import Closable
from polyflake._imports import late_import
from polyflake._options import names_checked
from polyflake.values import State, Stats

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Union

    from sqlalchemy.engine import Engine
    from typing_extensions import Buffer

    _Server = Union[str, Engine, Callable[[], Any]]

_ID_BYTES = 8


class Tickets(Closable):
    """The numbers of ticket servers: databases that already hand out numbers, as at Flickr.

    store lists the servers: for each its address ("mysql://user:password@host:3306/db"), a function
    that returns a new connection of PyMySQL, mysqlclient or MySQL Connector, or an Engine of
    SQLAlchemy. A single server needs no list. Server k of m gives the numbers that are k
    modulo m, so every program must list the same servers in the same order. table is the name of
    the table, or "database.table". timeout_ms is the longest wait of one call. Each number is one
    statement on a connection of this source alone, and each answer is verified. Numbers are not in
    order. For new systems Segment is the better choice.

    Sources with the same store and table share one connection per server, which one call uses at a
    time; others take another server or wait for their turn.

    Errors: option_invalid, worker_source_invalid (an address). ImportError names the client that is
    missing. Blocks: never; the first call for an id connects. Thread safety: any thread.
    """

    _syntax = ""  # that of the server; tests choose another one
    _users: Any = None  # set here too, as a constructor may never have run

    @names_checked
    def __init__(self, store: _Server | Sequence[_Server], *, table: str = "Tickets64", timeout_ms: int = 2000) -> None:
        with late_import("polyflake._ticket_servers"):
            from polyflake._ticket_servers import dropped, join

        if self._users is not None:
            fail("option_invalid", "this Tickets is open already: open another one")
        self._servers, self._users = join(
            store,
            text("table", table, "option_invalid"),
            signed("timeout_ms", timeout_ms, "option_invalid"),
            self._syntax,
        )
        self._dropped = finalize(self, dropped, self._users)
        self._dropped.atexit = False

    @property
    def kind(self) -> str:
        """The name of this kind of source: "ticket"."""
        return "ticket"

    def next_id(self) -> int:
        """Returns a number of the server that was used least recently.

        If a server fails, the same call asks another one, and the server is left out for 1, 2, 4
        ... 30 s. A server with a wrong answer is never asked again.

        Errors: generator_closed, store_unavailable (no server gave a number within timeout_ms),
        store_misconfigured (a server gave a number of another server), store_went_back (a server
        gave a number that is not above its former ones). Blocks: I/O, at most timeout_ms, without
        the GIL. Thread safety: any thread.
        """
        call = self._servers.call()
        return self._users.next_id(call)  # type: ignore[no-any-return]

    def __next__(self) -> int:
        """The same as next_id()."""
        return self.next_id()

    def try_next_id(self) -> int | None:
        """Returns None: every number needs a round trip, which this call never makes.

        Errors: generator_closed.
        """
        self._servers.call().end()
        return None

    def next_ids(self, n: int, /) -> list[int]:
        """Returns the numbers of n calls of next_id(). Errors: as next_id(), and option_invalid.

        Blocks: I/O, each number at most timeout_ms. After an error the numbers so far are left out.
        """
        n = count("n", n)
        self.try_next_id()  # a closed source refuses no numbers, too
        return [self.next_id() for _ in range(n)]

    def fill(self, buffer: Buffer, /) -> None:
        """Fills writable memory, such as array("Q"), with numbers of 8 bytes, as next_ids() does.

        Errors: as next_id(), and option_invalid for other memory.
        """
        import sys

        try:
            memory = memoryview(buffer).cast("B")
        except (TypeError, ValueError, NotImplementedError):
            memory = memoryview(b"")
        if memory.readonly or len(memory) % _ID_BYTES != 0:
            fail("option_invalid", "fill() needs writable, contiguous memory of 8 bytes an id, such as a bytearray")
        self.try_next_id()
        for at in range(0, len(memory), _ID_BYTES):
            memory[at : at + _ID_BYTES] = self.next_id().to_bytes(_ID_BYTES, sys.byteorder)

    def next_id_string(self) -> str:
        """Returns next_id() as decimal text. Errors: as next_id()."""
        return str(self.next_id())

    async def next_id_async(self) -> int:
        """Returns next_id(), called in a thread of asyncio's own, so that the event loop goes on.

        Errors: as next_id(). The number of a call that was cancelled is left out.
        """
        from asyncio import to_thread  # imported here, as it takes long

        return await to_thread(self.next_id)

    async def next_ids_async(self, n: int, /) -> list[int]:
        """Returns next_ids(), called in a thread of asyncio's own. Errors: as next_ids()."""
        from asyncio import to_thread

        return await to_thread(self.next_ids, n)

    def renew(self) -> None:
        """Does nothing: no number is held ahead of need."""

    def state(self) -> State:
        """Returns whether a server is up, as far as this process knows: for health checks.

        Blocks: never. Thread safety: any thread.
        """
        return State(*self._servers.state())

    def stats(self) -> Stats:
        """Returns the counters: `issued` and `store_failures`; the others do not apply."""
        return Stats(**self._servers.stats(), namespace_uuid=None)

    @property
    def closed(self) -> bool:
        """True once close() was called."""
        return self._users is None or self._servers.closed

    def close(self) -> None:
        """Ends issuing; a second call does nothing. Later calls that issue raise generator_closed.

        Calls in progress get their numbers. The last source of these servers closes its
        connections. Blocks: half a second at most for each server that hangs. Thread safety: any
        thread.
        """
        if self._users is not None and self._dropped.detach():
            self._servers.close()
            self._users.leave()

    def __repr__(self) -> str:
        return "<polyflake.Tickets>"
