"""Redis, and what makes several of them a primary and its replicas."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, ClassVar, TypeAlias

from .guarded import ServerError
from .server import START_S, Server
from .waiting import within

Reply: TypeAlias = "str | int | list[Reply] | None"


class Redis(Server):
    """One Redis with the append-only file, so that what it answered survives a kill."""

    name: ClassVar[str] = "redis"
    scheme: ClassVar[str] = "redis"

    def command(self) -> list[str]:
        settings = {
            "port": str(self.port),
            "bind": self.host,
            "dir": str(self.folder),
            "appendonly": "yes",
            "save": "",
            "repl-diskless-sync-delay": "0",
        }
        return [
            "redis-server",
            *(word for name, value in settings.items() for word in (f"--{name}", value)),
            *self.options,
        ]

    @property
    def data(self) -> Path:
        return self.folder / "appendonlydir"

    def answers(self) -> bool:
        try:
            return self.ask("PING") == "PONG"
        except ServerError:  # it loads its data
            return False

    def ask(self, *words: str | int) -> Reply:
        """One command on a connection of its own. Errors: ServerError with what Redis says, OSError."""
        request = f"*{len(words)}\r\n" + "".join(f"${len(str(word).encode())}\r\n{word}\r\n" for word in words)
        with self.connect(60) as connection, connection.makefile("rb") as replies:  # a flush may hold it up
            connection.sendall(request.encode())
            return read_reply(replies)

    def kill(self) -> None:
        """As of every server. A write that waits for the fsync before it (appendfsync everysec) may be answered, and would be
        lost: it is in the file before this returns.
        """
        if not self._paused:
            self.ask("CONFIG", "SET", "appendfsync", "always")
        super().kill()

    # --- replication -----------------------------------------------------------------------------

    def replica_of(self, primary: Redis) -> None:
        """Blocks until the link is up and all data is here."""
        self.follow(primary.port)
        if not within(START_S, self.is_linked):
            raise ServerError("the replica does not reach its primary")

    def is_linked(self) -> bool:
        """Whether a replica is connected to its primary and has taken over all data."""
        return self.info("replication").get("master_link_status") == "up"

    def follow(self, port: int) -> None:
        """Makes it a replica of whoever is or will be at this port, a proxy for instance. Does not wait."""
        self.ask("REPLICAOF", self.host, port)

    def promote(self) -> None:
        """Makes a replica a primary. It keeps the data that reached it."""
        self.ask("REPLICAOF", "NO", "ONE")

    def require_replicas(self, least: int, lag_s: int = 10) -> None:
        """It refuses writes with fewer good replicas: those heard of in the last `lag_s` seconds."""
        self.ask("CONFIG", "SET", "min-replicas-to-write", least, "min-replicas-max-lag", lag_s)

    def info(self, section: str) -> dict[str, str]:
        text = self.ask("INFO", section)
        assert isinstance(text, str)  # INFO is one text
        pairs = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
        return {name: value for name, mark, value in pairs if mark}


def read_reply(replies: BinaryIO) -> Reply:
    line = replies.readline()
    if not line.endswith(b"\r\n"):
        raise ConnectionResetError("the connection ended within a reply")
    kind, rest = line[:1], line[1:-2].decode()
    if kind == b"-":
        raise ServerError(rest)
    if kind == b":":
        return int(rest)
    if kind == b"$":
        return None if rest == "-1" else replies.read(int(rest) + 2)[:-2].decode()
    if kind == b"*":
        return [read_reply(replies) for _ in range(int(rest))]
    return rest
