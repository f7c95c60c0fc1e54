"""Leases in databases: schemas and roles, poolers, dumps that are put back, standbys."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress

import psycopg
import pytest
import sqlalchemy
from patience import HANGS_S, renew
from refusals import code_of
from servers import MariaDB, PgBouncer, PostgreSQL, Standby
from servers.waiting import within

import polyflake
from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases, raise_floor
from polyflake.stores.sql import SqlStore

pytestmark = pytest.mark.usefixtures("patient_close")
PASSWORD = "secretword"
WINDOW_MS = 600_000  # no lease is renewed or ends


@pytest.fixture(scope="module")
def server():
    with PostgreSQL() as one:
        yield one


@pytest.fixture
def namespace(request):
    return f"n{abs(hash(request.node.nodeid))}"


def as_role(server, role):
    return server.url.replace(f"{server.user}:{server.password}@", f"{role}:{PASSWORD}@")


def issued_by(generators, count=20_000):
    """Ids of each, in turns, so that they share their milliseconds."""
    ids = [[] for _ in generators]
    while len(ids[0]) < count:
        for generator, mine in zip(generators, ids):
            mine += generator.next_ids(200)
    return ids


def equal_ids(of_each):
    everything = [id for ids in of_each for id in ids]
    return len(everything) - len(set(everything)), len(everything)


# --- schemas ----------------------------------------------------------------------------------------


def test_roles_with_a_schema_each_share_a_namespace(server, namespace, capsys):
    """Names without a schema go by the role's search_path, which begins with the schema of its own name."""
    for role in ("one", "other"):
        server.ask(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'")
        server.ask(f"CREATE SCHEMA {role} AUTHORIZATION {role}")
        server.ask(f"GRANT CREATE, USAGE ON SCHEMA public TO {role}")
    urls = [f"{as_role(server, role)}?namespace={namespace}&window_ms={WINDOW_MS}" for role in ("one", "other")]
    generators = []
    for url in urls:
        init_namespace(url, fresh=True)
        generators.append(Generator(url))
        server.ask("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO one, other")
    equal, of = equal_ids(issued_by(generators))
    with capsys.disabled():
        print(f"\ntwo roles with a schema each: {equal} of {of} ids equal")
    assert equal == 0
    assert {generator.worker for generator in generators} == {0, 1}
    for generator in generators:
        generator.close()


def test_a_schema_is_another_place_by_address_and_by_option(server, namespace):
    server.ask('CREATE SCHEMA "Sales-1"')
    url = f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}"
    uuid = init_namespace(f"{url}&schema=Sales-1", fresh=True)
    assert code_of(lambda: leases(url)) == "namespace_not_initialised"
    for store in (
        SqlStore(lambda: psycopg.connect(server.url), namespace=namespace, schema="Sales-1"),
        SqlStore(
            sqlalchemy.create_engine(server.url.replace("://", "+psycopg://")), namespace=namespace, schema="Sales-1"
        ),
    ):
        assert init_namespace(store) == uuid
    assert server.ask(f"SELECT count(*) FROM \"Sales-1\".polyflake_namespaces WHERE name = '{namespace}'") == "1"
    assert code_of(lambda: leases(f"redis://127.0.0.1/0?namespace={namespace}&schema=a")) == "option_invalid"


