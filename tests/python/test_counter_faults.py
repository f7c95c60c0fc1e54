"""Counters under faults, in the real stores: no number comes twice, or the right code does."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest
from by_hand import KINDS, delete_namespace
from patience import HANGS_S, patiently
from refusals import code_of
from servers import Archived, MariaDB, PgBouncer, PostgreSQL, Redis, Standby
from servers.waiting import within
from takers import open_takers, repeated, takers

import polyflake
from polyflake import Segment
from polyflake.stores import counters, init_counter, init_namespace, raise_counter

pytestmark = pytest.mark.usefixtures("patient_close")
TOLERANCE_MS = 50
TOLERANCE = f"&tolerance_ms={TOLERANCE_MS}"


def made(url, **options):
    """Makes the namespace and the counter; returns the address."""
    init_namespace(f"{url}{TOLERANCE}", fresh=True)
    init_counter(url, "orders", after=0, **options)
    return url


def orders(url, **options):
    """Opens the counter, with patience unless that is given."""
    return Segment(url, name="orders", **{"timeout_ms": HANGS_S * 1000, **options})


def show(capsys, what, *groups):
    equal, of = repeated(*groups)
    with capsys.disabled():
        print(f"\n{what}: {equal} of {of} numbers equal")
    assert of
    return equal


def numbers_of(group):
    return [number for one in group for number in one.numbers()]


# --- processes and servers that die -----------------------------------------------------------------


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def server(request):
    with request.param() as one:
        yield one


def test_killed_processes_and_a_killed_server_repeat_no_number(server, namespace, tmp_path, capsys):
    url = made(f"{server.url}?namespace={namespace}")
    with takers(url, tmp_path, "first", 4) as first:
        for one in first[:2]:
            one.kill()
        with takers(url, tmp_path, "second", 3) as second:
            server.kill()
            assert second[-1].is_refused("store_unavailable")
            server.start()
            assert all(one.goes_on() for one in (*first[2:], *second))
    assert show(capsys, f"{server.name} killed", first, second) == 0


def test_a_store_that_does_not_answer_is_bridged_by_what_is_held(server, namespace):
    url = made(f"{server.url}?namespace={namespace}")
    with orders(url, step=1000, timeout_ms=2000) as ids:
        first = patiently(ids.next_id)
        assert within(HANGS_S, lambda: ids.stats().held >= 999)
        server.pause()
        try:
            held = ids.stats().held
            taken = [ids.next_id() for _ in range(held)]
            assert code_of(ids.next_id) == "store_unavailable"
            assert ids.try_next_id() is None
        finally:
            server.resume()
        later = []
        assert within(HANGS_S, lambda: later.append(ids.try_next_id()) or later[-1] is not None)
        numbers = [first, *taken, later[-1]]
        assert numbers == sorted(set(numbers))


def test_a_clean_close_loses_none_and_a_kill_exactly_what_was_held(server, namespace, tmp_path):
    url = made(f"{server.url}?namespace={namespace}")
    expected = 1
    for _ in range(3):
        with orders(url, step=50) as ids:
            assert ids.next_ids(60) == list(range(expected, expected + 60))
        expected += 60
    held = subprocess.run(
        [sys.executable, "-c", KILLS_ITSELF, url], stdout=subprocess.PIPE, check=False, text=True
    ).stdout.split()
    first, of_it = int(held[0]), int(held[1])
    assert first == expected
    with orders(url, step=50) as ids:
        assert ids.next_id() == first + 10 + of_it


KILLS_ITSELF = f"""
import os, sys
from polyflake import Segment
ids = Segment(sys.argv[1], name="orders", timeout_ms=60_000, step=50)
first = ids.next_ids(10)[0]
print(first, ids.stats().held, flush=True)
os.kill(os.getpid(), {signal.SIGKILL.value})
"""


def test_a_forked_child_takes_numbers_of_its_own(server, namespace, run_script):
    url = made(f"{server.url}?namespace={namespace}")
    said = run_script(FORKS, url)
    numbers = [int(word) for word in said.split()]
    assert len(numbers) == len(set(numbers)) == 800


FORKS = """
import os, sys
from polyflake import Segment
ids = Segment(sys.argv[1], name="orders", timeout_ms=60_000, step=30)
mine = [ids.next_id() for _ in range(10)]
children = []
for _ in range(3):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, " ".join(str(ids.next_id()) for _ in range(200)).encode())
        ids.close()
        os._exit(0)
    os.close(writer)
    children.append((child, reader))
