"""The store of node ids, or of counters, stops answering: ids to the end of what is held, then a reason, then ids again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from load import Load, expect_unique
from outages import PATIENT, expect_refusals, take_if_it_can, take_until_refused
from polyflaked import Polyflaked
from servers import Redis
from servers.waiting import within
from wire_clients import CLIENTS, Refused

from polyflake.stores import init_counter, init_namespace


@pytest.fixture
def redis() -> Iterator[Redis]:
    """One for each test: it is stopped."""
    with Redis() as running:
        yield running


def leased(redis: Redis, **options: str) -> Polyflaked:
    url = f"{redis.url}/0?namespace=orders"
    init_namespace(f"{url}&window_ms=2000&tolerance_ms=200", fresh=True)
    return Polyflaked(f'"{url}"', head=PATIENT, **options)


def test_ids_to_the_end_of_the_window_and_again_after_it(redis: Redis) -> None:
    with leased(redis) as server:
        clients = [server.client(protocol) for protocol in CLIENTS]
        ids: list[list[int]] = [client.take() for client in clients]
        assert server.ready()[0] == 200
        redis.pause()
        end_ms = take_until_refused(server, clients, ids)
        assert time.time_ns() // 1_000_000 >= end_ms
        expect_refusals(server, clients)
        assert 'window_remaining_seconds{generator="orders"} 0\n' in server.http("/metrics")[1]
        assert within(60, lambda: any("store_unavailable" in line for line in server.said("state")))
        redis.resume()
        for client, taken in zip(clients, ids):  # the connections are the same
            assert within(60, lambda: take_if_it_can(client, taken))
        assert within(60, lambda: server.ready()[0] == 200)
        expect_unique(ids)
        for client in clients:
            client.close()


@pytest.mark.real_time
@pytest.mark.parametrize("protocol", CLIENTS)
def test_a_refusal_takes_no_time(redis: Redis, protocol: str) -> None:
    with leased(redis) as server, server.client(protocol) as client:
        client.take()
        redis.pause()
        assert within(60, lambda: not take_if_it_can(client, []))
        took = []
        for _ in range(50):
            began = time.monotonic()
            with pytest.raises(Refused):
                client.take()
            took.append(time.monotonic() - began)
        assert sorted(took)[25] < 0.1


def test_two_servers_that_are_cut_off_by_turns(redis: Redis) -> None:
    """Each loses its way to the store for longer than its window, while the other goes on."""
    url = f"{redis.url}/0?namespace=orders"
    init_namespace(f"{url}&window_ms=1000&tolerance_ms=100", fresh=True)
    with redis.proxy() as first_way, redis.proxy() as second_way:
        ways = (first_way, second_way)
        workers = [f'"{redis.url_at(way.port)}/0?namespace=orders"' for way in ways]
        with Polyflaked(workers[0]) as first, Polyflaked(workers[1]) as second:
            servers = (first, second)
            loads = [Load("resp", [server.ports["resp"].number], threads=2) for server in servers]
            for cut, other in ((0, 1), (1, 0)):
                ways[cut].drop()
                assert within(60, lambda: servers[cut].ready()[0] == 503)
                assert loads[other].more()
                ways[cut].heal()
                ways[cut].cut()
                assert within(60, lambda: servers[cut].ready()[0] == 200)
                assert loads[cut].more()
            for load in loads:
                load.stop()
                load.expect_good("store_unavailable", "lease_lost")
                assert load.lost == 0
            expect_unique([*loads[0].ids, *loads[1].ids])


@pytest.mark.parametrize("protocol", ["resp", "http"])
def test_a_counter_gives_what_it_holds_and_goes_on_later(redis: Redis, protocol: str) -> None:
    store = f"{redis.url}/0?namespace=shop"
    init_namespace(store, fresh=True)
    init_counter(store, "orders", after=41)
    tail = f'[counter.numbers]\nstore = "{store}"\ncounter = "orders"\nstep = 20\ntimeout_ms = 300'
    with Polyflaked(head=PATIENT, tail=tail) as server, server.client(protocol) as client:
        numbers: list[int] = []
        assert within(60, lambda: take_if_it_can(client, numbers, "numbers"))
        assert numbers == [42]
        redis.pause()
        assert within(60, lambda: not take_if_it_can(client, numbers, "numbers"))
        held = len(numbers)
        assert 20 <= held <= 60
        status, body = server.ready()
        assert status == 503
        assert json.loads(body)["keys"]["numbers"]["code"] == "store_unavailable"
        assert json.loads(body)["keys"]["orders"]["ready"]
        status, body = server.http("/api/segment/get/numbers")
        assert status == 500
        assert not body.strip().isdigit() and "store_unavailable" in body
        assert client.take()  # a generator of its own goes on
        redis.resume()
        assert within(60, lambda: server.ready()[0] == 200)
        assert within(60, lambda: take_if_it_can(client, numbers, "numbers", 100))
        assert len(numbers) == held + 100
        assert numbers == sorted(set(numbers))
