"""300 generators of three languages take node ids from one Redis and give them back, for minutes.

    python3 crowd.py [MINUTES] [--generators N] [--jar JAR]

No node id may be with two of them at once, as the processes tell, by the ids, and by the records over time; none may be lost: at
the end nobody holds one, and all 1024 can be had at the same time. The programs, two processes a language, take FILE ADDRESS
GENERATORS SEED MODE and end in good order when their input does. Each generator has a lease of its own. They say, beside what
issuers.py lists:

    held NODE BEGIN END FIRST LAST   a generator had this node id at least between these Unix ms; its first and last id
    moved                            it has got another node id meanwhile, which it may
    kept NODE                        with MODE "keep": it has issued, and keeps the node id until the end
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from checker import Checker
from issuers import HERE, ROOT, Recorder
from leases import CLIENTS
from soak import told_facts
from windows import Records, Stamps

from polyflake import Layout
from polyflake.stores import init_namespace, leases

sys.path.insert(0, str(ROOT / "tests"))
from servers import Redis

NODES = 1024
PROCESSES = ("python", "node", "java") * 2
FILE_WORDS = 1 << 23
WINDOW_S, TOLERANCE_S = 10.0, 0.5  # the usual ones
LOOKS_EVERY_S = 0.5
PATIENCE_S = 90.0
FOLDER = ROOT / "build/soak/crowd"


def command(language: str, jar: Path) -> list[str]:
    classes = f"{jar}:{ROOT / 'build/soak/java'}:{CLIENTS}/*"
    return {
        "python": [sys.executable, str(HERE / "crowd_issuer.py")],
        "node": ["node", str(HERE / "crowd_issuer.mjs")],
        "java": ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes, "CrowdIssuer"],
    }[language]


class Program(Recorder):
    def __init__(self, language: str, jar: Path, address: str, generators: int, seed: int, mode: str) -> None:
        path = FOLDER / f"{mode}-{seed}-{language}"
        with path.open("wb") as file:
            file.truncate(8 * FILE_WORDS)
        words = [*command(language, jar), str(path), address, str(generators), str(seed), mode]
        environment = {**os.environ, "POLYFLAKE_PACKAGE": str(ROOT)}
        environment.pop("POLYFLAKE_WORKER", None)
        with Path(f"{path}.log").open("wb") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment, start_new_session=True
            )
        super().__init__(path, self.process.pid, language, mode)

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def waited_for(self) -> bool:
        """Whether it has ended as it should."""
        try:
            return self.process.wait(PATIENCE_S) == 0 and "done" in self.lines()[-1:]
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False


def start(jar: Path, address: str, generators: int, mode: str) -> list[Program]:
    shares = [generators // len(PROCESSES) + (at < generators % len(PROCESSES)) for at in range(len(PROCESSES))]
    return [
        Program(language, jar, address, share, seed, mode)
        for seed, (language, share) in enumerate(zip(PROCESSES, shares, strict=True))
    ]


class Looks:
    """The records, over time: once another owner is there, one of before does not come again."""

    def __init__(self, address: str) -> None:
        self.records = Records(address)
        self.owners: defaultdict[str, list[str]] = defaultdict(list)
        self.count = 0
        self.complaints: list[str] = []

    def look(self) -> None:
        self.count += 1
        for node, record in self.records.read(range(NODES)).items():
            owners = self.owners[node]
            if node == "names" or record["owner"] in owners[-1:]:
                continue
            if record["owner"] in owners:
                self.complaints.append(f"node id {node} went back to {record['owner']}")
            owners.append(record["owner"])


class Holdings:
    """What the processes told of their node ids."""

    def __init__(self, programs: list[Program]) -> None:
        self.times: defaultdict[int, list[tuple[int, int, str]]] = defaultdict(list)  # begin, end, who
        self.ticks: defaultdict[int, list[tuple[int, int, str]]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.held = self.moved = 0
        layout = Layout("polyflake")
        for program in programs:
            for line in program.lines():
                word, *rest = line.split(" ")
                if word == "held":
                    self.held += 1
                    node, begin, end, first, last = map(int, rest)
                    self.times[node].append((begin, end, program.path.name))
                    of_ids = (layout.decode(first).tick, layout.decode(last).tick + 1, program.path.name)
                    self.ticks[node].append(of_ids)
                elif word == "error":
                    self.errors[f"{program.language}: {rest[0]}"] += 1
                self.moved += word == "moved"


def overlaps(spans: dict[int, list[tuple[int, int, str]]]) -> list[str]:
    return [
        f"node id {node}: {one[2]} from {one[0]} to {one[1]}, and {other[2]} from {other[0]} to {other[1]}"
        for node, of_node in spans.items()
        for one, other in zip(sorted(of_node), sorted(of_node)[1:], strict=False)
        if other[0] < one[1]
    ]


def all_come_and_go(jar: Path, address: str, minutes: float, generators: int) -> list[tuple[str, list[str]]]:
    programs, looks, checker = start(jar, address, generators, "cycle"), Looks(address), Checker()
    end = told = time.monotonic()
    end += minutes * 60
    while (now := time.monotonic()) < end:
        looks.look()
        if now - told >= 10:
            told = now
            print(f"  {end - now:5.0f} s left, {sum(program.count() for program in programs):,} ids", flush=True)
        time.sleep(LOOKS_EVERY_S)
    for program in programs:
        program.end()
    badly = [
        f"{program.path.name}: {' / '.join(program.lines()[-6:])}" for program in programs if not program.waited_for()
    ]
    left, waited_s = nobody_holds(address)
    looks.look()
    for program in programs:
        checker.add(program.path.name, program.ids())
    # Generators of one process issue side by side, so its ids are not in one order.
    stamps, holdings, (twice, examples) = Stamps(checker.batches), Holdings(programs), checker.duplicates()
    marks = {
        int(node): int(record["until_ms"])
        for node, record in looks.records.read(range(NODES)).items()
        if node != "names"
    }
    looks.records.close()
    print(
        f"  {holdings.held:,} leases of {len(holdings.times)} node ids, {holdings.moved} moved, {checker.count():,} ids"
    )
    print(f"  {looks.count} looks at the records; nobody held one {waited_s:.1f} s after the end")
    print(f"  errors: {', '.join(f'{name} {count}' for name, count in holdings.errors.items()) or 'none'}")
    return [
        (f"no id of {checker.count():,} was issued twice", [f"{twice} were", *examples] if twice else []),
        ("no node id was with two at once, as the processes tell", overlaps(holdings.times)),
        ("no two leases stamped one node id in windows that overlap", overlaps(holdings.ticks) + stamps.shared()),
        ("no owner comes back, as the records tell", looks.complaints),
        ("every stamp lies inside a granted window", stamps.outside(marks)),
        ("every process ended as it should", badly),
        ("no call failed", [f"{name} {count} times" for name, count in holdings.errors.items()]),
        ("no node id was leaked", left),
    ]


def nobody_holds(address: str) -> tuple[list[str], float]:
    """Who holds a node id after a window, and how long it took until nobody did."""
    began = time.monotonic()
    while (held := leases(address)) and time.monotonic() < began + WINDOW_S + 2 * TOLERANCE_S + 1:
        time.sleep(0.05)
    return [f"node id {one.node}: {one.label}, until {one.until_ms}" for one in held], time.monotonic() - began


def all_can_be_had(jar: Path, address: str) -> list[tuple[str, list[str]]]:
    programs = start(jar, address, NODES, "keep")
    end = time.monotonic() + PATIENCE_S
    kept: list[int] = []
    while len(kept) < NODES and time.monotonic() < end:
        time.sleep(0.2)
        kept = [int(line.split()[1]) for program in programs for line in program.lines() if line.startswith("kept ")]
    held = {one.node for one in leases(address)}
    for program in programs:
        program.end()
    badly = [
        f"{program.path.name}: {' / '.join(program.lines()[-6:])}" for program in programs if not program.waited_for()
    ]
    left, _ = nobody_holds(address)
    complete = (
        []
        if len(set(kept)) == len(kept) == NODES == len(held)
        else [f"{len(set(kept))} of {len(kept)}, {len(held)} held"]
    )
    return [
        (f"all {NODES} node ids can be had again, at once", complete + badly),
        ("and are given back", left),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--generators", type=int, default=300)
    parser.add_argument("--jar", type=Path, default=Path(), help="the jar of the Java package")
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    print(f"{options.minutes:g} minutes of {options.generators} generators in {len(PROCESSES)} processes", flush=True)
    with Redis() as redis:
        address = f"{redis.url}?namespace=crowd"
        init_namespace(address, fresh=True)
        facts = all_come_and_go(options.jar, address, options.minutes, options.generators)
        facts += all_can_be_had(options.jar, address)
    print()
    return told_facts(facts)


if __name__ == "__main__":
    sys.exit(main())
