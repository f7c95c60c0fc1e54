"""What a million ids through the command line take, as a row of the shape that the benchmarks write:

    pipe.py JSON ROUNDS PROGRAM

ROUNDS times ids of all times go through `cat ids | PROGRAM inspect --json | wc -l`: the row "inspect". The last of them is a
known one, and what is said of it is compared.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IDS = 1_000_000
ZONE = "Europe/Berlin"  # offsets that change with the time are more work than UTC
LAST_ID = 820674996357211477  # of docs/bit-layout.md
LAST_LINE = {"time": "2026-03-14T15:09:26.535Z", "local_time": "2026-03-14T16:09:26.535+01:00", "node": "682"}


def output(ids: str, program: str, end: str) -> str:
    command = f"cat {shlex.quote(ids)} | {program} inspect --json | {end}"
    return subprocess.check_output(["sh", "-c", command], env=os.environ | {"TZ": ZONE}, text=True)


def seconds(ids: str, program: str) -> float:
    begin = time.perf_counter_ns()
    lines = int(output(ids, program, "wc -l"))
    if lines != IDS:
        raise SystemExit(f"{lines} lines came out of {IDS} ids")
    return (time.perf_counter_ns() - begin) / 1e9


def main() -> None:
    path, rounds, program = sys.argv[1:]
    dice = random.Random(1)
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.writelines(f"{dice.getrandbits(63)}\n" for _ in range(IDS - 1))
        file.write(f"{LAST_ID}\n")
        file.flush()
        last = json.loads(output(file.name, program, "tail -n 1"))  # files come into memory
        if {name: last[name] for name in LAST_LINE} != LAST_LINE or last["id"] != str(LAST_ID):
            raise SystemExit(f"of {LAST_ID} it says {last}")
        values = [seconds(file.name, program) for _ in range(int(rounds))]
    rows = [{"row": "inspect", "values": values, "unit": "s"}]
    Path(path).write_text(json.dumps({"rows": rows}), "ascii")


if __name__ == "__main__":
    main()
