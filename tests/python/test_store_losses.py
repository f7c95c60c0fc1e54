"""Stores that forget, are put back, or are edited by hand under their holders: what docs/leases.md promises, and what not."""

from __future__ import annotations

import time

import pytest
from by_hand import KINDS, delete_namespace, delete_node_ids
from issuers import SHORT, Issuer, equal_ids, issued_beside
from patience import HANGS_S
from refusals import code_of
from servers import Archived, MariaDB, PostgreSQL, Redis, ZooKeeper
from servers.waiting import within

from polyflake import Generator
from polyflake.stores import init_namespace, raise_floor

pytestmark = pytest.mark.usefixtures("patient_close")
NARROW = "timestamp:41 worker:2 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"  # node ids are soon taken again


# --- records that are deleted -----------------------------------------------------------------------


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def store(request):
    with request.param() as one:
        yield one


def test_deleted_records_of_node_ids_begin_after_the_windows_of_before(store, namespace, tmp_path):
    place = f"?namespace={namespace}"
    init_namespace(f"{store.url}{place}{SHORT}", layout=NARROW, fresh=True)
    old = issuers(f"{store.url}{place}", tmp_path, "old", 1000)
    delete_node_ids(store, namespace)
    check_none_is_equal(old, issuers(f"{store.url}{place}", tmp_path, "new", 5000))


def test_a_deleted_namespace_is_told_and_made_a_second_time_after_the_windows_of_before(store, namespace, tmp_path):
    place = f"?namespace={namespace}"
    init_namespace(f"{store.url}{place}{SHORT}", layout=NARROW, fresh=True)
    old = issuers(f"{store.url}{place}", tmp_path, "old", 1000)
    delete_namespace(store, namespace)
    assert code_of(lambda: Generator(f"{store.url}{place}", layout=NARROW)) == "namespace_not_initialised"
    init_namespace(f"{store.url}{place}{SHORT}", layout=NARROW)
    check_none_is_equal(old, issuers(f"{store.url}{place}", tmp_path, "new", 5000))


def issuers(url, folder, name, least):
    """Two processes, once each has issued so many ids."""
    both = [Issuer(url, folder / f"{name}{i}", NARROW) for i in range(2)]
    assert within(HANGS_S, lambda: all(one.count() > least for one in both))
    return both


def check_none_is_equal(old, new):
    equal, _ = equal_ids([one.end()[0] for one in (*old, *new)])
    assert equal == 0


# --- files and tables that are put back -------------------------------------------------------------

# The window of the namespace: so long that it lasts on a busy machine where ids are to repeat.
FLOORS = {"as it was": 60_000, "raised": 9_000}
FORGOTTEN_MS = 9_000  # longer than a restore takes, unless the machine is busy


def namespace_before(server, namespace, floor):
    """Makes a namespace with windows of that kind; returns its address."""
    url = f"{server.url}?namespace={namespace}"
    init_namespace(f"{url}&window_ms={FLOORS[floor]}&tolerance_ms=100", fresh=True)
    return url


def check_repeated(of_each, floor, what, capsys):
    equal, of = equal_ids(of_each)
    with capsys.disabled():
        print(f"\n{what} put back, floor {floor}: {equal} of {of} ids equal")
    assert (equal == 0) == (floor == "raised")


def put_back(server, url, floor, run_script):
    """Ids that were issued beside each other after the files were put back under a holder."""
    with Generator(url) as held:
        held.next_id()
        server.put_files_back()
        if floor == "raised":
            raise_floor(url, time_ms=int(time.time() * 1000) + FLOORS[floor] + 200)
        return issued_beside((held,), run_script, url)


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("kind", [PostgreSQL, ZooKeeper], ids=lambda kind: kind.name)
def test_files_that_were_put_back_need_a_raised_floor(kind, namespace, floor, run_script, capsys):
    """As docs/leases.md says: nothing tells that they are older than they were, in PostgreSQL without a new timeline."""
    with kind() as server:
        url = namespace_before(server, namespace, floor)
        server.keep_files()
        of_each = put_back(server, url, floor, run_script)
    check_repeated(of_each, floor, f"files of {kind.name}", capsys)


def test_a_postgresql_restored_to_a_point_in_time_is_another_store(namespace, tmp_path):
    """Its leases begin after the windows that the restore forgot."""
    with Archived() as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(f"{url}&window_ms={FORGOTTEN_MS}&tolerance_ms=100", layout=NARROW, fresh=True)
        server.back_up()
        server.ask("SELECT pg_create_restore_point('before')")
        old = issuers(url, tmp_path, "old", 1000)
        server.restore("before")
        check_none_is_equal(old, issuers(url, tmp_path, "new", 5000))


def test_a_redis_with_older_files_is_another_store(namespace, run_script):
    with Redis() as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(f"{url}{SHORT}", fresh=True)
        server.keep_files()
        equal, _ = equal_ids(put_back(server, url, "as it was", run_script))
    assert equal == 0


@pytest.mark.parametrize("floor", FLOORS)
def test_tables_of_mariadb_that_were_put_back_need_a_raised_floor(namespace, floor, run_script, capsys):
    """As docs/leases.md says: nothing tells there that rows are older than they were."""
    with MariaDB() as server:
        url = namespace_before(server, namespace, floor)
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
                    raise_floor(url, time_ms=int(time.time() * 1000) + FLOORS[floor] + 200)
                of_each = issued_beside((before, held), run_script, url)
    check_repeated(of_each, floor, "tables of MariaDB", capsys)
