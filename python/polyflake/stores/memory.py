"""Leases in the memory of this process: for tests of programs that take the address of a store."""

from __future__ import annotations

from polyflake.stores._store import Store


class MemoryStore(Store):
    """The store of ``memory://name?namespace=orders``. The core carries out its commands itself, so there is no connection."""

    def _prepare(self, url: str) -> None:
        """There is nothing to prepare."""
