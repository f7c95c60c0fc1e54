"""What a user pays once: the import, the memory of a generator, the wheel. Each is measured in processes of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import quantiles
from typing import Any, Optional

import polyflake

ROOT = Path(__file__).resolve().parents[3]

MEMORY = """
import resource, sys, polyflake

def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

first = polyflake.Generator(0)
generators = [None] * int(sys.argv[1])
before = resident()
for i in range(len(generators)):
    generators[i] = polyflake.Generator({number})
print((resident() - before) / len(generators))
"""


def rows(quick: bool) -> list[dict[str, Any]]:
    many, nodes = (1000, 100) if quick else (10_000, 1000)
    found = [
        _import_row(5 if quick else 41),
        _figure("python.memory_per_generator_bytes", "a further generator of a node id", _bytes("0", many), "bytes"),
        _figure(None, "the first generator of a node id", _bytes("i + 1", nodes), "bytes"),
    ]
    wheels = sorted((ROOT / "build" / "wheel").glob(f"polyflake-{polyflake.__version__}-*.whl"))
    found += [_figure("python.wheel_kb", "the wheel", wheel.stat().st_size / 1000, "kB") for wheel in wheels[:1]]
    return found


def _figure(
    key: Optional[str], name: str, value: float, unit: str, quartiles: Optional[list[float]] = None
) -> dict[str, Any]:
    return {
        "kind": "figure",
        "key": key,
        "group": "size and start",
        "name": name,
        "value": value,
        "quartiles": quartiles,
        "unit": unit,
    }


def _import_row(rounds: int) -> dict[str, Any]:
    """A fresh interpreter that imports polyflake, and one that does nothing, in turns."""
    for code in ("pass", "import polyflake"):
        _milliseconds(code)
    costs = []
    for _ in range(rounds):
        before = _milliseconds("pass")
        cost = _milliseconds("import polyflake")
        costs.append(cost - (before + _milliseconds("pass")) / 2)
    low, middle, high = quantiles(costs, n=4)
    return _figure("python.import_ms", "import polyflake, over bare Python", middle, "ms", [low, high])


def _milliseconds(code: str) -> float:
    begin = time.perf_counter_ns()
    subprocess.run([sys.executable, "-I", "-c", code], check=True)
    return (time.perf_counter_ns() - begin) / 1e6


def _bytes(number: str, count: int) -> float:
    """What each of so many generators adds to the resident memory; `number` is the worker of the i-th."""
    program = MEMORY.replace("{number}", number)
    done = subprocess.run([sys.executable, "-c", program, str(count)], capture_output=True, text=True, check=True)
    return float(done.stdout)
