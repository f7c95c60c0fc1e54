"""A clock for exact tests, which moves only when it is told to."""

from __future__ import annotations

from datetime import datetime, timedelta

from polyflake import _core
from polyflake._arguments import fail, signed, unix_ms

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import NoReturn

_MILLISECOND = timedelta(milliseconds=1)


class ManualClock:
    """A clock that shows a time until it is set or advanced.

    Times are aware datetimes, rounded down to a millisecond, or Unix milliseconds.
    A generator with this clock never sleeps: it moves the clock to the tick it waits for. Such a
    generator shares its state with no other, so its ids repeat those of others on purpose.

    Errors: option_invalid, for anything but an aware datetime or an integer of 64 bits. Thread
    safety: any thread.
    """

    __slots__ = ("_native",)

    def __init__(self, time_ms: int | datetime) -> None:
        self._native = _core.ManualClock(_instant(time_ms))

    @property
    def time_ms(self) -> int:
        """The time of the clock, in Unix milliseconds."""
        return self._native.time_ms

    def set(self, time_ms: int | datetime) -> None:
        """Shows this time from now on; it may lie in the past. Errors: option_invalid."""
        self._native.set(_instant(time_ms))

    def advance(self, ms: int | timedelta) -> None:
        """Moves the clock by a timedelta of whole milliseconds, or by ``ms``; back if negative.

        Errors: option_invalid.
        """
        if isinstance(ms, timedelta):
            span, ms = ms, ms // _MILLISECOND
            if ms * _MILLISECOND != span:
                fail("option_invalid", f"a clock moves by whole milliseconds, not by {span}")
        self._native.advance(signed("ms", ms, "option_invalid"))

    def __repr__(self) -> str:
        return f"ManualClock({self.time_ms})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a ManualClock cannot be pickled or copied: the copy would show another time")


def _instant(time: int | datetime) -> int:
    return unix_ms(time) if isinstance(time, datetime) else signed("time_ms", time, "option_invalid")
