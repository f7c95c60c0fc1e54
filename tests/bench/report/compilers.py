"""Compares the times of two compilers:

    compilers.py FOLDER LANGUAGE...

FOLDER has <language>-own-<n>.json and <language>-zig-<n>.json, which ran one after the other. Of each row, the median time of
the one is divided by that of the other: a ratio for each n. The status is 1 if the median of the ratios is above 1.05, if two ids
are equal, or if there is nothing to compare.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

import figures
from rows import NAMES

SLOWEST = 1.05

Name = tuple[str, ...]


def times(path: Path) -> dict[Name, float]:
    """Returns the median time of each row of ours, in nanoseconds a call."""
    found = {}
    for row in json.loads(path.read_text("ascii"))["rows"]:
        if row.get("duplicates"):
            raise SystemExit(f"{path}: {row['duplicates']} ids of {row['row']} are equal to another")
        if "rounds" in row and figures.is_ours(row):
            name = tuple(str(row.get(part, "")) for part in ("row", "codec", "call", "threads"))
            found[name] = median(work for _, work, _ in row["rounds"])
    return found


def ratios(folder: Path, language: str) -> dict[Name, list[float]]:
    found: dict[Name, list[float]] = {}
    for own in sorted(folder.glob(f"{language}-own-*.json")):
        path = own.with_name(own.name.replace("-own-", "-zig-"))
        zig = times(path)
        for name, time in times(own).items():
            if name not in zig:
                raise SystemExit(f"{path} has no row {label(name)}")
            found.setdefault(name, []).append(zig[name] / time)
    if not found:
        raise SystemExit(f"{folder} has no rows of {NAMES[language]}")
    return found


def label(name: Name) -> str:
    return " ".join(filter(None, name))


def main(folder: Path, languages: list[str]) -> None:
    slow = []
    for language in languages:
        rows: dict[Name, Any] = ratios(folder, language)
        for name, found in rows.items():
            spread = figures.spread(found)
            line = f"{NAMES[language]:7} {label(name)}"
            print(f"{line:72} {' '.join(f'{ratio:6.3f}' for ratio in spread)}")
            if median(found) > SLOWEST:
                slow.append(line)
    print(f"{len(slow)} rows take more than {SLOWEST} of the time" + "".join(f"\n  {line}" for line in slow))
    raise SystemExit(1 if slow else 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
