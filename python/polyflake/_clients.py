"""Clients that stores take, so that a client that was passed without its store gets advice."""

from __future__ import annotations

_STORES = {  # by the package of the client
    "redis": "redis.RedisStore",
    "kazoo": "zookeeper.ZooKeeperStore",
    "psycopg": "sql.SqlStore",
    "psycopg2": "sql.SqlStore",
    "psycopg_pool": "sql.SqlStore",
    "sqlalchemy": "sql.SqlStore",
    "pymysql": "sql.SqlStore",
    "MySQLdb": "sql.SqlStore",
}


def store_taking(client: object) -> str | None:
    """Returns the full name of the store that takes this client; None if it is not a client."""
    store = _STORES.get(type(client).__module__.partition(".")[0])
    return None if store is None else f"polyflake.stores.{store}"
