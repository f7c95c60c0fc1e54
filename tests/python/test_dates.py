"""Dates: numbers that begin with the date, over a store in memory and over each real store that has a clock."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
import redis.asyncio
from children import IN_CHILD
from patience import HANGS_S
from refusals import code_of

import polyflake
from polyflake import DateIds, DateNumbers, Segment
from polyflake.stores import RedisStore, init_counter, init_namespace, raise_counter

pytestmark = pytest.mark.usefixtures("patient_close")
WITH_A_CLOCK = ("memory", "redis", "postgresql", "mysql")
PATIENT = {"timeout_ms": HANGS_S * 1000}
FAR_EAST, FAR_WEST = "Pacific/Kiritimati", "Etc/GMT+12"  # 26 hours apart, so never the same day


def address(kind):
    server = "memory://dates" if kind == "memory" else os.environ[f"POLYFLAKE_TEST_{kind.upper()}"]
    return f"{server}?namespace=dates-{secrets.token_hex(8)}"


def made_in(kind, after=0, **options):
    """Makes a namespace with one counter of dates, "orders". Returns its address."""
    url = address(kind)
    init_namespace(url, fresh=True)
    init_counter(url, "orders", after=after, kind="date", **options)
    return url


@pytest.fixture(params=WITH_A_CLOCK)
def store(request):
    return made_in(request.param)


class DaysOf:
    """The days in a zone since this object was made, for tests that meet a midnight."""

    def __init__(self, zone):
        self._zone = zone
        self._first = self._label()

    def _label(self):
        return int(datetime.now(self._zone).strftime("%Y%m%d"))

    def __contains__(self, label):
        return self._first <= label <= self._label()


def test_numbers_begin_with_the_day_of_the_store(store):
    days = DaysOf(timezone.utc)
    with polyflake.open("date", store, name="orders", prefix="ORD", **PATIENT) as ids:
        first, text = ids.next_id(), ids.next_id_string()
        more = ids.next_ids(20)
        parts = ids.numbers.parts(first)
        assert (parts.count, parts.label in days) == (1, True)
        assert text.startswith("ORD20")
        assert ids.numbers.text(ids.numbers.parse(text)) == text
        assert more == sorted(set(more))
        assert more[0] > ids.numbers.parse(text) > first
        assert (ids.kind, ids.stats().issued) == ("date", 22)


@pytest.mark.parametrize("zone", [FAR_EAST, FAR_WEST, "Europe/Berlin", "-03:30"])
@pytest.mark.parametrize("kind", WITH_A_CLOCK)
def test_the_day_is_that_of_a_zone(kind, zone):
    store = made_in(kind, zone=zone)
    python_zone = timezone(-timedelta(hours=3.5)) if zone[0] == "-" else ZoneInfo(zone)
    days = DaysOf(python_zone)
    with DateIds(store, name="orders", zone=zone, **PATIENT) as ids:
        assert ids.numbers.parts(ids.next_id()).label in days
    raise_counter(store, "orders", after=41)
    with DateIds(store, name="orders", zone=zone, **PATIENT) as ids:
        assert ids.numbers.parts(ids.next_id()).count == 42


def test_periods_are_days_months_or_years():
    store = address("memory")
    init_namespace(store)
    for period, digits in (("yyyy", 10), ("yyyyMM", 1), ("yyyyMMdd", 7)):
        init_counter(store, period.lower(), after=0, kind="date", period=period, digits=digits)
        with DateIds(store, name=period.lower(), period=period, digits=digits) as ids:
            number = ids.next_id()
            assert len(str(number)) == len(period) + digits
            assert str(number).endswith("1")


def test_threads_and_hosts_get_each_number_once(store):
    mine, lock = [], threading.Lock()

    def take(step):
        with DateIds(store, name="orders", step=step, **PATIENT) as ids:
            taken = [ids.next_id() for _ in range(50)] + ids.next_ids(30)
        assert taken == sorted(taken)
        with lock:
            mine.extend(taken)

    threads = [threading.Thread(target=take, args=(step,)) for step in (1, 1, 2, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(mine) == len(set(mine)) == 4 * 80


def test_many_tasks_of_one_loop_get_each_number_once():
    store = made_in("redis")
    with DateIds(store, name="orders", **PATIENT) as ids:

        async def take():
            return await asyncio.gather(*(ids.next_id_async() for _ in range(200)))

        assert len(set(asyncio.run(take()))) == 200


def test_a_client_of_asyncio_finds_the_zone_too():
    store = made_in("redis", zone=FAR_EAST)

    async def take():
        client = redis.asyncio.Redis.from_url(store.partition("?")[0])
        days = DaysOf(ZoneInfo(FAR_EAST))
        with_client = RedisStore(client, namespace=store.partition("namespace=")[2])
        async with await DateIds.open(with_client, name="orders", zone=FAR_EAST, **PATIENT) as ids:
            assert ids.numbers.parts(await ids.next_id_async()).label in days
        await client.aclose()

    asyncio.run(take())


def test_a_used_up_period_is_exhausted():
    store = made_in("memory", after=9, digits=1, period="yyyy")
    with DateIds(store, name="orders", digits=1, period="yyyy") as ids:
        assert code_of(ids.next_id) == "range_exhausted"
        assert code_of(ids.try_next_id) == "range_exhausted"


def test_a_counter_of_another_shape_is_refused(store):
    assert code_of(lambda: DateIds(store, name="orders", digits=7)) == "layout_mismatch"
    assert code_of(lambda: DateIds(store, name="orders", period="yyyy")) == "layout_mismatch"
    assert code_of(lambda: DateIds(store, name="orders", zone="Europe/Berlin")) == "layout_mismatch"
    assert code_of(lambda: Segment(store, name="orders")) == "layout_mismatch"
    assert code_of(lambda: init_counter(store, "orders", after=0)) == "layout_mismatch"
    assert code_of(lambda: DateIds(store, name="invoices")) == "namespace_not_initialised"


@pytest.mark.parametrize(
    "options",
    [
        {"period": "yyyyMMDD"},
        {"digits": 0},
        {"digits": 11},
        {"digits": "6"},
        {"prefix": "a b"},
        {"prefix": "x" * 17},
        {"zone": "+24:00"},
        {"zone": "Mars/Olympus"},
        {"zone": "posixrules/../UTC"},
        {"zone": "Europe"},
        {"step": 0},
        {"step": -1},
        {"timeout_ms": 0},
        {"hold_ms": 1000},
        {"after": 1},
        {"name": "Orders"},
    ],
)
def test_options_out_of_range_are_refused_before_the_store_is_asked(options):
    nowhere = "redis://127.0.0.1:1?namespace=shop"
    assert code_of(lambda: DateIds(nowhere, **{"name": "orders", **options})) == "option_invalid"


@pytest.mark.parametrize("kind", ("zookeeper", "etcd"))
def test_a_store_without_a_clock_keeps_no_dates(kind):
    url = address(kind)
    init_namespace(url, fresh=True)
    assert code_of(lambda: init_counter(url, "orders", after=0, kind="date")) == "option_invalid"


def test_bad_counters_are_not_made():
    url = address("memory")
    init_namespace(url)
    for options in (
        {"zone": "Mars/Olympus"},
        {"zone": "08:00"},
        {"digits": 11},
        {"period": "daily"},
        {"rate": 5},
        {"after": 1_000_000},
    ):
        assert code_of(lambda: init_counter(url, "orders", kind="date", **{"after": 0, **options})) == "option_invalid"
    assert code_of(lambda: init_counter(url, "orders", after=0, zone="+08:00")) == "option_invalid"
    assert code_of(lambda: DateIds(url, name="orders")) == "namespace_not_initialised"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_takes_numbers_of_its_own(run_script):
    store = made_in("redis", zone=FAR_EAST)
    run_script(
        IN_CHILD
        + """
import polyflake
ids = polyflake.DateIds(sys.argv[1], name="orders", zone=sys.argv[2], timeout_ms=60_000)
numbers = ids.next_ids(3)
numbers += in_child(lambda: ids.next_ids(3)) + ids.next_ids(3)
assert len(set(numbers)) == 9, numbers
""",
        store,
        FAR_EAST,
    )


def test_date_numbers_are_values():
    numbers = DateNumbers("yyyyMM", digits=4, prefix="INV-")
    assert numbers.number(202304, 12) == 2023040012
    assert numbers.text(2023040012) == "INV-2023040012"
    assert numbers.parse("INV-2023040012") == 2023040012
    assert numbers.parts(2023040012) == (202304, 12)
    assert repr(numbers) == "<polyflake.DateNumbers INV-yyyyMM and 4 digits>"
    assert code_of(lambda: numbers.number(202304, 10_000)) == "field_out_of_range"
    assert code_of(lambda: numbers.number(-1, 1)) == "field_out_of_range"
    assert code_of(lambda: numbers.text(2**64)) == "field_out_of_range"
    assert code_of(lambda: numbers.parse("INV-202304001")) == "text_invalid"
    assert code_of(lambda: DateNumbers("yyyyMM", ditigs=4)) == "option_invalid"
