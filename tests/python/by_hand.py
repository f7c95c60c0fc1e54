"""Deletions by an operator with the tools of a store, under its holders."""

from __future__ import annotations

import base64
import json
import urllib.request
from contextlib import suppress

import kazoo.client
import redis
from kazoo.exceptions import NotEmptyError
from servers import Etcd, MariaDB, PostgreSQL, Redis, ZooKeeper

KINDS = (Redis, ZooKeeper, Etcd, PostgreSQL, MariaDB)


def delete_namespace(server, namespace):
    """Its record, and those of its node ids."""
    if isinstance(server, Redis):
        delete_keys(server, f"polyflake:{{{namespace}}}:*")
    elif isinstance(server, ZooKeeper):
        delete_trees(server, lambda _: [f"/polyflake/{namespace}"])
    elif isinstance(server, Etcd):
        delete_range(server, f"polyflake/{namespace}")
    else:
        delete_rows(server, namespace, "polyflake_nodes", "polyflake_namespaces")


def delete_node_ids(server, namespace):
    """The records of all node ids."""
    if isinstance(server, Redis):
        delete_keys(server, f"polyflake:{{{namespace}}}:node:*")
    elif isinstance(server, ZooKeeper):
        folder = f"/polyflake/{namespace}/node"
        delete_trees(server, lambda client: [f"{folder}/{node}" for node in client.get_children(folder)])
    elif isinstance(server, Etcd):
        delete_range(server, f"polyflake/{namespace}/node/")
    else:
        delete_rows(server, namespace, "polyflake_nodes")


def delete_keys(server, pattern):
    with redis.Redis(port=server.port) as client:
        assert client.delete(*client.keys(pattern)) > 0


def delete_trees(server, paths):
    client = kazoo.client.KazooClient(f"127.0.0.1:{server.port}")
    client.start()
    for path in paths(client):
        while client.exists(path):
            with suppress(NotEmptyError):  # a renewal came in between
                client.delete(path, recursive=True)
    client.stop()
    client.close()


def delete_range(server, prefix):
    first, last = (base64.b64encode(f"{prefix}{end}".encode()).decode() for end in ("", "\x7f"))
    body = json.dumps({"key": first, "range_end": last}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/v3/kv/deleterange", body) as reply:
        assert int(json.load(reply)["deleted"]) > 0


def delete_rows(server, namespace, *tables):
    """All in one transaction, which stops holders: else one writes its node id again in between."""
    where = f"WHERE name = '{namespace}'"
    deletions = "".join(f"DELETE FROM {table} {where}; " for table in tables)
    server.ask(f"BEGIN; SELECT * FROM polyflake_namespaces {where} FOR UPDATE; {deletions}COMMIT")
