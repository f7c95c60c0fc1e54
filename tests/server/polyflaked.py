"""polyflaked, started and ended as the other servers of the tests are."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, ClassVar

from certificates import Tls
from servers.port import Port
from servers.proxy import Proxy
from servers.redis import read_reply
from servers.server import START_S, STOP_S, Server, ServerError
from servers.waiting import within
from wire_clients import CLIENTS, Client, connected_to

# Another build may be named: one with sanitizers, for instance.
PROGRAM = Path(
    os.environ.get("POLYFLAKE_TEST_POLYFLAKED") or Path(__file__).resolve().parents[2] / "build/cpp/server/polyflaked"
)
BUSY = 429
LISTENERS = {"resp": "", "http": "leaf = true", "thrift": 'generator = "orders"'}


class Polyflaked(Server):
    """A server of one generator, `orders`, with a listener of each protocol.

    worker: as in the configuration, in TOML. head: the keys before its sections. tail: more sections.
    around: variables of the environment. It runs without those of polyflake. tls: of all its listeners.
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
        around: dict[str, str] | None = None,
        tls: Tls | None = None,
    ) -> None:
        super().__init__()
        self.around = around or {}
        self.program = program
        self.tls = tls
        self.ports = {protocol: Port() for protocol in listeners}
        self.configuration = "\n".join(
            [
                "drain_ms = 0" if "drain_ms" not in head else "",
                head,
                f'[generator.orders]\nworker = {worker}\nlayout = "{layout}"',
                tail,
                *(
                    f'[[listener]]\nprotocol = "{protocol}"\naddress = "{self.host}:{self.ports[protocol].number}"\n{keys}\n{tls.keys if tls else ""}'
                    for protocol, keys in listeners.items()
                ),
                "",
            ]
        )

    def prepare(self) -> None:
        (self.folder / "server.toml").write_text(self.configuration)

    def command(self) -> list[str]:
        return [str(self.program), "--config", str(self.folder / "server.toml")]

    def environment(self) -> dict[str, str]:
        return self.around

    def answers(self) -> bool:
        with self.connect_to(list(self.ports)[-1]):  # it listens there last
            return True

    def close(self) -> None:
        super().close()
        for port in self.ports.values():
            port.close()

    # --- ends ------------------------------------------------------------------------------------

    def terminate(self) -> None:
        """SIGTERM. Does not wait."""
        os.kill(self.pid, signal.SIGTERM)

    def ended(self, within_s: float = STOP_S) -> int:
        """Its exit code; below 0 a signal. Blocks until it has ended. Errors: ServerError if it does not."""
        if not self._guarded.ended(within_s):
            raise ServerError(f"it does not end within {within_s} s\n{self._guarded.end_of_log()}")
        assert self._guarded.status is not None
        return self._guarded.status

    def memory_kib(self) -> int:
        """Returns the memory that it has in use, as the system counts it."""
        return self._memory("VmRSS")

    def most_memory_kib(self) -> int:
        """Returns the most memory that it ever had in use."""
        return self._memory("VmHWM")

    def _memory(self, name: str) -> int:
        found = re.search(rf"^{name}:\s*(\d+) kB$", Path(f"/proc/{self.pid}/status").read_text(), re.M)
        assert found is not None
        return int(found[1])

    def files(self) -> int:
        """Returns how many files it has open, sockets included."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    # --- clients ---------------------------------------------------------------------------------

    def client(self, protocol: str, port: int | None = None) -> Client:
        """A client of the generator on a connection of its own; on another port if it is behind a proxy."""
        return CLIENTS[protocol](port or self.ports[protocol].number, tls=self.context)

    def proxy_of(self, protocol: str) -> Proxy:
        """A proxy before this listener, which the caller closes."""
        return Proxy(self.ports[protocol].number)

    def connect_to(self, protocol: str, timeout_s: float = 60.0) -> socket.socket:
        return connected_to(self.ports[protocol].number, timeout_s, self.context)

    @property
    def context(self) -> ssl.SSLContext | None:
        """The context of its clients; none without TLS."""
        return self.tls.context if self.tls else None

    def resp(self, *words: str | int) -> Any:
        """The reply to a command, on a connection of its own. Errors: ServerError with what it says."""
        request = f"*{len(words)}\r\n" + "".join(f"${len(str(word).encode())}\r\n{word}\r\n" for word in words)
        with self.connect_to("resp") as connection, connection.makefile("rb") as replies:
            connection.sendall(request.encode())
            return read_reply(replies)

    def http(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """The status and the body of an answer."""
        url = f"{'https' if self.tls else 'http'}://{self.host}:{self.ports['http'].number}{path}"
        request = urllib.request.Request(url, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60, context=self.context) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def ids(self, count: int = 1) -> list[int]:
        """Ids over HTTP, once the first window has begun. Errors: AssertionError with the answer."""
        answers: list[tuple[int, str]] = []

        def answered() -> bool:
            answers.append(self.http(f"/v1/ids/orders?n={count}", "POST"))
            return answers[-1][0] != BUSY

        within(START_S, answered)
        status, body = answers[-1]
        assert status == 200, body
        return [int(text) for text in json.loads(body)["ids"]]

    def ready(self) -> tuple[int, str]:
        return self.http("/readyz")

    def said(self, event: str) -> list[str]:
        """The lines of its log about an event."""
        return [line for line in self.log.read_text().splitlines() if re.match(rf"event={event}\b", line)]


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has taken, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def raw_to(server: Polyflaked, protocol: str) -> socket.socket:
    """A connection without TLS, also to a listener that has it."""
    return connected_to(server.ports[protocol].number)


def run_polyflaked(*words: str | Path, within_s: float = 60, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs it to its end, which it has to reach by itself."""
    return subprocess.run([PROGRAM, *words], check=False, capture_output=True, text=True, timeout=within_s, **options)
