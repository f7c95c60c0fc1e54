"""Counters in each store over its real server: random requests beside the rules, and segments.

The servers are those of tests/servers; their addresses are in the environment.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from array import array

import pytest
import redis.asyncio
from patience import HANGS_S
from servers import Redis
from servers.probe import Probe
from servers.waiting import within

import polyflake
from polyflake import PolyflakeError, Segment
from polyflake.stores import RedisStore, counters, init_counter, init_namespace, raise_counter
from polyflake.stores._url import store_of

pytestmark = pytest.mark.usefixtures("patient_close")
TIMEOUT_S = 60
KINDS = ("redis", "zookeeper", "etcd", "postgresql", "mysql")


def address(kind, namespace):
    server = "memory://counters" if kind == "memory" else os.environ[f"POLYFLAKE_TEST_{kind.upper()}"]
    return f"{server}?namespace={namespace}"


def orders(store, **options):
    """Opens that counter, with patience."""
    return Segment(store, name="orders", timeout_ms=HANGS_S * 1000, **options)


def made_in(kind):
    """Makes a namespace with one counter, "orders", which begins at 1. Returns its address."""
    url = address(kind, f"counters-{secrets.token_hex(8)}")
    init_namespace(url, fresh=True)
    init_counter(url, "orders", after=0)
    return url


@pytest.fixture(params=[*KINDS, "memory"])
def store(request):
    return made_in(request.param)


COUNTERS = 5
REQUESTS_EACH = 80
OUTCOMES = {"ok", "absent", "conflict", "term", "incarnation", "room", "wrong_namespace", "until"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_answers_random_requests_by_the_rules(kind):
    opened = store_of(made_in(kind))
    outcomes = set()
    for seed in range(COUNTERS):
        with Probe(opened, TIMEOUT_S) as probe:
            found = probe.ask(
                namespace=opened.address.name, counter=f"random-{seed}", requests=REQUESTS_EACH, seed=seed
            )
        differences = found.pop("differences")
        assert not differences, "\n".join(differences)
        outcomes |= set(found)
    assert outcomes == OUTCOMES


def test_numbers_follow_each_other_and_none_is_lost_by_closing(store):
    with polyflake.open("segment", store, name="orders", timeout_ms=60_000) as ids:
        assert [ids.next_id() for _ in range(250)] == list(range(1, 251))
        assert ids.next_ids(1000) == list(range(251, 1251))
        assert ids.stats().issued == 1250
        assert ids.stats().held > 0
    with polyflake.open(f"segment:{store}", name="orders", timeout_ms=60_000) as again:
        assert again.next_id() == 1251
        assert again.try_next_id() == 1252


def test_sources_with_the_same_options_share_their_numbers(store):
    one, other = orders(store, step=10), orders(store, step=10)
    assert [ids.next_id() for ids in (one, other) * 20] == list(range(1, 41))
    one.close()
    with pytest.raises(PolyflakeError) as refused:
        one.next_id()
    assert refused.value.code == "generator_closed"
    assert other.next_id() == 41
    other.close()


def test_threads_and_hosts_get_each_number_once(store):
    mine, lock = [], threading.Lock()

    def take(step):
        with orders(store, step=step, hold_ms=30_000 + step) as ids:
            taken = [ids.next_id() for _ in range(300)] + ids.next_ids(50)
        with lock:
            mine.extend(taken)

    threads = [threading.Thread(target=take, args=(step,)) for step in (1, 2, 7, 50, 51)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(mine) == len(set(mine)) == 5 * 350


def test_a_counter_that_was_never_made_is_refused(store):
    with pytest.raises(PolyflakeError) as refused:
        Segment(store, name="invoices")
    assert refused.value.code == "namespace_not_initialised"
    with pytest.raises(PolyflakeError) as refused:
        Segment(store.replace("counters-", "others-"), name="orders")
    assert refused.value.code == "namespace_not_initialised"
    with pytest.raises(PolyflakeError) as refused:
        init_counter(store.replace("counters-", "others-"), "orders", after=0)
    assert refused.value.code == "namespace_not_initialised"


def test_operators_set_a_counter(store):
    with orders(store) as ids:
        assert ids.next_id() == 1
    init_counter(store, ["orders", "more"], after=7)
    raise_counter(store, "orders", after=1_000_000_000_000_000_000)
    with orders(store) as ids:
        assert ids.next_id() == 1_000_000_000_000_000_001
    raise_counter(store, "orders", after=41)
    with orders(store) as ids:
        assert ids.next_id() == 42
    with Segment(store, name="more") as ids:
        assert ids.next_id() == 8


def may_fail_over(store):
    return store.startswith(("redis:", "postgresql:", "mysql:"))


def test_counters_are_listed_by_name(store):
    with pytest.raises(PolyflakeError) as refused:
        counters(store.replace("counters-", "others-"))
    assert refused.value.code == "namespace_not_initialised"
    init_counter(store, ["invoices", "9-lives"], after=41)
    init_counter(store, "zero", after=2**62, failover="stop", top=2**63 - 2)
    found = counters(store)
    assert [one.name for one in found] == ["9-lives", "invoices", "orders", "zero"]
    assert [one.next for one in found] == [42, 42, 1, 2**62 + 1]
    assert {one.kind for one in found} == {"segment"}
    assert [one.failover for one in found] == ["jump", "jump", "jump", "stop"]
    for one in found:
        assert one.top == 2**63 - 2
        assert one.room > 0
        assert one.incarnation
        assert not one.incarnation_changed
        assert (one.period, one.digits, one.zone, one.period_label) == (None, None, None, None)
        if may_fail_over(store):
            assert one.top_up_age_ms >= 0
            assert one.failover == "stop" or one.jump_to > one.next + 10_000_000
        else:
            assert one.top_up_age_ms is None
        if not may_fail_over(store) or one.failover == "stop":
            assert one.jump_to is None


def test_a_list_of_counters_follows_what_is_taken(store):
    with orders(store, step=10) as ids:
        ids.next_ids(7)
        (found,) = counters(store)
        assert found.next > 7
    (closed,) = counters(store)
    assert closed.next == 8, "what was left was given back"
    raise_counter(store, "orders", after=99)
    assert counters(store)[0].next == 100


def test_a_namespace_without_counters_has_an_empty_list(kind_of_store):
    url = address(kind_of_store, f"counters-{secrets.token_hex(8)}")
    init_namespace(url, fresh=True)
    assert counters(url) == []


@pytest.fixture(params=[*KINDS, "memory"])
def kind_of_store(request):
    return request.param


def test_counters_are_made_from_a_mapping(store):
    init_counter(store, {"invoices": 7, "refunds": 9})
    assert {one.name: one.next for one in counters(store)} == {"invoices": 8, "orders": 1, "refunds": 10}


@pytest.mark.parametrize("kind", ["redis", "postgresql", "mysql"])
def test_counters_of_dates_are_listed_and_set_in_their_period(kind):
    store = made_in(kind)
    init_counter(store, "days", after=0, kind="date", digits=5, zone="+05:30")
    init_counter(store, "years", after=7, kind="date", period="yyyy")
    days, _, years = counters(store)
    assert (days.period, days.digits, days.zone, days.next, days.top) == ("yyyyMMdd", 5, "+05:30", 1, 99_999)
    assert 2026_01_01 < days.period_label < 9999_12_31
    assert (years.period, years.digits, years.zone, years.next) == ("yyyy", 6, "+00:00", 8)
    raise_counter(store, "years", after=50, period=years.period_label)
    assert counters(store)[2].next == 51
    for period, name in [
        (years.period_label + 1, "years"),
        (years.period_label - 1, "years"),
        (2026, "orders"),
        (0, "years"),
        (-1, "years"),
        ("2026", "years"),
    ]:
        with pytest.raises(PolyflakeError) as refused:
            raise_counter(store, name, after=1, period=period)
        assert refused.value.code == "option_invalid"
    assert counters(store)[2].next == 51


def test_a_counter_whose_record_vanished_is_left_out():
    store = made_in("redis")
    init_counter(store, "gone", after=0)
    with redis.Redis.from_url(store.partition("?")[0]) as client:
        client.delete(f"polyflake:{{{store.partition('=')[2]}}}:counter:gone")
    assert [one.name for one in counters(store)] == ["orders"]


def test_a_damaged_counter_is_an_error_that_names_it():
    store = made_in("redis")
    with redis.Redis.from_url(store.partition("?")[0]) as client:
        client.hset(f"polyflake:{{{store.partition('=')[2]}}}:counter:orders", "room", "much")
    with pytest.raises(PolyflakeError, match=r"orders.*damaged") as refused:
        counters(store)
    assert refused.value.code == "store_unavailable"


def test_the_list_tells_that_the_store_has_another_incarnation():
    with Redis() as server:
        url = f"{server.url}?namespace=restarts"
        init_namespace(url, fresh=True)
        init_counter(url, "orders", after=0)
        assert not counters(url)[0].incarnation_changed
        server.restart()
        (found,) = counters(url)
        assert found.incarnation_changed
        with Segment(url, name="orders", timeout_ms=HANGS_S * 1000) as ids:
            assert ids.next_id() > found.jump_to, "it went on a little later"
        assert not counters(url)[0].incarnation_changed


def test_a_list_of_counters_over_a_client_of_asyncio():
    store = made_in("redis")
    client = redis.asyncio.Redis.from_url(store.partition("?")[0])
    shop = RedisStore(client, namespace=store.partition("=")[2])
    assert [one.name for one in counters(shop)] == ["orders"]

    async def blocks():
        with pytest.raises(PolyflakeError) as refused:
            counters(shop)
        assert refused.value.code == "option_invalid"

    asyncio.run(blocks())


def test_numbers_in_an_event_loop(store):
    async def take():
        async with await Segment.open(store, name="orders", step=20, timeout_ms=HANGS_S * 1000) as ids:
            numbers = await asyncio.gather(*(ids.next_id_async() for _ in range(100)))
            assert sorted(numbers) == list(range(1, 101))
            assert await ids.next_ids_async(30) == list(range(101, 131))

    asyncio.run(take())


def test_a_client_of_asyncio_needs_no_thread():
    store = made_in("redis")

    async def take():
        client = redis.asyncio.Redis.from_url(store.partition("?")[0])
        async with await Segment.open(
            RedisStore(client, namespace=store.partition("=")[2]), name="orders", step=1, timeout_ms=HANGS_S * 1000
        ) as ids:
            threads = threading.active_count()
            assert [await ids.next_id_async() for _ in range(20)] == list(range(1, 21))
            numbers = await asyncio.gather(*(ids.next_id_async() for _ in range(100)))
            assert sorted(numbers) == list(range(21, 121))
            assert threading.active_count() == threads
        await client.aclose()

    asyncio.run(take())


@pytest.mark.parametrize(
    "options",
    [
        {"name": "Orders"},
        {"name": ""},
        {"name": 7},
        {"step": 0},
        {"step": -1},
        {"step": "10"},
        {"min_step": 0},
        {"max_step": 99},
        {"hold_ms": 0},
        {"timeout_ms": 0},
        {"timeout_ms": 2**31},
        {"stride": 2},
    ],
    ids=str,
)
def test_bad_options_are_refused(options):
    store = made_in("memory")
    with pytest.raises(PolyflakeError) as refused:
        Segment(store, **{"name": "orders", **options})
    assert refused.value.code == "option_invalid"


@pytest.mark.parametrize(
    "options",
    [
        {"after": -1},
        {"after": 2**63 - 1},
        {"after": "7"},
        {"after": 0, "top": 5},
        {"after": 0, "rate": 0},
        {"after": 0, "burst": -1},
        {"after": 0, "failover": "hope"},
        {"after": 0, "failover": "\ud800"},
        {"after": 0, "kind": "\ud800"},
        {"after": 0, "kind": "date", "period": "\ud800"},
        {"after": 0, "kind": "ticket"},
        {"after": 9, "top": 8, "failover": "stop"},
        {},
        {"after": 0, "digits": 4},
        {"after": 0, "kind": "date", "digits": 11},
        {"after": 0, "kind": "date", "period": "day"},
        {"after": 0, "kind": "date", "zone": "+25:00"},
        {"after": 0, "kind": "date", "rate": 7},
        {"after": 0, "period": 7},
    ],
    ids=str,
)
def test_bad_counters_are_refused_and_none_is_made(options):
    store = made_in("memory")
    with pytest.raises(PolyflakeError) as refused:
        init_counter(store, "bad", **options)
    assert refused.value.code == "option_invalid"
    with pytest.raises(PolyflakeError) as refused:
        Segment(store, name="bad")
    assert refused.value.code == "namespace_not_initialised"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ([], {"after": 0}),
        ({}, {}),
        ({"bad": 1}, {"after": 0}),
        ({"bad": -1}, {}),
        ({"bad": 0, "Worse": 0}, {}),
        (["bad", "Worse"], {"after": 0}),
        (["bad", 7], {"after": 0}),
        ({"bad": None}, {}),
    ],
    ids=str,
)
def test_bad_lists_of_counters_make_none(name, options):
    store = made_in("memory")
    with pytest.raises(PolyflakeError) as refused:
        init_counter(store, name, **options)
    assert refused.value.code == "option_invalid"
    assert [one.name for one in counters(store)] == ["orders"]


def test_a_store_is_an_address_or_a_store():
    for store in ("orders", "host", 7, None, object()):
        with pytest.raises(PolyflakeError) as refused:
            orders(store)
        assert refused.value.code == "option_invalid"
    with pytest.raises(PolyflakeError) as refused:
        Segment("memory://counters", name="orders")
    assert refused.value.code == "worker_source_invalid", "there is no namespace in it"


def test_a_counter_ends_with_its_last_number():
    store = made_in("memory")
    init_counter(store, "short", after=0, top=12, failover="stop")
    with Segment(store, name="short", step=5) as ids:
        assert ids.next_ids(12) == list(range(1, 13))
        assert ids.stats().left == 0
        with pytest.raises(PolyflakeError) as refused:
            ids.next_id()
    assert refused.value.code == "range_exhausted"


def test_memory_of_numbers_is_filled():
    with orders(made_in("memory")) as ids:
        numbers = array("Q", bytes(8 * 500))
        ids.fill(numbers)
        assert numbers.tolist() == list(range(1, 501))
        assert ids.next_id_string() == "501"
        with pytest.raises(PolyflakeError) as refused:
            ids.fill(bytearray(16))
    assert refused.value.code == "option_invalid"


@pytest.mark.parametrize("step", [2, 9, 10, 100])
def test_the_next_range_is_fetched_ahead_of_need(step):
    with orders(made_in("memory"), step=step) as ids:
        ids.next_ids(step - step // 2)
        assert ids.stats().fetches == 1
        taken = ids.next_id()
        assert within(HANGS_S, lambda: ids.stats().fetches == 2)
        assert ids.stats().held == 2 * step - taken


def test_batches_that_were_given_up_make_no_later_fetch_larger():
    with Redis() as server:
        url = f"{server.url}?namespace=batches"
        init_namespace(url, fresh=True)
        init_counter(url, "orders", after=0)
        with Segment(url, name="orders", timeout_ms=2000) as ids:
            assert ids.next_id() == 1
            server.pause()
            ids.next_ids(ids.stats().held)
            for _ in range(2):
                with pytest.raises(PolyflakeError):
                    ids.next_ids(50_000)
            server.resume()
            assert within(HANGS_S, lambda: ids.try_next_id() is not None)
            assert ids.stats().held < 50_000
