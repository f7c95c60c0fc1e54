"""Stores by their addresses: the one module that knows every kind of store."""

from __future__ import annotations

from importlib import import_module

from polyflake import _core
from polyflake._imports import late_import

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from polyflake.stores._store import Store
    from polyflake.stores.etcd import EtcdStore as EtcdStore
    from polyflake.stores.redis import RedisStore as RedisStore
    from polyflake.stores.sql import SqlStore as SqlStore
    from polyflake.stores.zookeeper import ZooKeeperStore as ZooKeeperStore

STORES = {
    "redis": ("polyflake.stores.redis", "RedisStore"),
    "zookeeper": ("polyflake.stores.zookeeper", "ZooKeeperStore"),
    "etcd": ("polyflake.stores.etcd", "EtcdStore"),
    "postgresql": ("polyflake.stores.sql", "SqlStore"),
    "mysql": ("polyflake.stores.sql", "SqlStore"),
    "memory": ("polyflake.stores.memory", "MemoryStore"),
}


def store_of(url: str) -> Store:
    """Returns the store of an address.

    Errors: worker_source_invalid, option_invalid; ImportError names the missing package.
    """
    address = _core.StoreAddress.parse(url)
    module, name = STORES[address.kind]
    with late_import(module):
        made_by: type[Store] = getattr(import_module(module), name)
    return made_by._of_address(address)
