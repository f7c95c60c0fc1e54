"""Processes of all languages on one registry, for minutes, while everything goes wrong that the library promises to bear.

    python3 soak.py [MINUTES] [--languages cpp,python,node,java] [--seed N] [--phases clock,files] [--jar JAR]

Prints its seed, a line every ten seconds, what was done and what came of it. The last line counts the facts that held;
the exit code is 1 when one did not. What the processes said and what was done to them stays in build/soak/run.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import shutil
import statistics
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import faults
from checker import Checker
from issuers import ROOT, Issuer, Recorder, commands
from stepped_clock import Clock

LANGUAGES = ("cpp", "python", "node", "java")
# So few ids a tick that long batches run far ahead of the clock where they may.
LAYOUT = "timestamp:41 worker:14 sequence:5 tick=1ms epoch=2020-01-01T00:00:00.000Z"
PROCESSES = 8
PHASE_S = 30.0
HANG_S = 45.0  # on a machine that is busy with other things; nothing that is waited for takes five
QUIET_S = 5.0  # who is silent for longer is not killed, so that no hang goes unseen
MOST_TOLD = 12  # of what speaks against a fact
LEADS_MS = (0, 0, 300, 1500)
CODES = {
    "clock": {"registry_unusable", "worker_in_use", "no_worker_free", "clock_behind", "clock_before_epoch"},
    "files": {"registry_unusable", "worker_in_use", "no_worker_free"},
}


class Soak:
    def __init__(
        self, folder: Path, programs: dict[str, list[str]], languages: list[str], seed: int, pause_ms: int
    ) -> None:
        self.folder, self.programs, self.languages, self.pause_ms = folder, programs, languages, pause_ms
        self.rng = random.Random(seed)
        self.numbers = itertools.count(1)
        self.checkers: defaultdict[str, Checker] = defaultdict(Checker)
        self.issuers: list[Issuer] = []
        self.children: list[Recorder] = []
        self.known: set[Path] = set()
        self.kind = ""
        self.steps = Clock(folder / "clock")
        self.clock: Clock | None = None  # in phases with a true one
        self.done: Counter[str] = Counter()  # faults
        self.processes: Counter[str] = Counter()
        self.forked: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.errors: dict[str, Counter[str]] = {language: Counter() for language in languages}
        self.strange: Counter[str] = Counter()
        self.first_ms: defaultdict[str, list[float]] = defaultdict(list)
        self.hangs: list[str] = []
        self.crashes: list[str] = []
        self.idle: list[str] = []
        self.began = self.told = time.monotonic()
        self.journal = (folder / "journal").open("w", buffering=1)

    def note(self, what: str) -> None:
        """Into the file that says, with the Unix ms, what was done when: to be read beside a wrong id."""
        self.journal.write(f"{time.time_ns() // 10**6} {what}\n")

    # --- processes -------------------------------------------------------------------------------

    def start(self, language: str) -> Issuer:
        number = next(self.numbers)
        environment = {**os.environ, "POLYFLAKE_HOME": str(self.home()), "POLYFLAKE_PACKAGE": str(ROOT)}
        environment.pop("POLYFLAKE_WORKER", None)
        if self.clock is not None:
            environment.update(self.clock.environment)
        worker = self.rng.choice(["host"] * 11 + [f"host:{self.rng.randrange(10)}"])
        self.processes[language] += 1
        return Issuer(
            self.programs[language],
            self.folder / f"{number:05}-{language}",
            language,
            LAYOUT,
            worker,
            self.rng.choice(LEADS_MS),
            self.rng.randrange(1000),
            self.pause_ms,
            environment,
        )

    def allowed(self) -> set[str]:
        """The codes that what is done may lead to."""
        return CODES[self.kind]

    def home(self) -> Path:
        return self.folder / f"registry-{self.kind}"

    def watch(self) -> None:
        """Resumes, replaces and collects; notices who hangs. All that happens without being told to is here."""
        now = time.monotonic()
        for at, issuer in enumerate(self.issuers):
            if issuer.stopped_until is not None:
                if now >= issuer.stopped_until:
                    issuer.resume()
                continue
            self.adopt_children(issuer)
            if self.gone(issuer):
                self.issuers[at] = self.start(issuer.language)
        self.children = [child for child in self.children if not self.gone(child)]
        if now - self.told >= 10:
            self.told = now
            self.tell()

    def adopt_children(self, issuer: Issuer) -> None:
        for child in issuer.children(self.known):
            self.known.add(child.path)
            self.children.append(child)
            self.forked[child.language] += 1

    def gone(self, recorder: Recorder) -> bool:
        """Whether it has ended, or hangs and was ended; then its ids are collected."""
        alive = recorder.alive()
        recorder.look()
        if alive and recorder.silent_for() < HANG_S:
            return False
        if alive:
            self.hangs.append(f"{recorder.path.name} ({recorder.word})\n{recorder.where_it_is()}")
            recorder.send(9)
            if isinstance(recorder, Issuer):
                recorder.kill()
        self.collect(recorder)
        return True

    def collect(self, recorder: Recorder) -> None:
        lines = recorder.lines()
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "error":
                self.errors[recorder.language][rest] += 1
                if rest not in self.allowed():
                    self.strange[f"{self.kind}, {recorder.language}: {rest}"] += 1
            elif word == "first":
                self.first_ms[recorder.language].append(int(rest) / 1e6)
        if not recorder.ended_well(lines):
            self.crashes.append(f"{recorder.path.name}: {recorder.exit_code()}: {' / '.join(lines[-12:])}")
        self.ids[recorder.language] += self.checkers[self.kind].add(recorder.path.name, recorder.ids())
        recorder.path.unlink()

    # --- phases ----------------------------------------------------------------------------------

    def phase(self, kind: str, seconds: float) -> None:
        self.kind = kind
        self.clock = self.steps if kind == "clock" else None
        files = faults.Files(self.home(), self.rng, self.note) if kind == "files" else None
        processes = faults.Processes(self.rng, self.note)
        self.issuers = [self.start(self.languages[at % len(self.languages)]) for at in range(PROCESSES)]
        end = time.monotonic() + seconds
        due = {"process": 0.0, "fault": time.monotonic() + 2}
        while (now := time.monotonic()) < end:
            self.watch()
            if now >= due["process"]:
                due["process"] = now + self.rng.expovariate(3)
                struck = processes.strike([issuer for issuer in self.issuers if self.may_be_struck(issuer)], files)
                self.done.update(struck)
            if now >= due["fault"] and files is not None:
                due["fault"] = now + self.rng.expovariate(2)
                self.done.update(files.strike())
            if now >= due["fault"] and self.clock is not None:
                due["fault"] = now + self.rng.uniform(0.3, 3)
                self.step_clock()
            if files is not None:
                files.undo_what_is_due()
            time.sleep(0.02)
        if files is not None:
            files.undo_what_is_due(everything=True)
        self.note("calm")
        self.calm()
        self.finish()

    def may_be_struck(self, issuer: Issuer) -> bool:
        return issuer.stopped_until is None and not issuer.ending and issuer.silent_for() < QUIET_S

    def step_clock(self) -> None:
        assert self.clock is not None
        step = self.rng.choice(faults.STEPS_S) if self.rng.random() < 0.6 else 0
        self.clock.set(step)
        self.note(f"clock {step:+} s")
        self.done["clock stepped"] += 1

    def calm(self) -> None:
        """Nothing is done any more: everybody issues again who is not after a node id that another one holds."""
        if self.clock is not None:
            self.clock.set(0)
            for issuer in self.issuers:  # whoever issued in the future says clock_behind until it has come
                if issuer.stopped_until is None:
                    issuer.kill()
        for issuer in self.issuers:
            if issuer.stopped_until is not None:
                issuer.resume()
                if self.clock is not None:
                    issuer.kill()
        self.watch()
        before = {issuer.path: issuer.count() for issuer in self.issuers if not issuer.word.startswith("host:")}
        end = time.monotonic() + HANG_S
        silent = set(before)
        while silent and time.monotonic() < end:
            self.watch()
            silent = {
                issuer.path
                for issuer in self.issuers
                if issuer.path in silent and issuer.count() <= before[issuer.path]
            }
            time.sleep(0.05)
        self.idle += [f"{path.name}: {Path(f'{path}.log').read_text()[-200:]}" for path in silent]

    def finish(self) -> None:
        """Everybody ends in good order; forked children by themselves."""
        for issuer in self.issuers:
            if not issuer.ending:
                issuer.end()
        left: list[Recorder] = [*self.issuers]
        while left or self.children:
            for issuer in self.issuers:
                self.adopt_children(issuer)
            left = [recorder for recorder in left if not self.gone(recorder)]
            self.children = [child for child in self.children if not self.gone(child)]
            time.sleep(0.05)
        self.issuers = []

    # --- what is told ----------------------------------------------------------------------------

    def tell(self) -> None:
        live = sum(recorder.count() for recorder in [*self.issuers, *self.children])
        counts = ", ".join(f"{name} {number}" for name, number in sorted(self.done.items()))
        errors = sum(sum(codes.values()) for codes in self.errors.values())
        print(
            f"  {self.told - self.began:5.0f} s  {self.kind:5}  {sum(self.ids.values()) + live:,} ids, {errors} errors; {counts}",
            flush=True,
        )

    def tables(self) -> None:
        print(
            f"\n  {'language':8} {'processes':>9} {'children':>8} {'ids':>12} {'first id, ms: median':>21} {'longest':>8}  errors"
        )
        for language in self.languages:
            first = self.first_ms[language] or [float("nan")]
            codes = ", ".join(f"{code} {number}" for code, number in self.errors[language].most_common())
            print(
                f"  {language:8} {self.processes[language]:9} {self.forked[language]:8} {self.ids[language]:12,}"
                f" {statistics.median(first):21.1f} {max(first):8.0f}  {codes or '-'}"
            )
        print()
        for name, number in sorted(self.done.items()):
            print(f"  {name:28} {number:6}")
        print()

    def facts(self) -> list[tuple[str, list[str]]]:
        """Each with what speaks against it."""
        found: list[tuple[str, list[str]]] = []
        for kind, checker in sorted(self.checkers.items()):
            number, examples = checker.duplicates()
            complaint = [f"{number:,} of {checker.count():,} ids were issued before", *examples] if number else []
            found.append((f"{kind}: no id was issued twice", complaint))
            found.append((f"{kind}: the ids of each generator rise", checker.order_errors))
        found.append(("no process hangs", self.hangs))
        found.append(("no process ends unasked", self.crashes))
        found.append(
            (
                "errors have the codes of what was done",
                [f"{name} {number} times" for name, number in self.strange.items()],
            )
        )
        found.append(("everybody issues again when nothing is done any more", self.idle))
        found.append(("every language issued", [name for name in self.languages if self.ids[name] == 0]))
        return found


def told_facts(facts: list[tuple[str, list[str]]]) -> int:
    for fact, complaints in facts:
        print(f"{'FAILED' if complaints else 'ok':<7} {fact}")
        for complaint in complaints[:MOST_TOLD]:
            print("        " + complaint.replace("\n", "\n        "))
    failed = sum(1 for _, complaints in facts if complaints)
    print(f"{len(facts) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--phases", default="files,clock", help="of which kinds, in turn")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jar", type=Path, default=Path(), help="the jar of the Java package")
    options = parser.parse_args()
    languages, kinds = options.languages.split(","), options.phases.split(",")
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    if set(languages) - set(LANGUAGES) or set(kinds) - set(CODES):
        parser.error(f"the languages are {', '.join(LANGUAGES)}, the phases {', '.join(CODES)}")
    folder = ROOT / "build/soak/run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"seed {seed}, {options.minutes:g} minutes of {', '.join(kinds)} with {', '.join(languages)}", flush=True)
    seconds = options.minutes * 60
    # One id in so many ms, so that the ids of a long run fit into memory.
    soak = Soak(folder, commands(options.jar), languages, seed, max(1, round(options.minutes / 10)))
    length = min(PHASE_S, seconds / 4)
    for kind in itertools.cycle(kinds):
        left = soak.began + seconds - time.monotonic()
        if left < length / 2:
            break
        soak.phase(kind, min(length, left))
    soak.tables()
    return told_facts(soak.facts())


if __name__ == "__main__":
    sys.exit(main())
