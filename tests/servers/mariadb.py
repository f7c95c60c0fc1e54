"""MariaDB: data of its own, a database and a user with a password."""

from __future__ import annotations

import os
import shutil
from typing import ClassVar

from .server import Server, new_password, said_by

PROGRAM = shutil.which("mariadbd", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/libexec") or "mariadbd"


class MariaDB(Server):
    """MariaDB with its defaults: a commit is flushed before it is answered. Reached by TCP alone."""

    name: ClassVar[str] = "mariadb"
    scheme: ClassVar[str] = "mysql"
    unprivileged: ClassVar[bool] = True

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        self.user, self.password, self.database = "polyflake", new_password(), "polyflake"

    def prepare(self) -> None:
        quickly = ["--skip-test-db", "--skip-name-resolve", "--innodb-flush-method=nosync"]
        login = "--auth-root-authentication-method=normal"
        self._guarded.run(["mariadb-install-db", "--no-defaults", f"--datadir={self.data}", login, *quickly], {}, 60)
        statements = (
            f"CREATE DATABASE IF NOT EXISTS {self.database};",
            f"CREATE USER IF NOT EXISTS {self.user}@'%' IDENTIFIED BY '{self.password}';",
            f"GRANT ALL ON *.* TO {self.user}@'%' WITH GRANT OPTION;",
        )
        self._guarded.write("first.sql", "\n".join(statements) + "\n")

    def command(self) -> list[str]:
        settings = {
            "datadir": str(self.data),
            "port": str(self.port),
            "bind-address": self.host,
            "socket": "mariadb.sock",  # in the data; a full path may be too long for a socket
            "pid-file": "mariadb.pid",
            "init-file": str(self.folder / "first.sql"),
            "innodb-flush-log-at-trx-commit": "1",
        }
        words = (f"--{name}={value}" for name, value in settings.items())
        return [PROGRAM, "--no-defaults", "--skip-name-resolve", *words, *self.options]

    def answers(self) -> bool:
        """Its greeting begins with the version of the protocol, after the four bytes of a packet's header."""
        with self.connect() as connection:
            greeting = connection.recv(64)
        return greeting[4:5] == b"\x0a"

    def ask(self, sql: str) -> str:
        """What `mariadb` prints: a line a row, columns parted by tabs. Errors: ServerError."""
        where = [f"--host={self.host}", f"--port={self.port}", "--protocol=tcp", f"--user={self.user}"]
        command = ["mariadb", "--no-defaults", *where, "-BN", "-e", sql, str(self.database)]
        return said_by(command, MYSQL_PWD=str(self.password))

    def follow(self, primary: MariaDB) -> None:
        """Makes it a replica, which has all that its primary has logged. Does not wait."""
        login = f"MASTER_USER='{primary.user}', MASTER_PASSWORD='{primary.password}', MASTER_USE_GTID=slave_pos"
        self.ask(f"CHANGE MASTER TO MASTER_HOST='{primary.host}', MASTER_PORT={primary.port}, {login}; START SLAVE")

    def promote(self) -> None:
        """Makes a replica a primary. It keeps the data that reached it."""
        self.ask("STOP SLAVE; RESET SLAVE ALL")
