"""Takes numbers of a counter of dates, one after the other, or counts with INCR: for counted.py.

    date_taker.py URL FILE CALLERS

Lines of the standard input are "work SECONDS" (so many threads at once) and "floor SECONDS" (one client); each is
answered with how many numbers there were. Those of the counter are written to FILE at the end.
"""

from __future__ import annotations

import sys
import threading
import time
from array import array
from collections.abc import Callable

import redis

import polyflake


def take(seconds: float, call: Callable[[], int], into: array[int]) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        into.append(call())


def take_in_threads(seconds: float, call: Callable[[], int], callers: int) -> list[array[int]]:
    taken: list[array[int]] = [array("Q") for _ in range(callers)]
    threads = [threading.Thread(target=take, args=(seconds, call, into)) for into in taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def main() -> None:
    url, path, callers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    client = redis.Redis.from_url(url.partition("?")[0])
    all_ids = array("Q")
    with polyflake.DateIds(url, name="bench", digits=10, step=1, timeout_ms=10_000) as ids:
        print(0, flush=True)
        for line in sys.stdin:
            command, seconds = line.split()
            if command == "floor":
                taken = take_in_threads(float(seconds), lambda: client.incr("bench"), 1)
            else:
                taken = take_in_threads(float(seconds), ids.next_id, callers)
                for part in taken:
                    all_ids.extend(part)
            print(sum(map(len, taken)), flush=True)
    with open(path, "wb") as file:
        all_ids.tofile(file)


main()
