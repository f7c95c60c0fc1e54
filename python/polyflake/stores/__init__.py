"""Stores in which hosts share node ids, each through a client of the caller.

Usually an address is enough, ``Generator("redis://host/0?namespace=orders")``. If you need your own
client (TLS, pool, Sentinel, credentials), write ``Generator(RedisStore(client,
namespace="orders"))``.

docs/leases.md lists the guarantees of each store.
"""

from __future__ import annotations

from importlib import import_module

from polyflake.stores._counters import CounterState, counters, init_counter, raise_counter
from polyflake.stores._namespaces import LeaseInfo, init_namespace, leases, raise_floor
from polyflake.stores._store import Store
from polyflake.stores._url import STORES

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from polyflake.stores._store import AsyncConnection as AsyncConnection
    from polyflake.stores._store import Connection as Connection
    from polyflake.stores._store import Row as Row
    from polyflake.stores._store import StoreOptions as StoreOptions
    from polyflake.stores._url import *  # noqa: F403 - the classes of stores

# Only what needs no client of a store.
__all__ = [
    "CounterState",
    "LeaseInfo",
    "Store",
    "counters",
    "init_counter",
    "init_namespace",
    "leases",
    "raise_counter",
    "raise_floor",
]

# The module that documents them, for pickles and tracebacks.
for _public in (
    CounterState,
    LeaseInfo,
    Store,
    counters,
    init_counter,
    init_namespace,
    leases,
    raise_counter,
    raise_floor,
):
    _public.__module__ = __name__


def __getattr__(name: str) -> object:
    """Returns a store, imported with its module at first use."""
    for module, store in STORES.values():
        if name == store:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
