"""Which system an unknown id may be from."""

from __future__ import annotations

import time
from datetime import datetime

from polyflake import _core
from polyflake._arguments import id_or_text, unix_ms
from polyflake.values import Explanation, Parts


def explain(id: int | str, /, *, now: datetime | None = None) -> list[Explanation]:
    """What every preset makes of an id, those that give a plausible time first; a str is read as its decimal text.

    A time is plausible from a day after the preset's epoch to a day after `now`, an aware datetime; without one it is the
    present. Among these, those come first whose sequence and node fields need the fewest hexadecimal digits together, then
    those with the later time. It is a ranking to look at: systems that differ by their epoch alone cannot be told apart.

    Errors: id_out_of_range, text_invalid, option_invalid. Thread safety: any thread.
    """
    number = id_or_text(id)
    now_ms = time.time_ns() // 1_000_000 if now is None else unix_ms(now)
    return [
        Explanation(preset, None if parts is None else Parts(*parts), why_not)
        for preset, parts, why_not in _core.explain(number, now_ms)
    ]
