"""Many generators that take node ids and give them back; see crowd.py for the arguments and what the programs of all languages do."""

from __future__ import annotations

import array
import random
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from issuer import IdFile, say

import polyflake

PATH, ADDRESS, COUNT, SEED, MODE = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
AT_ONCE = 20  # that open, where all are kept

end = threading.Event()
writing = threading.Lock()
ids = IdFile(PATH)


def record(numbers: list[int]) -> None:
    with writing:
        if not ids.append(array.array("Q", numbers)):
            say("full")
            end.set()


@contextmanager
def told() -> Iterator[None]:
    try:
        yield
    except polyflake.PolyflakeError as error:
        say(f"error {error.code}\ntold {error}")


def opened(number: int) -> polyflake.Generator:
    return polyflake.Generator(f"{ADDRESS}&acquire_timeout_ms={60_000 + number}")


def hold(number: int, rng: random.Random) -> None:
    generator = opened(number)
    try:
        node, begun_ms = generator.worker, time.time_ns() // 10**6
        over = time.monotonic() + rng.uniform(0.2, 5)
        issued = [generator.next_id()]
        while time.monotonic() < over and not end.wait(0.1):
            issued += [generator.next_id() for _ in range(3)]
        same = generator.worker == node
        ended_ms = time.time_ns() // 10**6
    finally:
        generator.close()
    record(issued)
    say(f"held {node} {begun_ms} {ended_ms} {issued[0]} {issued[-1]}" if same else "moved")


def take_and_give_back(number: int) -> None:
    rng = random.Random(SEED * 1000 + number)
    while not end.wait(rng.uniform(0, 1)):
        with told():
            hold(number, rng)


def keep(first: int) -> None:
    """Every so many-th generator, until the end."""
    kept = []
    for number in range(first, COUNT, AT_ONCE):
        with told():
            kept.append(opened(number))
            record([kept[-1].next_id()])
            say(f"kept {kept[-1].worker}")
    end.wait()
    for generator in kept:
        generator.close()


def main() -> None:
    work, count = (keep, AT_ONCE) if MODE == "keep" else (take_and_give_back, COUNT)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    say("ready")
    for thread in threads:
        thread.start()
    sys.stdin.read()
    end.set()
    for thread in threads:
        thread.join()
    say("done")


if __name__ == "__main__":
    main()
