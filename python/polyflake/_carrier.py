"""Calls with a time limit, of clients that have none."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, Callable, TypeVar, Union

    _Result = TypeVar("_Result")
    _Done = SimpleQueue[tuple[Any, Union[BaseException, None]]]
    _Call = tuple[Callable[[], Any], _Done]


_opening = threading.local()


def opens(close: Callable[[], Any]) -> None:
    """Says how another thread ends what this one is about to open: without it a server that never finishes a handshake keeps both.

    Errors: TimeoutError if it was given up already.
    """
    note = getattr(_opening, "note", None)
    if note is not None:
        note(close)


class Carrier:
    """A thread that makes calls which nobody can interrupt, so that there is a time limit for them.

    No client keeps to one everywhere: in the lookup of a name, in a handshake, on a server that stands still. There is one thread
    as long as calls return, since at the end of an interpreter none can be started.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call | None] | None = None

    def carry(self, timeout_s: float, call: Callable[[], _Result]) -> _Result:
        """What the call returns or raises; TimeoutError where it takes longer, and goes on alone."""
        if self._calls is None:
            calls: SimpleQueue[_Call | None] = SimpleQueue()
            threading.Thread(target=_work, args=(calls,), name="polyflake-carrier", daemon=True).start()
            self._calls = calls
        done: _Done = SimpleQueue()
        self._calls.put((call, done))
        try:
            result, error = done.get(timeout=timeout_s)
        except BaseException as ended:
            self.stop()
            if isinstance(ended, Empty):
                raise TimeoutError from None
            raise
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def stop(self) -> None:
        """The thread ends after the call that it makes now."""
        calls, self._calls = self._calls, None
        if calls is not None:
            calls.put(None)


def noting(note: Callable[[Callable[[], Any]], None], call: Callable[[], _Result]) -> _Result:
    """Makes the call; what it opens() meanwhile is noted."""
    _opening.note = note
    try:
        return call()
    finally:
        _opening.note = None


def _work(calls: SimpleQueue[_Call | None]) -> None:
    while True:
        next_call = calls.get()
        if next_call is None:
            return
        call, done = next_call
        try:
            done.put((call(), None))
        except BaseException as error:  # of whatever client it is; it is raised where the call is waited for
            done.put((None, error))
        del next_call, call, done  # what they hold must not wait for the next one
