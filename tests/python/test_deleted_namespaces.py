"""A starting process makes a namespace a second time after it was deleted by hand under a holder."""

from __future__ import annotations

import base64
import json
import urllib.request
from contextlib import suppress

import kazoo.client
import pytest
import redis
from kazoo.exceptions import NotEmptyError
from refusals import code_of
from servers import Etcd, MariaDB, PostgreSQL, Redis, ZooKeeper

import polyflake
from polyflake import Generator
from polyflake.stores import init_namespace

WINDOW_MS, TOLERANCE_MS = 3000, 100


def from_redis(server, namespace):
    with redis.Redis(port=server.port) as client:
        client.delete(*client.keys(f"polyflake:{{{namespace}}}:*"))


def from_zookeeper(server, namespace):
    client = kazoo.client.KazooClient(f"127.0.0.1:{server.port}")
    client.start()
    while client.exists(f"/polyflake/{namespace}"):
        with suppress(NotEmptyError):  # a renewal came in between
            client.delete(f"/polyflake/{namespace}", recursive=True)
    client.stop()
    client.close()


def from_etcd(server, namespace):
    first, last = (base64.b64encode(f"polyflake/{namespace}{end}".encode()).decode() for end in "/0")
    body = json.dumps({"key": first, "range_end": last}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/v3/kv/deleterange", body) as reply:
        assert int(json.load(reply)["deleted"]) > 0


def from_tables(server, namespace):
    for table in ("polyflake_nodes", "polyflake_namespaces"):
        server.ask(f"DELETE FROM {table} WHERE name = '{namespace}'")


KINDS = {
    Redis: from_redis,
    ZooKeeper: from_zookeeper,
    Etcd: from_etcd,
    PostgreSQL: from_tables,
    MariaDB: from_tables,
}
FIRST_ID = "import sys, polyflake; print(polyflake.Generator(sys.argv[1]).next_id())"


@pytest.mark.parametrize("kind", KINDS, ids=[kind.scheme for kind in KINDS])
def test_the_first_id_of_a_namespace_made_a_second_time_is_after_the_window_of_before(kind, run_script):
    with kind() as server:
        namespace = "deleted"
        url = f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}"
        init_namespace(url, fresh=True)
        with Generator(url) as holder:
            before = holder.next_ids(1000)
            KINDS[kind](server, namespace)
            # Nothing that it asked for is on its way any more.
            assert code_of(holder.renew) in ("namespace_not_initialised", "lease_lost")
            until_ms = holder.stats().until_ms
            first = int(run_script(FIRST_ID, f"{url}&auto_init=1"))
            assert polyflake.decode(first).time_ms >= until_ms
            assert first not in before
