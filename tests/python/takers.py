"""Processes that take numbers of a counter from an address, until they are ended or killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

from forked import Forked
from patience import HANGS_S
from servers.waiting import within

SEGMENT = "Segment(url, name='orders', step=int(step) or None, min_step=20, hold_ms=500, timeout_ms=1000)"
DATE = "DateIds(url, name='orders', digits=9, step=int(step) or 1, timeout_ms=1000)"
TAKER = """
import select, sys
from polyflake import DateIds, PolyflakeError, Segment

url, path, step, opening = sys.argv[1:]
opened = eval(f"lambda: {opening}")
ids = None
with open(path, "w") as file:
    while not select.select([sys.stdin], [], [], 0.005)[0]:
        try:
            ids = ids or opened()
            file.write(" ".join(map(str, ids.next_ids(10))) + " .\\n")
        except PolyflakeError as error:
            file.write(f"! {error.code} {error}\\n")
        file.flush()
    if ids is not None:
        ids.close()
"""


class Taker:
    """A process that takes numbers. step 0: that of the kind.

    opening: opens the source. program: another one, which takes URL PATH STEP and does the same.
    """

    def __init__(self, url, path, step=0, opening=SEGMENT, environment=None, program=None):
        self._path = path
        words = [url, str(path), str(step)]
        if program is None and environment is None:
            self._process = Forked(TAKER, *words, opening)
            return
        command = [*program, *words] if program is not None else [sys.executable, "-c", TAKER, *words, opening]
        environment = {**os.environ, **(environment or {})}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )

    def lines(self):
        return self._path.read_text().splitlines() if self._path.exists() else []

    def numbers(self):
        """Those of lines that were written whole."""
        return [int(word) for line in self.lines() if line.endswith(" .") for word in line.split()[:-1]]

    def refusals(self):
        return [line.split()[1] for line in self.lines() if line.startswith("! ")]

    def goes_on(self, least=100):
        """Blocks until it has taken so many more."""
        wanted = len(self.numbers()) + least
        return within(HANGS_S, lambda: len(self.numbers()) >= wanted)

    def is_refused(self, code):
        """Blocks until it was refused once more, with this code."""
        before = self.refusals().count(code)
        return within(HANGS_S, lambda: self.refusals().count(code) > before)

    def kill(self):
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def end(self):
        self._process.communicate()


@contextmanager
def open_takers(url, folder, name="taker", count=3):
    """So many processes. The last one takes one number at a time."""
    started = [Taker(url, folder / f"{name}{i}", int(i == count - 1)) for i in range(count)]
    try:
        yield started
    finally:
        for one in started:
            one.end()


@contextmanager
def takers(*arguments, **options):
    """The same, once each has taken some."""
    with open_takers(*arguments, **options) as started:
        assert all(one.goes_on(10) for one in started), [one.lines()[-1:] for one in started]
        yield started


def repeated(*groups):
    """Returns how many numbers came twice, and how many there are."""
    numbers = [number for group in groups for one in group for number in one.numbers()]
    return len(numbers) - len(set(numbers)), len(numbers)
