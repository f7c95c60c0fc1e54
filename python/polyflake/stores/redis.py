"""Leases in Redis, over redis-py. `pip install polyflake[redis]`.

A lease has its own connection, made with the settings of the client. The dialogue is the same with
and without asyncio: generators yield a request and receive its reply.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from polyflake._arguments import fail, quoted, shown
from polyflake._carrier import opens
from polyflake.stores._store import Store

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any, Union

    import redis.asyncio
    from typing_extensions import Unpack

    from polyflake.stores._store import Row, StoreOptions

    Request = tuple[Union[str, int], ...]

try:
    import redis
except ImportError as error:
    raise ImportError("leases in Redis need the package redis: pip install 'polyflake[redis]'") from error

_SENTINEL_PORT = 26379
_SENTINEL_S = 1.0  # time limit for an answer of one Sentinel
# Internal settings that pools and clusters pass to their connections.
_OF_THE_POOL = ("maint", "orig_", "oss_cluster", "himport", "event_dispatcher")
# The client keeps the first word of an error as a class.
_CODES = {"AuthenticationError": "WRONGPASS", "NoPermissionError": "NOPERM", "BusyLoadingError": "LOADING"}


class RedisStore(Store):
    """Leases in Redis 7 or later.

    client is a redis.Redis, also of a Sentinel, or a redis.RedisCluster; for await
    Generator.open(...) it may be one of redis.asyncio. The store copies its settings; it never uses
    or closes the client. Other options are those of Store.
    """

    def __init__(
        self,
        client: redis.Redis | redis.RedisCluster | redis.asyncio.Redis | redis.asyncio.RedisCluster,
        **options: Unpack[StoreOptions],
    ) -> None:
        self._describe("redis", "redis", options)
        if not hasattr(client, "connection_pool") and not hasattr(client, "keyslot"):
            fail("option_invalid", f"a store takes a client of the package redis, not {shown(client)}")
        self._use(client)

    def _prepare(self, url: str) -> None:
        self._use(_behind_sentinel(url) if url.startswith("redis+sentinel://") else self._of_url(url))

    def _of_url(self, url: str) -> redis.Redis:
        verified = {"ssl_check_hostname": True} if url.startswith("rediss://") else {}
        client = redis.Redis.from_url(url, **verified)
        unknown = _unknown_to(client)
        if unknown is not None:
            fail("worker_source_invalid", f"{self.address.shown}: redis-py does not know {unknown} of this address")
        return client

    def _use(self, client: Any) -> None:
        self._client = client
        self.is_asyncio = hasattr(client, "__aenter__")

    def code_of(self, error: Exception) -> str:
        """Returns the first word of the server's answer."""
        code = _CODES.get(type(error).__name__, "")
        return "NOAUTH" if code == "WRONGPASS" and "required" in str(error) else code

    def _is_cluster(self) -> bool:
        return hasattr(self._client, "keyslot")

    def connect(self, setup: list[str], timeout_s: float) -> _Connection:
        if not self._is_cluster():
            return _Connection(_like(self._client.connection_pool, timeout_s))
        failed: Exception | None = None
        for node in self._nodes():
            try:
                guide = _Connection(_like(node, timeout_s))
                try:
                    host, port = guide.say(self._find_primary())
                finally:
                    guide.close()
                return _Connection(_like(node, timeout_s, host=host, port=port))
            except (redis.RedisError, OSError) as error:  # noqa: PERF203  each node has its turn
                failed = error
        raise failed or redis.ConnectionError("no node of the cluster is known")

    async def connect_in_loop(self, setup: list[str], timeout_s: float) -> _AsyncConnection:
        if not self._is_cluster():
            return await _AsyncConnection.made(_like(self._client.connection_pool, timeout_s))
        failed: Exception | None = None
        for node in self._nodes():
            try:
                guide = await _AsyncConnection.made(_like(node, timeout_s))
                try:
                    host, port = await guide.say(self._find_primary())
                finally:
                    await guide.close()
                return await _AsyncConnection.made(_like(node, timeout_s, host=host, port=port))
            except (redis.RedisError, OSError) as error:  # noqa: PERF203  each node has its turn
                failed = error
        raise failed or redis.ConnectionError("no node of the cluster is known")

    def _nodes(self) -> list[Any]:
        """Returns an object with connection settings for each known node of a cluster."""
        manager = self._client.nodes_manager
        nodes = {**manager.startup_nodes, **manager.nodes_cache}.values()
        if self.is_asyncio:
            return list(nodes)
        clients = (node.redis_connection for node in nodes)
        return [client.connection_pool for client in clients if client is not None]

    def _find_primary(self) -> Generator[Request, Any, tuple[str, int]]:
        """Returns host and port of the node that has the namespace.

        The view of the client may date from before a failover.
        """
        slot = self._client.keyslot(f"polyflake:{{{self.address.name}}}:")
        for first, last, (host, port, *_), *_ in (yield ("CLUSTER", "SLOTS")):
            if first <= slot <= last:
                remap = getattr(self._client.nodes_manager, "address_remap", None)
                address = _text(host), port
                return remap(address) if remap else address
        raise redis.ConnectionError("no node of the cluster has this slot")


