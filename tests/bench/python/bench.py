"""What an id costs in Python: Polyflake beside floors and beside other libraries, all in the same run.

    python3 -m venv build/bench-python/venv
    build/bench-python/venv/bin/python -m pip install -r tests/bench/python/requirements.txt
    build/bench-python/venv/bin/python -m pip install --force-reinstall --no-deps build/wheel/*.whl
    build/bench-python/venv/bin/python tests/bench/python/bench.py [--json FILE] [--quick] [--no-peers]

pairing.py says how a ratio is made, saturation.py what a saturated run keeps, with_pyperf.py what pyperf checks. The
rows of the plain clock come from child processes, since a process settles at its start how it reads the clock.
Needs Linux, and Python 3.11 for the peers. The exit status is not 0 where two ids of ours are equal.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
from typing import Any

import polyflake

import figures
import operations
import pairing
import peers
import saturation
import table
import with_pyperf

Rows = list[dict[str, Any]]

ROUNDS = {True: 7, False: 121}  # quick, or not
PLAIN = {"POLYFLAKE_TICK_CACHE": "off"}


def compared_rows(options: argparse.Namespace) -> Rows:
    """With peers all take turns in one run, ours with the default layout among them."""
    own = operations.own()
    libraries = [] if options.no_peers else [peers.ours(), *peers.peers()]
    gc.disable()  # as timeit does
    rows = pairing.compared(own + operations.of_libraries(libraries), ROUNDS[options.quick])
    gc.enable()
    with_pyperf.add_tool_ns(rows[: len(own)], "own", options.quick)
    if libraries:
        with_pyperf.add_tool_ns(rows[len(own) :], "peers", options.quick)
    return rows


def saturated_rows(options: argparse.Namespace) -> Rows:
    seconds, seconds_of_peers = (0.2, 0.1) if options.quick else (2.0, 1.0)
    ours, rows = peers.ours(), []
    for threads in (1, 2):
        named = {"name": "default layout", "key": f"python.saturated.{threads}"}
        rows.append({**saturation.row(ours, threads, seconds), **named})
    for threads in (1, 2):
        named = {"name": "default layout, plain clock"}
        rows.append({**saturation.row(ours, threads, seconds, PLAIN), **named})
    libraries = [] if options.no_peers else peers.peers()
    return rows + [saturation.row(library, threads, seconds_of_peers) for library in libraries for threads in (1, 2)]


def plain_rows(options: argparse.Namespace) -> Rows:
    gc.disable()
    rows = pairing.compared([operations.single_next_id("plain")], ROUNDS[options.quick])
    gc.enable()
    with_pyperf.add_tool_ns(rows, "plain", options.quick)
    return rows


def plain_rows_of_a_child(options: argparse.Namespace) -> Rows:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plain.json")
        command = [sys.executable, __file__, "--plain-clock", "--json", path] + ["--quick"] * options.quick
        subprocess.run(command, env={**os.environ, **PLAIN}, stdout=subprocess.DEVNULL, check=True)
        with open(path, encoding="ascii") as file:
            rows: Rows = json.load(file)["rows"]
            return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what an id costs in Python.")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that all works, the figures are rough")
    parser.add_argument("--no-peers", action="store_true", help="leave the other libraries out")
    parser.add_argument("--plain-clock", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()

    if options.plain_clock:
        rows = plain_rows(options)
    else:
        rows = [*compared_rows(options), *plain_rows_of_a_child(options)]
        rows += saturated_rows(options) + figures.rows(options.quick)
        rows.sort(key=table.place)
    print(table.text(rows))
    if options.json:
        report = {
            "language": "python",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}",
            "version": polyflake.__version__,
            "rows": rows,
        }
        with open(options.json, "w", encoding="ascii") as file:
            json.dump(report, file, indent=2)
            file.write("\n")
    equal = sum(row.get("duplicates", 0) for row in rows if row.get("library") == peers.OURS)
    if equal:
        raise SystemExit(f"{equal} ids of Polyflake are equal to another")


if __name__ == "__main__":
    main()
