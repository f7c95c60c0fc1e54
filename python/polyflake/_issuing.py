"""The common base of sources: closing, leases and waiting.

Only sources over a generator of the core have a lease and wait.
"""

from __future__ import annotations

import sys
import time
from weakref import finalize

from polyflake._arguments import fail
from polyflake._closable import Closable
from polyflake._imports import late_import
from polyflake._options import layout_text, store_for
from polyflake._warning import this_thread, warn_of_opening
from polyflake.errors import PolyflakeError
from polyflake.values import State, Stats

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Callable, NoReturn, TypeVar

    from polyflake import _core
    from polyflake._lease_runners import AnyLeaseRunner, CounterOf, LeaseOf
    from polyflake.layout import Layout
    from polyflake.stores._store import Store

    _Source = TypeVar("_Source")

    class _Bound:
        """The methods that the bound classes of sources have in common."""

        def __init__(self, options: _core.Options) -> None: ...
        def close(self) -> None: ...
        def renew(self) -> None: ...
        @property
        def closed(self) -> bool: ...
        def _state(self) -> tuple[str, str | None]: ...
        def _stats(self) -> dict[str, Any]: ...
        def _claim(self, /) -> tuple[int, Any]: ...
        def _wait_ns(self, position: int, waited_ns: int, /) -> int: ...

else:
    _Bound = object  # at run time the bound class itself is the second base


_IDS_A_TURN = 4096  # of asyncio's loop: few ms


class Issuing(Closable, _Bound):
    """A source over a generator of the core. Comes before the bound class among the bases."""

    _runner: AnyLeaseRunner | None = None  # set here too, as a constructor may never have run
    _is_open = False
    _store_option = "worker"  # the first argument, which may name a store

    @classmethod
    def _held_by(cls, *, layout: str | Layout | None = None, **_: Any) -> LeaseOf | CounterOf:
        """Returns what these options need of a store: a lease."""
        with late_import("polyflake._lease_runners"):
            from polyflake._lease_runners import LeaseOf

        return LeaseOf(layout_text("polyflake" if layout is None else layout))

    def _open(self, options: _core.Options, store: str | Store | None, layout: str | Layout) -> None:
        """Opens the bound generator, with a lease if the worker is in a store.

        Blocks: I/O. Errors: option_invalid the second time.
        """
        held = None if store is None else self._held_by(layout=layout)
        self._open_with(options, store, held, options.set_worker_lease)

    def _open_with(
        self,
        options: _core.Options,
        store: str | Store | None,
        held: LeaseOf | CounterOf | None,
        give: Callable[..., None],
    ) -> None:
        """Opens the bound source. give: gives the lease or counter to the options."""
        if self._is_open:
            fail("option_invalid", f"this {type(self).__name__} is open already: open another one")
        self._runner = runner = None if store is None or held is None else _runner_for(store, held)
        if runner is not None:
            give(runner.lease)
            self._dropped = finalize(self, runner.dropped)
            self._dropped.atexit = False
        try:
            super().__init__(options)
        except BaseException:
            self._leave_runner(wait=False)
            raise
        self._is_open = True

    def close(self) -> None:
        """Ends issuing; a second call does nothing. Later calls that issue raise generator_closed.

        Blocks: the last generator of a lease gives its node id back, for at most half a second.
        Thread safety: any thread, also while others issue.
        """
        super().close()
        self._leave_runner(wait=True)

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._runner is None or self._runner.closes_at_once:
            self.close()
            return
        from asyncio import shield, to_thread  # imported here, as it takes long

        await shield(to_thread(self.close))  # a cancelled caller does not keep the node id

    def _leave_runner(self, wait: bool) -> None:
        if self._runner is not None and self._dropped.detach():
            from polyflake._lease_runners import leave

            leave(self._runner, wait)

    def renew(self) -> None:
        """Extends the window of a "host" worker or a lease ahead of need.

        Does nothing for numbers. After it no call for an id flushes a file for about 2 s. Errors:
        as next_id(). Blocks: I/O, without the GIL. Thread safety: any thread.
        """
        if self._runner is None or self.closed:
            super().renew()
        else:
            self._runner.look_after()
            self._runner.renew()

    def _look_after_runner(self, blocking: bool) -> None:
        """Starts the runner in a copy of the process, and wakes that of a counter.

        Called when a call finds no window or number. blocking: it would wait for one. Then it waits
        here if greenlets share the thread, as the runner is one of them. Errors: store_unavailable
        if the event loop of the runner has ended, or in a thread that runs an event loop, since it
        would stop all tasks.
        """
        if self._runner is None:
            return
        in_loop = blocking and _runs_a_loop()
        self._runner.look_after(blocking and not in_loop)
        if in_loop:
            _refuse_to_wait(self._runner.lease)
        if blocking and _shares_its_thread():
            waited_ns = 0
            while (ns := self._wait_ns(0, waited_ns)) > 0:
                time.sleep(ns / 1e9)
                waited_ns += ns

    async def _claimed(self) -> Any:
        """Returns the next id once its tick has come. Waits on timers of asyncio."""
        from asyncio import sleep  # imported here: it takes longer than all other imports

        while True:
            word, id = self._claim()
            if word >= 0:
                return id
            waited_ns = 0
            if word == -1 and self._runner is not None:
                self._runner.look_after()
            while (ns := self._wait_ns(~word, waited_ns)) > 0:
                await sleep(ns / 1e9)
                waited_ns += ns
            if ns == 0:
                return id

    async def _claimed_many(self, n: int) -> list[Any]:
        """Returns n ids. Lets the event loop go on at each wait, and at least every few ms."""
        from asyncio import sleep  # imported here: it takes longer than all other imports

        ids = []
        for i in range(1, n + 1):
            ids.append(await self._claimed())
            if i % _IDS_A_TURN == 0:
                await sleep(0)
        return ids

    def state(self) -> State:
        """Returns whether ids are available, without issuing one: for health checks.

        Blocks: never. Thread safety: any thread.
        """
        return State(*self._state())

    def stats(self) -> Stats:
        """Returns the counters and the current position of this source."""
        uuid = None if self._runner is None else self._runner.lease.namespace_uuid
        return Stats(**self._stats(), namespace_uuid=uuid)