def test_who_may_not_make_tables_in_a_schema_hears_what_to_grant(server, namespace):
    server.ask(f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'")
    server.ask("CREATE SCHEMA closed")
    for schema, words in (("closed", 'GRANT CREATE, USAGE ON SCHEMA "closed"'), ("nowhere", 'CREATE SCHEMA "nowhere"')):
        with pytest.raises(PolyflakeError) as refused:
            init_namespace(f"{as_role(server, 'guest')}?namespace={namespace}&schema={schema}")
        assert refused.value.code == "store_unavailable"
        assert words in str(refused.value)


def test_a_schema_of_mysql_is_a_database(namespace):
    with MariaDB() as server:
        server.ask("CREATE DATABASE sales")
        url = f"{server.url}?namespace={namespace}"
        uuid = init_namespace(f"{url}&schema=sales", fresh=True)
        assert init_namespace(f"{url.replace('/polyflake?', '/sales?')}") == uuid
        with Generator(f"{url}&schema=sales") as generator:
            generator.next_id()
            assert code_of(lambda: leases(url)) == "namespace_not_initialised"


# --- poolers ----------------------------------------------------------------------------------------

SESSIONS = 12


def test_a_transaction_pooler_hands_no_setting_of_a_lease_on(namespace, capsys):
    """Sessions of an application take the connections that leases have used, one after the other."""
    with PostgreSQL() as server, PgBouncer(server, SESSIONS) as pooler, ExitStack() as stack:
        server.ask(f"ALTER ROLE {server.user} SET default_transaction_isolation = 'serializable'")
        init_namespace(f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}", fresh=True)
        url = f"{pooler.url}?namespace={namespace}"
        isolation, timeouts, pids = [], [], set()
        for i in range(SESSIONS):
            with Generator(f"{url}&acquire_timeout_ms={30_000 + i}") as generator:
                generator.next_id()
                renew(generator)
            session = stack.enter_context(psycopg.connect(pooler.url, prepare_threshold=None))
            found = session.execute(
                "SELECT current_setting('transaction_isolation'), current_setting('lock_timeout'), pg_backend_pid()"
            ).fetchone()
            isolation.append(found[0])
            timeouts.append(found[1])
            pids.add(found[2])  # its transaction goes on, so the pooler gives this connection to no other session
        assert len(pids) == SESSIONS
        lost = sum(level != "serializable" for level in isolation)
        with capsys.disabled():
            print(
                f"\n{lost} of {SESSIONS} application sessions lost serializable, {SESSIONS - timeouts.count('0')} have a lock time-out"
            )
        assert lost == 0 and set(timeouts) == {"0"}


def test_a_client_that_stops_holds_no_lock(server, namespace):
    """The server has the whole transaction before it answers."""
    init_namespace(f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}", fresh=True)
    with server.proxy() as proxy, Generator(f"{server.url_at(proxy.port)}?namespace={namespace}") as generator:
        generator.next_id()
        nonce = f"SELECT nonce FROM public.polyflake_nodes WHERE name = '{namespace}'"
        before = server.ask(nonce)
        proxy.hold("replies")  # nothing of the client comes after the first piece that it sends
        assert code_of(generator.renew) == "store_unavailable"
        assert within(HANGS_S, lambda: server.ask(nonce) != before)
        locked = f"SET lock_timeout = 1000; UPDATE public.polyflake_nodes SET label = label WHERE name = '{namespace}'"
        server.ask(locked)
        assert server.ask("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'") == "0"
        proxy.heal()


# --- rows that were put back ------------------------------------------------------------------------

TABLES = ("public.polyflake_namespaces", "public.polyflake_nodes")
SHORT = "&window_ms=3000&tolerance_ms=100"


ISSUES = """
import sys
from polyflake import Generator
with Generator(sys.argv[1]) as generator:
    while generator.try_next_id() is None:
        pass
    for _ in range(20_000):
        print(generator.next_id())
"""


def issued_beside(generators, run_script, url):
    """Ids of each until another process has opened this address and has enough of its own; that one's are the last."""
    ids = [[] for _ in generators]
    with ThreadPoolExecutor() as pool:
        other = pool.submit(run_script, ISSUES, url)
        while not wait([other], 0.001).done:
            for generator, mine in zip(generators, ids):
                with suppress(PolyflakeError):
                    mine += filter(None, (generator.try_next_id() for _ in range(20)))
    return [*ids, [int(line) for line in other.result().split()]]


def test_no_id_is_repeated_after_tables_were_put_back_from_a_dump(server, namespace, run_script, capsys):
    """Into the server that they came from: neither its identity nor its timeline is another one."""
    server.ask("DROP TABLE IF EXISTS public.polyflake_nodes, public.polyflake_namespaces")
    url = f"{server.url}?namespace={namespace}"
    # Nobody is to renew, and so to hear of it, before the newcomer is there.
    init_namespace(f"{url}&window_ms=9000&tolerance_ms=100", fresh=True)
    with Generator(url) as before:
        before.next_id()
        dump = server.dump(*TABLES)
        with Generator(f"{url}&renew_wait_ms=60000") as held:  # of whom the dump knows nothing
            held.next_id()
            server.load(dump)
            of_each = issued_beside((before, held), run_script, url)
    equal, of = equal_ids(of_each)
    with capsys.disabled():
        print(f"\ntables put back under a holder: {equal} of {of} ids equal")
    assert equal == 0


def test_a_dump_that_was_taken_while_a_namespace_is_settled_settles_nothing(server, namespace):
    """A raised floor leaves rows that were put back as they are: not settled."""
    url = f"{server.url}?namespace={namespace}"
    init_namespace(f"{url}{SHORT}", fresh=True)
    server.load(server.dump(*TABLES))
    where = f"FROM public.polyflake_namespaces WHERE name = '{namespace}'"
    assert server.ask(f"SELECT settled, tx = xmin::text::bigint {where}") == "1|f"
    raise_floor(url, time_ms=int(time.time() * 1000))
    assert server.ask(f"SELECT settled, tx = xmin::text::bigint {where}") == "0|t"
    with Generator(url) as generator:
        floor_ms = int(server.ask(f"SELECT floor_ms {where}"))
        assert polyflake.decode(generator.next_id()).time_ms >= floor_ms
    assert server.ask(f"SELECT settled, tx = xmin::text::bigint {where}") == "1|t"


def test_the_care_of_tables_alarms_nobody(server, namespace):
    url = f"{server.url}?namespace={namespace}"
    init_namespace(f"{url}&window_ms={WINDOW_MS}", fresh=True)
    with Generator(url) as generator:
        generator.next_id()
        for care in ("VACUUM FULL", "VACUUM FREEZE", "CLUSTER"):
            for table in TABLES:
                key = f" USING {table.partition('.')[2]}_pkey" if care == "CLUSTER" else ""
                server.ask(f"{care} {table}{key}")
            renew(generator)
            assert generator.worker == 0
        assert server.ask(f"SELECT floor_ms FROM public.polyflake_namespaces WHERE name = '{namespace}'") == "0"
        with Generator(f"{url}&label=0") as other:
            assert other.worker == 1
            other.next_id()  # at once


def test_a_row_that_was_edited_is_nobodys(server, namespace):
    url = f"{server.url}?namespace={namespace}"
    init_namespace(f"{url}&window_ms={WINDOW_MS}", fresh=True)
    with Generator(url) as generator:
        generator.next_id()
        server.ask(f"UPDATE public.polyflake_nodes SET until_ms = 0 WHERE name = '{namespace}'")
        with suppress(PolyflakeError):  # its record is not as it left it
            generator.renew()
        assert within(HANGS_S, lambda: generator.try_next_id() is not None and generator.worker == 1)
        with Generator(f"{url}&label=0") as other:
            assert other.worker == 2, "the row of node 0 may stand for a window that somebody has"


# --- standbys ---------------------------------------------------------------------------------------


def set_standbys(server, names):
    server.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
    server.ask("SELECT pg_reload_conf()")


def test_a_commit_that_no_standby_confirmed_is_not_had(namespace):
    """The server tells it by a warning alone, and commits."""
    with PostgreSQL() as server:
        url = f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}"
        init_namespace(url, fresh=True)
        with Generator(url) as generator, ThreadPoolExecutor() as pool:
            generator.next_id()
            before = generator.stats()
            set_standbys(server, "ANY 1 (a)")
            renewing = pool.submit(code_of, generator.renew)
            waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            assert within(HANGS_S, lambda: server.ask(f"SELECT count(pg_cancel_backend(pid)) {waiting}") != "0")
            assert within(HANGS_S, lambda: generator.stats().store_failures > before.store_failures)
            set_standbys(server, "")
            renewing.result()
            assert generator.stats().renewals == before.renewals
            assert generator.stats().until_ms == before.until_ms


