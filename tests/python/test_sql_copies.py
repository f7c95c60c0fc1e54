"""Databases with copies, and databases that were put back or edited by hand: what docs/leases.md promises, and what not."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from issuers import SHORT, Issuer, equal_ids, issued_beside
from patience import HANGS_S
from refusals import code_of
from servers import MariaDB, PostgreSQL, Standby
from servers.waiting import within

from polyflake import Generator
from polyflake.stores import init_namespace, raise_floor

pytestmark = pytest.mark.usefixtures("patient_close")
WINDOW_MS = 600_000  # no lease is renewed or ends


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


def holders(url, folder, name, least=1000):
    """Three processes that have issued."""
    all_of_them = [Issuer(url, folder / f"{name}{i}") for i in range(3)]
    assert within(HANGS_S, lambda: all(len(one.ids()) > least for one in all_of_them))
    return all_of_them


def issued_on_both_sides(old, to, place, folder):
    """The holders of before issue on; once their windows are over in `to`, three more processes take leases there."""
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


# The window of the namespace: so long that it lasts on a busy machine where ids are to repeat.
FLOORS = {"as it was": 60_000, "raised": 9_000}


@pytest.mark.parametrize("floor", FLOORS)
def test_files_of_postgresql_that_were_put_back_need_a_raised_floor(namespace, floor, run_script, capsys):
    """As docs/leases.md says: without a new timeline nothing tells that they are older than they were."""
    with PostgreSQL() as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(f"{url}&window_ms={FLOORS[floor]}&tolerance_ms=100", fresh=True)
        server.keep_files()
        with Generator(url) as held:
            held.next_id()
            server.put_files_back()
            if floor == "raised":
                raise_floor(url, time_ms=int(time.time() * 1000) + FLOORS[floor] + 200)
            of_each = issued_beside((held,), run_script, url)
    equal, of = equal_ids(of_each)
    with capsys.disabled():
        print(f"\nfiles of PostgreSQL put back, floor {floor}: {equal} of {of} ids equal")
    assert (equal == 0) == (floor == "raised")


@pytest.mark.parametrize("floor", FLOORS)
def test_tables_of_mariadb_that_were_put_back_need_a_raised_floor(namespace, floor, run_script, capsys):
    """As docs/leases.md says: nothing tells there that rows are older than they were."""
    with MariaDB() as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(f"{url}&window_ms={FLOORS[floor]}&tolerance_ms=100", fresh=True)
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
    equal, of = equal_ids(of_each)
    with capsys.disabled():
        print(f"\ntables of MariaDB put back, floor {floor}: {equal} of {of} ids equal")
    assert (equal == 0) == (floor == "raised")
