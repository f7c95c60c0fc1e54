"""Figures of one run on one machine: made of the raw times that the programs of all languages wrote.

A round is floor, work, floor; its ratio is the work over the mean of its two neighbours, so that a machine that changes
its speed changes both. Of all rounds the median and the quartiles are kept.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from rows import NAMES, ROWS

Figures = dict[str, Any]


def of_run(folder: Path, languages: list[str]) -> Figures:
    """`folder` has <language>.json, and may have <language>-plain.json, <language>-start.json and
    <language>-pipe.json."""
    figures: Figures = {**machine(), "runtimes": {}, "times": {}, "rows": []}
    for language in (language for language in NAMES if language in languages):
        report = json.loads((folder / f"{language}.json").read_text("ascii"))
        figures["runtimes"][language] = report["runtime"]
        figures["times"][language] = report["time"]
        for name in ("clock_ns", "counter_ns"):
            if name in report:
                figures[name] = rounded(report[name])
        found = [row | {"language": language} for row in report["rows"]]
        for part in ("plain", "start", "pipe"):
            path = folder / f"{language}-{part}.json"
            if path.exists():
                rows = json.loads(path.read_text("ascii"))["rows"]
                found += [
                    row | {"language": language} | ({"row": row["row"] + ".plain"} if part == "plain" else {})
                    for row in rows
                ]
        figures["rows"] += sorted((digest(row) for row in found), key=lambda row: list(ROWS).index(row["row"]))
    return figures


def digest(row: dict[str, Any]) -> dict[str, Any]:
    """The row without its raw times: with medians, and lower and upper quartiles."""
    kept = {
        name: row[name] for name in ("language", "row", "library", "call", "price", "codec", "threads") if name in row
    }
    kept |= {name: row[name] for name in ("duplicates", "wrong", "waits", "ahead_ms") if row.get(name)}
    if "rounds" in row:
        ratios = [work / mean((before, after)) for before, work, after in row["rounds"]]
        kept["ns"] = rounded(median(work for _, work, _ in row["rounds"]))
        kept["floor_ns"] = rounded(median(mean((before, after)) for before, _, after in row["rounds"]))
        kept["ratio"] = spread(ratios)
    if "possible" in row:
        kept["share"] = rounded(row["taken"] / row["possible"])
        if row["cpu_seconds"] is not None:
            kept["cpu_seconds_per_million"] = rounded(row["cpu_seconds"] / row["ids"] * 1e6)
    if "longest_ms" in row:
        kept["least_share"] = rounded(min(row["by_thread"]) / max(row["by_thread"]))
        kept["longest_ms"] = rounded(max(row["longest_ms"]))
    if "least_shares" in row:
        kept["least_share"] = rounded(median(row["least_shares"]))
    if "fetches" in row:
        kept |= {name: row[name] for name in ("rate", "most_held", "late_calls")}
        kept |= {f"{name}_per_million": rounded(row[name] / row["ids"] * 1e6) for name in ("fetches", "requests")}
    if "values" in row:
        kept |= {"value": spread(row["values"]), "unit": row["unit"]}
    return kept


def spread(values: list[float]) -> list[float]:
    """Lower quartile, median, upper quartile; of one value only that."""
    return [rounded(value) for value in (quantiles(values, n=4) if len(values) > 1 else values)]


def rounded(value: float) -> float:
    """Four digits are more than any figure here deserves."""
    return float(f"{value:.4g}")


def machine() -> Figures:
    """What the figures were measured on; nothing that names the machine or its user."""
    known = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.+)$", text_of("/proc/cpuinfo"), re.M))
    name = re.sub(r"\((R|TM)\)", "", known.get("model name") or platform.machine())
    if "model" in known:  # virtual machines call many kinds the same
        name += f" (family {known['cpu family']}, model {known['model']})"
    release = re.match(r"\d+\.\d+", platform.release())
    clock_source = text_of("/sys/devices/system/clocksource/clocksource0/current_clocksource").strip()
    return {
        "processor": name,
        "cores": len(os.sched_getaffinity(0)),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "system": f"{platform.system()} {release[0] if release else ''}".strip(),
        "clock_source": clock_source or "unknown",
    }


def text_of(path: str) -> str:
    try:
        return Path(path).read_text("ascii", "replace")
    except OSError:
        return ""


def file_name(figures: Figures) -> str:
    return re.sub(r"[^a-z0-9]+", "-", figures["processor"].lower()).strip("-") + ".json"


def is_ours(row: dict[str, Any]) -> bool:
    return row.get("library", "polyflake").startswith("polyflake")
