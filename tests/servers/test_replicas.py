"""What tests of a failover do with Redis: replicas, promotion, writes that too few replicas hear of, lost writes."""

from __future__ import annotations

import pytest

from . import Redis, ServerError, start_all
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
