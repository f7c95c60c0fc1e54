"""Issues ids until it is told to end; see issuers.py for the arguments and what the programs of all languages do."""

from __future__ import annotations

import array
import mmap
import os
import signal
import sys
import threading
import time
import warnings

import polyflake

CHILD_WORDS = 1 << 20


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


class IdFile:
    """Ids behind a word that counts them, mapped into memory: what is written survives kill -9."""

    def __init__(self, path: str, words: int = 0) -> None:
        with open(path, "r+b" if not words else "w+b") as file:
            if words:
                file.truncate(words * 8)
            self.words = memoryview(mmap.mmap(file.fileno(), 0)).cast("Q")

    def append(self, ids: array.array[int]) -> bool:
        at = self.words[0]
        if at + len(ids) + 1 > len(self.words) - 1:
            return False
        self.words[at + 1 : at + 1 + len(ids)] = ids
        self.words[0] = at + len(ids)
        return True


class Issuer:
    def __init__(self, path: str, layout: str, worker: str, lead_ms: int, seed: int, pause_ms: int) -> None:
        self.path = path
        self.settings = {"worker": worker, "layout": layout, "max_lead_ms": lead_ms}
        self.seed = seed
        self.pause = pause_ms / 1000
        self.ids = IdFile(path)
        self.generator: polyflake.Generator | None = None
        self.beside: threading.Thread | None = None
        self.turn = self.failures = 0
        self.end = self.fork_requested = False
        self.ends = float("inf")

    def run(self) -> None:
        while not self.end and time.monotonic() < self.ends:
            if self.fork_requested:
                self.fork_requested = False
                self.fork()
            try:
                if self.generator is None:
                    self.open()
                self.issue_batch()
                self.failures = 0
            except polyflake.PolyflakeError as error:
                say(f"error {error.code}")
                say(f"told {error}")
                self.failures += 1
                if self.failures >= 5:
                    self.close()
                time.sleep(0.02)
            time.sleep(self.pause)
        self.close()

    def open(self) -> None:
        begin = time.perf_counter_ns()
        self.generator = polyflake.Generator(**self.settings)
        self.record(array.array("Q", [0]))  # another generator begins
        first = self.generator.next_id()
        passed = time.perf_counter_ns() - begin
        self.record(array.array("Q", [first]))
        say(f"first {passed}")
        # A second thread, so that a fork meets one in the middle of a call; its ids are not recorded.
        if self.seed % 2:
            self.beside = threading.Thread(target=self.issue_beside, args=(self.generator,), daemon=True)
            self.beside.start()

    def close(self) -> None:
        if self.generator is not None:
            self.generator.close()
        self.generator = None
        self.failures = 0

    def issue_beside(self, generator: polyflake.Generator) -> None:
        while self.generator is generator:
            try:
                generator.next_id()
            except polyflake.PolyflakeError:
                time.sleep(0.02)  # the other thread says it
            time.sleep(0.001)

    def issue_batch(self) -> None:
        self.turn += 1
        turn = self.turn + self.seed
        assert self.generator is not None
        if turn % 100 == 0:
            self.fill(4000)
        elif turn % 3 == 0:
            self.fill(40)
        else:
            ids = array.array("Q")
            call = self.generator.next_id if turn % 3 == 1 else self.generator.try_next_id
            try:
                for _ in range(20):
                    number = call()
                    if number is not None:
                        ids.append(number)
            finally:
                self.record(ids)

    def fill(self, count: int) -> None:
        ids = array.array("Q", bytes(8 * count))
        self.generator.fill(ids)
        self.record(ids)

    def record(self, ids: array.array[int]) -> None:
        if not self.ids.append(ids):
            say("full")
            self.end = True

    def fork(self) -> None:
        """The child records in a file of its own, for a few seconds."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a process with threads is forked on purpose
            if os.fork():
                return
        path = f"{self.path}.{os.getpid()}"
        os.dup2(os.open(f"{path}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
        self.ids = IdFile(path, CHILD_WORDS)
        self.record(array.array("Q", [0]))
        self.ends = time.monotonic() + 1 + (self.seed + self.turn) % 3


def main() -> None:
    path, layout, worker, lead_ms, seed, pause_ms = sys.argv[1:]
    issuer = Issuer(path, layout, worker, int(lead_ms), int(seed), int(pause_ms))
    signal.signal(signal.SIGTERM, lambda *_: setattr(issuer, "end", True))
    signal.signal(signal.SIGUSR1, lambda *_: setattr(issuer, "fork_requested", True))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    say("ready")
    try:
        issuer.run()
        say("done")
    except Exception as error:
        say(f"failure {type(error).__name__}: {error}")
        sys.exit(1)


if __name__ == "__main__":
    main()
