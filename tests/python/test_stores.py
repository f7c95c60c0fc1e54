"""Every store over its real server, by its address and over clients of the user's own."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
import threading
import time
from contextlib import ExitStack, closing, contextmanager, suppress

import kazoo.client
import psycopg
import pymysql
import pytest
import redis
import redis.asyncio
import redis.sentinel
import sqlalchemy
from patience import HANGS_S, patiently, renew
from refusals import code_of, refused
from servers import Etcd, MariaDB, PostgreSQL, Redis, ZooKeeper
from servers.port import Port
from servers.waiting import within

import polyflake
from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases, raise_floor
from polyflake.stores.etcd import EtcdStore
from polyflake.stores.redis import RedisStore
from polyflake.stores.sql import SqlStore
from polyflake.stores.zookeeper import ZooKeeperStore

KINDS = {kind.scheme: kind for kind in (Redis, ZooKeeper, Etcd, PostgreSQL, MariaDB)}
OPTIONS = {"window_ms": 60_000, "renew_wait_ms": 60_000}
pytestmark = pytest.mark.usefixtures("patient_close")


@pytest.fixture(scope="module", params=KINDS)
def server(request):
    with KINDS[request.param]() as one:
        yield one


@pytest.fixture(params=["memory", "redis"])  # without a clock of its own, and with one
def place(request):
    if request.param == "memory":
        return f"memory://{secrets.token_hex(8)}"
    return request.getfixturevalue("redis_server").url


@pytest.fixture(scope="module")
def redis_server():
    with Redis() as one:
        yield one


def address(server, namespace, **options):
    return with_options(server.url, namespace, **options)


def with_options(url, namespace, **options):
    query = {"namespace": namespace, **OPTIONS, **options}
    return f"{url}?{'&'.join(f'{name}={value}' for name, value in query.items())}"


def fresh(store):
    """The store, with a namespace from which nothing was handed out yet."""
    init_namespace(store, fresh=True)
    return store


def check_issues_and_gives_back(store, look=None):
    """What any store must do; `look` is another way to it, where this one is of asyncio."""
    look = fresh(look or store)
    first, second = Generator(store), Generator(store)
    assert first.worker == second.worker
    ids = first.next_ids(1000) + second.next_ids(1000)
    assert len(set(ids)) == 2000
    assert [held.node for held in leases(look)] == [first.worker]
    renew(first)
    first.close()
    assert len(leases(look)) == 1
    second.next_id()
    second.close()
    assert leases(look) == []


def test_an_address_issues_and_gives_back(server, namespace):
    check_issues_and_gives_back(address(server, namespace))


def test_a_namespace_is_made_once_and_told_from_others(server, namespace):
    url = address(server, namespace)
    for call in (Generator, leases, lambda store: raise_floor(store, time_ms=int(time.time() * 1000))):
        assert code_of(lambda call=call: call(url)) == "namespace_not_initialised"
    uuid = init_namespace(url, fresh=True)
    assert init_namespace(url) == uuid
    assert code_of(lambda: Generator(url, layout="twitter")) == "layout_mismatch"
    assert code_of(lambda: Generator(f"{url}&uuid={uuid[::-1]}")) == "wrong_namespace"
    with Generator(f"{url}&uuid={uuid}") as generator:
        generator.next_id()


def test_no_window_begins_before_a_raised_floor(place, namespace):
    url = fresh(with_options(place, namespace))
    with Generator(url) as generator:
        last = generator.next_id()
    later = polyflake.decode(last).time_ms + 1500
    raise_floor(url, time_ms=later)
    with Generator(url) as generator:
        assert polyflake.decode(generator.next_id()).time_ms >= later


def test_a_floor_in_the_far_future_says_the_way_back_and_an_operator_goes_it(place, namespace):
    window_ms, tolerance_ms = 2000, 100
    url = with_options(place, namespace, window_ms=window_ms, tolerance_ms=tolerance_ms, renew_wait_ms=100)
    init_namespace(url, fresh=True)
    year_ms = 365 * 86_400_000
    raise_floor(url, time_ms=int(time.time() * 1000) + year_ms)

    def issue():
        with Generator(url) as generator:
            return generator.next_id()

    refusal = refused(issue, PolyflakeError)
    assert refusal.code == "store_unavailable"
    assert "`lower`" in str(refusal)
    raise_floor(url, time_ms=int(time.time() * 1000))
    assert code_of(issue) == "store_unavailable", "without `lower` it stays"
    earliest_ms = int(time.time() * 1000) + window_ms + 2 * tolerance_ms
    raise_floor(url, time_ms=int(time.time() * 1000), lower=True)
    with Generator(url.replace("renew_wait_ms=100", f"renew_wait_ms={HANGS_S * 1000}")) as generator:
        assert polyflake.decode(generator.next_id()).time_ms >= earliest_ms
    assert code_of(lambda: raise_floor(url, time_ms=0, lower=1)) == "option_invalid"


def test_two_processes_have_node_ids_of_their_own(server, namespace, run_script):
    url = fresh(address(server, namespace))
    with Generator(url) as generator:
        other = int(run_script("import sys, polyflake; print(polyflake.Generator(sys.argv[1]).worker)", url))
        assert other != generator.worker
        # It gave its node id back at its end.
        assert [held.node for held in leases(url)] == [generator.worker]


def test_ids_flow_through_a_restart_of_the_server(server, namespace):
    with Generator(fresh(address(server, namespace, window_ms=180_000))) as generator:
        ids = generator.next_ids(10)
        before = generator.stats()
        server.kill()

        def hurry():
            with suppress(
                PolyflakeError
            ):  # the lease is renewed as soon as the store is back, whether this waits or not
                generator.renew()

        renewing = threading.Thread(target=hurry)
        renewing.start()
        assert within(HANGS_S, lambda: ids.append(generator.next_id()) or generator.stats().store_failures > 0)
        assert generator.stats().until_ms == before.until_ms
        server.restart()
        # By a renewal; or, if that was done and its answer was late, by the window of another node id.
        assert within(HANGS_S, lambda: ids.append(generator.next_id()) or generator.stats().until_ms > before.until_ms)
        renewing.join()
        assert len(set(ids)) == len(ids)


def test_nobody_learns_a_password_from_an_error(server, namespace):
    before, _, after = server.url.partition("://")
    wrong = f"{before}://somebody:S3CRET@{after.rpartition('@')[2]}"
    url = f"{wrong}?namespace={namespace}&acquire_timeout_ms=1500"
    try:
        Generator(url).close()  # who asks for no password lets everybody in
    except PolyflakeError as error:
        assert error.code in ("store_unavailable", "namespace_not_initialised")
        assert "S3CRET" not in str(error) and error.__cause__ is None and error.__context__ is None
        assert (
            server.url.rpartition("@")[2].partition("://")[2] in str(error) or server.user or "namespace" in str(error)
        )


# --- clients of the user's own ----------------------------------------------------------------------


def test_redis_clients(redis_server, namespace):
    clients = {
        "plain": redis.Redis(port=redis_server.port),
        "decoding": redis.Redis(port=redis_server.port, decode_responses=True, protocol=3),
        "pool": redis.Redis(connection_pool=redis.BlockingConnectionPool(max_connections=1, port=redis_server.port)),
    }
    for name, client in clients.items():
        client.ping()
        check_issues_and_gives_back(RedisStore(client, namespace=f"{namespace}-{name}", **OPTIONS))
        assert client.ping()


@contextmanager
def sentinel_of(server, folder):
    port = Port()
    settings = folder / "sentinel.conf"
    settings.write_text(
        f"port {port.number}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor main 127.0.0.1 {server.port} 1\n"
    )
    port.close()
    process = subprocess.Popen(["redis-server", str(settings), "--sentinel"], stdout=subprocess.DEVNULL)
    try:
        sentinel = redis.sentinel.Sentinel([("127.0.0.1", port.number)], socket_timeout=1)
        assert within(HANGS_S, lambda: answers(lambda: sentinel.discover_master("main")))
        yield sentinel, f"redis+sentinel://127.0.0.1:{port.number}/main/0"
    finally:
        process.kill()
        process.wait()


def test_a_redis_sentinel_leads_to_its_primary(redis_server, namespace, tmp_path):
    with sentinel_of(redis_server, tmp_path) as (sentinel, url):
        check_issues_and_gives_back(RedisStore(sentinel.master_for("main"), namespace=namespace, **OPTIONS))
        check_issues_and_gives_back(f"{url}?namespace={namespace}-u")


WINDOW_MS = 6000  # of a lease that is to be renewed


def test_leases_follow_a_failover_of_a_sentinel(namespace, tmp_path):
    with ExitStack() as stack:
        primary, replica = stack.enter_context(Redis()), stack.enter_context(Redis())
        replica.replica_of(primary)
        sentinel, url = stack.enter_context(sentinel_of(primary, tmp_path))
        stores = (
            RedisStore(sentinel.master_for("main"), namespace=namespace, window_ms=WINDOW_MS),
            f"{url}?namespace={namespace}-u&window_ms={WINDOW_MS}",
        )
        generators = [Generator(fresh(store)) for store in stores]
        issued = [generator.next_ids(10) for generator in generators]  # of two namespaces
        # It takes a replica that it has heard of lately; the primary of before becomes one, so that there is a majority.
        assert within(2 * HANGS_S, lambda: answers(lambda: sentinel.sentinels[0].sentinel_failover("main")))
        assert within(2 * HANGS_S, lambda: is_primary(replica))
        failed_over_ms = time.time() * 1000
        for generator, ids in zip(generators, issued):
            assert within(
                2 * HANGS_S, lambda: issues(generator, ids) and generator.stats().until_ms > failed_over_ms + WINDOW_MS
            )
            generator.close()
            assert len(set(ids)) == len(ids)


def is_primary(server):
    try:
        return server.info("replication")["role"] == "master"
    except ConnectionError:  # a sentinel ends the connections of the server that it promotes
        return False


def issues(generator, ids):
    try:
        ids.append(generator.next_id())
    except PolyflakeError as error:
        assert error.code == "store_unavailable"
        return False
    return True


def answers(call):
    try:
        return bool(call())
    except redis.RedisError:
        return False


SLOTS = 16384


@contextmanager
def cluster_of(count):
    """Primaries without replicas, each with a part of the slots."""
    with ExitStack() as stack:
        settings = ("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--cluster-port")
        ports = [stack.enter_context(closing(Port())).number for _ in range(count)]
        servers = [stack.enter_context(Redis(*settings, str(port))) for port in ports]
        for i, server in enumerate(servers):
            server.ask("CLUSTER", "ADDSLOTSRANGE", SLOTS * i // count, SLOTS * (i + 1) // count - 1)
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            if i > 0:
                server.ask("CLUSTER", "MEET", servers[0].host, servers[0].port, ports[0])
        wanted = ("cluster_state:ok", f"cluster_known_nodes:{count}")
        assert within(
            2 * HANGS_S, lambda: all(word in server.ask("CLUSTER", "INFO") for server in servers for word in wanted)
        )
        yield servers


@pytest.mark.parametrize("count", [1, 3])
def test_redis_clusters(namespace, count):
    with cluster_of(count) as servers:
        names = [f"{namespace}-{i}" for i in range(8)]
        client = redis.RedisCluster(host="127.0.0.1", port=servers[0].port)
        for name in names:
            check_issues_and_gives_back(RedisStore(client, namespace=name, **OPTIONS))
        client.close()
        assert all(server.ask("DBSIZE") > 0 for server in servers)

        async def main():
            async with redis.asyncio.RedisCluster(host="127.0.0.1", port=servers[-1].port) as client:
                for name in names[:3]:
                    await check_in_loop(RedisStore(client, namespace=f"{name}-a", **OPTIONS))

        asyncio.run(main())


def test_redis_in_asyncio(redis_server, namespace):
    async def main():
        async with redis.asyncio.Redis(port=redis_server.port) as client:
            store = RedisStore(client, namespace=namespace, **OPTIONS)
            with pytest.raises(PolyflakeError, match=r"await Generator\.open") as refused:
                Generator(store)
            assert refused.value.code == "option_invalid"
            await check_in_loop(store)

    asyncio.run(main())


async def check_in_loop(store):
    await asyncio.to_thread(fresh, store)
    one, other = await asyncio.gather(Generator.open(store), Generator.open(store))
    assert one.worker == other.worker
    ids = [await one.next_id_async() for _ in range(100)] + other.next_ids(100)
    assert len(set(ids)) == 200
    assert len(await asyncio.to_thread(leases, store)) == 1
    one.renew()
    one.close()
    other.close()
    deadline = time.monotonic() + HANGS_S
    while await asyncio.to_thread(leases, store):
        assert time.monotonic() < deadline, "the node id was not given back"
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("server", ["zookeeper"], indirect=True)
def test_a_kazoo_client(server, namespace):
    client = kazoo.client.KazooClient(f"127.0.0.1:{server.port}")
    client.start()
    try:
        check_issues_and_gives_back(ZooKeeperStore(client, namespace=namespace, **OPTIONS))
        assert client.connected
    finally:
        client.stop()
        client.close()


@pytest.mark.parametrize("server", ["zookeeper"], indirect=True)
def test_a_record_of_zookeeper_without_its_child_is_lost(server, namespace):
    url = fresh(address(server, namespace, window_ms=180_000))
    client = kazoo.client.KazooClient(f"127.0.0.1:{server.port}")
    client.start()
    with Generator(url) as generator:
        path = f"/polyflake/{namespace}/node/{generator.worker}"
        for _ in range(2):
            (child,) = client.get_children(path)
            assert f"nonce={child}\n" in client.get(path)[0].decode()
            renew(generator)
        (child,) = client.get_children(path)
        client.delete(f"{path}/{child}")
        assert not leases(url)
        patiently(generator.renew)  # another node id takes its place
        assert [lease.node for lease in leases(url)] == [generator.worker + 1]
    client.stop()
    client.close()


@pytest.mark.parametrize("server", ["zookeeper"], indirect=True)
def test_a_chroot_keeps_to_its_folder(server, namespace):
    client = kazoo.client.KazooClient(f"127.0.0.1:{server.port}")
    client.start()
    client.ensure_path("/a/b")
    check_issues_and_gives_back(f"zookeeper://127.0.0.1:{server.port}/a/b?namespace={namespace}")
    assert client.exists(f"/a/b/polyflake/{namespace}")
    client.stop()
    client.close()


@pytest.mark.parametrize("server", ["etcd"], indirect=True)
def test_etcd_hosts(server, namespace):
    dead = Port()
    hosts = [f"127.0.0.1:{dead.number}", f"127.0.0.1:{server.port}"]
    dead.close()
    check_issues_and_gives_back(EtcdStore(hosts, namespace=namespace, **OPTIONS))


@pytest.mark.parametrize("server", ["postgresql"], indirect=True)
def test_postgresql_clients(server, namespace):
    engine = sqlalchemy.create_engine(server.url.replace("postgresql://", "postgresql+psycopg://"), pool_size=1)
    check_issues_and_gives_back(SqlStore(engine, namespace=namespace, **OPTIONS))
    assert engine.pool.checkedout() == 0
    check_issues_and_gives_back(SqlStore(lambda: psycopg.connect(server.url), namespace=f"{namespace}-c", **OPTIONS))


@pytest.mark.parametrize("server", ["mysql"], indirect=True)
def test_mysql_clients(server, namespace):
    engine = sqlalchemy.create_engine(server.url.replace("mysql://", "mysql+pymysql://"))
    check_issues_and_gives_back(SqlStore(engine, namespace=namespace, **OPTIONS))

    def connect():
        return pymysql.connect(
            host=server.host, port=server.port, user=server.user, password=server.password, database=server.database
        )

    check_issues_and_gives_back(SqlStore(connect, namespace=f"{namespace}-c", **OPTIONS))


def test_options_are_checked(redis_server):
    client = redis.Redis(port=redis_server.port)
    for options in (
        {},
        {"namespace": "No"},
        {"namespace": 5},
        {"namespace": "a", "nmespace": "b"},
        {"namespace": "a", "auto_init": 1},
        {"namespace": "a", "auto_init": "1"},
        {"namespace": "a", "window_ms": "3000"},
        {"namespace": "a", "uuid": "x"},
        {"namespace": "a", "label": None},
    ):
        with pytest.raises(PolyflakeError) as refused:
            RedisStore(client, **options)
        assert refused.value.code == "option_invalid", options
    with pytest.raises(PolyflakeError, match=r"init_namespace\(fresh=True\)") as refused:
        RedisStore(client, namespace="a", auto_init="fresh")
    assert refused.value.code == "option_invalid"
    for make in (
        lambda: SqlStore(5, namespace="a"),
        lambda: EtcdStore([], namespace="a"),
        lambda: RedisStore("redis://h", namespace="a"),
        lambda: ZooKeeperStore("h:2181", namespace="a"),
    ):
        with pytest.raises(PolyflakeError) as refused:
            make()
        assert refused.value.code == "option_invalid"
