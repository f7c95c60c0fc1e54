"""The same operations by pyperf: absolute figures, from processes of their own, to check those of the pairing.

The loops are the same. pyperf decides how many calls, how often and in how many processes; there is no floor. bench.py
runs this program and copies its medians to `tool_ns`. By hand, with all of pyperf's options:

    build/bench-python/venv/bin/python tests/bench/python/with_pyperf.py --inherit-environ=POLYFLAKE_TICK_CACHE
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

import operations
import peers
from pairing import Operation

THOROUGH = ["--processes=3", "--values=5", "--warmups=1", "--min-time=0.01"]
QUICK = ["--processes=1", "--values=2", "--warmups=0", "--loops=2000"]
PARTS = ("own", "plain", "peers")


def listed(part: str) -> list[Operation]:
    if part == "plain":
        return [operations.single_next_id("plain")]
    return operations.own() if part == "own" else operations.of_libraries([peers.ours(), *peers.peers()])


def _title(row: Any) -> str:
    return " ".join((row["group"], row["library"], row["name"]))


def add_tool_ns(rows: list[dict[str, Any]], part: str, quick: bool) -> None:
    """Runs pyperf on the part and fills in the column of these rows."""
    import pyperf

    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "pyperf.json")
        command = [sys.executable, __file__, "--part", part, "--quiet", "--output", result]
        command += ["--inherit-environ=POLYFLAKE_TICK_CACHE", *(QUICK if quick else THOROUGH)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        medians = {bench.get_name(): bench.median() * 1e9 for bench in pyperf.BenchmarkSuite.load(result)}
    for row in rows:
        row["tool_ns"] = medians[_title(row)]


def main() -> None:
    import pyperf

    runner = pyperf.Runner(add_cmdline_args=lambda command, given: command.extend(("--part", given.part)))
    runner.argparser.add_argument("--part", choices=PARTS, default="own")
    for operation in listed(runner.parse_args().part):
        title = _title(vars(operation))
        runner.bench_time_func(title, operation.seconds_of, inner_loops=operation.ids_per_call)


if __name__ == "__main__":
    main()
