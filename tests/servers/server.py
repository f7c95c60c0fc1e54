"""What all servers have in common: a port, a folder, a beginning and several ends."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Self

from .guard import children_of
from .guarded import Guarded, ServerError
from .port import Port
from .proxy import Proxy
from .waiting import within

HOST = "127.0.0.1"
START_S = 180.0  # on a machine that is busy with other things
STOP_S = 60.0
POLL_S = 0.005


class Server:
    """A server of its own: free port, empty data, no configuration of the machine. Use it in a `with` statement.

    It ends and its folder goes with the statement, with close() and with this process, however that ends. Options are
    arguments of the server's program, after ours. Thread safety: calls on one server must not overlap.
    """

    name: ClassVar[str]  # of the class in command lines
    scheme: ClassVar[str]  # of its URLs
    unprivileged: ClassVar[bool] = False  # it refuses to run as root
    stop_signal: ClassVar[int] = signal.SIGTERM
    ending: ClassVar[int] = signal.SIGKILL  # at the end, when nothing has to be kept
    user: str | None = None
    password: str | None = None
    database: str | None = None

    def __init__(self, *options: str) -> None:
        self.options = options
        self.host = HOST
        self._port = Port()
        self._guarded = Guarded(self.name, self.unprivileged)
        self._prepared = False
        self._paused: list[int] = []

    # --- what a kind of server says of itself ----------------------------------------------------

    def prepare(self) -> None:
        """Makes the data that the server needs before its first start."""

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return {}

    def answers(self) -> bool:
        """Whether it answers a request over its own protocol. Errors: OSError counts as no."""
        raise NotImplementedError

    # --- where it is -----------------------------------------------------------------------------

    @property
    def port(self) -> int:
        return self._port.number

    @property
    def folder(self) -> Path:
        return self._guarded.folder

    @property
    def log(self) -> Path:
        return self._guarded.log

    @property
    def url(self) -> str:
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """The URL by which it is reached through a proxy on this port."""
        login = f"{self.user}:{self.password}@" if self.user else ""
        return f"{self.scheme}://{login}{self.host}:{port}" + (f"/{self.database}" if self.database else "")

    def proxy(self) -> Proxy:
        """A proxy before this server, which the caller closes."""
        return Proxy(self.port)

    @property
    def pid(self) -> int:
        """Of its first process. Errors: ServerError while it is down."""
        if self._guarded.ended(0) or self._guarded.pid is None:
            raise ServerError(f"{self.name} does not run\n{self._guarded.end_of_log()}")
        return self._guarded.pid

    def connect(self, timeout_s: float = 1.0) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout_s)

    # --- beginning and ends ----------------------------------------------------------------------

    def start(self) -> None:
        """Blocks until it answers. Errors: ServerError with the end of its log."""
        if not self._guarded.ended(0):
            raise ServerError(f"{self.name} runs already")
        if not self._prepared:
            self.prepare()
            self._prepared = True
        self._guarded.start(self.command(), self.environment(), self.ending)
        deadline = time.monotonic() + START_S
        while not self._answers_now():
            if self._guarded.ended(POLL_S):
                raise ServerError(f"{self.name} ended while it started\n{self._guarded.end_of_log()}")
            if time.monotonic() > deadline:
                raise ServerError(f"{self.name} does not answer\n{self._guarded.end_of_log()}")

    def stop(self) -> None:
        """Asks it to end as an operator would. Blocks until all of its processes have."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """`kill -9` of its first process. Blocks until all of its processes have ended."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stops it unless it is down, and starts it on the same port and data."""
        if not self._guarded.ended(0):
            self.stop()
        self.start()

    @property
    def data(self) -> Path:
        """The folder of all that it keeps."""
        return self.folder / "data"

    def keep_files(self) -> None:
        """A copy of all its data, as of a volume. It is stopped meanwhile."""
        self.stop()
        subprocess.run(["cp", "-a", self.data, self._kept], check=True)  # it may be another user's
        self.start()

    def put_files_back(self) -> None:
        """Goes on from the copy that keep_files() made."""
        self.stop()
        shutil.rmtree(self.data)
        self._kept.rename(self.data)
        self.start()

    @property
    def _kept(self) -> Path:
        return self.data.with_name(f"{self.data.name}.kept")

    def pause(self) -> None:
        """SIGSTOP of all of its processes. The system still accepts connections in its name."""
        self._paused = [self.pid]
        for pid in self._paused:  # grows: a stopped process makes no more children
            os.kill(pid, signal.SIGSTOP)
            if not within(STOP_S, lambda: stopped_or_gone(pid)):
                raise ServerError(f"process {pid} of {self.name} does not stop")
            self._paused += children_of(pid)

    def resume(self) -> None:
        """SIGCONT of what pause() stopped."""
        for pid in reversed(self._paused):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self._paused = []

    def close(self) -> None:
        """Ends it without asking, and removes its folder. A second call does nothing."""
        self.resume()
        self._guarded.close()
        self._port.close()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answers_now(self) -> bool:
        try:
            return self.answers()
        except OSError:
            return False

    def _end(self, number: int) -> None:
        os.kill(self.pid, number)
        self.resume()  # a stopped process would not hear it
        if not self._guarded.ended(STOP_S):
            raise ServerError(f"{self.name} does not end\n{self._guarded.end_of_log()}")


def stopped_or_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "TtZX"
    except OSError:
        return True


def said_by(command: list[str], **environment: str) -> str:
    """What a client of the server prints. Errors: ServerError with its complaint."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode != 0:
        raise ServerError(done.stderr.strip())
    return done.stdout.strip()


def new_password() -> str:
    return secrets.token_hex(12)


def start_all(servers: Iterable[Server]) -> None:
    """Starts them at once. Errors: the first that one of them has, when all have started or failed."""
    with ThreadPoolExecutor() as pool:
        started = [pool.submit(server.start) for server in servers]
    for one in started:
        one.result()
