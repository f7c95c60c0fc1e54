"""A temporary folder with a guard: the starter's side of guard.py."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

GUARD = Path(__file__).with_name("guard.py")
MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes; all servers of a whole run of the tests together take less


def place() -> Path:
    """Returns where servers get their folders: in memory, if there is room.

    There a flush takes no time. On a disk that is busy with other things it takes longer than a store may take to answer,
    and a killed process leaves as much behind. POLYFLAKE_SERVERS_FOLDER names another folder, for benchmarks.
    """
    if said := os.environ.get("POLYFLAKE_SERVERS_FOLDER"):
        return Path(said)
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM:
        return MEMORY
    return Path(tempfile.gettempdir())


class ServerError(RuntimeError):
    """A server does not start, does not answer, or does not end; the message has the end of its log."""


class Guarded:
    """A folder, and commands that run in it, one at a time. Nothing of either outlives this process or close().

    Thread safety: calls must not overlap.
    """

    def __init__(self, name: str, unprivileged: bool) -> None:
        """An unprivileged one runs its commands as `nobody`, and gives that user the folder, if this process is root."""
        self.folder = Path(tempfile.mkdtemp(prefix=f"polyflake-server-{name}-", dir=place()))
        self.log = self.folder / "log"
        self.pid: int | None = None
        self.status: int | None = None  # of the last command that ended: its exit code, below 0 a signal
        self._user = "nobody" if unprivileged and os.geteuid() == 0 else None
        if self._user is not None:
            account = pwd.getpwnam(self._user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._unread = b""
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", str(GUARD), str(os.getpid()), str(self.folder), *filter(None, [self._user])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )

    def write(self, name: str, text: str) -> Path:
        """A file in the folder that only the user of the commands can read."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        if self._user is not None:
            os.chown(path, pwd.getpwnam(self._user).pw_uid, -1)
        return path

    def start(self, command: Sequence[str], environment: Mapping[str, str], ending: int = signal.SIGKILL) -> int:
        """Returns the process id. `ending` is the signal that it gets first when everything is ended."""
        around = {
            "TMPDIR": str(self.folder),
            **environment,
        }  # MariaDB removes temporary tables of others from a shared one
        request = {"command": list(command), "log": str(self.log), "environment": around, "ending": ending}
        self._send(json.dumps(request))
        answer = self._answer(30)
        if answer is None or not answer.startswith("started "):
            raise ServerError(f"{command[0]}: {answer}")
        self.pid = int(answer.removeprefix("started "))
        return self.pid

    def ended(self, within_s: float) -> bool:
        """Whether the command has ended, or ends in this time; then all of its processes have."""
        if self.pid is not None and (answer := self._answer(within_s)) is not None:
            self.pid, self.status = None, int(answer.removeprefix("ended "))
        return self.pid is None

    def run(self, command: Sequence[str], environment: Mapping[str, str], within_s: float) -> None:
        """Blocks until the command has ended. Errors: a status that is not 0, or too much time."""
        self.start(command, environment)
        answer = self._answer(within_s)
        self.pid = None
        if answer != "ended 0":
            raise ServerError(f"{command[0]}: {answer or 'takes too long'}\n{self.end_of_log()}")

    def end_of_log(self) -> str:
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else ""

    def close(self) -> None:
        """Ends every process and removes the folder. A second call does nothing."""
        if self._guard.stdin is None or self._guard.stdin.closed:
            return
        with contextlib.suppress(BrokenPipeError):
            self._send("end")
        self._guard.stdin.close()
        self._guard.wait()
        shutil.rmtree(self.folder, ignore_errors=True)  # it is there if the guard was killed
        if self._guard.stdout is not None:
            self._guard.stdout.close()
        self.pid = None

    def _send(self, line: str) -> None:
        assert self._guard.stdin is not None
        self._guard.stdin.write(line.encode() + b"\n")

    def _answer(self, within_s: float) -> str | None:
        """The next line of the guard; None if there is none in this time."""
        assert self._guard.stdout is not None
        deadline = time.monotonic() + within_s
        while b"\n" not in self._unread:
            poll = select.poll()
            poll.register(self._guard.stdout, select.POLLIN)
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                return None
            data = os.read(self._guard.stdout.fileno(), 4096)
            if not data:
                raise ServerError("the guard was killed, and with it the server")
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode()
