"""Finds the systems that an unknown id may be from."""

from __future__ import annotations

import time
from datetime import datetime

from polyflake import _core
from polyflake._arguments import id_or_text, unix_ms
from polyflake.values import Explanation, Parts


def explain(id: int | str, /, *, now: datetime | None = None) -> list[Explanation]:
    """Returns how every preset reads an id; presets that give a plausible time come first.

    A str is read as its decimal text. A time is plausible from a day after the epoch of the preset
    to a day after `now`, an aware datetime, which defaults to the present. The plausible ones are
    in order of the hexadecimal digits that their sequence and node fields need together, fewest
    first, then by time, latest first. The order is a hint for people: it cannot tell apart systems
    that differ only by their epoch.

    Errors: id_out_of_range, text_invalid, option_invalid. Thread safety: any thread.
    """
    number = id_or_text(id)
    now_ms = time.time_ns() // 1_000_000 if now is None else unix_ms(now)
    return [
        Explanation(preset, None if parts is None else Parts(*parts), why_not)
        for preset, parts, why_not in _core.explain(number, now_ms)
    ]
