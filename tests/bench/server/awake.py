"""Processors that do not sleep: on each a program counts, which yields to every other one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def awake() -> Iterator[None]:
    """No processor of this process sleeps meanwhile.

    To wake one that sleeps costs more than 50 requests, and between two programs on an idle machine it happens once a
    round: then it is most of what either server takes.
    """
    counting = [subprocess.Popen([sys.executable, __file__, str(os.getpid())]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for one in counting:
            one.kill()
            one.wait()


def count(parent: int) -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while os.getppid() == parent:
        sum(range(100_000))


if __name__ == "__main__":
    count(int(sys.argv[1]))
