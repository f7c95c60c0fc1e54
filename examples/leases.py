"""Two "hosts" on one namespace in Redis: in two languages, with clocks 3 s apart. One is killed with -9 and replaced.

Started by `./dev demo`. It starts a Redis of its own, and draws whose node id was whose when. The exit code is 1 if an id came
twice or two windows of a node id overlap.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from polyflake import Layout
from polyflake.stores import init_namespace, leases

EXAMPLES = Path(__file__).resolve().parent
WORK = EXAMPLES.parent / "build/demo"
sys.path.insert(0, str(EXAMPLES.parent / "tests"))
sys.path.insert(0, str(EXAMPLES.parent / "tests/soak"))
from servers import Redis  # noqa: E402  what the tests have: it starts servers
from stepped_clock import Clock  # noqa: E402  and shifts the clock of a process

# Two node ids only, so that who comes third has to wait for the window of who was killed.
LAYOUT = "timestamp:41 worker:1 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"
WINDOW_MS, TOLERANCE_MS = 3000, 1600  # clocks that are off by 1.5 s each are tolerated here
FAST_S, SLOW_S = 1.5, -1.5
RUNS_S, PATIENCE_S = 2.5, 20
WIDTH = 72
PRETTY = sys.stdout.isatty() and "NO_COLOR" not in os.environ
COLOURS = {"A": 36, "B": 35, "C": 33}
COMMANDS = {"Python": [sys.executable, "python/lease.py"], "Node": ["node", "node/lease.mjs"]}


class Host:
    """A process that issues on a lease, with a clock of its own."""

    def __init__(self, name: str, language: str, clock_s: float, address: str) -> None:
        self.name = name
        self.file = WORK / f"lease-{name}.txt"
        self.file.write_text("")
        program, script = COMMANDS[language]
        clock = Clock(WORK / f"clock-{name}")
        clock.set(clock_s)
        environment = {**os.environ, **clock.environment}
        environment.pop("POLYFLAKE_WORKER", None)
        self.process = subprocess.Popen(
            [program, str(EXAMPLES / script), address, LAYOUT, str(self.file)], stdout=subprocess.PIPE, env=environment
        )

    def awaited(self) -> None:
        """Until it has issued an id from now on."""
        size, deadline = self.file.stat().st_size, time.monotonic() + PATIENCE_S
        while self.file.stat().st_size == size:
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                sys.exit(f"{self.name} issues no ids")
            time.sleep(0.01)

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        output, _ = self.process.communicate()
        if self.process.returncode != -number:
            sys.exit(f"{self.name} ended by itself")
        windows = (map(int, line.split()) for line in output.decode().splitlines())
        self.windows = [(node, until_ms) for node, until_ms in windows]
        self.ids = [int(line) for line in self.file.read_text().split("\n")[:-1]]  # without one that was cut off


class Stretch(NamedTuple):
    """A node id in the hands of a host: issued from and to, and as far as its window reached."""

    node: int
    first_ms: int
    last_ms: int
    until_ms: int
    host: str


def stretches_of(host: Host) -> list[Stretch]:
    layout, times = Layout(LAYOUT), {}
    for number in host.ids:
        parts = layout.decode(number)
        times.setdefault(parts.node, []).append(parts.time_ms)
    found = []
    for node, issued in times.items():
        until_ms = max(until_ms for held, until_ms in host.windows if held == node)
        found.append(Stretch(node, min(issued), max(issued), until_ms, host.name))
    return found


def painted(host: str, issued: int, rest: int) -> str:
    """So many marks of a host that issued, then of a window that nobody may use."""
    if not PRETTY:
        return host * issued + "." * rest
    return f"\033[{COLOURS[host]}m" + "\u2588" * issued + "\u2591" * rest + "\033[0m"


def draw(stretches: list[Stretch]) -> None:
    """A line for each node id, from the first id to the end of the last window."""
    start_ms = min(stretch.first_ms for stretch in stretches)
    scale = WIDTH / (max(stretch.until_ms for stretch in stretches) - start_ms)
    for node in sorted({stretch.node for stretch in stretches}):
        line, at = "", 0
        for stretch in sorted(one for one in stretches if one.node == node):
            begin, last, end = (round((ms - start_ms) * scale) for ms in stretch[1:4])
            line += " " * (begin - at) + painted(stretch.host, last - begin, end - last)
            at = end
        print(f"  node id {node} |{line}{' ' * (WIDTH - at)}|")
    marks = [f"{painted(host, 1, 0)} issued by {host}" for host in COLOURS]
    print(f"             {'   '.join(marks)}   {painted('A', 0, 1)} granted, and not used\n")


def are_disjoint(stretches: list[Stretch]) -> bool:
    ordered = sorted(stretches)
    return all(one.node != other.node or one.until_ms <= other.first_ms for one, other in zip(ordered, ordered[1:]))


def main() -> int:
    WORK.mkdir(parents=True, exist_ok=True)
    with Redis() as redis:
        address = f"{redis.url}?namespace=demo"
        init_namespace(f"{address}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}", layout=LAYOUT, fresh=True)
        print("Two hosts share node ids through Redis. A: Python, its clock 1.5 s fast. B: Node, its clock 1.5 s slow.")
        a, b = Host("A", "Python", FAST_S, address), Host("B", "Node", SLOW_S, address)
        a.awaited()
        b.awaited()
        time.sleep(RUNS_S)
        for held in leases(address, layout=LAYOUT):
            print(f"  node id {held.node} is held by {held.label}")
        a.end(signal.SIGKILL)
        print("A is killed with -9, and C takes its place. Both node ids are held: C waits until A's window is over.\n")
        c = Host("C", "Python", FAST_S, address)
        c.awaited()
        time.sleep(RUNS_S)
        for host in (b, c):
            host.end(signal.SIGTERM)
    stretches = [stretch for host in (a, b, c) for stretch in stretches_of(host)]
    draw(stretches)
    ids = [number for host in (a, b, c) for number in host.ids]
    twice, disjoint = len(ids) - len(set(ids)), are_disjoint(stretches)
    print(f"{len(ids)} ids of three processes, {twice} duplicates; windows {'are disjoint' if disjoint else 'OVERLAP'}")
    return 0 if disjoint and not twice and all(host.ids for host in (a, b, c)) else 1


if __name__ == "__main__":
    sys.exit(main())
