"""What a package costs before the first id, as rows of the shape that the benchmarks write:

    start.py JSON ROUNDS FILE BARE COMMAND

ROUNDS times two fresh processes take turns, BARE and COMMAND (words as in a shell), and the extra time is a value of the
row "start". The row "size" is that of FILE.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path


def milliseconds(command: str) -> float:
    begin = time.perf_counter_ns()
    subprocess.run(shlex.split(command), check=True)
    return (time.perf_counter_ns() - begin) / 1e6


def main() -> None:
    path, rounds, file, bare, command = sys.argv[1:]
    milliseconds(bare), milliseconds(command)  # files come into memory
    values = []
    for _ in range(int(rounds)):
        before, cost = milliseconds(bare), milliseconds(command)
        values.append(cost - (before + milliseconds(bare)) / 2)
    rows = [
        {"row": "start", "values": values, "unit": "ms"},
        {"row": "size", "values": [Path(file).stat().st_size / 1000], "unit": "kB"},
    ]
    Path(path).write_text(json.dumps({"rows": rows}), "ascii")


if __name__ == "__main__":
    main()
