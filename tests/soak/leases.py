"""Processes of all languages on one namespace of a real store, while the processes, their clocks, the network and the store fail.

    python3 leases.py [SECONDS] [--rounds N] [--stores redis,postgresql] [--faults kills,clocks] [--languages python,node,java]
                      [--processes N] [--seed N] [--jar JAR]

Each store has so many seconds for each kind of fault, kills and rounds as long as they take. Prints a table of stores and
faults, how many ids there were and how many of them twice; the last line counts the facts that held, and the exit code is 1
when one did not. What the processes said stays in build/soak/leases.

rounds    kill -9 of all of them, one after the other, each replaced at once, N times, whenever all have issued
kills     kill -9, a new process at once; some are asked to end, or fork
stops     SIGSTOP for three windows
clocks    the clock of some processes steps: 5 ms, 1 s, 1 h and 12 years back, 1 h forward and back, to 1970
network   a proxy drops, delays, holds, duplicates, swaps and cuts what goes to the store or comes from it
server    the store is killed, restarted, stopped and goes on
losses    Redis loses what it acknowledged: a replica that lags is promoted, all is flushed, one record is evicted

Before all these come hosts whose clock is wrong from the beginning: see wrong_clocks.py.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import faults
import wrong_clocks
from issuers import ROOT, Issuer, commands
from soak import HANG_S, Soak, told_facts
from windows import Stamps, marks_of

from polyflake.stores import init_namespace

sys.path.insert(0, str(ROOT / "tests"))
from servers import KINDS, Proxy, Redis, Server, ServerError
from servers.waiting import within

Card = TypeVar("Card")

LANGUAGES = ("python", "node", "java")
PROCESSES = 6
CLIENTS = ROOT / "build/soak/clients"  # of stores, for Java
WINDOW_MS, TOLERANCE_MS = 1500, 150
WINDOW_S = WINDOW_MS / 1000
STEPS_S = (-0.005, -1, -3600, -12 * 365 * 86400, 3600, 0, 0, -1e9 * 3)
NETWORK = ("heal", "heal", "drop", "delay", "delay", "hold", "cut", "refuse", "duplicate", "swap")
DELAYS_MS = (20, 400, 3 * WINDOW_MS, 60_000)
ENDS = ("killed", "restarted", "stopped")
LOSSES = ("evicted", "flushed", "failed over")
USUAL = {"store_unavailable", "lease_lost", "no_worker_free"}
CODES = {
    "rounds": USUAL,
    "kills": USUAL,
    "stops": USUAL | {"clock_behind"},
    "clocks": USUAL | {"clock_behind", "clock_before_epoch", "clock_skew"},
    "network": USUAL | {"clock_skew"},  # a reply that came to somebody else tells the time of long ago
    "server": USUAL,
    "losses": USUAL
    | {"namespace_not_initialised", "clock_behind"},  # one loss after another puts a start off again and again
}
FOR_ALL = ("rounds", "kills", "stops", "clocks", "network", "server")


class Leases(Soak):
    """One store; phases are the kinds of faults."""

    def __init__(
        self,
        folder: Path,
        programs: dict[str, list[str]],
        languages: list[str],
        seed: int,
        server: Server,
        processes: int = PROCESSES,
    ) -> None:
        super().__init__(folder, programs, languages, seed, pause_ms=4)
        self.server, self.number = server, processes
        self.proxy: Proxy = server.proxy()
        self.decks: dict[Sequence[Any], list[Any]] = {}
        self.outside: dict[str, list[str]] = {}  # by kind, who stamped what was not granted

    def start(self, language: str) -> Issuer:
        number = next(self.numbers)
        environment = {**os.environ, "POLYFLAKE_PACKAGE": str(ROOT)}
        environment.pop("POLYFLAKE_WORKER", None)
        if self.clock is not None and number % 2:  # of half of them, so that hosts differ
            environment.update(self.clock.environment)
        self.processes[language] += 1
        return Issuer(
            self.programs[language],
            self.folder / f"{number:05}-{language}",
            language,
            "polyflake",
            self.url(),
            0,
            self.rng.randrange(1000),
            self.pause_ms,
            environment,
        )

    def url(self) -> str:
        return f"{self.server.url_at(self.proxy.port)}?namespace=soak-{self.kind}&acquire_timeout_ms=4000"

    def allowed(self) -> set[str]:
        return CODES[self.kind]

    def faulty_phase(self, kind: str, seconds: float, rounds: int) -> None:
        self.kind = kind
        self.init(fresh=True)
        self.clock = self.steps if kind == "clocks" else None
        self.issuers = [self.start(self.languages[at % len(self.languages)]) for at in range(self.number)]
        if kind == "rounds":
            for _ in range(rounds):
                self.kill_everybody()
        else:
            self.strike_for(seconds)
        self.server.resume()
        self.proxy.heal()
        self.calm()
        self.finish()
        self.look_at_windows()

    def strike_for(self, seconds: float) -> None:
        """And until who was stopped has been for as long as was meant."""
        pause_s = min(0.6 if self.kind == "kills" else 1.5, seconds / 4)
        end, due = time.monotonic() + seconds, time.monotonic() + pause_s
        while (now := time.monotonic()) < end or any(issuer.stopped_until is not None for issuer in self.issuers):
            self.watch()
            if due <= now < end:
                due = now + self.rng.uniform(0.1, pause_s)
                self.done[f"{self.kind}: {self.strike()}"] += 1
            time.sleep(0.02)

    def draw(self, cards: Sequence[Card]) -> Card:
        """One of them; each comes before any comes again."""
        left = self.decks.setdefault(cards, [])
        if not left:
            left += self.rng.sample(cards, len(cards))
        return left.pop()

    def kill_everybody(self) -> None:
        """One round: once all have issued, and a moment later."""
        end = time.monotonic() + HANG_S
        while time.monotonic() < end and not all(issuer.count() > 100 for issuer in self.issuers):
            self.watch()
            time.sleep(0.02)
        for issuer in self.rng.sample(self.issuers, len(self.issuers)):
            time.sleep(self.rng.uniform(0, 0.1))
            issuer.kill()
            self.watch()
            self.done["rounds: kill -9"] += 1

    def look_at_windows(self) -> None:
        """Whether what was stamped had been granted. Where the store has lost records, that cannot be seen in them."""
        batches = self.checkers[self.kind].batches
        stamps = Stamps(batches)
        self.outside[self.kind] = stamps.shared()
        if self.kind != "losses":
            marks = marks_of(f"{self.server.url}?namespace=soak-{self.kind}", batches)
            self.outside[self.kind] += stamps.outside(marks)
            last = stamps.last()  # a window that ended with the last stamp did not contain it
            if len(stamps.outside(last)) < len(last):
                self.outside[self.kind].append("marks that are too low are not noticed")

    def facts(self) -> list[tuple[str, list[str]]]:
        of_windows = [
            (f"{kind}: every stamp lies inside a granted window", found) for kind, found in self.outside.items()
        ]
        return [*super().facts(), *of_windows]

    def init(self, *, fresh: bool) -> None:
        url = f"{self.server.url}?namespace=soak-{self.kind}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}"
        init_namespace(url, fresh=fresh)

    def strike(self) -> str:
        return {
            "kills": self.strike_a_process,
            "stops": self.stop_a_process,
            "clocks": self.strike_the_clock,
            "network": self.strike_the_network,
            "server": self.strike_the_server,
            "losses": self.lose_something,
        }[self.kind]()

    def strike_a_process(self) -> str:
        processes = faults.Processes(self.rng, self.note)
        names = processes.strike([issuer for issuer in self.issuers if self.may_be_struck(issuer)], None)
        return names[0] if names else "nobody"

    def stop_a_process(self) -> str:
        issuers = [issuer for issuer in self.issuers if self.may_be_struck(issuer)]
        if issuers:
            self.rng.choice(issuers).stop(3 * WINDOW_S)
        return "stopped for three windows"

    def strike_the_clock(self) -> str:
        assert self.clock is not None
        step = self.draw(STEPS_S)
        self.clock.set(step)
        return f"{step:+g} s"

    def strike_the_network(self) -> str:
        direction = self.rng.choice((None, "requests", "replies"))
        name = self.draw(NETWORK)
        fault = getattr(self.proxy, name)
        if name == "delay":
            fault(self.draw(DELAYS_MS), direction)
        elif name in ("drop", "hold"):
            fault(direction)
        else:
            fault()
        return name

    def strike_the_server(self) -> str:
        name = self.draw(ENDS)
        if name == "stopped":
            self.server.pause()
            time.sleep(self.rng.uniform(0.1, 2 * WINDOW_S))
            self.server.resume()
        elif name == "killed":
            self.server.kill()
            time.sleep(self.rng.uniform(0, WINDOW_S))
            self.server.start()
        else:
            self.server.restart()
        return name

    def lose_something(self) -> str:
        raise NotImplementedError  # see RedisLeases

    def close(self) -> None:
        self.proxy.close()
        self.server.close()


class RedisLeases(Leases):
    """With a replica, so that there is something to lose."""

    def faulty_phase(self, kind: str, seconds: float, rounds: int) -> None:
        if kind != "losses":
            super().faulty_phase(kind, seconds, rounds)
            return
        with Redis() as self.replica:
            self.replica.replica_of(self.server)
            super().faulty_phase(kind, seconds, rounds)
            self.server, self.replica = self.replica, self.server
            self.server.close()

    def init(self, *, fresh: bool) -> None:
        """A replica that is promoted without the namespace would leave none: no process makes it again."""
        super().init(fresh=fresh)
        if self.kind == "losses" and not within(HANG_S, self.replica_has_the_namespace):
            raise ServerError("the namespace does not reach the replica")

    def replica_has_the_namespace(self) -> bool:
        wanted = ("HGET", "polyflake:{soak-losses}:names", "nonce")
        found = self.replica.ask(*wanted)
        return found is not None and found == self.server.ask(*wanted)

    def lose_something(self) -> str:
        name = self.draw(LOSSES)
        if name == "evicted":
            self.server.ask("DEL", f"polyflake:{{soak-losses}}:node:{self.rng.randrange(self.number)}")
        elif name == "flushed":
            self.server.ask("FLUSHALL")
            time.sleep(self.rng.uniform(0, WINDOW_S))
            self.init(fresh=False)
        else:
            self.fail_over()
        return name

    def fail_over(self) -> None:
        """The replica lags for a while, then is the primary; the primary goes on for those who have not noticed."""
        self.replica.promote()
        time.sleep(self.rng.uniform(0, WINDOW_S))
        self.proxy.lead_to(self.replica.port)
        self.server, self.replica = self.replica, self.server
        time.sleep(self.rng.uniform(0, WINDOW_S))
        self.replica.replica_of(self.server)


def programs(jar: Path) -> dict[str, list[str]]:
    found = commands(jar)
    at = found["java"].index("-cp") + 1
    found["java"][at] += f":{CLIENTS}/*"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", type=float, nargs="?", default=20)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--stores", default=",".join(KINDS))
    parser.add_argument("--faults", default="", help="default: all that the store can have")
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--processes", type=int, default=PROCESSES, help="how many at a time")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jar", type=Path, default=Path(), help="the jar of the Java package")
    options = parser.parse_args()
    for given, known in ((options.stores, KINDS), (options.languages, LANGUAGES)):
        unknown = [name for name in given.split(",") if name not in known]
        if unknown:
            parser.error(f"unknown {unknown[0]}, not one of {', '.join(known)}")
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    languages, folder = options.languages.split(","), ROOT / "build/soak/leases"
    shutil.rmtree(folder, ignore_errors=True)
    print(f"seed {seed}, {options.seconds:g} s of each fault for each store, {options.rounds} rounds", flush=True)
    facts: list[tuple[str, list[str]]] = []
    table: list[str] = []
    for at, name in enumerate(options.stores.split(",")):
        (folder / name).mkdir(parents=True)
        kind_of_soak, of_store = (RedisLeases, (*FOR_ALL, "losses")) if name == "redis" else (Leases, FOR_ALL)
        if options.rounds == 0:
            of_store = tuple(kind for kind in of_store if kind != "rounds")
        with KINDS[name]() as server:
            soak = kind_of_soak(folder / name, programs(options.jar), languages, seed + at, server, options.processes)
            wrong = wrong_clocks.facts_of(name, server.url, folder / name, soak.programs, languages)
            facts += [(f"{name}, {fact}", complaints) for fact, complaints in wrong]
            for kind in options.faults.split(",") if options.faults else of_store:
                began = time.monotonic()
                soak.faulty_phase(kind, options.seconds, options.rounds)
                checker = soak.checkers[kind]
                table.append(
                    f"  {name:12} {kind:9} {checker.count():12,} {checker.duplicates()[0]:7} {len(soak.outside[kind]):15}"
                )
                print(f"{table[-1]}  {time.monotonic() - began:5.0f} s", flush=True)
            soak.tables()
            facts += [(f"{name}, {fact}", complaints) for fact, complaints in soak.facts()]
            soak.close()
    print(f"\n  {'store':12} {'fault':9} {'ids':>12} {'twice':>7} {'outside windows':>15}", *table, "", sep="\n")
    return told_facts(facts)


if __name__ == "__main__":
    sys.exit(main())
