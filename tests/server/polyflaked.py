"""polyflaked, started and ended as the other servers of the tests are."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, ClassVar

from servers.port import Port
from servers.redis import read_reply
from servers.server import Server

PROGRAM = Path(__file__).resolve().parents[2] / "build/cpp/server/polyflaked"
LISTENERS = {"resp": "", "http": "leaf = true", "thrift": 'generator = "orders"'}


class Polyflaked(Server):
    """A server of one generator, `orders`, with a listener of each protocol.

    worker: as in the configuration, in TOML. head: the keys before its sections. tail: more sections.
    It runs without polyflake's variables of the environment.
    """

    name: ClassVar[str] = "polyflaked"
    scheme: ClassVar[str] = "redis"

    def __init__(
        self,
        worker: str = "7",
        *,
        layout: str = "polyflake",
        head: str = "",
        tail: str = "",
        listeners: dict[str, str] = LISTENERS,
        program: Path = PROGRAM,
    ) -> None:
        super().__init__()
        self.program = program
        self.ports = {protocol: Port() for protocol in listeners}
        self.configuration = "\n".join(
            [
                "drain_ms = 0" if "drain_ms" not in head else "",
                head,
                f'[generator.orders]\nworker = {worker}\nlayout = "{layout}"',
                tail,
                *(
                    f'[[listener]]\nprotocol = "{protocol}"\naddress = "{self.host}:{self.ports[protocol].number}"\n{keys}'
                    for protocol, keys in listeners.items()
                ),
                "",
            ]
        )

    def prepare(self) -> None:
        (self.folder / "server.toml").write_text(self.configuration)

    def command(self) -> list[str]:
        return [str(self.program), "--config", str(self.folder / "server.toml")]

    def answers(self) -> bool:
        protocol = next(iter(self.ports))
        with self.connect_to(protocol):
            return True

    def close(self) -> None:
        super().close()
        for port in self.ports.values():
            port.close()

    # --- clients ---------------------------------------------------------------------------------

    def connect_to(self, protocol: str, timeout_s: float = 60.0):
        import socket

        return socket.create_connection((self.host, self.ports[protocol].number), timeout_s)

    def resp(self, *words: str | int) -> Any:
        """The reply to a command, on a connection of its own. Errors: ServerError with what it says."""
        request = f"*{len(words)}\r\n" + "".join(f"${len(str(word).encode())}\r\n{word}\r\n" for word in words)
        with self.connect_to("resp") as connection, connection.makefile("rb") as replies:
            connection.sendall(request.encode())
            return read_reply(replies)

    def http(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """The status and the body of an answer."""
        url = f"http://{self.host}:{self.ports['http'].number}{path}"
        request = urllib.request.Request(url, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def ids(self, count: int = 1) -> list[int]:
        """Ids over HTTP. Errors: AssertionError with the answer."""
        status, body = self.http(f"/v1/ids/orders?n={count}", "POST")
        assert status == 200, body
        return [int(text) for text in json.loads(body)["ids"]]

    def said(self, event: str) -> list[str]:
        """The lines of its log about an event."""
        return [line for line in self.log.read_text().splitlines() if re.match(rf"event={event}\b", line)]
