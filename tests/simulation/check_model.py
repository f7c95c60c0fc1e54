"""Searches lease.pml completely with Spin:  python check_model.py

The protocol must have no error, and every variant that leaves a rule out must have one.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = Path(__file__).resolve().parent / "lease.pml"
PROTOCOL = ((), ("DELETION",))
VARIANTS = (
    ("CHECK_THEN_STAMP",),
    ("RELEASE_WITHOUT_FREEZE",),
    ("ADOPT_BY_OWNER",),
    ("DELETION", "CREATE_IN_TWO_STEPS"),
)
# Collapsed states: half the memory. Hosts end nowhere, so -E.
COMPILE = ("cc", "-w", "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2000", "-o", "pan", "pan.c")
SEARCH = ("./pan", "-m100000", "-n", "-E")


def run(words: tuple[str, ...], folder: str) -> str:
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def search(definitions: tuple[str, ...]) -> tuple[int, int, bool]:
    """How many errors, how many states, and whether the search was complete."""
    with tempfile.TemporaryDirectory() as folder:
        run(("spin", "-a", *(f"-D{name}" for name in definitions), str(MODEL)), folder)
        run(COMPILE, folder)
        said = run(SEARCH, folder)
    errors = re.search(r"errors: (\d+)", said)
    states = re.search(r"([\d.e+]+) states, stored", said)
    if errors is None or states is None:
        sys.exit(said)
    return int(errors[1]), int(float(states[1])), "Search not completed" not in said and "too small" not in said


def main() -> int:
    failed = 0
    for definitions in PROTOCOL + VARIANTS:
        errors, states, complete = search(definitions)
        good = errors > 0 if definitions in VARIANTS else errors == 0 and complete
        failed += not good
        print(
            f"{'ok' if good else 'FAILED':<7} {' '.join(definitions) or 'protocol'}: {errors} errors, {states} states"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
