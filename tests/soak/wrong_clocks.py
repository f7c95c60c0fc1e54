"""Hosts whose clock is wrong from the beginning: what they are told, and what of the namespace they change.

Where the store has a clock they are told clock_skew and write nothing. Where it has none, nobody can know who is right: they are
granted windows by their own clock. That may cost the node ids that they take themselves, as long as their clock is ahead, and
no other.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from issuers import ROOT, Issuer
from stepped_clock import Clock
from windows import Records

from polyflake import Generator
from polyflake.stores import init_namespace

NODES = 1024
DAY_S = 86_400
STEPS_S = (3600, -3600, DAY_S, -DAY_S, 12 * 365 * DAY_S, -12 * 365 * DAY_S)
WINDOW_MS = 1500
PATIENCE_S = 45.0
WITHOUT_CLOCK = ("etcd",)

Facts = list[tuple[str, list[str]]]


def start(programs: dict[str, list[str]], languages: list[str], folder: Path, address: str) -> list[Issuer]:
    """One for each step, the languages in turn."""
    issuers = []
    for at, step_s in enumerate(STEPS_S):
        language, path = languages[at % len(languages)], folder / f"wrong-{at}"
        clock = Clock(folder / f"wrong-{at}.clock")
        clock.set(step_s)
        environment = {**os.environ, **clock.environment, "POLYFLAKE_PACKAGE": str(ROOT)}
        environment.pop("POLYFLAKE_WORKER", None)
        issuers.append(Issuer(programs[language], path, language, "polyflake", address, 0, at, 4, environment))
    return issuers


def outcome_of(issuer: Issuer) -> str:
    """The first code that it was told, or "ids"; "" as long as there is neither."""
    codes = [line.split()[1] for line in issuer.lines() if line.startswith("error ")]
    return codes[0] if codes else "ids" if issuer.ids().any() else ""


def facts_of(kind: str, url: str, folder: Path, programs: dict[str, list[str]], languages: list[str]) -> Facts:
    address = f"{url}?namespace=soak-wrong"
    init_namespace(f"{address}&window_ms={WINDOW_MS}&tolerance_ms=150", fresh=True)
    with Generator(address) as generator:
        generator.next_id()
    records = Records(address)
    before = records.read(range(NODES))
    issuers = start(programs, languages, folder, address)
    end = time.monotonic() + PATIENCE_S
    while not all(map(outcome_of, issuers)) and time.monotonic() < end:
        time.sleep(0.05)
    outcomes = [outcome_of(issuer) for issuer in issuers]
    for issuer in issuers:
        issuer.kill()
    after, now_ms = records.read(range(NODES)), time.time_ns() // 10**6
    records.close()
    told = [f"{step_s:+} s: {outcome}" for step_s, outcome in zip(STEPS_S, outcomes, strict=True)]
    print(f"  {kind:12} wrong clocks: {', '.join(told)}", flush=True)
    if kind not in WITHOUT_CLOCK:
        changed = [f"{of}: {before.get(of)}, then {record}" for of, record in after.items() if before.get(of) != record]
        wrong = [line for line, outcome in zip(told, outcomes, strict=True) if outcome != "clock_skew"]
        return [("wrong clocks: nothing is written", changed), ("wrong clocks: clock_skew is told", wrong)]
    ahead = [of for of, record in after.items() if of != "names" and int(record["until_ms"]) > now_ms + 2 * WINDOW_MS]
    most = sum(1 for step_s in STEPS_S if step_s > 0)
    began = time.monotonic()
    with Generator(address) as generator:
        generator.next_id()
        worker, took_s = generator.worker, time.monotonic() - began
    late = [] if took_s < 1 and str(worker) not in ahead else [f"node id {worker} after {took_s:.1f} s"]
    many = [] if len(ahead) <= most else [f"{ahead}, of {most} hosts that are ahead"]
    return [
        ("wrong clocks: nobody costs more than the node id that he holds", many),
        ("wrong clocks: others have theirs at once", late),
    ]