ISSUER = """
import select, sys
from polyflake import Generator, PolyflakeError

generator = None
with open(sys.argv[2], "w") as file:
    while not select.select([sys.stdin], [], [], 0.001)[0]:
        try:
            generator = generator or Generator(sys.argv[1], layout=sys.argv[3])
            for id in filter(None, (generator.try_next_id() for _ in range(20))):
                file.write(f"{id}\\n")
            file.flush()
        except PolyflakeError:
            pass
"""


class Issuer:
    """A process that issues until it is ended."""

    def __init__(self, url, path, layout="polyflake"):
        self._path = path
        command = [sys.executable, "-c", ISSUER, url, str(path), layout]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ids(self):
        return [int(line) for line in self._path.read_text().split("\n")[:-1]] if self._path.exists() else []

    def end(self):
        """Ids, and what it said."""
        said = self._process.communicate()[1]
        return self.ids(), said


def holders(url, folder, name, least=1000):
    """Three processes that have issued."""
    all_of_them = [Issuer(url, folder / f"{name}{i}") for i in range(3)]
    assert within(HANGS_S, lambda: all(len(one.ids()) > least for one in all_of_them))
    return all_of_them


def issued_on_both_sides(old, to, place, folder):
    """Three hold leases where they were, and three more take some of `to`, once windows of before are over there."""
    last_ms = int(to.ask("SELECT max(until_ms) FROM polyflake_nodes"))
    assert within(HANGS_S, lambda: time.time() * 1000 > last_ms)
    new = holders(f"{to.url}{place}", folder, "new", 5000)
    ended = [one.end() for one in (*old, *new)]
    return *equal_ids([ids for ids, _ in ended]), "".join(said for _, said in ended[:3])


