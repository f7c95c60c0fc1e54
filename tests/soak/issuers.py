"""The programs that issue ids, one a language, and what can be seen of them from outside.

All of them take FILE LAYOUT WORKER LEAD_MS SEED PAUSE_MS. Each opens a generator and issues batch after batch (single
calls, tries, arrays, now and then a long one) with a pause between. Ids go to FILE, behind a word that counts them, in a
way that survives kill -9; a 0 among them says that another generator begins. What a program says goes to FILE.log:

    ready           it has begun
    first NS        a generator was opened and gave its first id, in so many nanoseconds
    error CODE      of the library; after five in a row the program takes a new generator
    told TEXT       the words of that error, for people
    failure TEXT    anything else that was raised: the program ends, with exit code 1
    full            the file has no room left: the program ends
    done            a forked child has come to its end

The C++ program begins when its input ends. SIGTERM asks a program to end in good order. SIGUSR1 makes those of C++ and Python fork: for a few seconds the child
goes on with what it inherited, and records in FILE.<pid>.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORDS = 1 << 22  # of a file: more than a program issues in its life; the file is sparse
FORKING = ("cpp", "python")

CAP_DAC_OVERRIDE, PR_CAPBSET_DROP = 1, 24
libc = ctypes.CDLL(None)


def commands(jar: Path) -> dict[str, list[str]]:
    return {
        "cpp": [str(ROOT / "build/cpp/tests/soak/polyflake_soak_issuer")],
        "python": [sys.executable, str(HERE / "issuer.py")],
        "node": ["node", str(HERE / "issuer.mjs")],
        "java": [
            "java",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            f"{jar}:{ROOT / 'build/soak/java'}",
            "SoakIssuer",
        ],
    }


def obey_permissions() -> None:
    """Root writes into read-only folders, unless it gave this up before it runs a program."""
    libc.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


class Recorder:
    """A process that appends to a file: an issuer, or a child that it forked."""

    def __init__(self, path: Path, pid: int, language: str, word: str) -> None:
        self.path, self.pid, self.language, self.word = path, pid, language, word
        self.log = Path(f"{path}.log")
        self.seen = (0, 0)
        self.moved = self.began = time.monotonic()

    def count(self) -> int:
        with self.path.open("rb", buffering=0) as file:
            return int.from_bytes(file.read(8), sys.byteorder)

    def look(self) -> None:
        """Notices progress: an id, or a line of the log."""
        now = (self.count(), self.log.stat().st_size if self.log.exists() else 0)
        if now != self.seen:
            self.seen, self.moved = now, time.monotonic()

    def silent_for(self) -> float:
        return time.monotonic() - self.moved

    def alive(self) -> bool:
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        return state not in "ZX"

    def send(self, number: int) -> None:
        os.kill(self.pid, number)

    def lines(self) -> list[str]:
        return self.log.read_text(errors="replace").splitlines() if self.log.exists() else []

    def ids(self) -> numpy.ndarray:
        return numpy.fromfile(self.path, numpy.uint64, count=1 + self.count())[1:]

    def exit_code(self) -> int | None:
        """Nobody learns that of a forked child, but it says so when it comes to its end."""
        return None

    def ended_well(self, lines: list[str]) -> bool:
        return "done" in lines

    def where_it_is(self) -> str:
        """For reports of hangs: the stack of every thread where gdb is installed, else what each waits for."""
        try:
            command = ["gdb", "-p", str(self.pid), "-batch", "-ex", "thread apply all bt 12"]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, check=False)
            return "\n".join(line for line in done.stdout.splitlines() if line.startswith(("#", "Thread")))
        except (OSError, subprocess.TimeoutExpired):
            tasks = Path(f"/proc/{self.pid}/task").glob("*/wchan")
            return "\n".join(f"{task.parent.name}: {task.read_text()}" for task in tasks)


class Issuer(Recorder):
    """A program that was started here."""

    def __init__(
        self,
        command: list[str],
        path: Path,
        language: str,
        layout: str,
        worker: str,
        lead_ms: int,
        seed: int,
        pause_ms: int,
        environment: dict[str, str],
        stdin: int = subprocess.DEVNULL,
    ) -> None:
        with path.open("wb") as file:
            file.truncate(8 * WORDS)
        words = [*command, path, layout, worker, lead_ms, seed, pause_ms]
        with Path(f"{path}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(word) for word in words],
                stdin=stdin,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
                preexec_fn=obey_permissions,
            )
        super().__init__(path, self.process.pid, language, worker)
        self.stopped_until: float | None = None
        self.ending = False

    def alive(self) -> bool:
        return self.process.poll() is None

    def exit_code(self) -> int | None:
        return self.process.returncode

    def ended_well(self, lines: list[str]) -> bool:
        if self.ending:
            return self.exit_code() in (0, -signal.SIGTERM, 128 + signal.SIGTERM, -signal.SIGKILL)
        return self.exit_code() == -signal.SIGKILL or "full" in lines

    def forks(self) -> bool:
        """Whether it can be asked to: a program that has not said "ready" would die of the signal."""
        return (
            self.language in FORKING and self.stopped_until is None and not self.ending and "ready" in self.lines()[:1]
        )

    def stop(self, seconds: float) -> None:
        self.send(signal.SIGSTOP)
        self.stopped_until = time.monotonic() + seconds

    def resume(self) -> None:
        self.send(signal.SIGCONT)
        self.stopped_until = None
        self.moved = time.monotonic()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Asks it to; before it is ready the signal would end it without its own doing, which is as good."""
        self.ending = True
        self.process.terminate()
        self.moved = time.monotonic()

    def children(self, known: set[Path]) -> list[Recorder]:
        """Those forked since, whose files have appeared."""
        new = [
            path
            for path in self.path.parent.glob(f"{self.path.name}.*")
            if path.suffix[1:].isdigit() and path not in known
        ]
        return [Recorder(path, int(path.suffix[1:]), self.language, self.word) for path in new]