mine += [ids.next_id() for _ in range(190)]
print(*mine)
for child, reader in children:
    os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        print(pipe.read())
ids.close()
"""


def test_hosts_that_are_cut_off_for_a_while_repeat_no_number(server, namespace, tmp_path, capsys):
    """The others go on meanwhile; replies that were lost leave their numbers out."""
    url = made(f"{server.url}?namespace={namespace}")
    with ExitStack() as stack:
        way = stack.enter_context(server.proxy())
        near = stack.enter_context(takers(url, tmp_path, "near"))
        far_away = f"{server.url_at(way.port)}?namespace={namespace}"
        far = stack.enter_context(takers(far_away, tmp_path, "far"))
        way.drop()
        assert far[-1].is_refused("store_unavailable")
        assert all(one.goes_on(300) for one in near)
        way.heal()
        assert all(one.goes_on() for one in (*near, *far))
    assert show(capsys, f"hosts cut off from {server.name}", near, far) == 0


def test_processes_behind_a_pooler_repeat_no_number(namespace, tmp_path, capsys):
    """They share two sessions, which end once, and so does the pooler."""
    of_clients = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
    with PostgreSQL() as server, PgBouncer(server, 2) as pooler:
        url = made(f"{pooler.url}?namespace={namespace}")
        with takers(url, tmp_path, count=4) as four:
            server.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {of_clients}")
            assert all(one.goes_on() for one in four)
            pooler.kill()
            pooler.start()
            assert all(one.goes_on() for one in four)
    assert show(capsys, "PgBouncer, whose sessions end", four) == 0


def test_a_deleted_counter_is_told(server, namespace, tmp_path):
    url = made(f"{server.url}?namespace={namespace}")
    with takers(url, tmp_path, count=2) as both:
        if isinstance(server, (PostgreSQL, MariaDB)):
            server.ask(f"DELETE FROM polyflake_counter WHERE name = '{namespace}'")
        else:
            delete_namespace(server, namespace)
        assert all(one.is_refused("namespace_not_initialised") for one in both)
    assert repeated(both)[0] == 0


# --- replicas that are promoted ---------------------------------------------------------------------

FAILOVERS = 3


def test_replicas_of_redis_that_lost_numbers_go_on_above_them(namespace, tmp_path, capsys):
    """Each primary is cut off from its replica, goes on alone, and dies; the replica is promoted."""
    servers = [Redis() for _ in range(2)]
    with servers[0] as first, servers[1] as second, first.proxy() as way:
        url = f"{first.url_at(way.port)}?namespace={namespace}"
        init_namespace(f"{url}{TOLERANCE}", fresh=True, replicas="fenced")
        init_counter(url, "orders", after=0)
        primary, other = first, second
        with takers(url, tmp_path) as three:
            for _ in range(FAILOVERS):
                other.replica_of(primary)
                assert all(one.goes_on() for one in three)
                other.follow(way_to_nowhere())  # the link is down: the primary acknowledges alone
                primary.ask("CLIENT", "KILL", "TYPE", "replica")
                assert all(one.goes_on(300) for one in three)
                primary.pause()
                other.promote()
                way.lead_to(other.port)
                way.cut()
                assert all(one.goes_on() for one in three)
                primary.resume()
                primary, other = other, primary
        lost = three
    assert show(capsys, f"{FAILOVERS} failovers of Redis that lost numbers", lost) == 0


def test_a_promoted_redis_gives_no_numbers_beside_the_old_primary(namespace, tmp_path, capsys):
    """The namespace names three copies, of which the promoted one has only itself."""
    with Redis() as primary, Redis() as promoted, Redis() as replica:
        for one in (promoted, replica):
            one.replica_of(primary)
        assert within(HANGS_S, lambda: primary.info("replication")["connected_slaves"] == "2")
        place = f"?namespace={namespace}"
        made(f"{primary.url}{place}")
        assert within(HANGS_S, lambda: promoted.ask("EXISTS", f"polyflake:{{{namespace}}}:counter:orders"))
        with takers(f"{primary.url}{place}", tmp_path, "old") as old:
            promoted.promote()
            with open_takers(f"{promoted.url}{place}", tmp_path, "new", 2) as new:
                assert all(one.is_refused("store_unavailable") for one in new)
                assert all(one.goes_on() for one in old)
                replica.pause()
                assert old[-1].is_refused("store_unavailable")
                replica.resume()
                assert all(one.goes_on() for one in old)
            assert not any(one.numbers() for one in new)
    assert show(capsys, "a promoted Redis beside the old primary", old, new) == 0


def way_to_nowhere():
    return 1  # nothing listens there


def test_a_promoted_standby_of_postgresql_goes_on_above_what_was_lost(namespace, tmp_path, capsys):
    with ExitStack() as stack:
        primary = stack.enter_context(PostgreSQL())
        link, way = stack.enter_context(primary.proxy()), stack.enter_context(primary.proxy())
        standby = stack.enter_context(Standby(primary, "a", link.port))
        url = made(f"{primary.url_at(way.port)}?namespace={namespace}")
        with takers(url, tmp_path) as three:
            assert within(HANGS_S, lambda: "polyflake_counter" in standby.ask("SELECT relname FROM pg_class"))
            link.refuse()
            link.cut()
            assert all(one.goes_on(300) for one in three)
            primary.kill()
            standby.promote()
            way.lead_to(standby.port)
            way.cut()
            assert all(one.goes_on() for one in three)
    assert show(capsys, "asynchronous standby of PostgreSQL promoted", three) == 0


# --- records that are put back ----------------------------------------------------------------------


def test_rows_of_postgresql_that_were_put_back_are_noticed(namespace, tmp_path, capsys):
    with PostgreSQL() as server:
        url = made(f"{server.url}?namespace={namespace}")
        with takers(url, tmp_path) as three:
            server.ask("CREATE TABLE kept AS SELECT * FROM polyflake_counter")
            assert all(one.goes_on(300) for one in three)
            server.ask("BEGIN; DELETE FROM polyflake_counter; INSERT INTO polyflake_counter SELECT * FROM kept; COMMIT")
            assert all(one.goes_on() for one in three)
    assert show(capsys, "rows of PostgreSQL put back", three) == 0


def test_an_open_source_notices_rows_of_postgresql_that_were_put_back(namespace):
    """It takes its next number without reading the counter before."""
    with PostgreSQL() as server:
        url = made(f"{server.url}?namespace={namespace}")
        with orders(url, step=1) as ids, orders(url, step=2) as others:
            first = ids.next_ids(5)
            server.ask("CREATE TABLE kept AS SELECT * FROM polyflake_counter")
            lost = others.next_ids(100)
            server.ask("BEGIN; DELETE FROM polyflake_counter; INSERT INTO polyflake_counter SELECT * FROM kept; COMMIT")
            numbers = [*first, *lost, *ids.next_ids(50), *others.next_ids(50)]
    assert len(numbers) == len(set(numbers)) == 205


@pytest.mark.parametrize("raised", [False, True], ids=["as it was", "raised"])
def test_rows_of_mariadb_that_were_put_back_need_a_raised_counter(namespace, raised, capsys):
    """As docs/segments.md says: nothing tells there that rows are older than they were."""
    with MariaDB() as server:
        url = made(f"{server.url}?namespace={namespace}")
        server.ask("CREATE TABLE kept SELECT * FROM polyflake_counter")
        with orders(url, step=10) as ids:
            before = ids.next_ids(200)
        server.ask("DELETE FROM polyflake_counter; INSERT INTO polyflake_counter SELECT * FROM kept")
        if raised:
            raise_counter(url, "orders", after=before[-1])
        with orders(url, step=10, hold_ms=30_001) as ids:
            after = ids.next_ids(200)
    equal = len(set(before) & set(after))
    with capsys.disabled():
        print(
            f"\nrows of MariaDB put back, counter {'raised' if raised else 'as it was'}: {equal} of 400 numbers equal"
        )
    assert (equal == 0) == raised


def test_a_redis_put_back_to_older_files_goes_on_above_them(namespace, tmp_path, capsys):
    with Redis() as server:
        url = made(f"{server.url}?namespace={namespace}")
        server.keep_files()
        with takers(url, tmp_path) as three:
            assert all(one.goes_on(300) for one in three)
            server.put_files_back()
            assert all(one.goes_on() for one in three)
    assert show(capsys, "older files of Redis", three) == 0


# --- a database that is restored to a point in time -------------------------------------------------

RATE, BURST = 1_000_000, 10_000_000  # the defaults; a second, and at once


def time_ms(server):
    return int(server.ask("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)"))


def backed_up(server, namespace, **options):
    """Makes the counter; returns its address."""
    url = made(f"{server.url}?namespace={namespace}", **options)
    server.back_up()
    return url


@pytest.mark.parametrize("same_timeline", [False, True], ids=["two_timelines", "one_timeline_twice"])
def test_a_postgresql_restored_to_a_point_in_time_goes_on_above_what_was_lost(
    namespace, tmp_path, same_timeline, capsys
):
    """Twice to the same point, so that the second restore loses what the first one wrote."""
    with Archived() as server:
        url = backed_up(server, namespace)
        with takers(url, tmp_path) as three:
            then_ms, (then,) = time_ms(server), counters(url)
            server.ask("SELECT pg_create_restore_point('before')")
            for _ in range(2):
                assert all(one.goes_on(300) for one in three)
                highest = max(numbers_of(three))
                server.restore("before", same_timeline=same_timeline)
                assert all(one.goes_on() for one in three)
                without_top_up_ms = then.top_up_age_ms + time_ms(server) - then_ms
                most = then.next + BURST + RATE * (without_top_up_ms + 2 * TOLERANCE_MS) // 1000
                assert highest < max(numbers_of(three)) < most
        assert {code for one in three for code in one.refusals()} <= {"store_unavailable"}
    assert show(capsys, "PostgreSQL restored to a point in time", three) == 0


def test_a_counter_that_stops_tells_a_postgresql_restored_to_a_point_in_time(namespace, tmp_path, capsys):
    with Archived() as server:
        url = backed_up(server, namespace, failover="stop")
        with takers(url, tmp_path, count=2) as both:
            server.ask("SELECT pg_create_restore_point('before')")
            assert all(one.goes_on(300) for one in both)
            server.restore("before")
            assert all(one.is_refused("store_went_back") for one in both)
            raise_counter(url, "orders", after=max(numbers_of(both)) + 10_000)
            assert all(one.goes_on() for one in both)
    assert show(capsys, "PostgreSQL restored under a counter that stops", both) == 0


# --- settings and policies --------------------------------------------------------------------------


def test_a_counter_that_stops_waits_for_an_operator(namespace, tmp_path):
    with Redis() as server:
        url = made(f"{server.url}?namespace={namespace}", failover="stop")
        with takers(url, tmp_path, count=2) as both:
            server.restart()
            assert all(one.is_refused("store_went_back") for one in both)
            raise_counter(url, "orders", after=max(numbers_of(both)) + 10_000)
            assert all(one.goes_on() for one in both)
    assert repeated(both)[0] == 0


def test_a_counter_that_trusts_goes_on_where_it_was(namespace):
    with Redis() as server:
        url = made(f"{server.url}?namespace={namespace}", failover="trust")
        with orders(url, step=1) as ids:
            assert ids.next_id() == 1
            server.restart()
            numbers = []
            assert within(HANGS_S, lambda: numbers.append(taken(ids)) or numbers[-1] is not None)
            assert numbers[-1] <= 1 + len(numbers)


def taken(ids):
    try:
        return ids.next_id()
    except polyflake.PolyflakeError:
        return None


def test_databases_that_could_forget_a_commit_are_refused(namespace):
    with PostgreSQL("-c", "fsync=off") as server:
        url = f"{server.url}?namespace={namespace}"
        init_namespace(url, fresh=True)
        assert code_of(lambda: init_counter(url, "orders", after=0)) == "store_misconfigured"
    with MariaDB() as server:
        url = made(f"{server.url}?namespace={namespace}")
        server.ask("SET GLOBAL innodb_flush_log_at_trx_commit = 2")
        assert code_of(lambda: orders(url)) == "store_misconfigured"
