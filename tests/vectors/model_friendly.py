"""The reference model of friendly forms and of the ranking of explain().

The calendar is that of Python's datetime, 400 years at a time, so that the year 9999 is no end.
"""

import datetime
import re

from model import PRESETS, UNIX_ZERO
from model_codec import Fault

DAY_MS = 86_400_000
DAYS_IN_400_YEARS = 146_097
NAMES = ("year", "month", "day", "hour", "minute", "second")


def written_time(ms):
    cycles, days = divmod(ms // DAY_MS, DAYS_IN_400_YEARS)
    moment = UNIX_ZERO + datetime.timedelta(days=days, milliseconds=ms % DAY_MS)
    return f"{moment.year + 400 * cycles:04}{moment:%m%d%H%M%S}{ms % 1000:03}"


def friendly(layout, number, offset_s=0):
    parts = layout.decode(number)
    numbers = [parts["fields"][name] for name, _ in layout.nodes] + [parts["sequence"]]
    return "-".join([written_time(int(parts["time_ms"]) + offset_s * 1000), *map(str, numbers)])


def pieces_of(layout, text):
    """The runs of digits with their positions."""
    # One character a byte, so that positions are the same in all languages.
    text, at, pieces = text.encode("utf-8").decode("latin-1"), 0, []
    for piece in range(len(layout.nodes) + 2):
        if piece:
            if text[at : at + 1] != "-":
                raise Fault("text_invalid", at)
            at += 1
        digits, least = re.match("[0-9]*", text[at:])[0], 1 if piece else 17
        if len(digits) < least:
            raise Fault("text_invalid", at + len(digits))
        if len(digits) > least and digits[0] == "0":
            raise Fault("text_invalid", at)
        pieces.append((at, digits))
        at += len(digits)
    if at != len(text):
        raise Fault("text_invalid", at)
    return pieces


def local_ms(time):
    year = int(time[:-13])
    twin = 2000 + year % 400  # has the same days
    values, at = [twin], len(time) - 13
    for name in NAMES[1:]:
        value = int(time[at : at + 2])
        try:
            datetime.datetime(*[*values, value] if len(values) > 1 else [*values, value, 1])
        except ValueError:
            raise Fault("text_invalid", at) from None
        values.append(value)
        at += 2
    moment = (datetime.datetime(*values) - UNIX_ZERO) // datetime.timedelta(milliseconds=1) + int(time[-3:])
    return moment + (year - twin) // 400 * DAYS_IN_400_YEARS * DAY_MS


def from_friendly(layout, text, offsets=(0,)):
    """Read with one offset in seconds; with none or several where a zone's clocks skip the time or have it twice."""
    (_, time), *numbers = pieces_of(layout, text)
    local = local_ms(time)
    if len(offsets) != 1:
        raise Fault("text_invalid", 0)
    since_epoch = local - offsets[0] * 1000 - layout.epoch_ms
    if not 0 <= since_epoch < layout.ticks * layout.tick_ms:
        raise Fault("field_out_of_range", 0)
    tick, rest = divmod(since_epoch, layout.tick_ms)
    if rest:
        begin = written_time(local - rest)
        raise Fault("text_invalid", next(at for at in range(len(time)) if time[at] != begin[at]))
    values = []
    for (at, digits), (_, width) in zip(numbers, [*layout.nodes, ("sequence", layout.width["sequence"])], strict=True):
        if int(digits) >= 2**width:
            raise Fault("field_out_of_range", at)
        values.append(int(digits))
    return layout.encode(
        tick, values[-1], {name: value for (name, _), value in zip(layout.nodes, values, strict=False)}
    )


def explained(number, now_ms):
    """What each preset makes of an id, in the order of the ranking."""
    plausible, others = [], []
    for name, layout in PRESETS.items():
        if number >= 2**layout.bits:
            others.append({"preset": name, "why_not": "too_wide", "parts": None})
            continue
        parts = layout.decode(number)
        time_ms = int(parts["time_ms"])
        why_not = (
            "after_now" if time_ms > now_ms + DAY_MS else "near_epoch" if time_ms < layout.epoch_ms + DAY_MS else None
        )
        explanation = {"preset": name, "why_not": why_not, "parts": parts}
        if why_not:
            others.append(explanation)
        else:
            bits = sum(value.bit_length() for value in (parts["sequence"], *parts["fields"].values()))
            plausible.append((bits // 4, -time_ms, len(plausible), explanation))
    return [explanation for *_, explanation in sorted(plausible, key=lambda row: row[:3])] + others
