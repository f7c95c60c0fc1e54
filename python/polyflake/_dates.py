"""Dates: numbers that begin with the date, of a counter in a store."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import fail, integer, shown, signed, text
from polyflake._counted import Counted, counter_of
from polyflake._issuing import opening_off_the_loop
from polyflake._options import names_checked
from polyflake._zones import check_zone
from polyflake.values import NamedTuple

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, Literal

    from typing_extensions import Self

    from polyflake._lease_runners import CounterOf
    from polyflake.stores._store import Store

    _Period = Literal["yyyyMMdd", "yyyyMM", "yyyy"]

_DEFAULTS = {"step": 1, "timeout_ms": 2000}


class DateParts(NamedTuple):
    """The parts of a number of a date: the label of its period, such as 20230414, and the count."""

    label: int
    count: int  # type: ignore[assignment]  # hides the method of tuples


class DateNumbers:
    """The numbers of dates, and their texts: pure functions.

    A number is the label of a period, then the count within it: 20230414000001 is the first one of
    2023-04-14 with 6 digits, and "ORD20230414000001" its text with the prefix ORD. digits are of
    the count, 1 to 10; prefix is at most 16 of A-Z a-z 0-9 _ -.

    Errors: option_invalid. Thread safety: any thread.
    """

    __slots__ = ("_native",)

    @names_checked
    def __init__(self, period: _Period = "yyyyMMdd", *, digits: int = 6, prefix: str = "") -> None:
        self._native = _core.DateNumbers(
            text("period", period, "option_invalid"),
            signed("digits", digits, "option_invalid"),
            text("prefix", prefix, "option_invalid"),
        )

    @property
    def period(self) -> str:
        """The format of the label: "yyyyMMdd", "yyyyMM" or "yyyy"."""
        return self._native.period

    @property
    def digits(self) -> int:
        """The digits of the count."""
        return self._native.digits

    @property
    def prefix(self) -> str:
        """The beginning of texts."""
        return self._native.prefix

    def number(self, label: int, count: int) -> int:
        """Returns the number of a label and a count.

        Errors: field_out_of_range if the label is not of this period, or the count is not 1 to
        10**digits - 1: it never carries into the date.
        """
        return self._native.number(_field("label", label), _field("count", count))

    def parts(self, number: int, /) -> DateParts:
        """Returns the label and the count of a number. Errors: as number()."""
        return DateParts(*self._native.parts(_field("a number", number)))

    def text(self, number: int, /) -> str:
        """Returns the number as it is printed, with the prefix. Errors: as number()."""
        return self._native.text(_field("a number", number))

    def parse(self, text_: str, /) -> int:
        """Returns the number of a text, with its prefix. Errors: text_invalid."""
        return self._native.parse(text("a text", text_, "text_invalid"))

    def __repr__(self) -> str:
        return f"<polyflake.DateNumbers {self.prefix}{self.period} and {self.digits} digits>"


def _field(what: str, value: int) -> int:
    number = integer(what, value, "field_out_of_range")
    if not 0 <= number < 2**64:
        fail("field_out_of_range", f"{what} is far out of range: {shown(number)}")
    return number


class DateIds(Counted):
    """Numbers that begin with the date and start over each day, month or year, of one counter.

    For order numbers that people read: 20230414000001, printed "ORD20230414000001". They are unique
    for all hosts that use the counter, rise, and never carry into the date. store and name are as
    of Segment; an operator made the counter once with polyflake.stores.init_counter(kind="date").
    period ("yyyyMMdd", "yyyyMM" or "yyyy"), digits (of the count, 1 to 10) and zone must be those
    of the counter; prefix is of the texts alone. The period is that of the store's clock in the
    zone: an offset, "+08:00", or a name that Python knows, "Europe/Berlin". step is the size of a
    fetch: 1 leaves no gaps in normal running, at one round trip for all threads that wait; what is
    left of a larger one when the period ends is dropped. A failover of the store that may have lost
    writes costs about a tenth of the numbers of a period: choose digits so that a tenth is the
    busiest day.

    Errors: as Segment; option_invalid if the store has no clock. Blocks and thread safety: as
    Segment.
    """

    @names_checked
    def __init__(
        self,
        store: str | Store,
        *,
        name: str,
        prefix: str = "",
        period: _Period = "yyyyMMdd",
        digits: int = 6,
        zone: str = "+00:00",
        step: int = 1,
        timeout_ms: int = 2000,
    ) -> None:
        self._numbers = DateNumbers(period, digits=digits, prefix=prefix)
        self._open_counter(
            "date", store, name=name, period=period, digits=digits, zone=zone, step=step, timeout_ms=timeout_ms
        )

    @classmethod
    def _held_by(
        cls,
        *,
        name: str | None = None,
        period: _Period = "yyyyMMdd",
        digits: int = 6,
        zone: str = "+00:00",
        store: object = None,
        prefix: object = None,
        **numbers: Any,
    ) -> CounterOf:
        """Returns the counter that these options name."""
        zone = text("zone", zone, "option_invalid")
        check_zone(zone)
        return counter_of(name, {**_DEFAULTS, **numbers}, dates=(DateNumbers(period, digits=digits)._native, zone))

    if TYPE_CHECKING:

        @classmethod
        async def open(
            cls,
            store: str | Store,
            *,
            name: str,
            prefix: str = "",
            period: _Period = "yyyyMMdd",
            digits: int = 6,
            zone: str = "+00:00",
            step: int = 1,
            timeout_ms: int = 2000,
        ) -> Self: ...

    else:
        open = opening_off_the_loop(__init__)

    @property
    def kind(self) -> str:
        """The name of this kind of source: "date"."""
        return "date"

    @property
    def numbers(self) -> DateNumbers:
        """The form of the numbers and their texts."""
        return self._numbers

    def next_id_string(self) -> str:
        """Returns the next number as it is printed, with the prefix.

        Blocks and errors: as next_id().
        """
        return self._numbers.text(self.next_id())

    def __repr__(self) -> str:
        return "<polyflake.DateIds>"
