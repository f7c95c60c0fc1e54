"""Generators under threads: nothing repeats, nothing goes backwards, nothing holds the others up."""

from __future__ import annotations

import sys
import threading
import time

import numpy
import pytest

import polyflake
from polyflake import Generator

# 4 million ids a tick: many threads fill ticks, and none has to wait.
WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"
THREADS = 8
PER_THREAD = 2_000_000
SINGLE = 500_000  # of these by next_id()


def together(work, count=THREADS):
    """Runs work(index) in so many threads at once; what one of them raised is raised here."""
    failures = []
    barrier = threading.Barrier(count)

    def run(index):
        try:
            barrier.wait()
            work(index)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


@pytest.fixture
def short_switch_interval():
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    yield
    sys.setswitchinterval(before)


def test_sixteen_million_ids_of_eight_threads_are_distinct_and_rise_per_thread(short_switch_interval):
    generator = Generator(0, layout=WIDE, max_lead_ms=5)
    ids = numpy.zeros((THREADS, PER_THREAD), numpy.uint64)

    def work(index):
        mine, next_id = ids[index], generator.next_id
        done = 0
        while done < SINGLE:
            mine[done : done + 1000] = [next_id() for _ in range(1000)]
            done += 1000
        for start in range(done, PER_THREAD, 10_000):
            generator.fill(mine[start : start + 10_000])

    together(work)
    assert all(bool(numpy.all(row[1:] > row[:-1])) for row in ids)
    everything = numpy.sort(ids.ravel())
    assert everything.size == THREADS * PER_THREAD
    assert bool(numpy.all(everything[1:] > everything[:-1]))


def test_an_id_is_above_every_id_whose_call_returned_before(short_switch_interval):
    generator = Generator(1, layout="timestamp:41 worker:2 sequence:20 tick=1ms epoch=2020-01-01T00:00:00.000Z")
    latest = [0] * THREADS

    def work(index):
        for _ in range(20_000):
            seen = max(latest)
            issued = generator.next_id()
            assert issued > seen
            latest[index] = issued

    together(work)


@pytest.mark.parametrize("layout", [WIDE, "polyflake"])
def test_ordering_per_thread_repeats_no_id_and_each_thread_has_rising_ones(short_switch_interval, layout):
    generator = Generator(0, layout=layout, ordering="per_thread", max_wait_ms=10_000)
    ids = numpy.zeros((4, 250_000), numpy.uint64)

    def work(index):
        mine, next_id = ids[index], generator.next_id
        for start in range(0, 150_000, 1000):
            mine[start : start + 1000] = [next_id() for _ in range(1000)]
        for start in range(150_000, 250_000, 250):
            mine[start] = next_id()
            generator.fill(mine[start + 1 : start + 250])

    together(work, 4)
    assert all(bool(numpy.all(row[1:] > row[:-1])) for row in ids)
    everything = numpy.sort(ids.ravel())
    assert bool(numpy.all(everything[1:] > everything[:-1]))


def test_ordering_per_thread_lets_threads_issue_from_runs_of_their_own():
    generator = Generator(1, ordering="per_thread", sequence_spread=1, clock=polyflake.ManualClock(1_767_225_600_000))
    ids = [generator.next_id(), generator.next_id()]  # runs begin with the second id
    together(lambda _: ids.append(generator.next_id()), 1)
    ids.append(generator.next_id())
    sequences = [generator.layout.decode(id).sequence for id in ids]
    assert sequences == [0, 1, 64, 2]  # a 64th of what the tick had left


def test_saturated_threads_share_the_ids_of_each_tick():
    generator = Generator(1002)
    ids = [generator.next_id()]

    def work(index):
        ids.extend([generator.next_id() for _ in range(20_000)])

    together(work)
    assert len(set(ids)) == len(ids) == 1 + THREADS * 20_000


def test_others_run_while_one_waits():
    generator = Generator(1, layout="timestamp:31 worker:20 sequence:1 tick=1s epoch=2020-01-01T00:00:00.000Z")
    generator.next_ids(2)
    longest = []
    for _ in range(5):  # one is enough: the machine may be busy
        waiter = threading.Thread(target=generator.next_ids, args=(4,))  # at least one second
        waiter.start()
        longest.append(0.0)
        rounds = 0
        while waiter.is_alive():
            before = time.perf_counter()
            sum(range(1000))
            longest[-1] = max(longest[-1], time.perf_counter() - before)
            rounds += 1
        if rounds > 100 and longest[-1] < 0.5:
            return
    raise AssertionError(f"others stood still for {longest} s")


def test_a_new_generator_for_every_call_repeats_nothing():
    rounds = 200_000
    for worker in (1003, "host"):
        ids = {Generator(worker).next_id() for _ in range(rounds)}
        assert len(ids) == rounds


def test_generators_opened_and_dropped_in_many_threads_repeat_nothing():
    ids = [[] for _ in range(THREADS)]
    together(lambda index: ids[index].extend([Generator("host", max_wait_ms=60_000).next_id() for _ in range(2000)]))
    assert len({number for taken in ids for number in taken}) == THREADS * 2000


def test_close_may_race_with_every_call(short_switch_interval):
    layout = "timestamp:41 worker:2 sequence:20 tick=1ms epoch=2020-01-01T00:00:00.000Z"
    issued = []
    for _ in range(300):
        generator = Generator(2, layout=layout)

        def work(index, generator=generator):
            if index == 0:
                generator.next_id()
                generator.close()
                return
            mine = []
            try:
                while True:
                    mine.append(generator.next_id())
                    mine += generator.next_ids(3)
            except polyflake.StateError as error:
                assert error.code == "generator_closed"
            issued.extend(mine)

        together(work, 4)
    assert len(set(issued)) == len(issued) > 300


def test_the_default_generator_is_opened_once(run_script):
    script = """
import threading, polyflake
ids = []
threads = [threading.Thread(target=lambda: ids.append(polyflake.next_id())) for _ in range(16)]
[t.start() for t in threads]; [t.join() for t in threads]
assert len(set(ids)) == 16
assert len({polyflake.decode(id).node for id in ids}) == 1
"""
    run_script(script)