def split(namespace, folder, names):
    """The primary is cut off from both standbys, and the better one is promoted.

    Returns how many ids are equal, of how many, and what the first three said.
    """
    with PostgreSQL() as primary, primary.proxy() as way, ExitStack() as stack:
        standbys = [stack.enter_context(Standby(primary, name, way.port)) for name in ("a", "b")]
        set_standbys(primary, names)
        streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        assert within(HANGS_S, lambda: primary.ask(streaming) == "2")
        place = f"?namespace={namespace}"
        init_namespace(f"{primary.url}{place}{SHORT}", fresh=True)
        old = holders(f"{primary.url}{place}", folder, "old")
        way.refuse()
        way.cut()
        received = "SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')"
        standbys.sort(key=lambda standby: int(standby.ask(received)))
        other, better = standbys
        better.promote()
        if names:
            set_standbys(better, f"ANY 1 (p, {other.application})")
        other.follow(better)
        return issued_on_both_sides(old, better, place, folder)


def test_a_failover_repeats_no_id_where_a_majority_confirms(namespace, tmp_path, capsys):
    equal, of, said = split(namespace, tmp_path, "ANY 1 (a, b)")
    with capsys.disabled():
        print(f"\nsplit with ANY 1 (a, b): {equal} of {of} ids equal")
    assert equal == 0
    assert "standbys" not in said


def test_a_primary_that_lives_on_repeats_ids_where_standbys_are_asynchronous(namespace, tmp_path, capsys):
    """As docs/leases.md says: it must be fenced. Each holder was warned."""
    equal, of, said = split(namespace, tmp_path, "")
    with capsys.disabled():
        print(f"\nsplit of asynchronous standbys without fencing: {equal} of {of} ids equal")
    assert equal > 0
    assert said.count("RuntimeWarning: polyflake: this PostgreSQL has 2 standbys") == 3


def test_a_primary_of_mariadb_that_lives_on_repeats_ids(namespace, tmp_path, capsys):
    """As docs/leases.md says: it must be fenced."""
    with MariaDB("--server-id=1", "--log-bin") as primary, MariaDB("--server-id=2", "--log-bin") as replica:
        replica.follow(primary)
        place = f"?namespace={namespace}"
        init_namespace(f"{primary.url}{place}{SHORT}", fresh=True)
        old = holders(f"{primary.url}{place}", tmp_path, "old")
        held = "SELECT count(*) FROM polyflake_nodes"
        assert within(HANGS_S, lambda: "polyflake_nodes" in replica.ask("SHOW TABLES") and replica.ask(held) == "3")
        replica.promote()
        equal, of, _ = issued_on_both_sides(old, replica, place, tmp_path)
    with capsys.disabled():
        print(f"\nsplit of MariaDB without fencing: {equal} of {of} ids equal")
    assert equal > 0


