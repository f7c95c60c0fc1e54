"""Clients that others wrote, each in a program of its own that a test drives by lines. A request is a line, and so is its answer.

    open PORT 2|3      connects, by that version of RESP, and answers its name and version. It may be sent again
    incr KEY           INCR by the client's own method
    next KEY           POLYFLAKE.NEXT key
    batch KEY N        POLYFLAKE.NEXT key n
    incrs KEY N        n times incr in one pipeline
    nexts KEY N        n times next in one pipeline
    decode ID          POLYFLAKE.DECODE, as names and values

An answer is "= " and words, or "! " and the text of the exception that the client threw.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from polyflaked import Polyflaked

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("clients")
JARS = ROOT / "build/server-clients"  # which build_server_clients makes


Token = tuple[()] | tuple[str, str]


class ClientError(RuntimeError):
    """An exception of a client, with the client's message."""


class Client(Protocol):
    """A program that runs."""

    version: str

    # token: its name and its secret
    def open(self, server: Polyflaked, resp: int, token: Token = ()) -> None: ...
    def ask(self, *words: str | int) -> list[str]: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Kind:
    """A client, and what it can do."""

    name: str
    command: tuple[str, ...]
    resp: tuple[int, ...] = (2, 3)
    protocol: str = "resp"  # of the listener
    verbs: tuple[str, ...] = ("incr", "next", "batch", "incrs", "nexts", "decode")
    rounds: bool = False  # integers: numbers of JavaScript are exact below 2^53. docs/server.md says so
    slow: bool = False  # each id of a pipeline is a request that waits for the one before

    def start(self) -> Client:
        made = {"redis-cli": RedisCli, "curl": Curl}.get(self.name, Lines)
        return made(self)


class Lines:
    """A program of the folder clients."""

    def __init__(self, kind: Kind) -> None:
        self.version = ""
        self._kind = kind
        self._process = subprocess.Popen(
            kind.command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def open(self, server: Polyflaked, resp: int, token: Token = ()) -> None:
        self.version = " ".join(self.ask("open", server.ports[self._kind.protocol].number, resp, *token))

    def ask(self, *words: str | int) -> list[str]:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        print(*words, file=process.stdin, flush=True)
        line = process.stdout.readline()
        if not line.endswith("\n"):
            raise EOFError(f"{self._kind.name} ended")
        if line.startswith("!"):
            raise ClientError(line[2:].strip())
        return line[1:].split()

    def close(self) -> None:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.wait(60)


def output_of(*command: str | int) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ClientError(" ".join((done.stdout + done.stderr).split()))
    assert done.stderr == ""
    return done.stdout


class RedisCli:
    """redis-cli: a process for each request."""

    def __init__(self, _: Kind) -> None:
        self.version = output_of("redis-cli", "--version").strip()

    def open(self, server: Polyflaked, resp: int, token: Token = ()) -> None:
        self._command = ["redis-cli", "-e", "-p", str(server.ports["resp"].number), *(["-3"] if resp == 3 else [])]
        if token:
            self._command += ["--no-auth-warning", "--user", token[0], "--pass", token[1]]

    def ask(self, verb: str | int, *words: str | int) -> list[str]:
        key, count = words[0], words[-1]
        arguments = {
            "incr": ["INCR", key],
            "next": ["POLYFLAKE.NEXT", key],
            "batch": ["POLYFLAKE.NEXT", key, count],
            "incrs": ["-r", count, "INCR", key],
            "nexts": ["-r", count, "POLYFLAKE.NEXT", key],
            "decode": ["POLYFLAKE.DECODE", key],
        }[str(verb)]
        return output_of(*self._command, *arguments).split()

    def close(self) -> None:
        pass


class Curl:
    """curl: a process for each request. INCR is the path of Leaf, whose answer is one number."""

    def __init__(self, _: Kind) -> None:
        self.version = " ".join(output_of("curl", "--version").split()[:2])

    def open(self, server: Polyflaked, resp: int, token: Token = ()) -> None:
        self._url = f"http://127.0.0.1:{server.ports['http'].number}"
        self._token = ["-H", f"Authorization: Bearer {token[1]}"] if token else []

    def ask(self, verb: str | int, *words: str | int) -> list[str]:
        key, count = words[0], words[-1]
        text = ["-X", "POST", "-H", "Accept: text/plain"]
        if verb == "batch":
            return json.loads(self._get("-X", "POST", f"{self._url}/v1/ids/{key}?n={count}"))["ids"]
        if verb == "decode":
            parts = json.loads(self._get(f"{self._url}/v1/decode/{key}"))
            return [str(word) for pair in parts.items() for word in pair]
        if verb == "incrs":
            return self._get("-w", "\n", f"{self._url}/api/snowflake/get/{key}#[1-{count}]").split()
        if verb == "nexts":
            return self._get(*text, "-w", "\n", f"{self._url}/v1/ids/{key}?n=1#[1-{count}]").split()
        return self._get(*text, f"{self._url}/{'api/snowflake/get' if verb == 'incr' else 'v1/ids'}/{key}").split()

    def _get(self, *words: str) -> str:
        return output_of("curl", "--silent", "--show-error", "--fail-with-body", *self._token, *words)

    def close(self) -> None:
        pass


def java(jars: str, name: str) -> tuple[str, ...]:
    fast = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
    return ("java", *fast, "-cp", f"{JARS / jars / 'classes'}:{JARS / jars}/*", "Clients", name)


KINDS = (
    Kind("redis-py", (sys.executable, "redis_py.py")),
    Kind("ioredis", ("node", "ioredis.mjs"), rounds=True),
    Kind("ioredis, stringNumbers", ("node", "ioredis.mjs", "text")),
    Kind("node-redis", ("node", "node_redis.mjs"), rounds=True),
    Kind("node-redis, NUMBER as String", ("node", "node_redis.mjs", "text")),
    Kind("jedis 7", java("jedis-7", "jedis")),
    Kind("jedis 8", java("jedis-8", "jedis")),
    Kind("lettuce", java("jedis-8", "lettuce")),
    Kind("phpredis", ("php", "phpredis.php"), resp=(2,)),
    Kind("redis-rb", ("ruby", "redis_rb.rb"), resp=(2,)),
    Kind("go-redis", (str(JARS / "go-redis"),)),
    Kind("redis-cli", (), slow=True),
    Kind("curl", (), resp=(0,), protocol="http", slow=True),
    Kind("leaf", java("jedis-8", "leaf"), resp=(0,), protocol="http", verbs=("incr", "incrs"), slow=True),
)
