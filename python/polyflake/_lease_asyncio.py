"""The runner of leases for clients of asyncio: a task of an event loop, without a thread.

The task belongs to the event loop in which the first generator was opened. When that loop ends, the
lease ends with it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

from polyflake import _core
from polyflake._lease import CLOSING_S, lease_of, wait_renewed
from polyflake._reports import log
from polyflake._store_session import TASK_COMMAND_S, TASK_S
from polyflake._zones import tell_offset

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any, Callable, TypeVar

    _Result = TypeVar("_Result")

    from polyflake.stores._store import AsyncConnection, Store

_MOMENT_S = 0.001


async def _within(timeout_s: float, work: Coroutine[Any, Any, _Result]) -> _Result:
    """Returns the result of the work. Errors: TimeoutError of asyncio.

    asyncio.wait_for() of Python before 3.12 forgets a cancellation if the work was just done.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait((task,), timeout=timeout_s)
    except asyncio.CancelledError:
        await _ended(task)
        raise
    if not task.done():
        await _ended(task)
        raise asyncio.TimeoutError
    return task.result()


async def _ended(task: asyncio.Task[Any]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


class AsyncStoreSession:
    """A StoreSession with a client that is awaited."""

    def __init__(self, session: _core.StoreSession, store: Store, timeout_s: float) -> None:
        self._session = session
        self.timeout_s = timeout_s  # for the next command
        self._store = store
        self._connection: AsyncConnection | None = None

    async def step(self) -> tuple[str, float]:
        what, number, name, parts, sleep_ms = self._session.step()
        if what == "command":
            await self._carry(number, name, parts)
        elif what == "offset":
            tell_offset(self._session, number, name)
        return what, sleep_ms / 1000

    async def _carry(self, number: int, name: str, parts: list[list[str]]) -> None:
        try:
            rows = await _within(self.timeout_s, self._run(name, parts))
        except BaseException as error:  # also if cancelled: its connection must not be used again
            await self.disconnect()
            if not isinstance(error, Exception):
                self._session.fail(number, "", "cancelled")
                raise
            self._session.fail(number, *self._store.failure_of(error))
        else:
            # later replies on its connection would answer other requests
            if not self._session.deliver(number, rows):
                await self.disconnect()

    async def _run(self, name: str, parts: list[list[str]]) -> list[list[str | None]]:
        if self._connection is None:
            self._connection = await self._store.connect_in_loop(self._session.setup(), self.timeout_s)
        return await self._connection.run(name, parts, self.timeout_s)

    async def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()


class AsyncLeaseRunner:
    """A LeaseRunner with a task instead of a thread."""

    def __init__(
        self, lease: _core.Lease | _core.Counter, store: Store, leave: Callable[[AsyncLeaseRunner, bool], None]
    ) -> None:
        """leave: takes one user off a runner."""
        self._leave = leave
        self.lease = lease
        self.users = 0
        self._stopped = False
        self._store = store
        self._begin()

    def _begin(self) -> None:
        self._starting = threading.RLock()  # reentrant for signal handlers
        self._session = AsyncStoreSession(self.lease, self._store, self.lease.command_timeout_ms / 1000)
        self._closing_until: float | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # one for each generator that is gone without close()
        self._left: SimpleQueue[None] = SimpleQueue()

    @property
    def ended(self) -> bool:
        """True if the task has stopped, or if its loop was closed without ending the task."""
        return self._stopped or (self._loop is not None and self._loop.is_closed())

    def after_fork(self) -> None:
        """Starts afresh in a copy of the process; never touches objects of the original again."""
        _core.keep_forever((self._session, self._task, self._loop))
        self._begin()

    async def open_in_loop(self) -> None:
        """Waits until there is a window. Errors: the failure that prevents it."""
        self._start()
        deadline = time.monotonic() + self.lease.acquire_timeout_ms / 1000 + CLOSING_S
        while not self.lease.granted and not self.ended and time.monotonic() < deadline:  # noqa: ASYNC110
            # no event: it would belong to one loop, and a waiting task may be in another
            await asyncio.sleep(_MOMENT_S)
        if not self.lease.granted:
            self.lease.raise_failure()

    def open(self) -> None:
        """Opens one more generator on an open lease."""
        self.look_after()
        if not self.lease.granted:
            self.lease.raise_failure()

    def _start(self) -> None:
        with self._starting:  # another loop may open it at the same time
            if self._task is not None:
                return
            self._loop = asyncio.get_running_loop()
            self._wake = asyncio.Event()
            self._stopped = False
            if not self.lease.of_this_execution:
                self.lease.begin_anew()
            self._task = self._loop.create_task(self._run(), name="polyflake-lease")

    async def _run(self) -> None:
        try:
            await self._keep()
        except asyncio.CancelledError:  # the loop ends
            self.close()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._keep(), CLOSING_S)
        finally:
            self._stopped = True
            await self._session.disconnect()

    async def _keep(self) -> None:
        while self._closing_until is None or time.monotonic() < self._closing_until:
            self._session.timeout_s = self.lease.command_timeout_ms / 1000
            what, sleep_s = await self._session.step()
            line = self.lease.take_report()
            if line:
                log(*line)
            if what in ("failed", "done"):
                return
            if what == "sleep":
                await self._sleep(sleep_s)

    async def _sleep(self, s: float) -> None:
        with suppress(asyncio.TimeoutError):
            await _within(s, self._wake.wait())
        self._wake.clear()
        with suppress(Empty):
            while True:
                self._left.get_nowait()
                self._leave(self, False)

    def _call(self) -> None:
        """Wakes the task, from any thread."""
        if self._loop is not None and self.lease.of_this_execution:
            with suppress(RuntimeError):  # the loop is closed, and the lease with it
                self._loop.call_soon_threadsafe(self._wake.set)

    def dropped(self) -> None:
        """Notes that a generator is gone without close().

        The garbage collector calls it, at any time and in any thread, so it takes no lock.
        """
        self._left.put(None)
        self._call()

    def renew(self) -> None:
        """Renews soon; in a thread other than that of the loop as LeaseRunner."""
        lease = lease_of(self)
        before = lease.confirmations
        lease.hurry()
        self._call()
        if asyncio._get_running_loop() is not self._loop:
            wait_renewed(self, before)

    def close(self) -> None:
        """Ends issuing; the task gives the node id back while its loop runs."""
        if not self.lease.of_this_execution:
            return
        self._closing_until = time.monotonic() + CLOSING_S
        self.lease.release()
        self._call()

    closes_at_once = True

    def wait_closed(self, deadline: float) -> None:
        """Does nothing: the loop must not be blocked."""

    def look_after(self, blocking: bool = True) -> None:
        """Starts the lease again in a copy of the process, in the running loop; wakes the task.

        Errors: store_unavailable if the loop of this lease has ended.
        """
        if self.lease.of_this_execution:
            if self._loop is not None and self._loop.is_closed():
                _core.fail(
                    "store_unavailable",
                    f"{self._store.address.shown}: the event loop that opened this lease has ended, and the lease with it; open "
                    "another generator in the running loop",
                )
            self._call()
            return
        if asyncio._get_running_loop() is None:
            _core.fail(
                "forked_generator", f"{self._store!r} has a client of asyncio: open another generator in the event loop"
            )
        self._start()


async def carry_out_in_loop(task: _core.StoreSession, store: Store) -> None:
    """Carries out a task of operators, as carry_out()."""
    session = AsyncStoreSession(task, store, TASK_COMMAND_S)
    deadline = time.monotonic() + TASK_S
    try:
        while True:
            what, sleep_s = await session.step()
            if what == "done":
                return
            if what == "failed" or time.monotonic() > deadline:
                _core.fail("store_unavailable", f"{store!r} cannot be reached")
            if what == "sleep":
                await asyncio.sleep(sleep_s)
    finally:
        await session.disconnect()
