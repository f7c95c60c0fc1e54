"""Databases with copies: what docs/leases.md promises, and what not."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import pytest
from issuers import SHORT, equal_ids, holders
from patience import HANGS_S
from servers import MariaDB, PostgreSQL, Standby
from servers.waiting import within

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases

pytestmark = pytest.mark.usefixtures("patient_close")
WINDOW_MS = 600_000  # no lease is renewed or ends


def set_standbys(server, names):
    server.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
    server.ask("SELECT pg_reload_conf()")


def cancel_waiting_commit(server):
    """Returns whether there was one."""
    return server.ask("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") != "0"


def make_commits_wait_for(server, names):
    """Returns when each commit waits for these standbys.

    Sessions hear from the checkpointer that there are any, some time after pg_reload_conf() has returned.
    """
    set_standbys(server, "ANY 1 (nobody)")
    with ThreadPoolExecutor() as pool:

        def one_waits():
            commit = pool.submit(server.ask, "SELECT pg_logical_emit_message(true, 'test', 'a commit')")
            while not commit.done():
                if cancel_waiting_commit(server):
                    return True
            return False

        assert within(HANGS_S, one_waits)
    set_standbys(server, names)


def test_a_commit_that_no_standby_confirmed_is_not_had(namespace):
    """The server tells it by a warning alone, and commits."""
    with PostgreSQL() as server:
        url = f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}"
        init_namespace(url, fresh=True)
        with Generator(url) as generator, ThreadPoolExecutor() as pool:
            generator.next_id()
            before = generator.stats()
            make_commits_wait_for(server, "ANY 1 (a)")
            renewing = pool.submit(generator.renew)
            assert within(HANGS_S, lambda: cancel_waiting_commit(server))
            assert within(HANGS_S, lambda: generator.stats().store_failures > before.store_failures)
            set_standbys(server, "")
            with suppress(PolyflakeError):  # it gives up after 2 s
                renewing.result()
            # A window of another node id is confirmed.
            assert within(HANGS_S, lambda: 1 in [one.node for one in leases(url)])
            assert generator.stats().renewals == before.renewals
            assert generator.stats().until_ms == before.until_ms


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
        if names:
            make_commits_wait_for(primary, names)
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
            make_commits_wait_for(better, f"ANY 1 (p, {other.application})")
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
