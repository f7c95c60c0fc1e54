"""A clock that stands still until told otherwise, for exact tests."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import signed

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import NoReturn


class ManualClock:
    """A clock that shows ``time_ms`` (Unix milliseconds) until it is set or advanced.

    A generator on it never sleeps: waiting moves the clock to the due tick instead. Such a generator
    shares its state with no other, so its ids repeat those of others on purpose.

    Errors: option_invalid, for anything but an integer of 64 bits. Thread safety: any thread.
    """

    __slots__ = ("_native",)

    def __init__(self, time_ms: int) -> None:
        self._native = _core.ManualClock(signed("time_ms", time_ms, "option_invalid"))

    @property
    def time_ms(self) -> int:
        """What the clock shows, in Unix milliseconds."""
        return self._native.time_ms

    def set(self, time_ms: int) -> None:
        """Shows this time (Unix milliseconds) from now on; it may lie in the past. Errors: option_invalid."""
        self._native.set(signed("time_ms", time_ms, "option_invalid"))

    def advance(self, ms: int) -> None:
        """Moves the clock by so many milliseconds, back where negative. Errors: option_invalid."""
        self._native.advance(signed("ms", ms, "option_invalid"))

    def __repr__(self) -> str:
        return f"ManualClock({self.time_ms})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a ManualClock cannot be pickled or copied: the copy would show another time")
