"""Checks of arguments that the core cannot make, as it gets converted values only."""

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

quoted = _core.quoted  # untrusted text is in a message only by this


def fail(code: str, message: str) -> NoReturn:
    """Refuses an argument, with one of the codes for arguments."""
    raise BadArgumentError(message, code)


def shown(value: object) -> str:
    """Describes a value for a message: its type, or the value itself if it holds no secret."""
    if isinstance(value, str):
        return f"the str {quoted(value)}"
    if value is None or isinstance(value, (bool, float)):
        return f"{value!r}"
    if isinstance(value, int):
        return f"{value}" if value.bit_length() <= 64 else f"an integer of {value.bit_length()} bits"
    return f"a value of type {quoted(type(value).__name__)}"


def integer(what: str, value: Any, code: str) -> int:
    """Returns the value as an int.

    Refuses bool, which is an int for historical reasons only, and that of NumPy, which once was.
    """
    if type(value).__name__ not in ("bool", "bool_"):
        try:
            return index(value)
        except TypeError:
            pass
    fail(code, f"{what} must be an integer, not {shown(value)}")


def signed(what: str, value: Any, code: str) -> int:
    """Returns the value as a signed int of 64 bits: the core takes these for all but ids."""
    number = integer(what, value, code)
    if not -(2**63) <= number < 2**63:
        fail(code, f"{what} is far out of range: {shown(number)}")
    return number


def flag(what: str, value: Any) -> bool:
    """Returns the value, which must be True or False."""
    if not isinstance(value, bool):
        fail("option_invalid", f"{what} must be True or False, not {shown(value)}")
    return value


def count(what: str, value: Any) -> int:
    """Returns the value as a number of ids."""
    number = signed(what, value, "option_invalid")
    if number < 0:
        fail("option_invalid", f"{what} must be 0 or more, not {number}")
    return number


def id_number(value: Any) -> int:
    """Returns the value as an id, 0 <= id < 2**64."""
    number = integer("an id", value, "id_out_of_range")
    if not 0 <= number < 2**64:
        fail("id_out_of_range", f"an id lies between 0 and {2**64 - 1}; this is {shown(number)}")
    return number


def text(what: str, value: Any, code: str) -> str:
    """Returns the value, which must be a str, as a plain str without overrides of a subclass."""
    if not isinstance(value, str):
        fail(code, f"{what} must be a str, not {shown(value)}")
    return value if type(value) is str else str.__str__(value)


def items(what: str, value: Any, code: str) -> tuple[Any, ...]:
    """Returns the values of an iterable.

    Refuses text, bytes and mappings: iterating over them gives other values than meant.
    """
    if not isinstance(value, (str, bytes, bytearray, dict)):
        try:
            iterator = iter(value)
        except TypeError:
            pass
        else:
            return tuple(iterator)
    fail(code, f"{what} must be a list or another iterable, not {shown(value)}")


def listed(what: str, value: Any, code: str) -> tuple[Any, ...]:
    """Returns the values of an iterable whose order counts; refuses sets."""
    if isinstance(value, (set, frozenset)):
        fail(code, f"{what} must be in some order, which a {type(value).__name__} does not have")
    return items(what, value, code)


def refusal_of(what: str, index: int, error: BaseException) -> BadArgumentError | None:
    """Returns the refusal with the index of the value in its list, in the words of the core.

    Returns None if the error is not a refusal.
    """
    if not isinstance(error, BadArgumentError):
        return None
    refusal = BadArgumentError(f"{what} {index} of the list: {error.args[0]}", error.code)
    refusal.position = error.position
    return refusal


def id_or_text(value: Any) -> int:
    """Returns the value as an id; a str is read as its canonical decimal text."""
    return _core.from_text(value, "decimal") if isinstance(value, str) else id_number(value)


def uuid_bytes(value: Any) -> bytes:
    """Returns the 16 bytes of a uuid.UUID, or of its text."""
    if isinstance(value, str):
        return _core.parse_uuid(value)
    # Importing uuid is slow. A caller with a UUID has imported it; another thread may be at it.
    known: Any = getattr(sys.modules.get("uuid"), "UUID", ())
    if isinstance(value, known):
        return value.bytes  # type: ignore[no-any-return]
    fail("text_invalid", f"a UUID must be a uuid.UUID or its text, not {shown(value)}")


def instant(time: Any) -> int:
    """Returns Unix milliseconds of an aware datetime, or of a number of them."""
    return unix_ms(time) if isinstance(time, datetime) else whole_ms("a time that is no aware datetime", time)


def whole_ms(what: str, time_ms: Any) -> int:
    return signed("time_ms", integer(what, time_ms, "option_invalid"), "field_out_of_range")


def unix_ms(time: Any) -> int:
    """Returns Unix milliseconds of an aware datetime, rounded down."""
    if not isinstance(time, datetime):
        fail("option_invalid", f"a time must be an aware datetime, not {shown(time)}")
    if time.utcoffset() is None:
        fail(
            "option_invalid",
            "a time without a zone is ambiguous: pass an aware datetime, such as datetime.now(timezone.utc)",
        )
    return (time - UNIX_EPOCH) // timedelta(milliseconds=1)
