"""A reply that comes twice: every later one on that connection then answers another request."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from urllib.parse import urlsplit

import redis
import redis.asyncio
from patience import HANGS_S, renew
from servers import Proxy
from servers.waiting import within

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace
from polyflake.stores.redis import RedisStore

WINDOW_MS = 6000


def options():
    return {"namespace": f"replies-{secrets.token_hex(8)}", "window_ms": WINDOW_MS, "auto_init": True}


def repeat_a_reply(proxy, generator):
    """Returns once the renewal with two replies has ended, well or not."""
    proxy.duplicate()
    before = generator.stats()
    try:
        generator.renew()
    except PolyflakeError as error:
        assert error.code == "store_unavailable"
    assert within(HANGS_S, lambda: generator.stats() != before)


def test_a_lease_recovers_from_a_reply_that_comes_twice():
    port = urlsplit(os.environ["POLYFLAKE_TEST_REDIS"]).port
    with Proxy(port) as proxy:
        store = RedisStore(redis.Redis(port=proxy.port), **options())
        init_namespace(store, fresh=True)
        with Generator(store) as generator:
            repeat_a_reply(proxy, generator)
            renew(generator)
            renew(generator)
            assert generator.state().name == "open"


def test_a_lease_of_asyncio_recovers_from_a_reply_that_comes_twice():
    async def run(proxy):
        client = redis.asyncio.Redis(port=proxy.port)
        store = RedisStore(client, **options())
        await asyncio.to_thread(init_namespace, store, fresh=True)
        generator = await Generator.open(store)
        await asyncio.to_thread(repeat_a_reply, proxy, generator)
        before, deadline = generator.stats().renewals, time.monotonic() + HANGS_S
        while generator.stats().renewals < before + 2 and time.monotonic() < deadline:
            generator.renew()
            await asyncio.sleep(0.01)
        assert generator.stats().renewals >= before + 2
        generator.close()
        await client.aclose()

    with Proxy(urlsplit(os.environ["POLYFLAKE_TEST_REDIS"]).port) as proxy:
        asyncio.run(run(proxy))
