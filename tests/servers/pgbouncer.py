"""PgBouncer before a PostgreSQL: sessions take turns on its connections, a transaction at a time."""

from __future__ import annotations

import shutil
from typing import ClassVar

from .postgresql import PostgreSQL
from .server import Server

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin") or "pgbouncer"


class PgBouncer(Server):
    """In transaction mode, with a pool of `connections`. Sessions are those of the server's owner. Ends before the server does."""

    name: ClassVar[str] = "pgbouncer"
    scheme: ClassVar[str] = "postgresql"
    unprivileged: ClassVar[bool] = True

    def __init__(self, to: PostgreSQL, connections: int, *options: str) -> None:
        super().__init__(*options)
        self._to = to
        self._connections = connections
        self.user, self.password, self.database = to.user, to.password, to.database

    def prepare(self) -> None:
        users = self._guarded.write("users", f'"{self.user}" "{self.password}"\n')
        settings = {
            "listen_addr": self.host,
            "listen_port": self.port,
            "unix_socket_dir": "",
            "auth_type": "scram-sha-256",
            "auth_file": users,
            "pool_mode": "transaction",
            "default_pool_size": self._connections,
            "ignore_startup_parameters": "extra_float_digits",  # which JDBC sends
        }
        lines = [f"{name} = {value}" for name, value in settings.items()]
        databases = f"* = host={self._to.host} port={self._to.port}"
        self._guarded.write("settings.ini", "\n".join(("[databases]", databases, "[pgbouncer]", *lines)) + "\n")

    def command(self) -> list[str]:
        return [PROGRAM, *self.options, str(self.folder / "settings.ini")]

    def answers(self) -> bool:
        with self.connect():
            return True
