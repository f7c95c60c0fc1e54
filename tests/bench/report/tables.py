"""The figures as tables: lines for a terminal, Markdown for the page. A cell is text, the same in both."""

from __future__ import annotations

from figures import NAMES, is_ours, paired, peers, rows, verdict

RIGHT = {  # columns of numbers
    "ns", "floor ns", "x", "tool ns", "threads", "ids", "duplicates", "share", "ahead ms", "CPU s per million", "value",
}


def tables(reports: list[dict]) -> list[tuple[str, list[dict[str, str]]]]:
    """Title and rows of each table that has rows."""
    found = [
        ("Work beside its floor, in the same run", paired_cells, paired(reports)),
        ("One call of each library, over the floor of its language", peer_cells, peers(reports)),
        ("Saturated: as fast as it goes, every id compared", saturated_cells, rows(reports, "saturated")),
        ("Other figures", figure_cells, rows(reports, "figure")),
    ]
    return [(title, [cells_of(row) for row in some]) for title, cells_of, some in found if some]


def paired_cells(row: dict) -> dict[str, str]:
    return {
        "language": NAMES[row["language"]], "library": row["library"], "work": row["name"], "ns": number(row["ns"]),
        "floor": row["floor"], "floor ns": number(row["floor_ns"]), **ratio_cells(row), **last_cell(row),
    }


def peer_cells(row: dict) -> dict[str, str]:
    return {
        "language": NAMES[row["language"]], "library": row["library"], "call": row["name"], "ns": number(row["ns"]),
        "floor ns": number(row["floor_ns"]), **ratio_cells(row), "what it does not do": row["price"],
    }


def last_cell(row: dict) -> dict[str, str]:
    return {"goal; what it does not do": "; ".join(words for words in (verdict(row), row["price"]) if words)}


def ratio_cells(row: dict) -> dict[str, str]:
    return {"x": number(row["ratio"]), "quartiles": spread(row["quartiles"]), "tool ns": number(row["tool_ns"])}


def spread(quartiles: list[float] | None) -> str:
    return f"{number(quartiles[0])} to {number(quartiles[1])}" if quartiles else ""


def saturated_cells(row: dict) -> dict[str, str]:
    return {
        "language": NAMES[row["language"]], "library": row["library"], "call": row["name"],
        "threads": str(row["threads"]), "ids": str(row["ids"]), "duplicates": str(row["duplicates"]),
        "share": share(row["share"]), "ahead ms": beside_the_clock(row),
        "CPU s per million": f"{row['cpu_seconds_per_million']:.3f}", **last_cell(row),
    }


def share(of_the_ceiling: float | None) -> str:
    """Nothing for ids without a ceiling; those that do not keep to the clock go far beyond it."""
    if of_the_ceiling is None:
        return ""
    return f"{of_the_ceiling:.2%}" if of_the_ceiling < 2 else f"{of_the_ceiling:.0f} x"


def beside_the_clock(row: dict) -> str:
    """How far ids were ahead of the clock, or behind it (negative), or both; nothing for ids without a time."""
    ahead, stale = row["ahead_ms"], row.get("stale_ms") or 0
    if ahead is None:
        return ""
    return f"{ahead:.0f}" if not stale else f"-{stale:.0f}" if ahead <= 0 else f"-{stale:.0f} to {ahead:.0f}"


def figure_cells(row: dict) -> dict[str, str]:
    return {
        "language": NAMES[row["language"]], "figure": row["name"], "value": number(row["value"]), "unit": row["unit"],
        "quartiles": spread(row.get("quartiles")), "goal": verdict(row),
    }


def number(value: float | None) -> str:
    """Three digits that matter."""
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    for digits, least in enumerate((10, 1, 0.1, 0.01), 1):
        if abs(value) >= least:
            return f"{value:.{digits}f}"
    return f"{value:.2g}"


# --- how they look -------------------------------------------------------------------------------


def for_a_terminal(reports: list[dict]) -> str:
    lines = []
    for title, cells in tables(reports):
        columns = [name for name in cells[0] if any(row[name] for row in cells)]
        widths = [max(len(name), *(len(row[name]) for row in cells)) for name in columns]
        lines += ["", title, ""]
        for row in [dict(zip(columns, columns)), *cells]:
            placed = (row[n].rjust(w) if n in RIGHT else row[n].ljust(w) for n, w in zip(columns, widths))
            lines.append(("  " + "  ".join(placed)).rstrip())
    return "\n".join(lines)


def for_the_page(reports: list[dict]) -> str:
    lines = []
    for title, cells in tables(reports):
        columns = [name for name in cells[0] if any(row[name] for row in cells)]
        lines += [f"### {title}", "", "| " + " | ".join(columns) + " |"]
        lines.append("| " + " | ".join("---:" if name in RIGHT else "---" for name in columns) + " |")
        for row in cells:
            ours = "library" in row and is_ours(row)
            lines.append("| " + " | ".join(marked(row[name], ours and name == "library") for name in columns) + " |")
        lines.append("")
    return "\n".join(lines)


def marked(cell: str, ours: bool) -> str:
    for plain, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|"), ("*", "\\*")):
        cell = cell.replace(plain, written)
    return f"**{cell}**" if ours else cell
