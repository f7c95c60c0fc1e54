"""Time limits for calls of clients that have none."""

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
    """Tells how another thread can end the connection that this thread is about to open.

    Otherwise a server that never finishes a handshake keeps both threads. Errors: TimeoutError if
    the call was given up already.
    """
    note = getattr(_opening, "note", None)
    if note is not None:
        note(close)


class CallFailed(Exception):
    """The call raised `error`, or did not return in time: then that is TimeoutError.

    Any other exception of carry() is one of the waiting thread, as a signal handler raises it.
    """

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Carrier:
    """A thread that makes uninterruptible calls, to give them a time limit.

    No client keeps its own limit everywhere: not in the lookup of a name, in a handshake, or with a
    server that hangs. One thread serves all calls while they return, as a new one cannot be started
    at the end of an interpreter.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call | None] | None = None
        self._thread: threading.Thread | None = None

    def carry(self, timeout_s: float, call: Callable[[], _Result]) -> _Result:
        """Returns the result of the call. Errors: CallFailed.

        After the timeout the call goes on alone.
        """
        if self._calls is None:
            calls: SimpleQueue[_Call | None] = SimpleQueue()
            thread = threading.Thread(target=_work, args=(calls,), name="polyflake-carrier", daemon=True)
            thread.start()
            self._calls, self._thread = calls, thread
        done: _Done = SimpleQueue()
        self._calls.put((call, done))
        try:
            result, error = done.get(timeout=timeout_s)
        except BaseException as ended:
            self.stop()
            if isinstance(ended, Empty):
                raise CallFailed(TimeoutError()) from None
            raise
        if error is not None:
            raise CallFailed(error)
        return result  # type: ignore[no-any-return]

    def stop(self, wait_s: float = 0) -> None:
        """Ends the thread after its current call. Blocks: at most so long."""
        calls, self._calls = self._calls, None
        thread, self._thread = self._thread, None
        if calls is not None and thread is not None:
            calls.put(None)
            thread.join(wait_s)


def noting(note: Callable[[Callable[[], Any]], None], call: Callable[[], _Result]) -> _Result:
    """Makes the call, and notes what it registers with opens()."""
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
        except BaseException as error:  # from any client; carry() tells it
            done.put((None, error))
        del next_call, call, done  # frees their objects before the next call
