"""The runner of leases for clients of asyncio: a task of the event loop in which its first generator was opened, and no thread.

When that loop ends, the lease ends with it.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

from polyflake import _core
from polyflake._lease import CLOSING_S, TASK_COMMAND_S, TASK_S, wait_renewed

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from polyflake.stores import AsyncConnection, Store

_MOMENT_S = 0.001


class AsyncTalk:
    """As Talk, with a client that is awaited."""

    def __init__(self, talk: _core.StoreTalk, store: Store, timeout_s: float) -> None:
        self._talk = talk
        self.timeout_s = timeout_s  # of the next command
        self._store = store
        self._connection: AsyncConnection | None = None

    async def step(self) -> tuple[str, float]:
        what, number, name, parts, sleep_ms = self._talk.step()
        if what == "command":
            await self._carry(number, name, parts)
        return what, sleep_ms / 1000

    async def _carry(self, number: int, name: str, parts: list[list[str]]) -> None:
        try:
            rows = await asyncio.wait_for(self._run(name, parts), self.timeout_s)
        except BaseException as error:  # also where it is cancelled: then its connection must not be used again
            await self.disconnect()
            if not isinstance(error, Exception):
                self._talk.fail(number, "", "cancelled")
                raise
            self._talk.fail(number, self._store.code_of(error), self._store.words_of(error))
        else:
            if not self._talk.deliver(number, rows):  # later replies on its connection answer other requests
                await self.disconnect()

    async def _run(self, name: str, parts: list[list[str]]) -> list[list[str | None]]:
        if self._connection is None:
            self._connection = await self._store.connect_in_loop(self._talk.setup(), self.timeout_s)
        return await self._connection.run(name, parts, self.timeout_s)

    async def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()


class AsyncKeeper:
    """As Keeper, with a task in the place of its thread."""

    def __init__(self, store: Store, layout: str) -> None:
        self.lease = _core.Lease(store.address, layout, store.placeholder)
        self.users = 0
        self._stopped = False
        self._store = store
        self._begin()

    def _begin(self) -> None:
        self._talk = AsyncTalk(self.lease, self._store, self.lease.command_timeout_ms / 1000)
        self._closing_until: float | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._left: SimpleQueue[None] = SimpleQueue()  # one for each generator that is gone without close()

    @property
    def ended(self) -> bool:
        """Its task has stopped, or goes on no more: some close a loop without a word to its tasks."""
        return self._stopped or (self._loop is not None and self._loop.is_closed())

    def after_fork(self) -> None:
        """In a copy of the process: nothing here is touched again that its original has."""
        _core.keep_forever((self._talk, self._task, self._loop))
        self._begin()

    async def open_in_loop(self) -> None:
        """Waits until there is a window. Errors: what keeps it from one."""
        self._start()
        deadline = time.monotonic() + self.lease.acquire_timeout_ms / 1000 + CLOSING_S
        while not self.lease.granted and not self.ended and time.monotonic() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(_MOMENT_S)  # an event would belong to one loop; who waits may be in another
        if not self.lease.granted:
            self.lease.raise_failure()

    def open(self) -> None:
        """For one more generator where the lease is open already."""
        self.look_after()
        if not self.lease.granted:
            self.lease.raise_failure()

    def _start(self) -> None:
        if self._task is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._stopped = False
        if not self.lease.ours:
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
            await self._talk.disconnect()

    async def _keep(self) -> None:
        while self._closing_until is None or time.monotonic() < self._closing_until:
            self._talk.timeout_s = self.lease.command_timeout_ms / 1000
            what, sleep_s = await self._talk.step()
            if what in ("failed", "done"):
                return
            if what == "sleep":
                await self._sleep(sleep_s)

    async def _sleep(self, s: float) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._wake.wait(), s)
        self._wake.clear()
        with suppress(Empty):
            while True:
                self._left.get_nowait()
                self._leave()

    def _leave(self) -> None:
        from polyflake._keepers import leave

        leave(self, wait=False)

    def _call(self) -> None:
        """Wakes the task, from any thread."""
        if self._loop is not None and self.lease.ours:
            with suppress(RuntimeError):  # the loop is closed, and the lease with it
                self._loop.call_soon_threadsafe(self._wake.set)

    def dropped(self) -> None:
        """A generator is gone without close(). Called by the garbage collector, at any time and in any thread: takes no lock."""
        self._left.put(None)
        self._call()

    def renew(self) -> None:
        """Renews soon; in a thread other than the loop's as Keeper."""
        before = self.lease.renewals
        self.lease.hurry()
        self._call()
        if asyncio._get_running_loop() is not self._loop:
            wait_renewed(self, before)

    def close(self) -> None:
        """Nothing more is issued; the task gives the node id back as its loop goes on."""
        if not self.lease.ours:
            return
        self._closing_until = time.monotonic() + CLOSING_S
        self.lease.release()
        self._call()

    def wait_closed(self, deadline: float) -> None:
        """Nothing: the loop must not be blocked."""

    def look_after(self, blocking: bool = True) -> None:
        """In a copy of the process: the lease is begun anew in the running event loop."""
        if self.lease.ours:
            return
        if asyncio._get_running_loop() is None:
            _core.fail(
                "forked_generator", f"{self._store!r} has a client of asyncio: open another generator in the event loop"
            )
        self._start()


async def carry_out_in_loop(task: _core.NamespaceTask, store: Store) -> None:
    """As carry_out()."""
    talk = AsyncTalk(task, store, TASK_COMMAND_S)
    deadline = time.monotonic() + TASK_S
    try:
        while True:
            what, sleep_s = await talk.step()
            if what == "done":
                return
            if what == "failed" or time.monotonic() > deadline:
                _core.fail("store_unavailable", f"{store!r} cannot be reached")
            if what == "sleep":
                await asyncio.sleep(sleep_s)
    finally:
        await talk.disconnect()
