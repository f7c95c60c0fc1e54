"""Counters in real stores whose processes are killed, and whose servers lose what they acknowledged.

    python3 counters.py [ROUNDS] [--stores redis,postgresql] [--languages python,node,java] [--processes N] --jar JAR

The processes are of these languages in turn.

kills       kill -9 of all processes, each replaced at once, ROUNDS times (50); the server is killed every tenth time
failovers   ROUNDS / 5 times the primary goes on alone for a second, then dies, and a replica that lacks what was acknowledged
            meanwhile is promoted: Redis and PostgreSQL. Beside the counter, in the same run and on the same server, the
            statement of CosId (INCRBY), those of Leaf and TinyId (UPDATE, then SELECT) and a sequence are called

Prints a table of stores and faults: how many numbers there were, how many of them twice, and the largest gap. The exit code
is 1 if a number of a counter came twice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import psycopg
import redis
from servers import KINDS, PostgreSQL, Proxy, Redis, Server, Standby
from servers.waiting import within
from takers import Taker

from polyflake.stores import init_counter, init_namespace

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLIENTS = ROOT / "build/soak/clients"  # of stores, for Java
HANG_S = 60
PEER_STEP = 10


class Row(NamedTuple):
    store: str
    fault: str
    whose: str
    numbers: list[int]

    def show(self) -> str:
        rising = sorted(set(self.numbers))
        gap = max((b - a - 1 for a, b in zip(rising, rising[1:])), default=0)
        twice = len(self.numbers) - len(rising)
        return f"{self.store:<11} {self.fault:<10} {self.whose:<28} {len(self.numbers):>9} {twice:>7} {gap:>11}"


Program: TypeAlias = "list[str] | None"  # None: the taker of Python


def programs(jar: Path) -> dict[str, Program]:
    classes = f"{jar}:{ROOT / 'build/soak/java'}:{CLIENTS}/*"
    return {
        "python": None,
        "node": ["node", str(HERE / "counter_taker.mjs")],
        "java": ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes, "CounterTaker"],
    }


class Crew(NamedTuple):
    """Counts processes, and names the programs that they run in turn."""

    count: int
    programs: list[Program]


class Takers:
    """Processes that take numbers of one counter, each replaced by another one when it is killed."""

    def __init__(self, url: str, folder: Path, crew: Crew) -> None:
        self._url, self._folder, self._crew = url, folder, crew
        self._all: list[Taker] = []
        self.running = [self._start(i) for i in range(crew.count)]

    def _start(self, i: int) -> Taker:
        program = self._crew.programs[i % len(self._crew.programs)]
        package = {"POLYFLAKE_PACKAGE": str(ROOT)}
        # Some processes of each language take one number at a time.
        step = int(i // len(self._crew.programs) % 2 == 1)
        taker = Taker(self._url, self._folder / f"taker{len(self._all)}", step, environment=package, program=program)
        self._all.append(taker)
        return taker

    def go_on(self, least: int = 50) -> None:
        if not all(taker.goes_on(least) for taker in self.running):
            raise TimeoutError(f"no numbers: {[taker.lines()[-1:] for taker in self.running]}")

    def kill_each(self) -> None:
        for i, taker in enumerate(self.running):
            taker.kill()
            self.running[i] = self._start(i)

    def end(self) -> list[int]:
        for taker in self.running:
            taker.end()
        return [number for taker in self._all for number in taker.numbers()]


def prepared(url: str) -> str:
    url += "?namespace=soak"
    init_namespace(f"{url}&tolerance_ms=100", fresh=True, **({"replicas": "fenced"} if url.startswith("redis") else {}))
    init_counter(url, "orders", after=0)
    return url


def kills(kind: type[Server], rounds: int, crew: Crew, folder: Path) -> Row:
    with kind() as server:
        takers = Takers(prepared(server.url), folder, crew)
        for i in range(rounds):
            takers.go_on()
            takers.kill_each()
            if i % 10 == 9:
                server.kill()
                server.start()
        takers.go_on()
        return Row(kind.name, "kills", "polyflake", takers.end())


# --- peers: bare statements -------------------------------------------------------------------------


class Peer:
    """A thread that takes ranges as another library does, over and over."""

    def __init__(self, name: str, connect: Callable[[], Callable[[], range]]) -> None:
        self.name = name
        self.numbers: list[int] = []
        self._connect = connect
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ends.wait(0.1):
            with suppress(Exception):  # from any client: it connects once more
                take = self._connect()
                while not self._ends.wait(0.005):
                    self.numbers += take()

    def end(self) -> list[int]:
        self._ends.set()
        self._thread.join(HANG_S)
        return self.numbers


def cosid(port: int) -> Callable[[], range]:
    client = redis.Redis(port=port, socket_timeout=1)

    def take() -> range:
        last = int(client.incrby("cosid", PEER_STEP))
        return range(last - PEER_STEP + 1, last + 1)

    return take


def database(url: str) -> psycopg.Connection:
    return psycopg.connect(url, autocommit=False, connect_timeout=2)


def leaf(url: str) -> Callable[[], range]:
    connection = database(url)

    def take() -> range:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE leaf_alloc SET max_id = max_id + %s WHERE biz_tag = 'soak'", (PEER_STEP,))
            cursor.execute("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'soak'")
            ((last,),) = cursor.fetchall()
        connection.commit()
        return range(last - PEER_STEP + 1, last + 1)

    return take


def sequence(url: str) -> Callable[[], range]:
    connection = database(url)

    def take() -> range:
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval('soak_sequence')")
            ((number,),) = cursor.fetchall()
        connection.commit()
        return range(number, number + 1)

    return take


# --- failovers --------------------------------------------------------------------------------------


@contextmanager
def ended(peers: list[Peer]) -> Iterator[None]:
    try:
        yield
    finally:
        for peer in peers:
            peer.end()


def failovers_of_redis(times: int, crew: Crew, folder: Path) -> list[Row]:
    with Redis() as one, Redis() as other, one.proxy() as way:
        takers = Takers(prepared(one.url_at(way.port)), folder, crew)
        peers = [Peer("CosId's INCRBY", lambda: cosid(way.port))]
        with ended(peers):
            primary, replica = one, other
            for _ in range(times):
                replica.replica_of(primary)
                takers.go_on()
                replica.follow(1)  # nothing listens there
                primary.ask("CLIENT", "KILL", "TYPE", "replica")
                alone(takers)
                primary.pause()
                replica.promote()
                lead(way, replica)
                takers.go_on()
                primary.resume()
                primary, replica = replica, primary
        rows = [Row("redis", "failovers", peer.name, peer.numbers) for peer in peers]
        return [Row("redis", "failovers", "polyflake", takers.end()), *rows]


def failovers_of_postgresql(times: int, crew: Crew, folder: Path) -> list[Row]:
    with ExitStack() as stack:
        primary = stack.enter_context(PostgreSQL())
        way = stack.enter_context(primary.proxy())
        url = prepared(primary.url_at(way.port))
        primary.ask("CREATE SEQUENCE soak_sequence")
        primary.ask("CREATE TABLE leaf_alloc (biz_tag text PRIMARY KEY, max_id bigint NOT NULL)")
        primary.ask("INSERT INTO leaf_alloc VALUES ('soak', 0)")
        address = url.partition("?")[0]
        takers = Takers(url, folder, crew)
        peers = [
            Peer("Leaf's and TinyId's UPDATE", lambda: leaf(address)),
            Peer("a sequence", lambda: sequence(address)),
        ]
        with ended(peers):
            for i in range(times):
                link = stack.enter_context(primary.proxy())
                standby = stack.enter_context(Standby(primary, f"standby{i}", link.port))
                streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
                if not within(HANG_S, lambda: primary.ask(streaming) == "1"):
                    raise TimeoutError("the standby does not follow")
                takers.go_on()
                link.refuse()
                link.cut()
                alone(takers)
                primary.kill()
                standby.promote()
                lead(way, standby)
                takers.go_on()
                primary = standby
        rows = [Row("postgresql", "failovers", peer.name, peer.numbers) for peer in peers]
        return [Row("postgresql", "failovers", "polyflake", takers.end()), *rows]


def alone(takers: Takers) -> None:
    """The primary acknowledges for a second what no replica gets."""
    time.sleep(1)
    takers.go_on()


def lead(way: Proxy, server: Server) -> None:
    way.lead_to(server.port)
    way.cut()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", nargs="?", type=int, default=50)
    parser.add_argument("--stores", default=",".join(KINDS))
    parser.add_argument("--languages", default="python,node,java")
    parser.add_argument("--processes", type=int, default=6)
    parser.add_argument("--jar", type=Path, required=True)
    options = parser.parse_args()
    chosen = options.stores.split(",")
    known = programs(options.jar)
    crew = Crew(options.processes, [known[language] for language in options.languages.split(",")])
    rows: list[Row] = []

    def show(*found: Row) -> None:
        rows.extend(found)
        for row in found:
            print(row.show(), flush=True)

    print(f"{'store':<11} {'fault':<10} {'whose':<28} {'numbers':>9} {'twice':>7} {'largest gap':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for number, kind in enumerate(kind for name, kind in KINDS.items() if name in chosen):
            place = Path(folder) / str(number)
            place.mkdir()
            show(kills(kind, options.rounds, crew, place))
        for name, failovers in (("redis", failovers_of_redis), ("postgresql", failovers_of_postgresql)):
            if name in chosen:
                place = Path(folder) / f"{name}-failovers"
                place.mkdir()
                show(*failovers(max(options.rounds // 5, 1), crew, place))
    ours = [row.numbers for row in rows if row.whose == "polyflake"]
    return 1 if any(len(numbers) != len(set(numbers)) for numbers in ours) else 0


if __name__ == "__main__":
    sys.exit(main())
