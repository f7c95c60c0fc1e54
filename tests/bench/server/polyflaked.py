"""polyflaked as a server of tests/servers: free ports, a folder of its own, and an end with this process."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from servers import Redis, Server
from servers.port import Port

PROTOCOLS = ("resp", "http", "thrift")


class Polyflaked(Server):
    """One polyflaked that serves `orders` over RESP and HTTP, and `snowflakes`, of Twitter's layout, over Thrift.

    Its node ids come from a registry of its own, or are leased from the Redis that it is given.
    """

    name: ClassVar[str] = "polyflaked"
    scheme: ClassVar[str] = "redis"

    def __init__(self, program: Path, store: Redis | None = None) -> None:
        super().__init__()
        self._program, self._store = program, store
        self._other_ports = {protocol: Port() for protocol in PROTOCOLS[1:]}

    def address(self, protocol: str) -> str:
        port = self.port if protocol == "resp" else self._other_ports[protocol].number
        return f"{self.host}:{port}"

    def prepare(self) -> None:
        (self.folder / "registry").mkdir()
        lines = [] if self._store else [f'registry = "{self.folder}/registry"']
        for generator, layout in (("orders", "polyflake"), ("snowflakes", "twitter")):
            worker = f"{self._store.url}/0?namespace={generator}&auto_init=1" if self._store else "host"
            lines += [f"[generator.{generator}]", f'worker = "{worker}"', f'layout = "{layout}"']
        for protocol in PROTOCOLS:
            lines += ["[[listener]]", f'protocol = "{protocol}"', f'address = "{self.address(protocol)}"']
            lines += ['generator = "snowflakes"'] if protocol == "thrift" else []
        (self.folder / "server.toml").write_text("\n".join(lines) + "\n", "ascii")

    def command(self) -> list[str]:
        return [str(self._program), "--config", str(self.folder / "server.toml")]

    def answers(self) -> bool:
        with self.connect(5) as connection:
            connection.sendall(b"INCR orders\r\n")
            return connection.recv(100).startswith(b":")

    def close(self) -> None:
        super().close()
        for port in self._other_ports.values():
            port.close()
