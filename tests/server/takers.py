"""Clients of several languages that take ids while servers fail, each a program or, in Python, a thread.

A program has a protocol and the ports of all servers as its arguments. It takes ten ids at a time, for ever, with a pause of 10 ms in
between: twelve that never paused would take all processors from the servers. It prints lines:

    +            a new connection. One before each answer if the client does not say which connection it takes
    = ID ...     the ids of an answer
    ! CODE       a refusal. The connection stays
    -            the connection is lost, or none came about: the next server is asked
"""

from __future__ import annotations

import subprocess
import threading
from collections import Counter
from pathlib import Path
from typing import Protocol

from load import Load
from servers.waiting import within
from wire_clients import CLIENTS

FOLDER = Path(__file__).with_name("takers")
BUILT = Path(__file__).resolve().parents[2] / "build/server-clients"  # which build_server_clients makes
JARS = f"{BUILT}/takers/classes:{BUILT}/takers/*:{BUILT}/jedis-8/*"
PROGRAMS = {
    "node": ("node", "taker.mjs"),
    "java": ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp", JARS, "Taker"),
    "php": ("php", "taker.php"),
    "ruby": ("ruby", "-I", f"{BUILT}/takers/gen-rb", "taker.rb"),
}
TIMEOUT_S = 1.0
PAUSE_S = 0.01
SPOKEN = {
    "python": tuple(CLIENTS),
    "node": ("resp", "http"),
    "java": ("resp", "http", "thrift"),
    "php": ("resp", "http"),
    "ruby": ("resp", "thrift"),
}


class Taker(Protocol):
    """A client that takes ids until stop(). Its ids so far are a list for each connection."""

    ids: list[list[int]]
    lost: int

    def refused(self) -> Counter[str]: ...
    def count(self) -> int: ...
    def more(self, count: int = 500) -> bool: ...
    def stop(self) -> None: ...


class Program:
    """A program of the folder takers."""

    def __init__(self, language: str, protocol: str, ports: list[int]) -> None:
        self.ids: list[list[int]] = []
        self.lost = 0
        self._count = 0
        self._refused: Counter[str] = Counter()
        self._process = subprocess.Popen(
            [*PROGRAMS[language], protocol, *map(str, ports)], cwd=FOLDER, stdout=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if not line.endswith("\n"):
                return  # it was ended within a line
            kind, *words = line.split()
            if kind == "+":
                self.ids.append([])
            elif kind == "=":
                self.ids[-1] += map(int, words)
                self._count += len(words)
            elif kind == "!":
                self._refused[words[0]] += 1
            else:
                self.lost += 1

    def refused(self) -> Counter[str]:
        return self._refused

    def count(self) -> int:
        return self._count

    def more(self, count: int = 500) -> bool:
        """Returns true if it takes so many more in a minute."""
        before = self.count()
        return within(60, lambda: self.count() >= before + count)

    def stop(self) -> None:
        """Errors: AssertionError if it had ended by itself. A second call does nothing."""
        if self._process.returncode is None:
            assert self._process.poll() is None, f"a client ended with {self._process.returncode}"
            self._process.kill()
            self._reader.join()
            self._process.wait()


def all_takers(ports: dict[str, list[int]]) -> dict[str, Taker]:
    """Starts twelve clients, by language and protocol, of servers with these ports for each protocol. Each begins at another server."""
    takers: dict[str, Taker] = {}
    for language, protocol in [(language, protocol) for language, spoken in SPOKEN.items() for protocol in spoken]:
        begin = len(takers) % len(ports[protocol])
        turned = ports[protocol][begin:] + ports[protocol][:begin]
        if language == "python":
            takers[f"python {protocol}"] = Load(protocol, turned, threads=1, timeout_s=TIMEOUT_S, pause_s=PAUSE_S)
        else:
            takers[f"{language} {protocol}"] = Program(language, protocol, turned)
    return takers
