"""Checks of arguments that the core cannot see, because they could not be converted for it."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone
from operator import index

from polyflake import _core
from polyflake.errors import BadArgumentError

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any, NoReturn

UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_LONGEST_QUOTE = 32


def fail(code: str, message: str) -> NoReturn:
    """Refuses an argument, with one of the codes for arguments."""
    raise BadArgumentError(message, code)


def shown(value: object) -> str:
    """What was given, for a message: its value where that is short and plain, and its type."""
    if isinstance(value, str):
        cut = value[:_LONGEST_QUOTE]
        return f"the str {cut!a}" + ("..." if len(value) > len(cut) else "")
    if value is None or isinstance(value, (bool, float)):
        return f"{value!r}"
    if isinstance(value, int):
        return f"{value}" if value.bit_length() <= 64 else f"an integer of {value.bit_length()} bits"
    return f"a value of type {type(value).__name__[:_LONGEST_QUOTE]}"


def integer(what: str, value: Any, code: str) -> int:
    """The value as an int. bool is refused: it is an int by history only, as NumPy's once was."""
    if type(value).__name__ not in ("bool", "bool_"):
        try:
            return index(value)
        except TypeError:
            pass
    fail(code, f"{what} must be an integer, not {shown(value)}")


def signed(what: str, value: Any, code: str) -> int:
    """The value as an int that fits 64 bits with a sign: what the core takes for anything but an id."""
    number = integer(what, value, code)
    if not -(2**63) <= number < 2**63:
        fail(code, f"{what} is far out of range: {shown(number)}")
    return number


def count(what: str, value: Any) -> int:
    """The value as a number of ids."""
    number = signed(what, value, "option_invalid")
    if number < 0:
        fail("option_invalid", f"{what} must be 0 or more, not {number}")
    return number


def id_number(value: Any) -> int:
    """The value as an id, 0 <= id < 2**64."""
    number = integer("an id", value, "id_out_of_range")
    if not 0 <= number < 2**64:
        fail("id_out_of_range", f"an id lies between 0 and {2**64 - 1}; this is {shown(number)}")
    return number


def text(what: str, value: Any, code: str) -> str:
    """The value, which must be a str; without what a subclass makes of it."""
    if not isinstance(value, str):
        fail(code, f"{what} must be a str, not {shown(value)}")
    return value if type(value) is str else str.__str__(value)


def items(what: str, value: Any, code: str) -> tuple[Any, ...]:
    """The values of an iterable. Text, bytes and mappings are iterables of something else than they are meant for."""
    if not isinstance(value, (str, bytes, bytearray, dict)):
        try:
            iterator = iter(value)
        except TypeError:
            pass
        else:
            return tuple(iterator)
    fail(code, f"{what} must be a list or another iterable, not {shown(value)}")


def listed(what: str, value: Any, code: str) -> tuple[Any, ...]:
    """The values of an iterable whose order counts, which a set does not have."""
    if isinstance(value, (set, frozenset)):
        fail(code, f"{what} must be in some order, which a {type(value).__name__} does not have")
    return items(what, value, code)


def refusal_of(what: str, place: int, error: BaseException) -> BadArgumentError | None:
    """The same refusal, which says of which of a list it is, in the words of the core; None for what is no refusal."""
    if not isinstance(error, BadArgumentError):
        return None
    refusal = BadArgumentError(f"{what} {place} of the list: {error}", error.code)
    refusal.position = error.position
    return refusal


def id_or_text(value: Any) -> int:
    """The value as an id; a str is read as its canonical decimal text."""
    return _core.from_text(value, "decimal") if isinstance(value, str) else id_number(value)


def uuid_bytes(value: Any) -> bytes:
    """The 16 bytes of a uuid.UUID, or of its text."""
    if isinstance(value, str):
        return _core.parse_uuid(value)
    # It takes long to import, and who has a UUID has imported it; another thread may be about to.
    known: Any = getattr(sys.modules.get("uuid"), "UUID", ())
    if isinstance(value, known):
        return value.bytes  # type: ignore[no-any-return]
    fail("text_invalid", f"a UUID must be a uuid.UUID or its text, not {shown(value)}")


def instant(time: Any) -> int:
    """Unix milliseconds of an aware datetime, or of a number of them."""
    return unix_ms(time) if isinstance(time, datetime) else whole_ms("a time that is no aware datetime", time)


def whole_ms(what: str, time_ms: Any) -> int:
    return signed("time_ms", integer(what, time_ms, "option_invalid"), "field_out_of_range")


def unix_ms(time: Any) -> int:
    """Unix milliseconds of an aware datetime, rounded down."""
    if not isinstance(time, datetime):
        fail("option_invalid", f"a time must be an aware datetime, not {shown(time)}")
    if time.utcoffset() is None:
        fail(
            "option_invalid",
            "a time without a zone is ambiguous: pass an aware datetime, such as datetime.now(timezone.utc)",
        )
    return (time - UNIX_EPOCH) // timedelta(milliseconds=1)
