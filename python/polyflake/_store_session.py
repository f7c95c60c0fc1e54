"""A session with a store: commands of the core go out over a connection, and replies come back.

Leases and the tasks of operators use it. The core decides what is asked and what follows.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from polyflake import _core
from polyflake._carrier import CallFailed, Carrier, noting
from polyflake._reports import log
from polyflake._zones import tell_offset

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, Callable

    from polyflake.stores._store import Connection, Store

_MOMENT_S = 0.1  # time limit for closing a connection
_LINGER_S = 0.5  # how long connections that were given up are closed again
TASK_S = 30.0  # time limit for a task of operators
TASK_COMMAND_S = 5.0


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
        elif what == "offset":
            tell_offset(self._session, number, name)
        return what, sleep_ms / 1000

    def _carry(self, number: int, name: str, parts: list[list[str]]) -> None:
        self._end_given_up()
        line = _Line(self._store, self._session.setup(), self._connection, self.timeout_s)
        self._connection = None
        try:
            rows = self._carrier.carry(self.timeout_s, lambda: line.run(name, parts))
        except CallFailed as failed:  # the core decides what follows
            self._give_up(line)
            if not isinstance(failed.error, Exception):
                self._session.fail(number, "", "interrupted")
                raise failed.error from None
            self._session.fail(number, *self._store.failure_of(failed.error))
        except BaseException:  # of this thread, as a signal handler raises it
            self._give_up(line)
            raise
        else:
            self._connection = line.connection
            # later replies on it would answer other requests
            if not self._session.deliver(number, rows):
                self._connection = None
                line.give_up()

    def _give_up(self, line: _Line) -> None:
        line.give_up()
        self._given_up.append(line)

    def report(self, line: list[str]) -> None:
        """Logs a line of take_report() aside: a handler that blocks must not hold up renewals."""
        if line:
            try:
                self._carrier.carry(_MOMENT_S, lambda: log(*line))
            except CallFailed as failed:
                if not isinstance(failed.error, TimeoutError):
                    raise failed.error from None

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
            with suppress(CallFailed):
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
        self._process = os.getpid()
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
        if os.getpid() != self._process:  # forked in the middle of a command, by a signal handler
            _core.keep_forever(self)
            return
        self._given_up = True
        for close in (self._close_opening, getattr(self.connection, "close", None)):
            if close is not None:
                with suppress(Exception):
                    close()


def carry_out(task: _core.StoreSession, store: Store) -> None:
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
