"""Leases in databases: schemas and roles, poolers, rows that were put back."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress

import psycopg
import pytest
import sqlalchemy
from issuers import SHORT, equal_ids, issued_beside
from patience import HANGS_S, renew
from refusals import code_of
from servers import MariaDB, PgBouncer, PostgreSQL
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


def as_role(server, role):
    return server.url.replace(f"{server.user}:{server.password}@", f"{role}:{PASSWORD}@")


def issued_by(generators, count=20_000):
    """Ids of each, in turns, so that they share their milliseconds."""
    ids = [[] for _ in generators]
    while len(ids[0]) < count:
        for generator, mine in zip(generators, ids):
            mine += generator.next_ids(200)
    return ids


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


def test_tables_of_mysql_have_transactions_whatever_the_default_engine_is(namespace):
    with MariaDB("--default-storage-engine=Aria") as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(url, fresh=True)
        engines = "SELECT DISTINCT engine FROM information_schema.tables WHERE table_name LIKE 'polyflake%'"
        assert server.ask(engines) == "InnoDB"
        server.ask("ALTER TABLE polyflake_nodes DROP FOREIGN KEY polyflake_nodes_ibfk_1")
        server.ask("ALTER TABLE polyflake_nodes ENGINE = Aria")
        with pytest.raises(PolyflakeError, match="InnoDB, and one of them is of 'Aria'") as refusal:
            Generator(url)
        assert refusal.value.code == "store_unavailable"
        server.ask("RENAME TABLE polyflake_nodes TO elsewhere; CREATE VIEW polyflake_nodes AS SELECT * FROM elsewhere")
        with pytest.raises(PolyflakeError, match="InnoDB, and one of them is of 'VIEW'"):
            Generator(url)


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


def test_a_database_made_from_a_template_is_another_store(server, namespace):
    """Its rows are as they were written, and so is their transaction."""
    window_ms, tolerance_ms = 1500, 100
    first, second = (f"{server.url.rpartition('/')[0]}/{name}_of_two" for name in ("first", "second"))
    server.ask("CREATE DATABASE first_of_two")
    url = f"{first}?namespace={namespace}&window_ms={window_ms}&tolerance_ms={tolerance_ms}"
    init_namespace(url, fresh=True)
    with Generator(url) as generator:
        generator.next_id()
    sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'first_of_two'"
    assert within(HANGS_S, lambda: server.ask(sessions) == "0")
    server.ask("CREATE DATABASE second_of_two TEMPLATE first_of_two")
    before_ms = int(time.time() * 1000)
    with Generator(f"{second}?namespace={namespace}") as generator:
        assert polyflake.decode(generator.next_id()).time_ms >= before_ms + window_ms + 2 * tolerance_ms


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
