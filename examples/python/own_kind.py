"""A kind of one's own, opened by the name that a configuration would have: ids that say what they are of, such as order-01CTGTGRG80P1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polyflake


class Prefixed:
    """It has what all sources of ids have."""

    kind = "prefixed"

    def __init__(self, prefix: str, generator: polyflake.Generator) -> None:
        self._prefix, self._generator = prefix, generator
        self._codec = polyflake.Codec("crockford32")

    def next_id(self) -> str:
        return self._text(self._generator.next_id())

    def try_next_id(self) -> str | None:
        id = self._generator.try_next_id()
        return None if id is None else self._text(id)

    def next_ids(self, n: int, /) -> list[str]:
        return [self._text(id) for id in self._generator.next_ids(n)]

    def next_id_string(self) -> str:
        return self.next_id()

    async def next_id_async(self) -> str:
        return self._text(await self._generator.next_id_async())

    def stats(self) -> polyflake.Stats:
        return self._generator.stats()

    def close(self) -> None:
        self._generator.close()

    def __enter__(self) -> Prefixed:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self.next_id()

    def _text(self, id: int) -> str:
        return f"{self._prefix}-{self._codec.encode(id)}"


def open_prefixed(options: dict[str, Any]) -> Prefixed:
    """Pops what it knows; what it leaves is refused."""
    worker = options.pop("worker", "host")
    return Prefixed(options.pop("prefix"), polyflake.Generator(worker))


polyflake.register("prefixed", open_prefixed)

with polyflake.open("prefixed", prefix="order", worker=7) as ids:
    print(ids.kind, ids.next_id())
    print(ids.kind, *ids.next_ids(2))
