"""Offsets of time zones from UTC, in whole seconds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo

from polyflake import _core
from polyflake._arguments import UNIX_EPOCH, fail, quoted, shown

_SECOND, _DAY = timedelta(seconds=1), timedelta(days=1)
_LAST_DAY = (
    datetime(9999, 12, 31, tzinfo=timezone.utc) - UNIX_EPOCH
)  # the last day on which local time is in the calendar everywhere


def check_zone(zone: str) -> None:
    """Refuses a zone that is neither an offset, "+08:00", nor has a name that this Python knows."""
    if _core.is_zone_name(zone) and _named(zone) is None:
        fail("option_invalid", f"Python knows no zone {quoted(zone)} here; zones come from the system or from tzdata")


def tell_offset(session: _core.StoreSession, time_ms: int, zone: str) -> None:
    """Tells a session the offset that a zone has at a Unix time."""
    named = _named(zone)
    try:
        offset = None if named is None else _in_force(named, timedelta(milliseconds=time_ms))
    except OverflowError:  # after the year 9999
        offset = None
    if offset is None:
        session.tell_no_offset()
    else:
        session.tell_offset(offset)


def _named(zone: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo  # imported here: most programs name no zone

    try:
        return ZoneInfo(zone)
    except (LookupError, ValueError, OSError):  # OSError: the name of a folder
        return None


def fixed_offset(zone: tzinfo) -> int | None:
    """Returns the offset of a zone that has only one; None otherwise."""
    if not isinstance(zone, tzinfo):
        fail("option_invalid", f"a zone must be a tzinfo, such as zoneinfo.ZoneInfo, not {shown(zone)}")
    fixed = zone.utcoffset(None)
    return None if fixed is None else _seconds(fixed)


def offset_at(zone: tzinfo, time_ms: int) -> int:
    """Returns the offset in force at a Unix time."""
    try:
        return _in_force(zone, timedelta(milliseconds=time_ms))
    except OverflowError:
        fail("id_out_of_range", "a zone is not known after the year 9999; give an offset, or no zone")


def offsets_of(zone: tzinfo, local_seconds: int) -> list[int] | None:
    """Returns the offsets that a local time has.

    The list is empty if the clocks of the zone skip the time, and has two offsets if they are set
    back to it. Returns None after the year 9999.
    """
    try:
        # Offsets are less than a day, so this is the offset of a day before or of a day after.
        local = timedelta(seconds=local_seconds)
        near = [_in_force(zone, local - _DAY), _in_force(zone, min(local + _DAY, _LAST_DAY))]
        return [
            offset for offset in dict.fromkeys(near) if _in_force(zone, local - timedelta(seconds=offset)) == offset
        ]
    except OverflowError:
        return None


def _in_force(zone: tzinfo, since_1970: timedelta) -> int:
    """Returns the offset in force. Errors: OverflowError after the year 9999."""
    time = UNIX_EPOCH + since_1970
    try:
        return _seconds(time.astimezone(zone).utcoffset())
    except ValueError:
        # datetime refuses a None here, too
        return _seconds(zone.utcoffset(time.replace(tzinfo=zone)))


def _seconds(offset: timedelta | None) -> int:
    if offset is None or offset % _SECOND:
        fail("option_invalid", f"a zone must have an offset in whole seconds, not {offset}")
    return offset // _SECOND
