"""Offsets of time zones from UTC, in whole seconds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo

from polyflake._arguments import UNIX_EPOCH, fail, shown

_SECOND, _DAY = timedelta(seconds=1), timedelta(days=1)
_LAST_DAY = (
    datetime(9999, 12, 31, tzinfo=timezone.utc) - UNIX_EPOCH
)  # here local time is still in the calendar everywhere


def fixed_offset(zone: tzinfo) -> int | None:
    """The offset of a zone that has but one."""
    if not isinstance(zone, tzinfo):
        fail("option_invalid", f"a zone must be a tzinfo, such as zoneinfo.ZoneInfo, not {shown(zone)}")
    fixed = zone.utcoffset(None)
    return None if fixed is None else _seconds(fixed)


def offset_at(zone: tzinfo, time_ms: int) -> int:
    """The offset that is in force at a Unix time."""
    try:
        return _in_force(zone, timedelta(milliseconds=time_ms))
    except OverflowError:
        fail("id_out_of_range", f"{zone!r} is not known after the year 9999; give an offset, or no zone")


def offsets_of(zone: tzinfo, local_seconds: int) -> list[int] | None:
    """The offsets that a local time has: none where the zone's clocks skip it, two where they are set back.

    None after the year 9999.
    """
    try:
        # Offsets are less than a day, so the one in force is that of a day before or that of a day after.
        local = timedelta(seconds=local_seconds)
        near = [_in_force(zone, local - _DAY), _in_force(zone, min(local + _DAY, _LAST_DAY))]
        return [
            offset for offset in dict.fromkeys(near) if _in_force(zone, local - timedelta(seconds=offset)) == offset
        ]
    except OverflowError:
        return None


def _in_force(zone: tzinfo, since_1970: timedelta) -> int:
    """Errors: OverflowError after the year 9999."""
    time = UNIX_EPOCH + since_1970
    try:
        return _seconds(time.astimezone(zone).utcoffset())
    except ValueError:
        return _seconds(zone.utcoffset(time.replace(tzinfo=zone)))  # None is what datetime refuses, too


def _seconds(offset: timedelta | None) -> int:
    if offset is None or offset % _SECOND:
        fail("option_invalid", f"a zone must have an offset in whole seconds, not {offset}")
    return offset // _SECOND
