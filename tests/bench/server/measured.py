"""The polyflaked that is measured: generators of both layouts, from a registry of its own or leased from Redis."""

from __future__ import annotations

from pathlib import Path

from polyflaked import Polyflaked
from servers import Redis, ServerError

LISTENERS = {"resp": "", "http": "", "thrift": 'generator = "snowflakes"'}


class Measured(Polyflaked):
    """Serves `orders` over RESP and HTTP, and `snowflakes`, of Twitter's layout, over Thrift."""

    def __init__(self, program: Path, store: Redis | None = None) -> None:
        def worker(generator: str) -> str:
            return f'"{store.url}/0?namespace={generator}&auto_init=1"' if store else '"host"'

        snowflakes = f'[generator.snowflakes]\nworker = {worker("snowflakes")}\nlayout = "twitter"'
        super().__init__(worker("orders"), tail=snowflakes, listeners=LISTENERS, program=program)
        self._registry = None if store else self.folder / "registry"

    def prepare(self) -> None:
        if self._registry:
            self._registry.mkdir()
            self.configuration = f'registry = "{self._registry}"\n{self.configuration}'
        super().prepare()

    def answers(self) -> bool:
        """A new registry gives its first id after 2 s, and a lease once Redis has answered."""
        try:
            return all(isinstance(self.resp("INCR", generator), int) for generator in ("orders", "snowflakes"))
        except ServerError:
            return False

    def address(self, protocol: str) -> str:
        return f"{self.host}:{self.ports[protocol].number}"
