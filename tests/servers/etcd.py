"""etcd: one member or several, spoken to by the JSON gateway of its third version."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
from pathlib import Path
from typing import Any, ClassVar, Self

from .guarded import ServerError
from .port import Port
from .server import Server


class Etcd(Server):
    """A cluster of one, or a member of an ensemble. The gateway is below /v3 on the client port."""

    name: ClassVar[str] = "etcd"
    scheme: ClassVar[str] = "etcd"

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        self._peer = Port()
        self._data = "data"
        self._members: dict[str, Etcd] = {"one": self}
        self._member = "one"

    @classmethod
    def ensemble(cls, size: int) -> list[Self]:
        """The members of one cluster, which start at once: `start_all`."""
        members = [cls() for _ in range(size)]
        for number, member in enumerate(members):
            member._members = {f"member{n}": each for n, each in enumerate(members)}
            member._member = f"member{number}"
        return members

    def leads(self) -> bool:
        """Returns True if it is the leader, as far as it knows. Errors: OSError if it does not answer."""
        status = self.request("POST", "/v3/maintenance/status", {})
        return bool(status.get("leader") == status["header"]["member_id"])

    def command(self) -> list[str]:
        client, peer = f"http://{self.host}:{self.port}", self.peer
        settings = {
            "name": self._member,
            "data-dir": str(self.data),
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": ",".join(f"{name}={member.peer}" for name, member in self._members.items()),
            # A member alone elects itself, so that this is the time until it is back.
            "heartbeat-interval": "20" if len(self._members) == 1 else "100",
            "election-timeout": "200" if len(self._members) == 1 else "1000",
        }
        return ["etcd", *(f"--{name}={value}" for name, value in settings.items()), *self.options]

    def answers(self) -> bool:
        return bool(self.request("GET", "/health").get("health") == "true")

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """A request over HTTP and what came back, as JSON: `request("POST", "/v3/kv/range", {"key": ...})`."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
            return answer
        except (http.client.HTTPException, ValueError) as error:
            raise ConnectionError(f"etcd answers no JSON: {error}") from error
        finally:
            connection.close()

    @property
    def peer(self) -> str:
        """The address that members know it by."""
        return f"http://{self.host}:{self._peer.number}"

    @property
    def data(self) -> Path:
        return self.folder / self._data

    def snapshot(self) -> Path:
        """Saves what it holds now, as an operator does; returns the file."""
        file = self.folder / "backup.db"
        self._run("etcdctl", f"--endpoints={self.host}:{self.port}", "snapshot", "save", str(file))
        return file

    def restore(self, command: str) -> None:
        """Ends it, runs a shell command that restores a snapshot into the folder `restored` of its own, and starts it on that."""
        self.kill()
        self._run("sh", "-e", "-c", command)
        self._data = "restored"
        self.start()

    def _run(self, *words: str) -> None:
        environment = {**os.environ, "ETCDCTL_API": "3"}
        ran = subprocess.run(words, check=False, cwd=self.folder, env=environment, capture_output=True, text=True)
        if ran.returncode != 0:
            raise ServerError(f"{' '.join(words)}\n{ran.stderr}")

    def close(self) -> None:
        super().close()
        self._peer.close()
