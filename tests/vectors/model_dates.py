"""The reference model of dates: periods at an offset from UTC, and numbers that begin with their label."""

import datetime
import re

from model import Refused

PERIODS = {"yyyyMMdd": 8, "yyyyMM": 6, "yyyy": 4}
DIGITS = range(1, 11)
UNIX_ZERO = datetime.datetime(1970, 1, 1)
MS = datetime.timedelta(milliseconds=1)


def check_zone(zone):
    if not re.fullmatch(r"[+-]([01][0-9]|2[0-3]):[0-5][0-9]", zone):
        raise Refused("option_invalid")


def offset_ms(zone):
    check_zone(zone)
    minutes = int(zone[1:3]) * 60 + int(zone[4:6])
    return (-minutes if zone[0] == "-" else minutes) * 60_000


def begin_and_next(period, local):
    """The first moment of the period, and of the one after it."""
    if period == "yyyyMMdd":
        begin = local.replace(hour=0, minute=0, second=0, microsecond=0)
        return begin, lambda: begin + datetime.timedelta(days=1)
    begin = datetime.datetime(local.year, 1 if period == "yyyy" else local.month, 1)
    after = datetime.datetime(local.year, local.month, 28) + datetime.timedelta(days=4)
    return begin, lambda: begin.replace(year=begin.year + 1) if period == "yyyy" else after.replace(day=1)


def period_of(options, time_ms):
    shift = offset_ms(options["zone"])
    local = UNIX_ZERO + (time_ms + shift) * MS
    begin, after = begin_and_next(options["period"], local)
    label = f"{local.year:04d}{local.month:02d}{local.day:02d}"[: PERIODS[options["period"]]]
    start_ms, end_ms = ((moment - UNIX_ZERO) // MS - shift for moment in (begin, after()))
    return {"label": label, "start_ms": str(start_ms), "end_ms": str(end_ms)}


def checked(options):
    """All options of a source of dates."""
    given = {"period": "yyyyMMdd", "digits": 6, "prefix": "", "zone": "+00:00", **options}
    if given["period"] not in PERIODS or given["digits"] not in DIGITS:
        raise Refused("option_invalid")
    if not re.fullmatch("[A-Za-z0-9_-]{0,16}", given["prefix"]):
        raise Refused("option_invalid")
    check_zone(given["zone"])
    return given


def write(options, label, n):
    if not 1 <= n < 10 ** options["digits"]:
        raise Refused("field_out_of_range")
    digits = label + str(n).rjust(options["digits"], "0")
    return {"number": str(int(digits)), "text": options["prefix"] + digits}


def read(options, text):
    """Reads only texts that `write` writes."""
    size = PERIODS[options["period"]]
    pattern = f"{re.escape(options['prefix'])}([0-9]{{{size}}})([0-9]{{{options['digits']}}})"
    match = re.fullmatch(pattern, text, re.ASCII)
    if not match or int(match[2]) == 0 or not is_label(options["period"], match[1]):
        raise Refused("text_invalid")
    return {"label": match[1], "n": match[2].lstrip("0"), "number": str(int(match[1] + match[2]))}


def is_label(period, label):
    try:
        datetime.datetime.strptime(label + "0101"[len(label) - 4 :], "%Y%m%d")
    except ValueError:
        return False
    return len(label) == PERIODS[period]
