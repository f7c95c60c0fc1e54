"""Generators under asyncio: the loop goes on, whatever must be waited for."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time

import pytest
from conftest import NOW_MS

import polyflake
from polyflake import Generator, ManualClock, Uuid7

# Two ids every two seconds: the third has to wait.
SLOW = "timestamp:31 worker:20 sequence:1 tick=2s epoch=2020-01-01T00:00:00.000Z"

OPEN_AND_ISSUE = """
import asyncio, sys
from polyflake import Generator

async def tick(longest):
    loop = asyncio.get_running_loop()
    before = loop.time()
    while True:
        await asyncio.sleep(0.001)
        now = loop.time()
        longest[0] = max(longest[0], now - before)
        before = now

async def main():
    longest = [0]
    ticking = asyncio.create_task(tick(longest))
    await asyncio.to_thread(int)  # starts the executor
    await asyncio.sleep(0.05)
    longest[0] = 0
    generator = {opening}
    ids = [await generator.next_id_async()]
    await asyncio.sleep(0.01)
    ticking.cancel()
    print(longest[0])

asyncio.run(main())
"""


@pytest.mark.parametrize("opening", ["Generator('host')", "await Generator.open('host')"])
def test_opening_in_a_coroutine_and_its_first_id_stall_the_loop_for_less_than_20_ms(opening, run_script, tmp_path):
    stalls = []
    for attempt in range(8):  # one is enough: the machine may be busy
        home = str(tmp_path / str(attempt))
        stalls.append(float(run_script(OPEN_AND_ISSUE.replace("{opening}", opening), POLYFLAKE_HOME=home)))
        if stalls[-1] < 0.02:
            return
    raise AssertionError(f"the loop stood still for {stalls} s")


def test_open_has_the_arguments_of_the_constructor_and_opens_in_another_thread():
    threads = []

    class Watched(Generator):
        def __init__(self, *arguments, **options):
            threads.append(threading.current_thread())
            super().__init__(*arguments, **options)

    assert inspect.signature(Generator.open).parameters == inspect.signature(Generator).parameters
    assert inspect.iscoroutinefunction(Generator.open)
    generator = asyncio.run(Watched.open(7, layout="twitter", clock=ManualClock(NOW_MS)))
    assert type(generator) is Watched
    assert generator.layout.decode(generator.next_id()).node == 7
    assert threads[0] is not threading.current_thread()


def test_uuid7_over_a_worker_opens_off_the_loop_as_a_generator_does():
    async def opened():
        ids = await Uuid7.open(7, layout="twitter")
        return ids, await ids.next_id_async()

    assert inspect.signature(Uuid7.open).parameters == inspect.signature(Uuid7).parameters
    ids, id = asyncio.run(opened())
    assert type(ids) is Uuid7
    assert ids.decode(id).node == 7
    with pytest.raises(polyflake.BadArgumentError):
        asyncio.run(Uuid7.open(5000, layout="twitter"))


def test_open_raises_what_the_constructor_raises():
    for options, code in (({"max_wait": 5}, "option_invalid"), ({"worker": 5000}, "field_out_of_range")):
        with pytest.raises(polyflake.BadArgumentError) as raised:
            asyncio.run(Generator.open(**options))
        assert raised.value.code == code


def test_next_id_async_lets_others_run():
    layout = "timestamp:31 worker:20 sequence:1 tick=1s epoch=2020-01-01T00:00:00.000Z"
    generator = Generator(3, layout=layout, max_wait_ms=5000)

    async def tick(count):
        while True:
            count[0] += 1
            await asyncio.sleep(0.01)

    async def run():
        count = [0]
        ticking = asyncio.create_task(tick(count))
        ids = await asyncio.gather(*(generator.next_id_async() for _ in range(6)))  # at least one second
        ticking.cancel()
        return ids, count[0]

    ids, count = asyncio.run(run())
    assert sorted(set(ids)) == sorted(ids)
    assert count > 5
    assert generator.layout.decode(max(ids)).time_ms <= time.time() * 1000


def test_cancelling_next_id_async_loses_no_more_than_an_unused_id():
    slow = Generator(4, layout=SLOW, max_wait_ms=600_000)
    asyncio.run(slow.next_id_async())  # its window has begun
    before = slow.stats().issued

    async def run():
        for _ in range(3):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.gather(*(slow.next_id_async() for _ in range(3))), 0.05)

    asyncio.run(run())
    assert slow.stats().issued == before + 9
    assert slow.layout.decode(asyncio.run(slow.next_id_async())).node == 4


def test_next_id_async_on_a_manual_clock_gives_the_ids_of_next_id():
    async def run(generator):
        return [await generator.next_id_async() for _ in range(50)]

    layout = "timestamp:41 worker:10 sequence:2 tick=1ms epoch=2020-01-01T00:00:00.000Z"
    expected = Generator(0, layout=layout, clock=ManualClock(NOW_MS)).next_ids(50)
    assert asyncio.run(run(Generator(0, layout=layout, clock=ManualClock(NOW_MS)))) == expected


def test_next_id_async_of_a_closed_generator_is_refused():
    generator = Generator(5, clock=ManualClock(NOW_MS))
    generator.close()
    with pytest.raises(polyflake.StateError) as raised:
        asyncio.run(generator.next_id_async())
    assert raised.value.code == "generator_closed"
