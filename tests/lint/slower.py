"""`./dev bench release` fails if a row by zig takes more than 1.05 of the time, and for no other row."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import project


def row(ns: float, name: str = "next_id", **others: object) -> dict[str, Any]:
    """A row of a benchmark with three rounds, each between two floors; one was disturbed."""
    return {"row": name, "library": "polyflake 0.1.0", "call": f"{name}()"} | {
        "rounds": [[1, work, 1] for work in (ns, 1000, ns - 1)],
        **others,
    }


def peer(ns: float) -> dict[str, Any]:
    return row(ns, library="a loop that is pasted")


# Each case: the runs of this machine's compiler, those of zig, and the end of the output. A run is a list of rows.
CASES = (
    ([[row(100)]] * 3, [[row(105)]] * 3, "0 rows take more than 1.05 of the time"),
    ([[row(100)]] * 3, [[row(106)]] * 3, "1 rows take more than 1.05 of the time\n  C++     next_id next_id()"),
    ([[row(100)]] * 3, [[row(90)], [row(400)], [row(104)]], "0 rows take more than 1.05 of the time"),
    (
        [[row(100)], [row(200)]],
        [[row(108)], [row(216)]],
        "1 rows take more than 1.05 of the time\n  C++     next_id next_id()",
    ),
    (
        [[row(100), row(50, "call", threads=2), row(50, "call")]],
        [[row(100), row(60, "call", threads=2), row(50, "call")]],
        "1 rows take more than 1.05 of the time\n  C++     call call() 2",
    ),
    ([[row(100), peer(100)]], [[row(100), peer(200)]], "0 rows take more than 1.05 of the time"),
    ([[row(100)]], [[row(100, duplicates=1)]], "{folder}/cpp-zig-0.json: 1 ids of next_id are equal to another"),
    ([[row(100, duplicates=2)]], [[row(100)]], "{folder}/cpp-own-0.json: 2 ids of next_id are equal to another"),
    ([[peer(100)]], [[peer(100)]], "{folder} has no rows of C++"),
    ([], [], "{folder} has no rows of C++"),
    ([[row(100), row(9, "uuid4")]], [[row(100)]], "{folder}/cpp-zig-0.json has no row uuid4 uuid4()"),
)


def check_a_row_beyond_the_limit_is_a_failure_and_no_other():
    for own, zig, wanted in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for build, runs in (("own", own), ("zig", zig)):
                for i, rows in enumerate(runs):
                    (Path(folder) / f"cpp-{build}-{i}.json").write_text(json.dumps({"rows": rows}), encoding="ascii")
            command = [sys.executable, "-B", project.ROOT / "tests/bench/report/compilers.py", folder, "cpp"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        said = (done.stdout + done.stderr).strip()
        if not said.endswith(wanted.format(folder=folder)):
            yield f"it says {said!r}, not {wanted!r}"
        if done.returncode != (0 if wanted.startswith("0 ") else 1):
            yield f"the exit code is {done.returncode}: {said!r}"