# --- what operators do by hand ----------------------------------------------------------------------

NARROW = "timestamp:41 worker:2 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"  # node ids are soon taken again


@pytest.fixture(scope="module", params=[PostgreSQL, MariaDB], ids=lambda kind: kind.name)
def database(request):
    with request.param() as one:
        yield one


def test_deleted_rows_of_node_ids_begin_after_the_windows_of_before(database, namespace, tmp_path):
    place = f"?namespace={namespace}"
    init_namespace(f"{database.url}{place}{SHORT}", layout=NARROW, fresh=True)
    old = [Issuer(f"{database.url}{place}", tmp_path / f"old{i}", NARROW) for i in range(2)]
    assert within(HANGS_S, lambda: all(len(one.ids()) > 1000 for one in old))
    database.ask(f"DELETE FROM polyflake_nodes WHERE name = '{namespace}'")
    new = [Issuer(f"{database.url}{place}", tmp_path / f"new{i}", NARROW) for i in range(2)]
    assert within(HANGS_S, lambda: all(len(one.ids()) > 5000 for one in new))
    equal, _ = equal_ids([one.end()[0] for one in (*old, *new)])
    assert equal == 0


def test_emptied_tables_are_told_and_made_anew_after_the_windows_of_before(database, namespace, tmp_path):
    place = f"?namespace={namespace}"
    init_namespace(f"{database.url}{place}{SHORT}", fresh=True)
    old = holders(f"{database.url}{place}", tmp_path, "old")
    for table in ("polyflake_nodes", "polyflake_namespaces"):
        database.ask(f"DELETE FROM {table} WHERE name = '{namespace}'")
    assert code_of(lambda: Generator(f"{database.url}{place}")) == "namespace_not_initialised"
    init_namespace(f"{database.url}{place}{SHORT}")
    new = holders(f"{database.url}{place}", tmp_path, "new")
    equal, _ = equal_ids([one.end()[0] for one in (*old, *new)])
    assert equal == 0


@pytest.mark.parametrize("floor", ["as it was", "raised"])
def test_files_of_postgresql_that_were_put_back_need_a_raised_floor(namespace, floor, run_script, capsys):
    """As docs/leases.md says: without a new timeline nothing tells that they are older than they were."""
    with PostgreSQL() as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(f"{url}&window_ms=12000&tolerance_ms=100", fresh=True)
        server.keep_files()
        with Generator(url) as held:
            held.next_id()
            server.put_files_back()
            if floor == "raised":
                raise_floor(url, time_ms=int(time.time() * 1000) + 12_200)
            of_each = issued_beside((held,), run_script, url)
    equal, of = equal_ids(of_each)
    with capsys.disabled():
        print(f"\nfiles of PostgreSQL put back, floor {floor}: {equal} of {of} ids equal")
    assert (equal == 0) == (floor == "raised")


@pytest.mark.parametrize("floor", ["as it was", "raised"])
def test_tables_of_mariadb_that_were_put_back_need_a_raised_floor(namespace, floor, run_script, capsys):
    """As docs/leases.md says: nothing tells there that rows are older than they were."""
    with MariaDB() as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(f"{url}&window_ms=9000&tolerance_ms=100", fresh=True)
        with Generator(url) as before:
            before.next_id()
            tables = ("polyflake_namespaces", "polyflake_nodes")
            for table in tables:
                server.ask(f"CREATE TABLE of_{table} SELECT * FROM {table}")
            with Generator(f"{url}&renew_wait_ms=60000") as held:
                held.next_id()
                server.ask("; ".join(f"DELETE FROM {table}" for table in reversed(tables)))
                server.ask("; ".join(f"INSERT INTO {table} SELECT * FROM of_{table}" for table in tables))
                if floor == "raised":
                    raise_floor(url, time_ms=int(time.time() * 1000) + 9200)
                of_each = issued_beside((before, held), run_script, url)
    equal, of = equal_ids(of_each)
    with capsys.disabled():
        print(f"\ntables of MariaDB put back, floor {floor}: {equal} of {of} ids equal")
    assert (equal == 0) == (floor == "raised")
