"""Leases over clients of asyncio: whose task they are, and what becomes of them with their event loop."""

from __future__ import annotations

import asyncio
import gc
import threading
import time

import pytest
import redis.asyncio
from patience import HANGS_S
from servers import Redis
from servers.waiting import within

from polyflake import Generator, PolyflakeError, Uuid7
from polyflake._lease_asyncio import AsyncStoreSession
from polyflake.stores import init_namespace, leases
from polyflake.stores.redis import RedisStore

pytestmark = pytest.mark.usefixtures("patient_close")


@pytest.fixture(scope="module")
def server():
    with Redis() as one:
        yield one


def store_on(server, namespace, window_ms=600_000, renew_wait_ms=60_000):
    client = redis.asyncio.Redis(host="127.0.0.1", port=server.port)
    place = f"redis://127.0.0.1:{server.port}?namespace={namespace}&window_ms={window_ms}"
    init_namespace(place, fresh=True)
    return RedisStore(client, namespace=namespace, renew_wait_ms=renew_wait_ms)


def threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("polyflake")]


def test_a_loop_ends_in_the_turn_in_which_an_answer_comes(server, monkeypatch):
    store = store_on(server, "turn")
    run, answered = AsyncStoreSession._run, []

    async def noted(self, name, parts):
        rows = await run(self, name, parts)
        for answer in answered:
            answer.set_result(None)
            answered.clear()
            await asyncio.sleep(0)
        return rows

    async def main():
        generator = await Generator.open(store)
        answer = asyncio.get_running_loop().create_future()
        answered.append(answer)
        generator.renew()
        await answer
        return generator  # else the lease ends with it

    monkeypatch.setattr(AsyncStoreSession, "_run", noted)
    ended = []
    threading.Thread(target=lambda: ended.append(asyncio.run(main())), daemon=True).start()
    assert within(HANGS_S, lambda: ended)


def test_leases_end_with_their_event_loop(server):
    store = store_on(server, "loop", renew_wait_ms=2000)  # it has none once the loop has ended
    before = threads()

    async def main():
        generator = await Generator.open(store)
        assert len(threads()) <= len(before)  # those of the test before may be ending
        return generator, generator.next_ids(10)

    generator, ids = asyncio.run(main())
    assert leases(store) == []

    async def later():
        return await generator.next_id_async()

    for call in (generator.next_id, lambda: asyncio.run(later()), generator.renew):
        with pytest.raises(PolyflakeError, match="the event loop that opened this lease has ended"):
            call()
    _, more = asyncio.run(main())
    assert not set(ids) & set(more)


def test_uuids_share_the_lease_of_an_event_loop_with_its_generators(server):
    store = store_on(server, "uuids")

    async def main():
        generator, ids = await asyncio.gather(Generator.open(store), Uuid7.open(store))
        assert len(await asyncio.to_thread(leases, store)) == 1
        assert ids.decode(await ids.next_id_async()).node == generator.worker
        generator.close()
        assert ids.decode(ids.next_id()).node == ids.worker
        ids.close()

    asyncio.run(main())
    assert within(HANGS_S, lambda: leases(store) == [])


@pytest.mark.parametrize("rounds", [0, 3])
def test_an_event_loop_that_is_closed_at_any_time_keeps_nobody_from_opening(server, rounds):
    store = store_on(server, f"closed-{rounds}", window_ms=4000)
    loop = asyncio.new_event_loop()
    opening = loop.create_task(Generator.open(store))
    if rounds == 0:
        left = loop.run_until_complete(opening).next_ids(10)
    else:
        left = []
        for _ in range(rounds):  # not far enough to be open
            loop.call_soon(loop.stop)
            loop.run_forever()
    loop.close()

    async def main():
        generator = await asyncio.wait_for(Generator.open(store), HANGS_S)
        ids = []
        while generator.stats().renewals < 3:  # longer than a window
            ids.append(await generator.next_id_async())
            await asyncio.sleep(0.01)
        generator.close()
        return ids

    assert not set(left) & set(asyncio.run(main()))
    opening._log_destroy_pending = False  # that is what it is about


def test_generators_that_are_dropped_together_give_the_lease_of_an_event_loop_back(server):
    store = store_on(server, "dropped", window_ms=600_000)  # it sleeps for minutes

    async def main():
        generators = [await Generator.open(store) for _ in range(2)]
        assert len(await asyncio.to_thread(leases, store)) == 1
        del generators
        gc.collect()
        deadline = time.monotonic() + HANGS_S
        while await asyncio.to_thread(leases, store):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.01)

    asyncio.run(main())


def test_cancelling_an_opening_in_asyncio(server):
    store = store_on(server, "cancelled")

    async def main():
        server.pause()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(Generator.open(store), 0.3)
        server.resume()
        generator = await Generator.open(store)
        assert generator.next_id() != await generator.next_id_async()
        generator.close()

    asyncio.run(main())
    assert within(HANGS_S, lambda: leases(store) == [])
