"""What the core has to say about an opening, through the channel of Python."""

from __future__ import annotations

import sys
import threading

from polyflake import _core


class _ThisThread(threading.local):
    opens_for_another = False  # which warns its caller, where that awaits


this_thread = _ThisThread()


def warn_of_opening() -> None:
    """Passes on what the core says once in a process after an opening, as a RuntimeWarning of the caller's line."""
    text = None if this_thread.opens_for_another else _core.take_warning()
    if text:
        from warnings import warn

        warn(text, RuntimeWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """How far above warn_of_opening() the first frame outside of this package is."""
    frame, level = sys._getframe(2), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == "polyflake":
        frame, level = frame.f_back, level + 1
    return level
