"""Leases in ZooKeeper, over kazoo. `pip install polyflake[zookeeper]`."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from polyflake._arguments import fail, shown
from polyflake.stores._store import Store

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from polyflake.stores._store import Row, StoreOptions

try:
    from kazoo.client import KazooClient  # type: ignore[import-untyped]
    from kazoo.exceptions import (  # type: ignore[import-untyped]
        BadVersionError,
        NodeExistsError,
        NoNodeError,
        NotEmptyError,
        RolledBackError,
        RuntimeInconsistency,
    )
    from kazoo.handlers.threading import KazooTimeoutError, SequentialThreadingHandler  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("leases in ZooKeeper need the package kazoo: pip install 'polyflake[zookeeper]'") from error

# The errors of a transaction whose conditions do not hold.
_REFUSALS = (BadVersionError, NodeExistsError, NoNodeError, NotEmptyError, RolledBackError, RuntimeInconsistency)

# Kazoo logs a warning for each lost connection; the lease reports them itself.
_silent = logging.Logger("polyflake.kazoo", logging.CRITICAL + 1)


class ZooKeeperStore(Store):
    """Leases in ZooKeeper 3.5 or later.

    client is a started KazooClient; the store uses it and never closes it. It does not survive a
    fork: processes that fork need an address. Other options are those of Store.
    """

    def __init__(self, client: KazooClient, **options: Unpack[StoreOptions]) -> None:
        self._describe("zookeeper", "zookeeper", options)
        if not hasattr(client, "handler"):
            fail("option_invalid", f"a store takes a KazooClient, not {shown(client)}")
        self._client: KazooClient | None = client
        self._started_by = os.getpid()

    def _prepare(self, url: str) -> None:
        """Reads zookeeper://[user:password@]host[:port],host[:port]/chroot"""
        parts = urlsplit(url)
        login, _, hosts = parts.netloc.rpartition("@")
        self._client = None
        self._hosts = hosts + parts.path.rstrip("/")
        self._auth = [("digest", unquote(login))] if login else []

    def code_of(self, error: Exception) -> str:
        """Returns the number of the error in ZooKeeper's protocol."""
        code = getattr(error, "code", None)
        return str(code) if isinstance(code, int) else ""

    def connect(self, setup: list[str], timeout_s: float) -> _Connection:
        if self._client is None:
            return _Connection(self._started(timeout_s), True)
        if self._started_by != os.getpid():
            raise RuntimeError("a KazooClient does not survive a fork")
        return _Connection(self._client, False)

    def _started(self, timeout_s: float) -> KazooClient:
        # Starts a client without retries, which would repeat a command of unknown outcome.
        #
        # After a loss the lease makes another client.
        never = {"max_tries": 0}
        client = KazooClient(
            hosts=self._hosts,
            timeout=max(timeout_s, 1.0),
            auth_data=self._auth,
            connection_retry=never,
            command_retry=never,
            logger=_silent,
            handler=_Handler(),
        )
        try:
            _wait_connected(client, timeout_s)
        except BaseException:
            _end_in_background(client)
            raise
        # At the end of the process, kazoo would stop its threads before the node id is given back.
        atexit.unregister(client.handler.stop)
        return client


class _Handler(SequentialThreadingHandler):  # type: ignore[misc]
    """The handler of kazoo, which also detects that all hosts have refused.

    The client itself would try them for ever.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused: OSError | None = None
        self._failed: set[Any] = set()

    def create_connection(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().create_connection(*arguments, **options)
        except OSError as error:
            if options.get("address") in self._failed:  # it tries this host again
                self.refused = error
            self._failed.add(options.get("address"))
            raise


def _wait_connected(client: Any, timeout_s: float) -> None:
    live = client.start_async()
    deadline = time.monotonic() + timeout_s
    while not live.wait(0.005):
        if client.handler.refused is not None:
            raise client.handler.refused
        if time.monotonic() > deadline:
            raise KazooTimeoutError


class _Connection:
    def __init__(self, client: Any, ours: bool) -> None:
        self._client = client
        self._ours = ours
        self._closed = False

    def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
        if name == "get":
            asked = [self._client.get_async(path) for (path,) in parts]
            return [_found(one, timeout_s) for one in asked]
        if name == "children":
            named = [self._client.get_children_async(path) for (path,) in parts]
            return [_names(one, timeout_s) for one in named]
        if name == "ensure":
            for (path,) in parts:
                self._client.ensure_path(path)
            return []
        return self._multi(parts, timeout_s)

    def _multi(self, parts: list[list[str]], timeout_s: float) -> list[Row]:
        transaction = self._client.transaction()
        for what, path, *more in parts:
            if what == "check":
                transaction.check(path, int(more[0]))
            elif what == "set":
                transaction.set_data(path, more[1].encode(), int(more[0]))
            elif what == "create":
                transaction.create(path, more[0].encode())
            else:
                transaction.delete(path, int(more[0]))
        results = transaction.commit_async().get(timeout=timeout_s)
        errors = [result for result in results if isinstance(result, Exception)]
        for error in errors:
            if not isinstance(error, _REFUSALS):
                raise error
        return [["refused" if errors else "ok"]]

    def close(self) -> None:
        if self._ours and not self._closed:
            self._closed = True
            _end_in_background(self._client)


def _found(asked: Any, timeout_s: float) -> Row:
    try:
        data, stat = asked.get(timeout=timeout_s)
    except NoNodeError:
        return []
    return [data.decode("utf-8", "replace"), str(stat.version), str(stat.mtime), str(stat.numChildren)]


def _names(asked: Any, timeout_s: float) -> Row:
    try:
        return list(asked.get(timeout=timeout_s))
    except NoNodeError:
        return []


def _end_in_background(client: KazooClient) -> None:
    """Closes the session in a thread, as closing waits for an answer."""
    with suppress(RuntimeError):  # the interpreter is ending: the session ends by itself
        threading.Thread(target=_end, args=(client,), name="polyflake-close", daemon=True).start()


def _end(client: KazooClient) -> None:
    with suppress(Exception):
        client.stop()
        client.close()
