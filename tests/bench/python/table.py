"""The rows as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

ORDER = ("single call", "batch", "peers", "saturated", "size and start")

Row = dict[str, Any]


def _group(row: Row) -> str:
    return str(row.get("group", row["kind"]))


def place(row: Row) -> int:
    return ORDER.index(_group(row))


def text(rows: Iterable[Row]) -> str:
    lines = []
    for group, members in groupby(rows, key=_group):
        cells = [_CELLS[row["kind"]](row) for row in members]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines += ["", group, *("  " + "  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)]
    return "\n".join(lines)


def _ratio(row: Row) -> tuple[str, ...]:
    low, high = row["quartiles"]
    digits = 4 if row["ratio"] < 0.1 else 2
    return (
        row["library"],
        row["name"],
        f"{row['ns']:.4g} ns",
        "" if row["tool_ns"] is None else f"({row['tool_ns']:.4g} by pyperf)",
        f"{row['ratio']:.{digits}f} x ({low:.{digits}f} to {high:.{digits}f})",
        f"{row['floor']} {row['floor_ns']:.4g} ns",
        row["price"],
    )


def _saturated(row: Row) -> tuple[str, ...]:
    return (
        row["library"],
        row["name"],
        f"threads {row['threads']}",
        f"{row['ids']} ids",
        f"{row['duplicates']} duplicates",
        "" if row["share"] is None else f"{row['share']:.2%} of the ceiling",
        "" if row["ahead_ms"] is None else f"{row['ahead_ms']} ms ahead",
        f"{row['cpu_seconds_per_million']:.3f} CPU s per million",
    )


def _figure(row: Row) -> tuple[str, ...]:
    spread = row["quartiles"]
    return (
        row["name"],
        f"{row['value']:.4g} {row['unit']}",
        f"({spread[0]:.4g} to {spread[1]:.4g})" if spread else "",
    )


_CELLS = {"ratio": _ratio, "saturated": _saturated, "figure": _figure}