def _unknown_to(client: redis.Redis) -> str | None:
    """Returns the parameter of an address that connections would refuse; from_url accepts any."""
    try:
        _like(client.connection_pool, 1.0)
    except TypeError as error:  # its message may show a password
        name = re.search(r"argument '(\w+)'", str(error))
        return f"the parameter {quoted(name[1])}" if name else "a parameter"
    return None


def _like(pool: Any, timeout_s: float, **address: Any) -> Any:
    """Returns a connection with the settings of a pool, no retries and our time limit."""
    settings = {name: value for name, value in pool.connection_kwargs.items() if not name.startswith(_OF_THE_POOL)}
    ours: dict[str, Any] = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "retry": None,
        "retry_on_timeout": False,
        "retry_on_error": [],
        "health_check_interval": 0,
        "decode_responses": False,
    }
    return pool.connection_class(**{**settings, **ours, **address})


def _run(parts: list[list[str]]) -> Generator[Request, Any, list[Row]]:
    reply = yield tuple(parts[0])
    if isinstance(reply, dict):  # a reply of RESP3
        reply = [word for pair in reply.items() for word in pair]
    return [[_text(value) for value in (reply if isinstance(reply, list) else [reply])]]


class _Connection:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        opens(connection.disconnect)
        connection.connect()

    def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
        return self.say(_run(parts))  # type: ignore[no-any-return]

    def say(self, requests: Generator[Request, Any, Any]) -> Any:
        try:
            request = next(requests)
            while True:
                self._connection.send_command(*request)
                request = requests.send(self._connection.read_response())
        except StopIteration as end:
            return end.value

    def close(self) -> None:
        self._connection.disconnect()


class _AsyncConnection:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @classmethod
    async def made(cls, connection: Any) -> _AsyncConnection:
        try:
            await connection.connect()
        except BaseException:  # also if it is cancelled
            await connection.disconnect(nowait=True)
            raise
        return cls(connection)

    async def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
        return await self.say(_run(parts))  # type: ignore[no-any-return]

    async def say(self, requests: Generator[Request, Any, Any]) -> Any:
        try:
            request = next(requests)
            while True:
                await self._connection.send_command(*request)
                request = requests.send(await self._connection.read_response())
        except StopIteration as end:
            return end.value

    async def close(self) -> None:
        await self._connection.disconnect(nowait=True)


def _text(value: bytes | str | int) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _behind_sentinel(url: str) -> Any:
    """Reads redis+sentinel://[user:password@]host[:port],host[:port]/name-of-the-primary.

    The rest of the address is [/database][?sentinel_password=...].
    """
    from redis.backoff import NoBackoff
    from redis.connection import parse_url
    from redis.retry import Retry
    from redis.sentinel import Sentinel

    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    name, _, database = parts.path.lstrip("/").partition("/")
    settings: dict[str, Any] = parse_url(  # type: ignore[no-untyped-call]
        f"redis://{login}@localhost/{database}?{parts.query}"
    )
    settings.pop("host")
    limits = {"socket_timeout": _SENTINEL_S, "socket_connect_timeout": _SENTINEL_S, "retry": Retry(NoBackoff(), 0)}
    named = {key[len("sentinel_") :]: settings.pop(key) for key in list(settings) if key.startswith("sentinel_")}
    sentinel: Any = Sentinel(  # type: ignore[no-untyped-call]
        [_host_and_port(host) for host in hosts.split(",")], sentinel_kwargs={**limits, **named}
    )
    return sentinel.master_for(name, **settings)


def _host_and_port(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    return parts.hostname or "localhost", parts.port or _SENTINEL_PORT
