"""Ends a server when whoever started it ends, however that comes about:  guard.py STARTER FOLDER [USER]

Runs commands for the process STARTER, one at a time, as USER if there is one. Adopts all that they leave behind. When
STARTER is gone, or says "end", every process is killed and FOLDER removed. Reads lines of JSON with the keys command,
log, environment and ending, the signal of a last farewell; answers "started PID", "failed WHY" and "ended STATUS".
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

FAREWELL_S = 3.0
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
libc = ctypes.CDLL(None)


def children_of(pid: int) -> list[int]:
    """The processes whose parent this is; none if it has ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # ended since the folder was read
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def die_with_parent() -> None:
    """In a child that has become another user, which would undo it, of a parent whose first thread starts it."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Guard:
    """What runs now, and how it ends."""

    def __init__(self, user: str | None) -> None:
        self.user = user
        self.pid: int | None = None
        self.ending = int(signal.SIGKILL)

    def start(self, command: list[str], log: str, environment: dict[str, str], ending: int) -> None:
        with open(log, "ab") as output:
            try:
                child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env={**os.environ, **environment},
                    cwd=Path(log).parent,
                    start_new_session=True,
                    preexec_fn=die_with_parent,
                    user=self.user,
                    group=self.user and pwd.getpwnam(self.user).pw_gid,
                    extra_groups=() if self.user else None,
                )
            except (OSError, subprocess.SubprocessError) as error:
                say(f"failed {error}")
                return
        self.pid, self.ending = child.pid, ending
        child.returncode = 0  # reap() waits for it
        say(f"started {self.pid}")

    def reap(self) -> None:
        """Collects what has ended. With the command its other processes end, as they would with the machine."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.pid:
                    self.pid = None
                    kill_all_children()
                    say(f"ended {os.waitstatus_to_exitcode(status)}")

    def end(self) -> None:
        """Ends everything; a server that keeps something outside its folder gets the time to give it back."""
        if self.pid is not None and self.ending != signal.SIGKILL:
            for number in (self.ending, signal.SIGCONT):
                os.kill(self.pid, number)
            deadline = time.monotonic() + FAREWELL_S
            while self.pid is not None and time.monotonic() < deadline:
                self.reap()
                time.sleep(0.005)
        kill_all_children()


def kill_all_children() -> None:
    """Children of children become ours when their parents end, so this goes on until there are none."""
    while True:
        for pid in children_of(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def say(answer: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        print(answer, flush=True)


def serve(guard: Guard, starter: int) -> None:
    """Until the starter has ended or says so."""
    alive, (waking, woken) = os.pidfd_open(starter), os.pipe()
    if os.getppid() != starter:  # it ended, and another process has its number
        return
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poll = select.poll()
    for descriptor in (0, alive, waking):
        poll.register(descriptor, select.POLLIN)
    requests = b""
    while True:
        ready = [descriptor for descriptor, _ in poll.poll()]
        if waking in ready:
            os.read(waking, 4096)
        guard.reap()
        if alive in ready:
            return
        if 0 in ready:
            data = os.read(0, 65536)
            *lines, requests = (requests + data).split(b"\n")
            if not data or b"end" in lines:
                return
            for line in lines:
                guard.start(**json.loads(line))


def main() -> None:
    starter, folder, *user = sys.argv[1:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # a signal that is ignored would be in what it runs, too
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    guard = Guard(user[0] if user else None)
    try:
        with contextlib.suppress(ProcessLookupError):  # it ended before this program ran
            serve(guard, int(starter))
    finally:
        guard.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
