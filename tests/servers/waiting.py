"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable


def within(seconds: float, fact: Callable[[], bool]) -> bool:
    """Whether it becomes true in this time. Blocks until it is."""
    deadline = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True
