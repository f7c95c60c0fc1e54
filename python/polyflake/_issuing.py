"""What sources have in common; those over a generator of the core their end, their lease, their waiting."""

from __future__ import annotations

from weakref import finalize

from polyflake._arguments import fail
from polyflake._imports import late_import
from polyflake._options import keeper_for, layout_text, store_for
from polyflake._warning import this_thread, warn_of_opening
from polyflake.values import State, Stats

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Callable, NoReturn, TypeVar

    from typing_extensions import Self

    from polyflake import _core
    from polyflake._keepers import AnyKeeper
    from polyflake.layout import Layout
    from polyflake.stores import Store

    _Source = TypeVar("_Source")

    class _Bound:
        """What the bound classes of sources have in common."""

        def __init__(self, options: _core.Options) -> None: ...
        def close(self) -> None: ...
        def renew(self) -> None: ...
        @property
        def closed(self) -> bool: ...
        def _state(self) -> tuple[str, str | None]: ...
        def _stats(self) -> dict[str, Any]: ...
        def _claim(self, /) -> int: ...
        def _wait_ns(self, id: int, waited_ns: int, /) -> int: ...

else:
    _Bound = object  # the bound class is the other base: there are two


class Closable:
    """What every source has. Comes before the bound class among the bases, which has close() and next_id()."""

    def __iter__(self) -> Self:
        """Ids without end: `for id in ids` is next_id() again and again."""
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()  # type: ignore[attr-defined]

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"{name} objects cannot be pickled or copied: the copy would issue the same ids; open another")


class Issuing(Closable, _Bound):
    """Comes before the bound class among the bases."""

    _keeper: AnyKeeper | None = None  # also where a constructor never ran
    _is_open = False

    def _open(self, options: _core.Options, store: str | Store | None, layout: str | Layout) -> None:
        """Opens the bound generator, with a lease if the worker is in a store. Blocks: I/O. Errors: option_invalid a second time."""
        if self._is_open:
            fail("option_invalid", f"this {type(self).__name__} is open already: open another one")
        self._keeper = keeper = None if store is None else keeper_for(store, layout)
        if keeper is not None:
            options.set_worker_lease(keeper.lease)
            self._dropped = finalize(self, keeper.dropped)
            self._dropped.atexit = False
        try:
            super().__init__(options)
        except BaseException:
            self._leave_keeper(wait=False)
            raise
        self._is_open = True

    def close(self) -> None:
        """Ends issuing; a second call does nothing. Later calls that issue raise generator_closed.

        Blocks: the last generator of a lease gives its node id back, for at most half a second. Thread safety: any thread,
        also while others issue.
        """
        super().close()
        self._leave_keeper(wait=True)

    def _leave_keeper(self, wait: bool) -> None:
        if self._keeper is not None and self._dropped.detach():
            from polyflake._keepers import leave

            leave(self._keeper, wait)

    def renew(self) -> None:
        """Moves the window of a "host" worker or a lease on ahead of need; nothing to do for numbers.

        With it no call for an id meets the flush of a file for about 2 s.
        Errors: as next_id(). Blocks: I/O, without the GIL. Thread safety: any thread.
        """
        if self._keeper is None or self.closed:
            super().renew()
        else:
            self._keeper.look_after()
            self._keeper.renew()

    def _look_after_lease(self, blocking: bool = True) -> None:
        """Where a call finds no window: a copy of the process has no runner yet."""
        if self._keeper is not None:
            self._keeper.look_after(blocking)

    async def _claimed(self) -> int:
        """An id of the generator of the core, or a position, whose tick has come; waited for on timers of asyncio."""
        from asyncio import sleep  # here, since importing it takes longer than all the rest

        while True:
            word = self._claim()
            if word >= 0:
                return word
            waited_ns = 0
            if word == -1:
                self._look_after_lease()
            while (ns := self._wait_ns(~word, waited_ns)) > 0:
                await sleep(ns / 1e9)
                waited_ns += ns
            if ns == 0:
                return ~word

    def state(self) -> State:
        """Whether ids can be had, without issuing one: for health checks. Never blocks. Thread safety: any thread."""
        return State(*self._state())

    def stats(self) -> Stats:
        """What this source did so far, and where it stands."""
        uuid = None if self._keeper is None else self._keeper.lease.namespace_uuid
        return Stats(**self._stats(), namespace_uuid=uuid)


def opening_off_the_loop(construct: Callable[..., None]) -> classmethod[Any, Any, Any]:
    """The class method `open` of a source whose constructor, this one, may do the I/O of a worker."""

    async def open(cls, /, *arguments: Any, **options: Any):  # type: ignore[no-untyped-def]
        from asyncio import to_thread  # here, since importing it takes longer than all the rest

        store = store_for(arguments[0] if arguments else options.get("worker"))
        if getattr(store, "is_asyncio", False):
            return await _opened_in_loop(cls, store, arguments, options)  # type: ignore[arg-type]
        source = await to_thread(_opened_in_thread, cls, arguments, options)
        warn_of_opening()
        return source

    name = construct.__qualname__.split(".")[0]
    open.__qualname__ = f"{name}.open"
    open.__wrapped__ = construct  # type: ignore[attr-defined]  # for inspect.signature
    open.__doc__ = f"""Opens a {name} in a thread of asyncio's own, so that the I/O is off the event loop.

    A store whose client is one of asyncio needs no thread: its lease is a task of the running event loop, and ends with it.
    Arguments are those of {name}(). Errors: as {name}(). Cancelling it leaves one that is dropped once it is open.
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
    with late_import("polyflake._keepers"):
        from polyflake._keepers import keeper_in_loop, leave

    layout = options.get("layout")
    keeper = await keeper_in_loop(store, layout_text("polyflake" if layout is None else layout))
    try:
        return cls(*arguments, **options)
    finally:
        leave(keeper, wait=False)