def _runs_a_loop() -> bool:
    """Returns true if this thread runs an event loop of asyncio."""
    asyncio: Any = sys.modules.get("asyncio")  # if nothing has imported it, there is no loop
    return asyncio is not None and asyncio._get_running_loop() is not None


def _shares_its_thread() -> bool:
    """Returns true if sleeping lets other greenlets go on, as gevent and eventlet arrange it."""
    return time.sleep.__module__.partition(".")[0] in ("gevent", "eventlet")


def _refuse_to_wait(lease: _core.Lease | _core.Counter) -> NoReturn:
    try:
        lease.raise_failure()
    except PolyflakeError as error:
        advice = "await next_id_async(), and open with await Generator.open(...)"
        error.args = (f"{error.args[0]}. In a running event loop this call does not wait for a lease: {advice}",)
        raise
    raise AssertionError  # raise_failure() always raises


def opening_off_the_loop(construct: Callable[..., None]) -> classmethod[Any, Any, Any]:
    """Returns the class method `open` for a source whose constructor may do the I/O of a worker."""

    async def open(cls, /, *arguments: Any, **options: Any):  # type: ignore[no-untyped-def]
        from asyncio import to_thread  # imported here: it takes longer than all other imports

        store = store_for(arguments[0] if arguments else options.get(cls._store_option))
        if getattr(store, "is_asyncio", False):
            return await _opened_in_loop(cls, store, arguments, options)  # type: ignore[arg-type]
        source = await to_thread(_opened_in_thread, cls, arguments, options)
        warn_of_opening()
        return source

    name = construct.__qualname__.split(".")[0]
    open.__qualname__ = f"{name}.open"
    open.__wrapped__ = construct  # type: ignore[attr-defined]  # for inspect.signature
    open.__doc__ = f"""Opens a {name} in a thread of asyncio's own, so that the event loop goes on.

    A store with a client of asyncio needs no thread: its lease is a task of the running event loop,
    and ends with it. Arguments are those of {name}(). Errors: as {name}(). If the call is
    cancelled, the generator is dropped once it is open.
    """
    return classmethod(open)


def _opened_in_thread(cls: type[_Source], arguments: tuple[Any, ...], options: dict[str, Any]) -> _Source:
    this_thread.opens_for_another = True
    try:
        return cls(*arguments, **options)
    finally:
        this_thread.opens_for_another = False


async def _opened_in_loop(
    cls: type[_Source], store: Store, arguments: tuple[Any, ...], options: dict[str, Any]
) -> _Source:
    with late_import("polyflake._lease_runners"):
        from polyflake._lease_runners import leave, runner_in_loop

    runner = await runner_in_loop(store, cls._held_by(**options))  # type: ignore[attr-defined]
    try:
        return cls(*arguments, **options)
    finally:
        leave(runner, wait=False)


def _runner_for(store: str | Store, held: LeaseOf | CounterOf) -> AnyLeaseRunner:
    """Returns the runner of a lease or counter, opened. Blocks: I/O."""
    with late_import("polyflake._lease_runners"):
        from polyflake._lease_runners import runner_of

    return runner_of(store, held)
