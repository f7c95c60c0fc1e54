"""Two "hosts" on one namespace in Redis: in two languages, with clocks 3 s apart. One is killed with -9 and replaced.

Started by `./dev demo`. It starts a Redis of its own, and draws whose node id was whose when. The exit code is 1 if an id came twice or
two windows of a node id overlap.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from polyflake import Layout
from polyflake.stores import init_namespace, leases

EXAMPLES = Path(__file__).resolve().parent
WORK = EXAMPLES.parent / "build/demo"
sys.path.insert(0, str(EXAMPLES.parent / "tests"))
from servers import Redis  # noqa: E402  what starts servers for the tests

# Two node ids only, so that who comes third has to wait for the window of who was killed.
LAYOUT = "timestamp:41 worker:1 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"
WINDOW_MS, TOLERANCE_MS = 4000, 2000  # clocks that are off by 1.5 s each are tolerated here
WIDTH = 72
COLOURS = (36, 35, 33)


class Host:
    def __init__(self, name: str, command: list[str], clock: str, address: str) -> None:
        self.name, self.began = name, time.time()
        self.file = WORK / f"lease-{name}.txt"
        self.file.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if name != "POLYFLAKE_WORKER"}
        self.process = subprocess.Popen(
            ["faketime", "-f", clock, *command, address, LAYOUT, str(self.file)],
            stdout=subprocess.PIPE,
            env=environment,
        )

    def end(self, number: int) -> None:
        for child in children(self.process.pid):
            os.kill(child, number)
        self.process.send_signal(number)
        output, _ = self.process.communicate()
        self.windows = [tuple(map(int, line.split())) for line in output.decode().splitlines()]
        self.ids = [int(line) for line in self.file.read_text().split()] if self.file.exists() else []


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def draw(hosts: list[Host]) -> bool:
    """A line for each node id; whether no two stretches of one overlap."""
    layout = Layout(LAYOUT)
    stretches = []  # node id, from, until, host: as far as its window ever reached
    for host in hosts:
        times = [layout.decode(number) for number in host.ids]
        for node in sorted({parts.node for parts in times}):
            first = min(parts.time_ms for parts in times if parts.node == node)
            last = max(parts.time_ms for parts in times if parts.node == node)
            until = max([last, *(until for held, until in host.windows if held == node)])
            stretches.append((node, first, until, host, last))
    start = min(stretch[1] for stretch in stretches)
    scale = WIDTH / (max(stretch[2] for stretch in stretches) - start)
    disjoint = True
    for node in sorted({stretch[0] for stretch in stretches}):
        row = [" "] * WIDTH
        held = sorted(stretch[1:] for stretch in stretches if stretch[0] == node)
        disjoint &= all(one[1] <= other[0] for one, other in zip(held, held[1:], strict=False))
        for first, until, host, last in held:
            for at in range(int((first - start) * scale), min(WIDTH, max(1, int((until - start) * scale)))):
                mark = host.name if at <= (last - start) * scale else "."
                row[at] = f"\033[{COLOURS[hosts.index(host)]}m{mark}\033[0m" if sys.stdout.isatty() else mark
        print(f"  node id {node}  |{''.join(row)}|")
    print("              a letter: ids were issued; a point: nobody may, the window of who was killed goes on\n")
    return disjoint


def main() -> int:
    WORK.mkdir(parents=True, exist_ok=True)
    python = [sys.executable, str(EXAMPLES / "python/lease.py")]
    node = ["node", str(EXAMPLES / "node/lease.mjs")]
    with Redis() as redis:
        address = f"{redis.url}?namespace=demo"
        init_namespace(f"{address}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}", layout=LAYOUT, fresh=True)
        print("Two hosts share a namespace in Redis. A: Python, its clock 1.5 s fast. B: Node, its clock 1.5 s slow.")
        a, b = Host("A", python, "+1.5s", address), Host("B", node, "-1.5s", address)
        time.sleep(3.5)
        held = leases(address, layout=LAYOUT)
        print(f"They hold: {', '.join(f'node id {one.node} ({one.label})' for one in held)}")
        a.end(signal.SIGKILL)
        print("A is killed with -9, and replaced by C. Both node ids are held, so C waits for the end of A's window.")
        c = Host("C", python, "+1.5s", address)
        time.sleep(7)
        for host in (b, c):
            host.end(signal.SIGTERM)
    disjoint = draw([a, b, c])
    ids = [number for host in (a, b, c) for number in host.ids]
    twice = len(ids) - len(set(ids))
    print(
        f"{len(ids)} ids of three processes, {twice} of them twice; windows {'are disjoint' if disjoint else 'OVERLAP'}"
    )
    return 0 if disjoint and not twice and all(host.ids for host in (a, b, c)) else 1


if __name__ == "__main__":
    sys.exit(main())
