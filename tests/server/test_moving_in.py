"""docs/migrating.md from Leaf and from Twitter's Snowflake: its commands, step by step, beside servers that count as those do.

Each step takes ids of all servers that run. In the end no id came twice.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import ModuleType

import pytest
from old_servers import Leaf, OldIds, Segments, Snowflake
from pages import page, with_ports
from polyflaked import PROGRAM
from servers import MariaDB, Redis
from servers.port import Port
from wire_clients import ThriftClient

PAGE = page("migrating.md")
HERE = Path(__file__).parent
TOOLS = Path(sys.executable).parent  # polyflake, and a python3 that has thrift
AHEAD_S = 6.0  # of a clock of the old ones
BESIDE, SOME = 1023, 500
PUBLISHED = (HERE / "snowflake.thrift").read_text().partition("service Batches")[0]  # without what polyflaked adds


def blocks(words: str) -> list[str]:
    """The commands of the section that has these words in its head."""
    (section,) = [part for part in re.split(r"^##+ ", PAGE, flags=re.M) if part.startswith(words)]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S)


class Shell:
    """One session of a shell, as a reader types it: variables and servers stay. It ends with all that it started."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PATH": f"{TOOLS}:{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(folder)}
        self._process = subprocess.Popen(
            ["sh", "-eu"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.run("trap 'echo FAILED' EXIT")  # servers of the session keep its output open

    def run(self, commands: str) -> str:
        """Returns what they print. Errors: AssertionError if one fails."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{commands}\necho; echo END\n")
        self._process.stdin.flush()
        said = ""
        while not said.endswith("\nEND\n"):
            line = self._process.stdout.readline()
            assert line not in ("", "FAILED\n"), f"a command failed:\n{commands}\n{said}"
            said += line
        return said.removesuffix("\nEND\n").strip()

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


class Move:
    """A shell, the configurations of the page, and the ids that all servers gave so far. Ports are free ones."""

    def __init__(self, opened: ExitStack, folder: Path, redis: Redis) -> None:
        names = ("8080", "8081", "8082", "7609", "7610", "7611")
        self.ports = {name: opened.enter_context(closing(Port())).number for name in names} | {"6379": redis.port}
        self.ids: list[int] = []
        (folder / "snowflake.thrift").write_text(PUBLISHED)
        for name, text in re.findall(r'^```toml title="(\S+)"\n(.*?)^```$', PAGE, re.M | re.S):
            (folder / name).write_text(with_ports(text, self.ports))
        self._shell = Shell(folder)
        opened.callback(self._shell.close)

    def run(self, block: str) -> str:
        return self._shell.run(with_ports(block, self.ports))

    def value(self, name: str) -> int:
        return int(self.run(f'echo "${name}"'))

    def take(self, name: str, kind: str = "snowflake") -> list[int]:
        """Takes many ids at once, or a few numbers of a segment, at a port of the page. Leaf's path has no batches."""
        port = self.ports[name]
        if name in ("7609", "7610", "7611"):
            with ThriftClient(port) as client:
                ids = [one for _ in range(SOME) for one in client.take()]
        else:
            path = f"http://127.0.0.1:{port}/api/{kind}/get/orders"
            ids = [int(urllib.request.urlopen(path, timeout=60).read()) for _ in range(SOME)]
        self.ids += ids
        return ids

    def expect_unique(self) -> None:
        assert len(set(self.ids)) == len(self.ids) > 0


@pytest.fixture
def database(tmp_path: Path) -> Iterator[MariaDB]:
    """The client of this name finds it, as a reader's does."""
    with MariaDB() as running:
        login = (
            f"host={running.host}\nport={running.port}\nprotocol=tcp\nuser={running.user}\npassword={running.password}"
        )
        (tmp_path / ".my.cnf").write_text(f"[client]\n{login}\n[mysql]\ndatabase={running.database}\n")
        yield running


@pytest.fixture
def move(tmp_path: Path) -> Iterator[Move]:
    with Redis() as redis, ExitStack() as opened:
        yield Move(opened, tmp_path, redis)


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Those of the published service."""
    folder = tmp_path_factory.mktemp("stubs")
    (folder / "snowflake.thrift").write_text(PUBLISHED)
    subprocess.run(["thrift", "-out", folder, "-gen", "py", folder / "snowflake.thrift"], check=True)
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("snowflake.Snowflake")
    finally:
        sys.path.remove(str(folder))


def parts_of(decoded: str) -> dict[str, int]:
    return {name: int(text) for name, text in json.loads(decoded).items() if name in ("node", "time_ms")}


def side_by_side(move: Move, old: str, node: int) -> None:
    """Starts a server beside an old one with this node id, and looks at an id of both as the page does."""
    start, take_of_leaf, take_of_twitter, decode_both = blocks("Side by side")
    move.run(start.replace("old=leaf", f"old={old}"))
    move.run(take_of_leaf if old == "leaf" else take_of_twitter)
    theirs, ours = map(parts_of, move.run(decode_both).replace("}{", "}\n{").splitlines())
    assert (theirs["node"], ours["node"]) == (node, BESIDE)
    assert abs(theirs["time_ms"] - ours["time_ms"]) < 60_000


def without(move: Move, largest: int) -> None:
    """Starts a server with the namespace."""
    start, check, _ = blocks("Without the old servers")
    move.run(f"largest={largest}")
    move.run(start)
    assert parts_of(move.run(check))["node"] == 0
    assert move.value("first") > largest


def back(move: Move) -> int:
    """Ends that server. Returns its last id."""
    move.run(blocks("Without the old servers")[2])
    return move.value("last")


def test_from_leaf(move: Move, database: MariaDB) -> None:
    """One of two has a clock that is ahead: without the floor its ids would come again."""
    ahead = OldIds(1, AHEAD_S)
    with Leaf(move.ports["8080"], OldIds(0)):
        side_by_side(move, "leaf", node=0)
        for port in ("8080", "8081", "8080"):
            move.take(port)
        move.ids += [ahead.next_id() for _ in range(SOME)]
    without(move, max(move.ids))
    for port in ("8082", "8081", "8082"):
        move.take(port)
    last = back(move)
    with Leaf(move.ports["8080"], OldIds(0)):
        assert move.take("8080")[0] > last
        move.take("8081")
    move.expect_unique()
    segments_from_leaf(move, database)


def segments_from_leaf(move: Move, database: MariaDB) -> None:
    start, check, way_back = blocks("Leaf's segments")
    move.ids = []
    with Leaf(move.ports["8080"], OldIds(0), Segments(database)):
        theirs = move.take("8080", "segment")
    move.run(start)
    move.run(check)
    ours = move.take("8082", "segment")
    assert ours[0] == max(theirs) + 3  # Leaf was at the end of a segment; it begins with max_id; the check took one
    move.run('polyflake init --counter others --after 4000 "$store"')  # most have several
    move.run(way_back)
    with Leaf(move.ports["8080"], OldIds(0), Segments(database)):
        assert move.take("8080", "segment")[0] > max(ours)
    move.expect_unique()


def test_from_snowflake(move: Move, stubs: ModuleType) -> None:
    ahead = OldIds(33, AHEAD_S)
    with Snowflake(move.ports["7609"], OldIds(32), stubs):
        side_by_side(move, "twitter", node=32)
        for port in ("7609", "7610", "7609"):
            move.take(port)
        move.ids += [ahead.next_id() for _ in range(SOME)]
    without(move, max(move.ids))
    for port in ("7611", "7610", "7611"):
        move.take(port)
    last = back(move)
    with Snowflake(move.ports["7609"], OldIds(32), stubs):
        assert move.take("7609")[0] > last
        move.take("7610")
    move.expect_unique()
