"""Dates over a made-up midnight of a real Redis: hosts whose clocks are wrong, a server whose clock is set, that is killed.

Server and processes get their clocks from files; no test looks at the time of this machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path

import pytest
from patience import HANGS_S
from servers import Redis
from servers.waiting import within
from takers import DATE, Taker

from polyflake import DateNumbers

sys.path.append(str(Path(__file__).resolve().parents[1] / "soak"))
from stepped_clock import Clock

MIDNIGHT = datetime(2031, 3, 10, tzinfo=timezone.utc).timestamp()
DAY, NEXT_DAY = 20310309, 20310310
NUMBERS = DateNumbers(digits=9)  # after a jump a day gives its numbers evenly, with 9 digits 10 000 a second
HOUR_S, DAY_S = 3600, 86_400


class RedisWithClock(Redis):
    def __init__(self, clock):
        super().__init__()
        self._clock = clock

    def environment(self):
        return self._clock.environment


class World:
    """A Redis, a counter of dates, and processes, whose clocks are set. It begins at four in the morning."""

    def __init__(self, folder):
        self._folder = folder
        self._shift_s = MIDNIGHT - 20 * HOUR_S - time.time()
        self._clocks = []
        self.takers = []
        self._open = ExitStack()
        self.server = self._open.enter_context(RedisWithClock(self.clock()))
        self.url = f"{self.server.url}?namespace=shop&tolerance_ms=50"
        self.operate("init_namespace(url, fresh=True)", "init_counter(url, 'orders', after=0, kind='date', digits=9)")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.takers:
            one.kill()
        self._open.close()

    def clock(self, wrong_s=0.0):
        clock = Clock(self._folder / f"clock{len(self._clocks)}")
        self._clocks.append((clock, wrong_s))
        clock.set(self._shift_s + wrong_s)
        return clock

    def go_on_to(self, before_midnight_s):
        """Lets all hosts sleep until then."""
        self._shift_s = MIDNIGHT - before_midnight_s - time.time()
        for clock, wrong_s in self._clocks:
            clock.set(self._shift_s + wrong_s)

    def set_server(self, wrong_s):
        self._clocks[0][0].set(self._shift_s + wrong_s)

    def operate(self, *calls):
        script = "import sys; from polyflake.stores import *; url = sys.argv[1]; " + "; ".join(calls)
        command = [sys.executable, "-c", script, self.url]
        subprocess.run(command, env={**os.environ, **self.clock().environment}, check=True)

    def take(self, wrong_s=0.0, step=0, zone="UTC"):
        """Starts a process; zone: of its host, which must not matter."""
        environment = {**self.clock(wrong_s).environment, "TZ": zone}
        self.takers.append(Taker(self.url, self._folder / f"taker{len(self.takers)}", step, DATE, environment))
        return self.takers[-1]

    def labels(self, taker):
        return {NUMBERS.parts(number).label for number in taker.numbers()}

    def all_reach(self, label):
        return within(2 * HANGS_S, lambda: all(label in self.labels(one) for one in self.takers))

    def check(self, *labels):
        """One rising series per process, no number twice, only these days. Returns the greatest count of the last."""
        taken = [one.numbers() for one in self.takers]
        for one in taken:
            assert one == sorted(one)
        numbers = [number for one in taken for number in one]
        assert len(numbers) == len(set(numbers)) > 0
        assert {NUMBERS.parts(number).label for number in numbers} == set(labels)
        return max(NUMBERS.parts(number).count for number in numbers if NUMBERS.parts(number).label == labels[-1])


@pytest.fixture
def world(tmp_path):
    with World(tmp_path) as one:
        yield one


def test_one_process_with_the_right_clock_takes_all_over_midnight(world):
    world.take(step=1)
    for wrong_s, step, zone in (
        (HOUR_S, 1, "Asia/Tokyo"),
        (-HOUR_S, 1, "America/New_York"),
        (HOUR_S, 1000, "Pacific/Kiritimati"),
        (-HOUR_S, 50, "Etc/GMT+12"),
    ):
        world.take(wrong_s, step, zone)
    assert world.all_reach(DAY)
    world.go_on_to(2)
    assert world.all_reach(NEXT_DAY)
    assert all(one.goes_on(50) for one in world.takers)
    greatest = world.check(DAY, NEXT_DAY)
    counts = {NUMBERS.parts(number).count for one in world.takers for number in one.numbers()}
    assert 1 in counts
    assert greatest < sum(len(one.numbers()) for one in world.takers) + 10 * 1000, "ranges were burnt"


def test_processes_with_wrong_clocks_alone_open_no_day_and_say_so(world):
    for wrong_s in (HOUR_S, -HOUR_S):
        world.take(wrong_s, step=1)
    assert world.all_reach(DAY)
    world.go_on_to(1)
    assert all(one.is_refused("clock_skew") for one in world.takers)
    world.take(step=1)
    assert world.all_reach(NEXT_DAY)
    world.check(DAY, NEXT_DAY)


def test_a_server_that_is_set_back_over_midnight_stays_in_the_new_day(world):
    for step in (1, 50):
        world.take(step=step)
    assert world.all_reach(DAY)
    world.go_on_to(1)
    assert world.all_reach(NEXT_DAY)
    world.set_server(-300)  # some minutes before midnight again
    assert all(one.goes_on(200) for one in world.takers)
    world.check(DAY, NEXT_DAY)


def test_a_server_that_is_a_day_ahead_for_a_while_opens_no_day(world):
    for step in (1, 50):
        world.take(step=step)
    assert world.all_reach(DAY)
    world.set_server(DAY_S)
    assert all(one.is_refused("clock_skew") for one in world.takers)
    world.set_server(0)
    assert all(one.goes_on(200) for one in world.takers)
    world.check(DAY)


def test_a_server_that_restarts_around_midnight_repeats_no_number(world):
    for step in (1, 1, 50):
        world.take(step=step)
    assert world.all_reach(DAY)
    world.go_on_to(1)
    world.server.kill()
    world.server.start()
    assert world.all_reach(NEXT_DAY)
    world.server.kill()
    world.server.start()
    assert all(one.goes_on(50) for one in world.takers)
    assert world.check(DAY, NEXT_DAY) > 100_000_000, "each restart counts as a failover: a tenth is left out"


def test_a_restart_after_idle_hours_exhausts_nothing(world):
    world.take(step=1)
    assert world.all_reach(DAY)
    world.server.pause()
    world.go_on_to(12 * HOUR_S)
    world.server.resume()
    world.server.kill()
    world.server.start()
    assert all(one.goes_on(200) for one in world.takers)
    assert world.check(DAY) < 700_000_000, "the half of the day that is over, and two tenths"


def test_a_counter_that_was_deleted_is_refused_and_goes_on_where_its_operator_says(world):
    world.take(step=1)
    assert world.all_reach(DAY)
    world.server.ask("DEL", "polyflake:{shop}:counter:orders")
    assert world.takers[0].is_refused("namespace_not_initialised")
    world.operate("init_counter(url, 'orders', after=500_000_000, kind='date', digits=9)")
    assert world.takers[0].goes_on(100)
    assert world.check(DAY) > 500_000_000
