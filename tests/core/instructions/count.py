"""Counts the instructions that one id takes, under callgrind:  python3 count.py PROGRAM OPERATION

Two runs, of N and of 2 N ids: what the second has more is that of N ids, without the start and the end of the
program. Fails above the limit in limits.toml, and where valgrind is missing.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tomllib

IDS = 40 * 4096  # whole batches, and many milliseconds of the program's clock


def instructions(program: str, operation: str, ids: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, operation, str(ids)],
            env={**os.environ, "POLYFLAKE_TICK_CACHE": "off"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"{program} {operation} {ids} under valgrind: exit status {done.returncode}\n{done.stderr}")
        return int(re.search(r"^totals: (\d+)$", out.read_text(), re.M)[1])


def main(program: str, operation: str) -> None:
    limit = tomllib.loads((Path(__file__).parent / "limits.toml").read_text())[operation]["limit"]
    try:
        counted = (instructions(program, operation, 2 * IDS) - instructions(program, operation, IDS)) / IDS
    except FileNotFoundError:
        sys.exit("valgrind is missing; ./dev test installs it on Debian")
    print(f"{operation}: {counted:.2f} instructions an id, at most {limit}")
    if counted > limit:
        sys.exit("too many; limits.toml says what to do")


if __name__ == "__main__":
    main(*sys.argv[1:])
