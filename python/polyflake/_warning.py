"""Passes the warnings of the core about an opening on to the warnings of Python."""

from __future__ import annotations

import sys
import threading

from polyflake import _core


class _ThisThread(threading.local):
    opens_for_another = False  # then the caller that awaits it gets the warning


this_thread = _ThisThread()


def warn_of_opening() -> None:
    """Warns with the text that the core gives once in a process after an opening.

    It is a RuntimeWarning at the line of the caller.
    """
    text = None if this_thread.opens_for_another else _core.take_warning()
    if text:
        from warnings import warn

        warn(text, RuntimeWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """Returns the level of the first frame outside this package above warn_of_opening()."""
    frame, level = sys._getframe(2), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == "polyflake":
        frame, level = frame.f_back, level + 1
    return level
