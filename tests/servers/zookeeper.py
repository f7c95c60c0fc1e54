"""ZooKeeper: one server or an ensemble, without the administrator's web page."""

from __future__ import annotations

import socket
import struct
from typing import ClassVar, Self

from .guarded import ServerError
from .port import Port
from .server import Server

JARS = ("/usr/share/java/zookeeper.jar", "/usr/share/java/slf4j-simple.jar")
# It starts in half the time, serves one test, and leaves nothing in the machine's temporary folder.
FOR_ONE_TEST = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-XX:-UsePerfData")


class ZooKeeper(Server):
    """A ZooKeeper as it is delivered, durable before it answers. Options are lines of its configuration, `name=value`."""

    name: ClassVar[str] = "zookeeper"
    scheme: ClassVar[str] = "zookeeper"

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        self._peer, self._election = Port(), Port()
        self._members: list[ZooKeeper] = []

    @classmethod
    def ensemble(cls, size: int) -> list[Self]:
        """The members of one ensemble, which start at once: `start_all`."""
        members = [cls() for _ in range(size)]
        for member in members:
            member._members = list(members)
        return members

    def leads(self) -> bool:
        """Returns True if it is the leader, as far as it knows. Errors: OSError if it does not answer."""
        return "Mode: leader" in self.status()

    def prepare(self) -> None:
        if self._members:
            self.data.mkdir()
            self._guarded.write("data/myid", f"{1 + self._members.index(self)}\n")
        lines = (
            f"tickTime={1000 if self._members else 2000}",
            f"dataDir={self.data}",
            f"clientPort={self.port}",
            f"clientPortAddress={self.host}",
            "admin.enableServer=false",
            "initLimit=40",
            "syncLimit=4",
            *(
                f"server.{number}={member.host}:{member._peer.number}:{member._election.number}"
                for number, member in enumerate(self._members, 1)
            ),
            *self.options,
        )
        self._guarded.write("zoo.cfg", "\n".join(lines) + "\n")

    def command(self) -> list[str]:
        main = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
        return ["java", *FOR_ONE_TEST, "-cp", ":".join(JARS), main, str(self.folder / "zoo.cfg")]

    def close(self) -> None:
        super().close()
        self._peer.close()
        self._election.close()

    def answers(self) -> bool:
        return "Mode: " in self.status()

    def status(self) -> str:
        """What it says to `srvr`, the one four-letter word that it answers by default."""
        with self.connect() as connection, connection.makefile("rb") as answer:
            connection.sendall(b"srvr")
            return answer.read().decode()

    def session(self) -> Session:
        """A session of its own, which its socket ends."""
        return Session(self.connect(60))


class Session:
    """As much of a client as it takes to write a node and to read it: the packets of `zookeeper.jute`, one at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._replies = connection.makefile("rb")
        self._send(struct.pack("!iqiq", 0, 0, 10_000, 0) + buffer(bytes(16)))

    def create(self, path: str, data: bytes) -> None:
        everyone_everything = struct.pack("!ii", 1, 31) + buffer(b"world") + buffer(b"anyone")
        self._request(1, buffer(path.encode()) + buffer(data) + everyone_everything + struct.pack("!i", 0))

    def data(self, path: str) -> bytes:
        answer = self._request(4, buffer(path.encode()) + b"\0")
        return answer[4 : 4 + int.from_bytes(answer[:4], "big")]

    def close(self) -> None:
        self._replies.close()
        self._connection.close()

    def _request(self, kind: int, body: bytes) -> bytes:
        answer = self._send(struct.pack("!ii", 1, kind) + body)
        error = int.from_bytes(answer[12:16], "big", signed=True)
        if error != 0:
            raise ServerError(f"zookeeper answers with its error {error}")
        return answer[16:]

    def _send(self, packet: bytes) -> bytes:
        self._connection.sendall(buffer(packet))
        length = self._replies.read(4)
        answer = self._replies.read(int.from_bytes(length, "big"))
        if not answer:
            raise ConnectionResetError("the session has ended")
        return answer


def buffer(data: bytes) -> bytes:
    return struct.pack("!i", len(data)) + data
