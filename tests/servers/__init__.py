"""Real servers for tests, each a process of its own on a free port of this host, and faults between them and the test.

    with Redis() as redis, redis.proxy() as proxy:
        client = connect(redis.url_at(proxy.port))
        proxy.delay(500, "replies")
        redis.kill()
        redis.restart()

For tests in other languages: `tests/servers/run`, whose module __main__ says how.
"""

from .etcd import Etcd
from .galera import Galera
from .guarded import ServerError
from .mariadb import MariaDB
from .pgbouncer import PgBouncer
from .postgresql import Archived, PostgreSQL, Standby
from .proxy import Proxy
from .redis import Redis
from .server import Server, start_all
from .zookeeper import ZooKeeper

KINDS = {kind.name: kind for kind in (Redis, ZooKeeper, Etcd, PostgreSQL, MariaDB)}

__all__ = [
    "KINDS",
    "Archived",
    "Etcd",
    "Galera",
    "MariaDB",
    "PgBouncer",
    "PostgreSQL",
    "Proxy",
    "Redis",
    "Server",
    "ServerError",
    "Standby",
    "ZooKeeper",
    "start_all",
]
