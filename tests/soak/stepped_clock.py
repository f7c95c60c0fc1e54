"""A clock that is wrong, for programs under test and for the demo, which has no package that is for tests only."""

from __future__ import annotations

import mmap
import time
from pathlib import Path

PRELOADED = Path(__file__).resolve().parents[2] / "build/cpp/tests/soak/libpolyflake_stepped_clock.so"


class Clock:
    """The clock as the processes see it: a file with all its steps, for stepped_clock.cpp, read at every look at it."""

    MOST = 1 << 16

    def __init__(self, path: Path) -> None:
        with path.open("w+b") as file:
            file.truncate(8 + 16 * self.MOST)
            self.words = memoryview(mmap.mmap(file.fileno(), 0)).cast("q")
        self.environment = {"LD_PRELOAD": str(PRELOADED), "SOAK_CLOCK": str(path)}

    def set(self, seconds: float) -> None:
        """From now on the clock is so far from the true one."""
        count = self.words[0]
        self.words[1 + 2 * count], self.words[2 + 2 * count] = time.time_ns(), round(seconds * 1e9)
        self.words[0] = count + 1
