"""Servers lose what they acknowledged: Redis has replicas and promotes them; PostgreSQL is restored to a point in time."""

from __future__ import annotations

import pytest

from . import Archived, Redis, ServerError, start_all
from .waiting import within


@pytest.fixture
def primary_and_replica():
    with Redis() as primary, Redis() as replica:
        replica.replica_of(primary)
        yield primary, replica


def test_a_replica_has_what_its_primary_has_and_becomes_one(primary_and_replica):
    primary, replica = primary_and_replica
    primary.ask("SET", "key", "value")
    assert primary.info("replication")["connected_slaves"] == "1"
    assert within(60, lambda: replica.ask("GET", "key") == "value")
    with pytest.raises(ServerError, match="READONLY"):
        replica.ask("SET", "key", "other")
    primary.kill()
    replica.promote()
    assert replica.ask("SET", "key", "other") == "OK"


def test_a_primary_refuses_writes_with_too_few_replicas(primary_and_replica):
    primary, replica = primary_and_replica
    primary.require_replicas(1)
    # A replica says that it follows before its primary has heard of it.
    assert within(60, lambda: primary.info("replication")["min_slaves_good_slaves"] == "1")
    assert primary.ask("SET", "key", "value") == "OK"
    replica.kill()
    assert within(60, lambda: primary.info("replication")["connected_slaves"] == "0")
    with pytest.raises(ServerError, match="NOREPLICAS"):
        primary.ask("SET", "key", "value")


def test_an_acknowledged_write_that_the_replica_never_got_is_lost():
    primary, replica = servers = Redis(), Redis()
    try:
        start_all(servers)
        with primary.proxy() as between:
            replica.follow(between.port)
            assert within(60, replica.is_linked)
            between.drop("replies")
            assert primary.ask("SET", "key", "lost") == "OK"
            primary.kill()
            replica.promote()
            assert replica.ask("GET", "key") is None
    finally:
        for server in servers:
            server.close()


def test_a_postgresql_is_restored_to_a_point_in_time_again_and_again():
    with Archived() as server:
        server.back_up()
        server.ask("CREATE TABLE kept (value INT); INSERT INTO kept VALUES (1)")
        server.ask("SELECT pg_create_restore_point('before')")
        for timeline, same_timeline in (("00000002", False), ("00000003", False), ("00000002", True)):
            server.ask("INSERT INTO kept VALUES (2)")
            server.restore("before", same_timeline=same_timeline)
            assert server.ask("SELECT value FROM kept") == "1"
            assert server.ask("SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)") == timeline
