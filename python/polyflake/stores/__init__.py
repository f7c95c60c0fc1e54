"""Stores: where hosts share node ids, each over a client of your own.

Usually an address is enough, ``Generator("redis://host/0?namespace=orders")``. With a client that is set up your way (TLS, pool,
Sentinel, credentials) the same is ``Generator(RedisStore(client, namespace="orders"))``.

What is promised for which store is told in docs/leases.md.
"""

from __future__ import annotations

from importlib import import_module

from polyflake import _core
from polyflake._arguments import fail, shown, signed, text
from polyflake._imports import late_import
from polyflake._lease import carry_out
from polyflake._options import names_checked
from polyflake.errors import PolyflakeError
from polyflake.layout import Layout

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Literal, NamedTuple, Protocol, TypedDict, Union

    from typing_extensions import Required, Self

    from polyflake.stores.etcd import EtcdStore as EtcdStore
    from polyflake.stores.redis import RedisStore as RedisStore
    from polyflake.stores.sql import SqlStore as SqlStore
    from polyflake.stores.zookeeper import ZooKeeperStore as ZooKeeperStore

    Row = list[Union[str, None]]

    class StoreOptions(TypedDict, total=False):
        """What every store is told: see Store."""

        namespace: Required[str]
        uuid: str | None
        auto_init: bool
        window_ms: int | None
        tolerance_ms: int | None
        acquire_timeout_ms: int | None
        renew_wait_ms: int | None
        label: bool

    class Connection(Protocol):
        """One connection to a store, used by one thread at a time."""

        def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
            """Carries out one command of the core (core/src/lease/dialect.hpp). Whatever it raises is a failure of unknown outcome."""

        def close(self) -> None:
            """Ends it without waiting for the server, also while another thread waits in run()."""

    class AsyncConnection(Protocol):
        """The same in an event loop."""

        async def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]: ...

        async def close(self) -> None: ...

    class LeaseInfo(NamedTuple):
        """A node id that is held."""

        node: int
        until_ms: int
        """Unix milliseconds."""
        label: str
        """Host and pid of the holder, or ""; untrusted."""

else:
    from collections import namedtuple

    LeaseInfo = namedtuple("LeaseInfo", ("node", "until_ms", "label"))

__all__ = ["LeaseInfo", "Store", "init_namespace", "leases", "raise_floor"]  # what needs no client of a store

_STORES = {
    "redis": ("polyflake.stores.redis", "RedisStore"),
    "zookeeper": ("polyflake.stores.zookeeper", "ZooKeeperStore"),
    "etcd": ("polyflake.stores.etcd", "EtcdStore"),
    "postgresql": ("polyflake.stores.sql", "SqlStore"),
    "mysql": ("polyflake.stores.sql", "SqlStore"),
}


