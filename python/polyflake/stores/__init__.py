"""Stores: where hosts share node ids, each over a client of your own.

Usually an address is enough, ``Generator("redis://host/0?namespace=orders")``. With a client that is set up your way (TLS, pool,
Sentinel, credentials) the same is ``Generator(RedisStore(client, namespace="orders"))``.

What is promised for which store is told in docs/leases.md.
"""

from __future__ import annotations

from importlib import import_module

from polyflake import _core
from polyflake._arguments import fail
from polyflake._lease import carry_out
from polyflake.layout import Layout

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Literal, NamedTuple, Protocol, Union

    from typing_extensions import Self

    Row = list[Union[str, None]]

    class Connection(Protocol):
        """One connection to a store, used by one thread at a time."""

        def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
            """Carries out one command of the core (core/src/lease/dialect.hpp). Whatever it raises is a failure of unknown outcome."""

        def close(self) -> None: ...

    class LeaseInfo(NamedTuple):
        node: int
        until_ms: int
        label: str

else:
    from collections import namedtuple

    LeaseInfo = namedtuple("LeaseInfo", ("node", "until_ms", "label"))

_MODULES = {
    "redis": ("polyflake.stores.redis", "RedisStore"),
    "zookeeper": ("polyflake.stores.zookeeper", "ZooKeeperStore"),
    "etcd": ("polyflake.stores.etcd", "EtcdStore"),
    "postgresql": ("polyflake.stores.sql", "SqlStore"),
    "mysql": ("polyflake.stores.sql", "SqlStore"),
}


class Store:
    """What all stores have in common: a namespace, and what is wanted of it.

    namespace is 1 to 64 of a-z, 0-9, ".", "_" and "-". uuid pins it. auto_init makes it where it is missing (True), and vouches
    that none of its name ever was ("fresh"). window_ms and tolerance_ms are for a namespace that is made. acquire_timeout_ms is how
    long opening may take, renew_wait_ms how long a call for an id waits for a window that is late. label=False leaves host and pid
    out of the records.

    Errors: option_invalid.
    """

    placeholder = "?"  # of the client's SQL

    def __init__(
        self,
        kind: str,
        shown: str,
        *,
        namespace: str,
        uuid: str | None = None,
        auto_init: bool | Literal["fresh"] = False,
        window_ms: int | None = None,
        tolerance_ms: int | None = None,
        acquire_timeout_ms: int | None = None,
        renew_wait_ms: int | None = None,
        label: bool = True,
    ) -> None:
        self.address = _core.StoreAddress(kind, f"{shown}?namespace={namespace}")
        self._set("namespace", namespace)
        self._set("uuid", uuid)
        self._set("auto_init", auto_init if auto_init == "fresh" else str(int(auto_init)))
        self._set("window_ms", window_ms)
        self._set("tolerance_ms", tolerance_ms)
        self._set("acquire_timeout_ms", acquire_timeout_ms)
        self._set("renew_wait_ms", renew_wait_ms)
        self._set("label", str(int(label)))

    def _set(self, name: str, value: object) -> None:
        if value is not None:
            self.address.set(name, str(value))

    @classmethod
    def _of_address(cls, address: _core.StoreAddress) -> Self:
        """The store of an address, over a client that is made for it."""
        store = cls.__new__(cls)
        store.address = address
        store._prepare(address.client)
        return store

    def _prepare(self, url: str) -> None:
        raise NotImplementedError

    def connect(self, setup: list[str], timeout_s: float) -> Connection:
        """A connection of its own, on which `setup` was run."""
        raise NotImplementedError

    def forget_connections(self) -> None:
        """In a copy of the process: what is open belongs to the original."""

    def code_of(self, error: Exception) -> str:
        """The store's own code for an error, "" where it has none."""
        return ""

    def words_of(self, error: Exception) -> str:
        """An error in words, without what a client may say of credentials."""
        return f"{self.address.shown}: {type(error).__name__}"

    def __repr__(self) -> str:
        return f"<polyflake.stores.{type(self).__name__} {self.address.shown}>"


def store_of(url: str) -> Store:
    """The store of an address. Errors: worker_source_invalid, option_invalid; ImportError names the package that is missing."""
    address = _core.StoreAddress.parse(url)
    module, name = _MODULES[address.kind]
    store: Store = getattr(import_module(module), name)._of_address(address)
    return store


def _opened(store: Store | str) -> Store:
    return store_of(store) if isinstance(store, str) else store


def init_namespace(store: Store | str, *, layout: str | Layout = "polyflake", fresh: bool = False) -> str:
    """Makes the namespace; nothing where there is one of this layout. Returns its uuid.

    fresh vouches that none of its name ever was: its first window need not wait for any that might have been lost.
    Errors: layout_mismatch, store_unavailable, option_invalid. Blocks: I/O.
    """
    store = _opened(store)
    task = _core.NamespaceTask.init(store.address, str(layout), store.placeholder, fresh)
    carry_out(task, store)
    return task.uuid


def leases(store: Store | str, *, layout: str | Layout = "polyflake") -> list[LeaseInfo]:
    """Who holds node ids now, in their order: node, until_ms (Unix ms) and label (host and pid).

    Errors: namespace_not_initialised, layout_mismatch, store_unavailable. Blocks: I/O.
    """
    store = _opened(store)
    task = _core.NamespaceTask.leases(store.address, str(layout), store.placeholder)
    carry_out(task, store)
    return [LeaseInfo(*one) for one in task.held()]


def raise_floor(
    store: Store | str, *, layout: str | Layout = "polyflake", time_ms: int | None = None, id: int | None = None
) -> None:
    """No window begins before time_ms (Unix ms), or before the tick after that of an existing id, and nobody who held one writes again.

    After a store was restored, before clients are let in; or to move in from another system. The floor is never lowered.
    Errors: namespace_not_initialised, layout_mismatch, store_unavailable, option_invalid. Blocks: I/O.
    """
    if (time_ms is None) == (id is None):
        fail("option_invalid", "raise_floor() needs either time_ms or id")
    if id is not None:
        parts = Layout(str(layout)).decode(id)
        time_ms = Layout(str(layout)).decode(Layout(str(layout)).encode(tick=parts.tick + 1)).time_ms
    store = _opened(store)
    carry_out(_core.NamespaceTask.raise_floor(store.address, str(layout), store.placeholder, time_ms), store)
