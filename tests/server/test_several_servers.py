"""Servers behind one name. A test for each sentence of that section in docs/server.md that no other file has:

test_faults.py: no id comes twice, and those of a connection rise. test_drain.py: restarts one after the other, also behind nginx.
test_outage.py: a server that is cut off serves to the end of its window, then it is not ready. queue_test.cpp: who would wait too long
is refused at once.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from haproxy import HAProxy
from load import Load, expect_unique
from polyflaked import Polyflaked
from servers import Redis
from servers.waiting import within
from stepped_clock import Clock
from wire_clients import Refused, RespClient

from polyflake import decode
from polyflake.stores import init_namespace

TWO_NODES = "timestamp:41 worker:1 sequence:21 tick=1ms epoch=2020-01-01T00:00:00.000Z"
FOUR_A_TICK = "timestamp:41 worker:20 sequence:2 tick=1ms epoch=2020-01-01T00:00:00.000Z"


def served(redis: Redis, namespace: str, layout: str = "polyflake", **options: int) -> str:
    """Makes a namespace, and returns it as a worker. Its windows begin at once."""
    url = f"{redis.url}/0?namespace={namespace}"
    init_namespace("&".join([url, *(f"{name}={value}" for name, value in options.items())]), layout=layout, fresh=True)
    return f'"{url}"'


def end_of_window_ms(server: Polyflaked) -> int:
    (generator,) = json.loads(server.http("/v1/generators")[1])["generators"]
    return int(generator["until_ms"])


def time_ms(number: int, layout: str = "polyflake") -> int:
    return decode(number, layout).time_ms


# --- after -----------------------------------------------------------------------------------------


def after(server: Polyflaked, protocol: str, number: int) -> int:
    """An id above this one. Errors: Refused."""
    if protocol == "http":
        status, body = server.http(f"/v1/ids/orders?after={number}", "POST")
        answer = json.loads(body)
        if status != 200:
            raise Refused(answer["code"], answer["message"])
        return int(answer["ids"][0])
    with RespClient(server.ports["resp"].number) as client:
        return int(str(client.ask("POLYFLAKE.NEXT", "orders", "AFTER", number)))


@pytest.mark.parametrize("protocol", ["http", "resp"])
def test_an_id_above_one_of_a_server_whose_clock_is_ahead(clock: Clock, protocol: str) -> None:
    """It waits for that at most max_wait_ms."""
    clock.set(4)
    with (
        Polyflaked("1", around=clock.environment) as ahead,
        Polyflaked("2", head="max_wait_ms = 60000") as patient,
        Polyflaked("3", head="max_wait_ms = 500") as hasty,
    ):
        (seen,) = ahead.ids()
        assert patient.ids()[0] < seen
        with pytest.raises(Refused, match="clock_behind"):
            after(hasty, protocol, seen + (30_000 << 22))  # of half a minute later
        assert after(patient, protocol, seen) > seen
        clock.set(3600)
        (seen,) = ahead.ids()
        for server in (patient, hasty):
            with pytest.raises(Refused, match="clock_behind"):
                after(server, protocol, seen)


# --- capacity --------------------------------------------------------------------------------------


def test_each_server_gives_all_ids_of_a_tick() -> None:
    """The layout has four ids a tick: two servers give eight of the same tick."""
    most = "max_batch = 100000\nmax_wait_ms = 60000"
    with Polyflaked("1", head=most, layout=FOUR_A_TICK) as one, Polyflaked("2", head=most, layout=FOUR_A_TICK) as two:
        taken: list[int] = []
        askers = [
            threading.Thread(target=lambda server=server: taken.extend(server.ids(8000))) for server in (one, two)
        ]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
    assert len(set(taken)) == 16_000
    of_tick = Counter(time_ms(number, FOUR_A_TICK) for number in taken)
    assert max(of_tick.values()) == 8


# --- node ids --------------------------------------------------------------------------------------


def test_with_node_ids_to_spare_a_new_server_starts_beside_the_old_one(redis: Redis) -> None:
    """One server, two node ids: clients go over to the new one, and none is refused."""
    worker = served(redis, "spare", TWO_NODES)
    with ExitStack() as opened:
        old = opened.enter_context(Polyflaked(worker, layout=TWO_NODES, head="drain_ms = 100"))
        for _ in range(3):
            new = opened.enter_context(Polyflaked(worker, layout=TWO_NODES, head="drain_ms = 100"))
            load = Load("resp", [old.ports["resp"].number, new.ports["resp"].number])
            opened.callback(load.stop)
            assert load.more()
            old.terminate()
            assert old.ended() == 0
            assert load.more()
            load.stop()
            load.expect_good()
            old = new


def test_without_a_node_id_to_spare_a_new_server_waits_for_an_old_one_to_end(redis: Redis) -> None:
    worker = served(redis, "exact", TWO_NODES, window_ms=60_000)
    patient = "exact&acquire_timeout_ms=600000"
    with (
        Polyflaked(worker, layout=TWO_NODES) as one,
        Polyflaked(worker, layout=TWO_NODES) as two,
        redis.proxy() as way,
        ExitStack() as opened,
    ):
        ids = one.ids(100) + two.ids(100)
        new = Polyflaked(f'"{redis.url_at(way.port)}/0?namespace={patient}"', layout=TWO_NODES)
        opened.callback(new.close)
        waiting = threading.Thread(target=new.start)
        waiting.start()
        assert within(60, lambda: way.connections > 0)
        ids += one.ids(100) + two.ids(100)
        assert not new.said("serving")
        one.terminate()
        assert one.ended() == 0
        waiting.join(60)
        ids += new.ids(100) + two.ids(100)
        assert len(set(ids)) == 600


def test_the_node_id_of_a_killed_server_is_free_after_its_window(redis: Redis) -> None:
    worker = served(redis, "killed", TWO_NODES, window_ms=3000, tolerance_ms=300)
    with Polyflaked(worker, layout=TWO_NODES) as one, Polyflaked(worker, layout=TWO_NODES) as two:
        before = one.ids(100) + two.ids(100)
        (node,) = {decode(number, TWO_NODES).node for number in before[:100]}
        end_ms = end_of_window_ms(one)
        one.kill()
        one.start()
        first = one.ids(100)
        assert {decode(number, TWO_NODES).node for number in first} == {node}
        assert time_ms(first[0], TWO_NODES) >= end_ms
        assert not set(first) & set(before)


# --- the store -------------------------------------------------------------------------------------


@pytest.fixture
def stopped() -> Iterator[Redis]:
    """A Redis for a test that stops it."""
    with Redis() as running:
        yield running


def test_when_all_are_cut_off_all_stop_at_the_ends_of_their_windows(stopped: Redis) -> None:
    window_ms, tolerance_ms = 3000, 300
    worker = served(stopped, "all", window_ms=window_ms, tolerance_ms=tolerance_ms)
    with ExitStack() as opened:
        servers = [opened.enter_context(Polyflaked(worker)) for _ in range(3)]
        loads = [
            Load(protocol, [one.ports[protocol].number]) for one, protocol in zip(servers, ("resp", "http", "thrift"))
        ]
        for load in loads:
            opened.callback(load.stop)
            assert load.more()
        stopped.pause()
        paused_ms = time.time_ns() // 1_000_000
        assert within(60, lambda: all(one.ready()[0] == 503 for one in servers))
        last = [number for load in loads for ids in load.ids for number in ids[-1:]]
        assert all(time_ms(number) <= paused_ms + window_ms + tolerance_ms for number in last)
        assert any(time_ms(number) > paused_ms for number in last)
        stopped.resume()
        assert within(60, lambda: all(one.ready()[0] == 200 for one in servers))
        for load in loads:
            assert load.more()
            load.stop()
            assert load.codes() <= {"store_unavailable", "lease_lost"} and load.lost == 0
        expect_unique([ids for load in loads for ids in load.ids])


def test_a_longer_window_lasts_longer(stopped: Redis) -> None:
    short = served(stopped, "short", window_ms=1000, tolerance_ms=100)
    long = served(stopped, "long", window_ms=600_000)
    with Polyflaked(short) as one, Polyflaked(long) as other:
        assert within(60, lambda: one.http("/v1/ids/orders", "POST")[0] == 200)  # refused while a renewal is late
        assert other.ids()
        stopped.pause()
        assert within(60, lambda: one.ready()[0] == 503)
        assert other.ready()[0] == 200
        assert other.ids(100)


# --- HAProxy ---------------------------------------------------------------------------------------


class Behind:
    """HAProxy before two servers, each with a way to the store that a test may cut, and clients of both protocols."""

    def __init__(self, store: Redis, opened: ExitStack) -> None:
        served(store, "haproxy", window_ms=4000, tolerance_ms=100)  # no busy machine keeps a renewal so long
        self.ways = [opened.enter_context(store.proxy()) for _ in range(2)]
        workers = [f'"{store.url_at(way.port)}/0?namespace=haproxy"' for way in self.ways]
        self.servers = [opened.enter_context(Polyflaked(worker, head="drain_ms = 2000")) for worker in workers]
        for server in self.servers:
            server.ids()
        http, resp = ([server.ports[protocol].number for server in self.servers] for protocol in ("http", "resp"))
        self.proxy = opened.enter_context(HAProxy(http, resp))
        self.http, self.resp = Load("http", [self.proxy.port], 4), Load("resp", [self.proxy.resp.number], 4)
        for load in (self.http, self.resp):
            opened.callback(load.stop)
        self.go_on()

    def go_on(self) -> None:
        """Clients get more ids. Each of those over HTTP that was waiting has had its answer by then."""
        for load in (self.http, self.resp):
            assert load.more(1000)

    def finish(self, *codes: str) -> None:
        for load in (self.http, self.resp):
            load.stop()
        self.http.expect_good()
        assert self.http.lost == 0
        self.resp.expect_good(*codes)
        assert self.resp.lost > 0
        expect_unique([*self.http.ids, *self.resp.ids])


@pytest.fixture
def behind(stopped: Redis) -> Iterator[Behind]:
    with ExitStack() as opened:
        yield Behind(stopped, opened)


@pytest.mark.real_time
def test_behind_haproxy_servers_are_restarted(behind: Behind) -> None:
    """No request over HTTP fails. Clients of Redis connect again. The next restart waits for HAProxy, as the page says."""
    for server in (*behind.servers, *behind.servers):
        server.terminate()
        assert server.ended() == 0
        behind.go_on()
        server.start()
        assert within(60, lambda: behind.proxy.up() == 4)
        behind.go_on()
    behind.finish()


@pytest.mark.real_time
def test_behind_haproxy_a_server_that_is_cut_off_is_left_out(behind: Behind) -> None:
    """Clients of Redis are refused until its connections end; then they are those of the other server."""
    for way, server in zip(behind.ways, behind.servers, strict=True):
        way.drop()
        assert within(60, lambda server=server: server.ready()[0] == 503)
        lost = behind.resp.lost
        assert within(60, lambda lost=lost: behind.resp.lost > lost)
        behind.go_on()
        way.heal()
        way.cut()
        assert within(60, lambda: behind.proxy.up() == 4)
    behind.finish("store_unavailable", "lease_lost", "busy")