def __getattr__(name: str) -> object:
    """The stores, each with its module: one that is not used costs nothing."""
    for module, store in _STORES.values():
        if name == store:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Store:
    """What all stores have in common: a namespace, and what is wanted of it.

    namespace is 1 to 64 of a-z, 0-9, ".", "_" and "-". uuid pins it. auto_init makes it if it is missing. window_ms and
    tolerance_ms are for a namespace that is made. acquire_timeout_ms is how long opening may take, renew_wait_ms how long a call for
    an id waits for a window that is late. label=False leaves host and pid out of the records.

    Errors: option_invalid.
    """

    placeholder = "?"  # of the client's SQL
    is_asyncio = False  # its client is awaited
    address: _core.StoreAddress

    def _describe(self, kind: str, place: str, options: StoreOptions) -> None:
        """kind: of the core's stores; place: the store for people, without credentials."""
        self.address = _core.StoreAddress(kind, f"{place}?namespace={options.get('namespace', '')}")
        self._set_options(**options)

    @names_checked
    def _set_options(
        self,
        *,
        namespace: str = "",
        uuid: str | None = None,
        auto_init: object = False,
        window_ms: int | None = None,
        tolerance_ms: int | None = None,
        acquire_timeout_ms: int | None = None,
        renew_wait_ms: int | None = None,
        label: bool = True,
    ) -> None:
        self.address.set("namespace", text("namespace", namespace, "option_invalid"))
        if uuid is not None:
            self.address.set("uuid", text("uuid", uuid, "option_invalid"))
        self.address.set("auto_init", "fresh" if auto_init == "fresh" else _flag("auto_init", auto_init))
        self.address.set("label", _flag("label", label))
        times = {
            "window_ms": window_ms,
            "tolerance_ms": tolerance_ms,
            "acquire_timeout_ms": acquire_timeout_ms,
            "renew_wait_ms": renew_wait_ms,
        }
        for name, ms in times.items():
            if ms is not None:
                self.address.set(name, str(signed(name, ms, "option_invalid")))

    @classmethod
    def _of_address(cls, address: _core.StoreAddress) -> Self:
        """The store of an address, over a client that is made for it."""
        store = cls.__new__(cls)
        store.address = address
        if not store._understands(address.client):
            _core.fail("worker_source_invalid", f"{address.shown}: the address cannot be understood")
        return store

    def _understands(self, url: str) -> bool:
        try:
            self._prepare(url)
        except PolyflakeError:
            raise
        except ValueError:  # whose words may show a password
            return False
        return True

    def _prepare(self, url: str) -> None:
        raise NotImplementedError

    def connect(self, setup: list[str], timeout_s: float) -> Connection:
        """A connection of its own, on which `setup` was run."""
        raise NotImplementedError

    async def connect_in_loop(self, setup: list[str], timeout_s: float) -> AsyncConnection:
        """The same where the client is one of asyncio."""
        raise NotImplementedError

    def code_of(self, error: Exception) -> str:
        """The store's own code for an error, "" where it has none."""
        return ""

    def words_of(self, error: Exception) -> str:
        """An error in words of ours: what a client says may show credentials."""
        said = [type(error).__name__, self.code_of(error), _system_error(error)]
        return f"{self.address.shown}: {' '.join(filter(None, said))}"

    def __repr__(self) -> str:
        return f"<polyflake.stores.{type(self).__name__} {self.address.shown}>"


def _flag(name: str, value: object) -> str:
    if not isinstance(value, bool):
        fail("option_invalid", f"{name} must be True or False, not {shown(value)}")
    return "1" if value else "0"


