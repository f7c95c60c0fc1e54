"""Leases in Redis, over redis-py. `pip install polyflake[redis]`."""

from __future__ import annotations

from urllib.parse import urlsplit

from polyflake.stores import Store

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

    from polyflake.stores import Row

try:
    import redis
except ImportError as error:
    raise ImportError("leases in Redis need the package redis: pip install 'polyflake[redis]'") from error


class RedisStore(Store):
    """Leases in Redis 7 or later. client: a redis.Redis, also one of Sentinel or a Cluster; its own retries are not used."""

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__("redis", "redis", **options)
        self._client = client

    def _prepare(self, url: str) -> None:
        if url.startswith("redis+sentinel://"):
            self._client = _behind_sentinel(url)
        else:
            self._client = redis.Redis.from_url(url)

    def connect(self, setup: list[str], timeout_s: float) -> _Connection:
        return _Connection(self._client, timeout_s)

    def forget_connections(self) -> None:
        if hasattr(self._client, "connection_pool"):
            self._client.connection_pool.reset()


class _Connection:
    """Each command goes over one connection of the client's: the script, then WAIT."""

    def __init__(self, client: Any, timeout_s: float) -> None:
        self._client = client

    def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
        (script,), keys, arguments, (replicas, timeout_ms) = parts
        node = self._client
        if hasattr(node, "get_node_from_key"):  # a cluster: the primary of the namespace's slot
            node = node.get_redis_connection(node.get_node_from_key(keys[0]))
        with node.pipeline(transaction=False) as pipeline:
            pipeline.eval(script, len(keys), *keys, *arguments)
            if replicas != "0":
                pipeline.wait(int(replicas), int(timeout_ms))
            result, *copies = pipeline.execute()
        return [[_text(value) for value in result], *([str(n)] for n in copies)]

    def close(self) -> None:
        if hasattr(self._client, "connection_pool"):
            self._client.connection_pool.disconnect()


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("ascii", "replace")


def _behind_sentinel(url: str) -> Any:
    """redis+sentinel://[user:password@]host:port,host:port/name-of-the-primary[/database]"""
    from redis.sentinel import Sentinel

    parts = urlsplit(url)
    hosts = parts.netloc.rpartition("@")[2].split(",")
    sentinels = [(host.rpartition(":")[0], int(host.rpartition(":")[2])) for host in hosts]
    name, _, database = parts.path.lstrip("/").partition("/")
    return Sentinel(sentinels).master_for(
        name, username=parts.username, password=parts.password, db=int(database or 0)
    )
