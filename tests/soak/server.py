"""Servers of ids that share a namespace of a real Redis, and twelve clients of five languages, while processes, clocks, the network and the store fail.

    python3 server.py [SECONDS] [--faults kills,clocks] [--servers N] [--seed N]

The faults share the seconds, 600 by default. The clients (tests/server/takers.py) go to another server when theirs is lost.
Prints a table of faults and clients: how many ids there were and how many of them twice; the last line counts the facts that
held, and the exit code is 1 when one did not.

kills      kill -9 of a server, and a new one at once
restarts   SIGTERM instead
stops      SIGSTOP of a server for longer than its window
store      Redis is restarted, killed, or stopped for longer than a window
network    a server loses its way to Redis for longer than its window, or the replies alone, or its connections
clocks     the clock of a server steps: 5 ms, 1 s and 1 h, back and forth
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "server")]

from polyflaked import Polyflaked  # noqa: E402
from servers import Redis, ServerError  # noqa: E402
from servers.waiting import within  # noqa: E402
from stepped_clock import Clock  # noqa: E402
from takers import all_takers  # noqa: E402
from wire_clients import CLIENTS  # noqa: E402

from polyflake.stores import init_namespace  # noqa: E402

WINDOW_MS, TOLERANCE_MS = 1000, 100
LONGER_S = 1.5 * WINDOW_MS / 1000
STEPS_S = (-0.005, -1, 0, -3600, 0, 1, 0, 3600, 0)
CODES = {"store_unavailable", "lease_lost", "clock_behind", "clock_skew", "busy"}  # the last: its window has not begun
PATIENCE_S = 60.0


class Fleet:
    """Servers, each with a way to Redis and a clock of its own, and clients that take ids all the time. Use it in a `with` statement."""

    def __init__(self, fault: str, seed: int = 0, servers: int = 3) -> None:
        self.strike = FAULTS[fault]
        self.rng = random.Random(seed)
        self.number = servers
        self.strikes = 0

    def __enter__(self) -> Fleet:
        with ExitStack() as opened:
            self.redis = opened.enter_context(Redis())
            init_namespace(
                f"{self.redis.url}/0?namespace=fleet&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}", fresh=True
            )
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
            self.clocks = [Clock(folder / str(at)) for at in range(self.number)]
            self.ways = [opened.enter_context(self.redis.proxy()) for _ in range(self.number)]
            self.servers = [
                opened.enter_context(
                    Polyflaked(
                        f'"{self.redis.url_at(way.port)}/0?namespace=fleet&acquire_timeout_ms=30000"',
                        around=clock.environment,
                    )
                )
                for way, clock in zip(self.ways, self.clocks)
            ]
            ports = {protocol: [one.ports[protocol].number for one in self.servers] for protocol in CLIENTS}
            self.loads = all_takers(ports)
            for load in self.loads.values():
                opened.callback(load.stop)
            for name, load in self.loads.items():
                assert load.more(10), f"{name}: no ids are given"
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def round(self) -> None:
        """One fault, and its end: then every server is ready, and clients of each protocol take ids. Errors: AssertionError."""
        self.strike(self)
        self.strikes += 1
        for at, server in enumerate(self.servers):
            assert within(PATIENCE_S, lambda: server.ready()[0] == 200), (
                f"server {at} is not ready again: {server.ready()}"
            )
        for name, load in self.loads.items():
            assert load.more(100), f"{name}: no ids are given any more"

    def finish(self) -> None:
        for load in self.loads.values():
            load.stop()

    def duplicates(self) -> dict[str, int]:
        """Returns for each client how many of its ids came twice, from any server and to any client."""
        often = Counter(one for load in self.loads.values() for ids in load.ids for one in ids)
        return {name: sum(often[one] > 1 for ids in load.ids for one in ids) for name, load in self.loads.items()}

    def falls(self) -> int:
        """Returns how many ids are below the one before on their connection."""
        return sum(later <= one for load in self.loads.values() for ids in load.ids for one, later in zip(ids, ids[1:]))

    def other_codes(self) -> set[str]:
        return set().union(*(load.refused() for load in self.loads.values())) - CODES


# --- faults --------------------------------------------------------------------------------------


def kill(fleet: Fleet) -> None:
    server = fleet.rng.choice(fleet.servers)
    server.kill()
    server.start()


def restart(fleet: Fleet) -> None:
    fleet.rng.choice(fleet.servers).restart()


def stop(fleet: Fleet) -> None:
    server = fleet.rng.choice(fleet.servers)
    server.pause()
    time.sleep(LONGER_S)
    server.resume()


def strike_the_store(fleet: Fleet) -> None:
    name = ("restarted", "stopped", "killed")[fleet.strikes % 3]
    if name == "restarted":
        fleet.redis.restart()
    elif name == "stopped":
        fleet.redis.pause()
        time.sleep(LONGER_S)
        fleet.redis.resume()
    else:
        fleet.redis.kill()
        time.sleep(fleet.rng.uniform(0, LONGER_S))
        fleet.redis.start()


def strike_the_network(fleet: Fleet) -> None:
    way = fleet.rng.choice(fleet.ways)
    name = ("partition", "replies", "cut", "hold")[fleet.strikes % 4]
    if name == "cut":
        way.cut()
        return
    if name == "hold":
        way.hold()
    else:
        way.drop("replies" if name == "replies" else None)
    time.sleep(LONGER_S)
    way.heal()
    way.cut()


def strike_a_clock(fleet: Fleet) -> None:
    """It is true again in the end: a server whose clock is far off is not ready, which is right."""
    clock = fleet.rng.choice(fleet.clocks)
    for step_s in fleet.rng.sample(STEPS_S, 3):
        clock.set(step_s)
        time.sleep(fleet.rng.uniform(0.05, 0.5))
    clock.set(0)


FAULTS: dict[str, Callable[[Fleet], None]] = {
    "kills": kill,
    "restarts": restart,
    "stops": stop,
    "store": strike_the_store,
    "network": strike_the_network,
    "clocks": strike_a_clock,
}


# --- the long run --------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seconds", type=float, nargs="?", default=600)
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    faults = options.faults.split(",")
    if unknown := [name for name in faults if name not in FAULTS]:
        parser.error(f"unknown {unknown[0]}, not one of {', '.join(FAULTS)}")
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    print(f"seed {seed}, {options.seconds / len(faults):g} s of each fault, {options.servers} servers\n", flush=True)
    print(f"  {'fault':9} {'strikes':>7} {'client':13} {'ids':>12} {'twice':>7} {'refused':>8} {'lost':>5}")
    held = told = 0
    for at, fault in enumerate(faults):
        for fact, holds in phase(fault, options.seconds / len(faults), seed + at, options.servers).items():
            told, held = told + 1, held + holds
            if not holds:
                print(f"         not so: {fact}")
    print(f"\n{held} passed, {told - held} failed")
    return 0 if held == told else 1


def phase(fault: str, seconds: float, seed: int, servers: int) -> dict[str, bool]:
    """Prints its rows of the table. Returns facts and whether they hold."""
    complaint = ""
    with Fleet(fault, seed, servers) as fleet:
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                fleet.round()
        except (AssertionError, OSError, ServerError) as error:
            complaint = str(error) or type(error).__name__
        fleet.finish()
    twice, other = fleet.duplicates(), fleet.other_codes()
    for name, load in fleet.loads.items():
        refused = load.refused().total()
        print(
            f"  {fault:9} {fleet.strikes:7} {name:13} {load.count():12,} {twice[name]:7} {refused:8,} {load.lost:5}",
            flush=True,
        )
    return {
        f"{fault}: no id came twice": not any(twice.values()),
        f"{fault}: ids rise on each connection": fleet.falls() == 0,
        f"{fault}: no other codes: {other}": not other,
        f"{fault}: all servers are back, and give ids: {complaint}": not complaint,
    }


if __name__ == "__main__":
    sys.exit(main())