def _system_error(error: BaseException) -> str:
    """ "(Connection refused)", or what TLS says, where that is at the bottom of it."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            break
        said = _words_of_system(cause) if isinstance(cause, OSError) else ""
        if said:
            return f"({said})"
        cause = cause.__cause__ or cause.__context__
    return ""


def _words_of_system(error: OSError) -> str:
    if hasattr(error, "library"):  # of TLS, whose numbers are none of the system's
        reason = str(getattr(error, "reason", None) or "TLS").lower().replace("_", " ")
        return ": ".join(filter(None, [reason, getattr(error, "verify_message", "")]))
    import os
    import socket

    if isinstance(error, socket.gaierror):  # whose numbers are none of the system's either
        return error.strerror or ""
    return os.strerror(error.errno) if isinstance(error.errno, int) and error.errno > 0 else ""


def store_of(url: str) -> Store:
    """The store of an address. Errors: worker_source_invalid, option_invalid; ImportError names the package that is missing."""
    address = _core.StoreAddress.parse(url)
    module, name = _STORES[address.kind]
    with late_import(module):
        made_by: type[Store] = getattr(import_module(module), name)
    return made_by._of_address(address)


def _opened(store: Store | str) -> Store:
    return store_of(store) if isinstance(store, str) else store


def _carry_out(task: _core.NamespaceTask, store: Store) -> None:
    if not store.is_asyncio:
        carry_out(task, store)
        return
    import asyncio

    from polyflake._lease_asyncio import carry_out_in_loop

    if asyncio._get_running_loop() is not None:
        fail("option_invalid", f"{store!r}: this call blocks the event loop; await asyncio.to_thread(...) of it")
    asyncio.run(carry_out_in_loop(task, store))


def init_namespace(
    store: Store | str,
    *,
    layout: str | Layout = "polyflake",
    fresh: bool = False,
    replicas: Literal["named", "fenced"] = "named",
) -> str:
    """Makes the namespace; nothing where there is one of this layout. Returns its uuid.

    fresh vouches that none of its name ever was: its first window need not wait for any that might have been lost.
    replicas (Redis only): "named" counts the copies that are there now; "fenced" counts any copies, and vouches that no
    demoted primary is ever served again.
    Errors: layout_mismatch, store_unavailable, option_invalid. Blocks: I/O.
    """
    store = _opened(store)
    if replicas not in ("named", "fenced"):
        fail("option_invalid", f'replicas must be "named" or "fenced", not {shown(replicas)}')
    task = _core.NamespaceTask.init(store.address, str(layout), store.placeholder, fresh)
    if replicas == "fenced":
        task.fence()
    _carry_out(task, store)
    return task.uuid


def leases(store: Store | str, *, layout: str | Layout = "polyflake") -> list[LeaseInfo]:
    """Who holds node ids now, in their order: node, until_ms (Unix ms) and label (host and pid).

    Errors: namespace_not_initialised, layout_mismatch, store_unavailable. Blocks: I/O.
    """
    store = _opened(store)
    task = _core.NamespaceTask.leases(store.address, str(layout), store.placeholder)
    _carry_out(task, store)
    return [LeaseInfo(*one) for one in task.held()]


def raise_floor(
    store: Store | str,
    *,
    layout: str | Layout = "polyflake",
    time_ms: int | None = None,
    id: int | None = None,
    lower: bool = False,
    copies: list[str] | None = None,
) -> None:
    """No window begins before time_ms (Unix ms), or before the tick after that of an existing id, and nobody who held one writes again.

    After a store was restored, before clients are let in; or to move in from another system. An earlier floor than the recorded one is
    written only with lower=True, at least W + 2S from now: the way back after a host with a wild clock has closed the namespace.
    copies (Redis only) names the servers whose majority counts from now on, like ["10.0.0.1:6379", ...]; the call returns
    once all of them have it. The caller vouches that no other server, and no older dump, is ever served as a primary again.
    With copies alone the floor stays.
    Errors: namespace_not_initialised, layout_mismatch, store_unavailable, option_invalid; field_out_of_range where that is no
    time of the layout. Blocks: I/O.
    """
    if [time_ms, id].count(None) == 0 or [time_ms, id, copies].count(None) == 3:
        fail("option_invalid", "raise_floor() needs time_ms, id or copies, and not both time_ms and id")
    if lower and time_ms is None and id is None:
        fail("option_invalid", "lower needs time_ms or id: with copies alone the floor stays")
    if id is not None:
        parts = Layout(str(layout)).decode(id)
        time_ms = Layout(str(layout)).decode(Layout(str(layout)).encode(tick=parts.tick + 1)).time_ms
    elif time_ms is None:
        time_ms = Layout(str(layout)).epoch_ms  # below any floor
    floor_ms = signed("time_ms", time_ms, "option_invalid")
    if not isinstance(lower, bool):
        fail("option_invalid", f"lower must be True or False, not {shown(lower)}")
    if copies is not None and not isinstance(copies, (list, tuple)):
        fail("option_invalid", f"copies must be a list of texts, not {shown(copies)}")
    store = _opened(store)
    task = _core.NamespaceTask.raise_floor(store.address, str(layout), store.placeholder, floor_ms, lower)
    if copies is not None:
        task.name_copies(",".join(text("copies", one, "option_invalid") for one in copies))
    _carry_out(task, store)
