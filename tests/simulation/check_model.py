"""Searches the models beside it completely with Spin:  python check_model.py [MODEL ...]

The protocol must have no error, and every variant that leaves a rule out must have one. A search that was good is not repeated
while the model, this program, Spin and the compiler are the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

Definitions = tuple[str, ...]


class Model(NamedTuple):
    protocol: tuple[Definitions, ...]
    variants: tuple[Definitions, ...]


FOLDER = Path(__file__).resolve().parent
MODELS = {
    "lease.pml": Model(
        protocol=((), ("DELETION",)),
        variants=(
            ("CHECK_THEN_STAMP",),
            ("RELEASE_WITHOUT_FREEZE",),
            ("ADOPT_BY_OWNER",),
            ("DELETION", "CREATE_IN_TWO_STEPS"),
        ),
    ),
    "counter.pml": Model(
        protocol=((), ("WRONG_CLOCKS",)),
        variants=(
            ("NO_JUMP",),
            ("JUMP_TO_NOW",),
            ("JUMP_TO_S",),
            ("FRESH_BURST",),
            ("JUMP_KEEPS_NONCE",),
            ("WRONG_CLOCKS", "NO_WAIT"),
            ("HEAD_WITHOUT_NONCE",),
            ("HEAD_OF_ANY",),
            ("COMPARE_NEXT",),
            ("RETURN_KEEPS_NONCE",),
            ("RETURN_WITHOUT_FREEZE",),
            ("SUM_OF_TWO",),
            ("ISOLATED_COUNTS",),
            ("LOST_COPY_RETURNS", "LAST_TICK=6"),
        ),
    ),
}
# Collapsed states: half the memory. Processes end nowhere, so -E.
COMPILE = ("cc", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2000", "-o", "pan", "pan.c")
SEARCH = ("./pan", "-m100000", "-n", "-E")
# Outlives a clone, as the compiler cache does.
STAMPS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polyflake/models"


def run(words: tuple[str, ...], folder: str) -> str:
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def tools() -> str:
    """Returns the versions of the programs that read the models."""
    return "\n".join((Path(__file__).read_text("utf-8"), run(("spin", "-V"), "."), run(("cc", "--version"), ".")))


def stamp_of(model: str, definitions: Definitions, tools_now: str) -> Path:
    """A file that is there if this search was good."""
    parts = (tools_now, *definitions, (FOLDER / model).read_text("utf-8"))
    return STAMPS / hashlib.sha256("\0".join(parts).encode()).hexdigest()


def search(model: str, definitions: Definitions, optimisation: str) -> tuple[int, int, bool]:
    """How many errors, how many states, and whether the search was complete."""
    with tempfile.TemporaryDirectory() as folder:
        run(("spin", "-a", *(f"-D{name}" for name in definitions), str(FOLDER / model)), folder)
        run((*COMPILE, optimisation), folder)
        said = run(SEARCH, folder)
    errors = re.search(r"errors: (\d+)", said)
    states = re.search(r"([\d.e+]+) states, stored", said)
    if errors is None or states is None:
        sys.exit(said)
    return int(errors[1]), int(float(states[1])), "Search not completed" not in said and "too small" not in said


def is_good(model: str, definitions: Definitions, is_variant: bool) -> bool:
    # The search of most variants ends at its first error, sooner than a compiler optimises.
    errors, states, complete = search(model, definitions, "-O0" if is_variant else "-O2")
    good = errors > 0 if is_variant else errors == 0 and complete
    print(
        f"{'ok' if good else 'FAILED':<7} {model} {' '.join(definitions) or 'protocol'}: {errors} errors, {states} states"
    )
    return good


def main() -> int:
    failed = 0
    tools_now = tools()
    STAMPS.mkdir(parents=True, exist_ok=True)
    for model in sys.argv[1:] or MODELS:
        protocol, variants = MODELS[model]
        for definitions in protocol + variants:
            stamp = stamp_of(model, definitions, tools_now)
            if stamp.exists():
                print(f"ok      {model} {' '.join(definitions) or 'protocol'}: as before")
            elif is_good(model, definitions, definitions in variants):
                stamp.touch()
            else:
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
