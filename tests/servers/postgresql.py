"""PostgreSQL: a cluster of its own with one user, who owns it, and a password."""

from __future__ import annotations

import shutil
import signal
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from .guarded import ServerError
from .server import START_S, Server, new_password, said_by
from .waiting import within

PLACES = Path("/usr/lib/postgresql")  # Debian keeps versions beside each other, and none of them on the path


def program(name: str) -> str:
    found = sorted(PLACES.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return str(found[-1]) if found else name


class PostgreSQL(Server):
    """PostgreSQL with its defaults, `fsync` included. Only the making of its data is not flushed."""

    name: ClassVar[str] = "postgresql"
    scheme: ClassVar[str] = "postgresql"
    unprivileged: ClassVar[bool] = True
    stop_signal: ClassVar[int] = signal.SIGINT  # ends sessions; SIGTERM would wait for them
    ending: ClassVar[int] = signal.SIGQUIT  # gives back its shared memory, and flushes nothing

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        self.user, self.password, self.database = "polyflake", new_password(), "postgres"

    def prepare(self) -> None:
        password = self._guarded.write("password", f"{self.password}\n")
        words = ["--no-sync", "--no-instructions", "--locale=C", "--encoding=UTF8", "--auth=scram-sha-256"]
        command = [
            program("initdb"),
            f"--pgdata={self.data}",
            f"--username={self.user}",
            f"--pwfile={password}",
            *words,
        ]
        self._guarded.run(command, self.environment(), 60)

    def command(self) -> list[str]:
        settings = {
            "port": str(self.port),
            "listen_addresses": self.host,
            "unix_socket_directories": "",
            "dynamic_shared_memory_type": "mmap",  # in its folder, so that a kill leaves none behind
            "recovery_init_sync_method": "syncfs",  # after a kill: a thousand files at once, not one by one
        }
        words = (word for name, value in settings.items() for word in ("-c", f"{name}={value}"))
        return [program("postgres"), "-D", str(self.data), *words, *self.options]

    def environment(self) -> dict[str, str]:
        return {"LC_ALL": "C", "TZ": "UTC"}

    def answers(self) -> bool:
        """It asks for a password when it would let someone in; while it starts it refuses."""
        words = b"user\0" + str(self.user).encode() + b"\0database\0" + str(self.database).encode() + b"\0\0"
        with self.connect() as connection:
            connection.sendall(struct.pack("!II", 8 + len(words), 3 << 16) + words)
            return connection.recv(1) == b"R"

    def ask(self, sql: str) -> str:
        """What `psql` prints: a line a row, columns parted by `|`. Errors: ServerError."""
        return said_by([program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.url])

    def dump(self, *tables: str) -> Path:
        """Returns a script of `pg_dump` that drops these tables and makes them again. Errors: ServerError."""
        names = [f"--table={table}" for table in tables]
        script = said_by([program("pg_dump"), "--clean", "--if-exists", *names, self.url])
        return self._guarded.write("dump.sql", script)

    def load(self, script: Path) -> None:
        said_by([program("psql"), "-Xq", "-v", "ON_ERROR_STOP=1", "-f", str(script), self.url])

    def _put_into_data(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            self._guarded.write(name, text).rename(self.data / name)


class Archived(PostgreSQL):
    """PostgreSQL that archives its log, from which it is restored to a point in time.

    A point is named by `SELECT pg_create_restore_point('name')`, after back_up().
    """

    def command(self) -> list[str]:
        archiving = ["-c", "archive_mode=on", "-c", f"archive_command=install -D %p {self._archive}/%f"]
        return [*super().command(), *archiving]

    def back_up(self) -> None:
        """Makes the base backup. Blocks until all that it needs is archived. Errors: ServerError."""
        quickly = ["--checkpoint=fast", "--no-sync", "--wal-method=none"]
        said_by([program("pg_basebackup"), f"--pgdata={self._base}", f"--dbname={self.url}", *quickly])
        subprocess.run(["chown", "-R", f"--reference={self.data}", self._base], check=True)  # we may be root

    def restore(self, point: str, *, same_timeline: bool = False) -> None:
        """Puts the base backup in place of the data, and repeats the archived log up to that point.

        Blocks until it is a primary, with a timeline of its own. It lets readers in before. Errors: ServerError.
        same_timeline: as if earlier restores archived nothing, so that the timeline has the number of the first one.
        """
        self.stop()
        for history in self._archive.glob("*.history") if same_timeline else ():
            history.unlink()
        shutil.rmtree(self.data)
        subprocess.run(["cp", "-a", self._base, self.data], check=True)
        settings = {
            "restore_command": f"cp {self._archive}/%f %p",
            "recovery_target_name": point,
            "recovery_target_action": "promote",
        }
        lines = "".join(f"{name} = '{value}'\n" for name, value in settings.items())
        self._put_into_data({"recovery.signal": "", "postgresql.auto.conf": lines})
        self.start()
        if not within(START_S, lambda: self.ask("SELECT pg_is_in_recovery()") == "f"):
            raise ServerError(f"{self.name} does not reach {point}\n{self._guarded.end_of_log()}")

    @property
    def _archive(self) -> Path:
        return self.folder / "archive"

    @property
    def _base(self) -> Path:
        return self.folder / "base"


class Standby(PostgreSQL):
    """A copy of a primary that runs, which follows it as `application`. `through`: a port that leads to the primary, a proxy's."""

    def __init__(self, primary: PostgreSQL, application: str, through: int | None = None) -> None:
        super().__init__()
        self.user, self.password, self.database = primary.user, primary.password, primary.database
        self._from = primary
        self.application = application
        self._through = through or primary.port

    def prepare(self) -> None:
        words = [f"--pgdata={self.data}", f"--dbname={self._way_to(self._from.port)}"]
        quickly = ["--checkpoint=fast", "--no-sync", "--wal-method=stream"]
        self._guarded.run([program("pg_basebackup"), *words, *quickly], self.environment(), 60)
        settings = f"primary_conninfo = '{self._way_to(self._through)}'\n"
        self._put_into_data({"standby.signal": "", "postgresql.auto.conf": settings})

    def promote(self) -> None:
        """Makes it a primary, with a timeline of its own. Blocks until it is one. Errors: ServerError."""
        self.ask("SELECT pg_promote()")

    def follow(self, primary: PostgreSQL) -> None:
        """From now on it follows that one. Does not wait."""
        self.ask(f"ALTER SYSTEM SET primary_conninfo = '{self._way_to(primary.port)}'")
        self.ask("SELECT pg_reload_conf()")

    def _way_to(self, port: int) -> str:
        login = f"user={self.user} password={self.password}"
        return f"host={self.host} port={port} {login} application_name={self.application}"
