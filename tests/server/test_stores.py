"""Each store that the server reaches: ids, an outage, and a namespace and a counter that it shares with Python."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from load import Load, expect_unique
from outages import PATIENT, expect_refusals, take_if_it_can, take_until_refused
from polyflaked import Polyflaked, run_polyflaked
from servers import Etcd, PostgreSQL, Redis, Server, ZooKeeper
from servers.waiting import within
from wire_clients import CLIENTS

import polyflake
from polyflake.stores import init_counter, init_namespace

KINDS = [Redis, PostgreSQL, Etcd, ZooKeeper]
NO_NODE_ID = 3


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def store(request: pytest.FixtureRequest) -> Iterator[Server]:
    with request.param() as running:
        yield running


def address(store: Server, namespace: str, **parameters: object) -> str:
    """The address that the packages and the server take."""
    path = "/0" if isinstance(store, Redis) else ""
    more = "".join(f"&{name}={value}" for name, value in parameters.items())
    return f"{store.url}{path}?namespace={namespace}{more}"


def test_ids_go_on_through_an_outage(store: Server) -> None:
    url = address(store, "outage")
    init_namespace(address(store, "outage", window_ms=2000, tolerance_ms=200), fresh=True)
    with Polyflaked(f'"{url}"', head=PATIENT) as server:
        clients = [server.client(protocol) for protocol in CLIENTS]
        ids: list[list[int]] = [client.take() for client in clients]
        store.pause()
        try:
            end_ms = take_until_refused(server, clients, ids)
            assert time.time_ns() // 1_000_000 >= end_ms
            expect_refusals(server, clients)
        finally:
            store.resume()
        for client, taken in zip(clients, ids):
            assert within(60, lambda: take_if_it_can(client, taken))
        store.kill()
        store.start()
        assert within(60, lambda: server.ready()[0] == 200)
        for client, taken in zip(clients, ids):
            assert within(60, lambda: take_if_it_can(client, taken))
            client.close()
        expect_unique(ids)


def test_servers_and_python_share_a_namespace(store: Server) -> None:
    url = address(store, "shared")
    init_namespace(address(store, "shared", window_ms=6000, tolerance_ms=600), fresh=True)
    with (
        Polyflaked(f'"{url}"') as first,
        Polyflaked(f'"{url}"') as second,
        polyflake.Generator(worker=url) as generator,
    ):
        loads = [Load("resp", [server.ports["resp"].number]) for server in (first, second)]
        ours: list[int] = []

        def taken() -> bool:
            ours.extend(generator.next_ids(10))
            return generator.stats().renewals > 0 and all(load.count() > 500 for load in loads)

        assert within(60, taken)
        for load in loads:
            load.stop()
            load.expect_good()
        expect_unique([ours, *loads[0].ids, *loads[1].ids])
        assert len({polyflake.decode(batch[0]).node for batch in (ours, loads[0].ids[0], loads[1].ids[0])}) == 3


def test_servers_and_python_share_a_counter(store: Server) -> None:
    url = address(store, "counted")
    init_namespace(url)
    init_counter(url, "invoices", after=41)
    tail = f'[counter.invoices]\nstore = "{url}"\nstep = 10\ntimeout_ms = 60000'
    with Polyflaked(head=PATIENT, tail=tail) as server, server.client("resp") as client:
        with polyflake.Segment(url, name="invoices", step=10, timeout_ms=60_000) as segment:
            numbers = [number for _ in range(50) for number in (*client.take_of("invoices"), segment.next_id())]
        server.terminate()
        assert server.ended() == 0
    assert len(set(numbers)) == 100
    assert min(numbers) == 42
    with Polyflaked(head=PATIENT, tail=tail) as server, server.client("resp") as client:
        assert client.take_of("invoices")[0] not in numbers


def test_a_namespace_must_exist(store: Server) -> None:
    with pytest.raises(Exception, match="namespace"), Polyflaked(f'"{address(store, "none")}"'):
        pass


def test_a_node_id_is_given_back(store: Server) -> None:
    url = address(store, "released")
    init_namespace(url, fresh=True)
    for _ in range(3):
        with Polyflaked(f'"{url}"') as server:
            ids = server.ids()
            server.terminate()
            assert server.ended() == 0
        assert polyflake.decode(ids[0]).node == 0


def test_a_store_that_is_not_there(store: Server, tmp_path) -> None:
    gone = address(store, "orders", acquire_timeout_ms=200).replace(f":{store.port}", ":1")
    text = f'[generator.orders]\nworker = "{gone}"\n[[listener]]\nprotocol = "resp"\naddress = "127.0.0.1:0"\n'
    file = tmp_path / "server.toml"
    file.write_text(text)
    done = run_polyflaked("--config", file)
    assert done.returncode == NO_NODE_ID
    assert "no server listens" in done.stderr
    assert store.password is None or store.password not in done.stderr
