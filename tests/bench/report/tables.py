"""Figures as tables, one column for each kind of processor: lines for a terminal, Markdown for the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from figures import Figures, is_ours
from rows import KINDS, NAMES, ROWS, bound, goals_of, is_met


@dataclass(frozen=True)
class Table:
    title: str
    head: list[str]
    rows: list[list[str]]


def meanings() -> Table:
    head = ["row", "what is measured", "its floor", "goal"]
    rows = [[f"`{name}`", row.what, row.floor, all_goals_of(name)] for name, row in ROWS.items()]
    return Table("What the rows mean", head, rows)


def all_goals_of(name: str) -> str:
    by_bound: dict[str, list[str]] = {}
    for language, own_name in NAMES.items():
        for measure, goal in goals_of(language, name):
            by_bound.setdefault(bound(measure, goal), []).append(own_name)
    return "; ".join(f"{words} ({', '.join(languages)})" for words, languages in by_bound.items())


def of_figures(all_figures: list[Figures]) -> list[Table]:
    """Those tables that have rows."""
    own = ["language", "row", "goal"]
    calls = ["language", "library", "call", "what it does not do"]
    tables = [
        machines(all_figures),
        side_by_side(
            "Beside the floor: times the floor (quartiles), time of one call", own, own_key, ratio_cell, all_figures
        ),
        side_by_side(
            "One call of each library: times the bare work, time of one call",
            calls,
            call_key,
            ratio_cell,
            all_figures,
            cheapest_first,
        ),
        side_by_side(
            "Other kinds of ids of each library: times the floor, time of one id",
            ["language", "row", *calls[1:]],
            kind_key,
            ratio_cell,
            all_figures,
            row_by_row,
        ),
        side_by_side(
            "Texts of each library: times the floor, time of one id",
            ["language", "row", "codec", *calls[1:], "goal"],
            codec_key,
            ratio_cell,
            all_figures,
            codec_by_codec,
        ),
        side_by_side(
            "Saturated: share of the ceiling, CPU seconds per million ids, ms ahead of the clock",
            [*calls[:3], "threads", "goal"],
            saturated_key,
            saturated_cell,
            all_figures,
        ),
        side_by_side(
            "Counters at a steady rate: fetches per million ids, all requests, most ids held, which a crash would lose",
            ["language", "ids a second", *calls[1:]],
            fetches_key,
            fetches_cell,
            all_figures,
        ),
        side_by_side("64 threads, the command line, size and start", own, other_key, other_cell, all_figures),
    ]
    return [table for table in tables if table.rows]


def machines(all_figures: list[Figures]) -> Table:
    names = {
        "date": "measured on",
        "cores": "cores",
        "system": "system",
        "clock_source": "clock source",
        "clock_ns": "one reading of the clock, ns",
        "counter_ns": "one reading of the TSC, ns",
    }
    rows = [[words, *(str(figures.get(name, "")) for figures in all_figures)] for name, words in names.items()]
    for language, name in NAMES.items():
        rows.append([name, *(figures["runtimes"].get(language, "") for figures in all_figures)])
    rows = [row for row in rows if any(row[1:])]
    return Table("Measured with", ["", *(figures["processor"] for figures in all_figures)], rows)


Key = Callable[[dict[str, Any]], "tuple[str, ...] | None"]


def side_by_side(
    title: str,
    head: list[str],
    key_of: Key,
    cell: Callable[[dict[str, Any]], str],
    all_figures: list[Figures],
    order: Callable[[dict[str, Any]], Any] | None = None,
) -> Table:
    """A line for each key, in the order of the first processor that has it."""
    cells: dict[tuple[str, ...], dict[int, str]] = {}
    for column, figures in enumerate(all_figures):
        for row in sorted(figures["rows"], key=order) if order else figures["rows"]:
            key = key_of(row)
            if key is not None:
                cells.setdefault(key, {})[column] = cell(row)
    rows = [
        [*key, *(by_column.get(column, "") for column in range(len(all_figures)))] for key, by_column in cells.items()
    ]
    return Table(title, head + [figures["processor"] for figures in all_figures], rows)


def cheapest_first(row: dict[str, Any]) -> tuple[int, float]:
    return list(NAMES).index(row["language"]), row["ratio"][1] if "ratio" in row else 0


def row_by_row(row: dict[str, Any]) -> tuple[int, int, float]:
    language, cost = cheapest_first(row)
    return language, list(ROWS).index(row["row"]), cost


def codec_by_codec(row: dict[str, Any]) -> tuple[Any, ...]:
    kind = list(NAMES).index(row["language"]), list(ROWS).index(row["row"]), row.get("codec", "")
    return *kind, row["ratio"][1] if "codec" in row else 0


def own_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    if "ratio" not in row or row["row"] == "call" or "codec" in row or not is_ours(row):
        return None
    return NAMES[row["language"]], f"`{row['row']}`", goal_text(row)


def call_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    return (NAMES[row["language"]], named(row), row["call"], row["price"]) if row["row"] == "call" else None


def kind_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    if row["row"] not in KINDS:
        return None
    return NAMES[row["language"]], f"`{row['row']}`", named(row), row["call"], row.get("price", "")


def codec_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    if "codec" not in row:
        return None
    return (
        NAMES[row["language"]],
        f"`{row['row']}`",
        row["codec"],
        named(row),
        row["call"],
        row["price"],
        goal_text(row),
    )


def saturated_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    if row["row"] != "saturated":
        return None
    return NAMES[row["language"]], named(row), row["call"], str(row["threads"]), goal_text(row)


def fetches_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    if row["row"] != "segment.fetches":
        return None
    return NAMES[row["language"]], grouped(row["rate"]), named(row), row["call"], row["price"]


def other_key(row: dict[str, Any]) -> tuple[str, ...] | None:
    if row["row"] != "crowd" and "value" not in row:
        return None
    return NAMES[row["language"]], f"`{row['row']}`", goal_text(row)


def named(row: dict[str, Any]) -> str:
    return f"**{row['library']}**" if is_ours(row) else row["library"]


def goals(row: dict[str, Any]) -> list[tuple[str, float]]:
    return goals_of(row["language"], row["row"]) if is_ours(row) else []


def goal_text(row: dict[str, Any]) -> str:
    return ", ".join(bound(measure, goal) for measure, goal in goals(row))


def missed(row: dict[str, Any]) -> list[tuple[str, float]]:
    return [(measure, goal) for measure, goal in goals(row) if not is_met(measure, judged(row, measure), goal)]


def judged(row: dict[str, Any], measure: str) -> float:
    if measure in ("share", "least_share", "ns"):
        return row[measure]
    middle = row["ratio"] if measure == "ratio" else row["value"]
    return middle[len(middle) // 2]


def marks(row: dict[str, Any]) -> str:
    """What is wrong with a row, or with the library in it."""
    words = [f"missed {bound(measure, goal)}" for measure, goal in missed(row)]
    words += [f"{row['duplicates']} ids twice"] if row.get("duplicates") else []
    words += [f"{row['wrong']} texts wrong"] if row.get("wrong") else []
    words += [f"{row['waits']} calls waited, so this is not work alone"] if row.get("waits") else []
    return "".join(f"; {word}" for word in words)


def ratio_cell(row: dict[str, Any]) -> str:
    low, middle, high = row["ratio"]
    spread = "" if row["row"] == "call" or "codec" in row else f" ({low:.2f} to {high:.2f})"
    least = f", fewest {row['least_share']:.0%} of the most" if "least_share" in row else ""
    return f"{middle:.2f}{spread}, {number(row['ns'])} ns{least}{marks(row)}"


def saturated_cell(row: dict[str, Any]) -> str:
    """Libraries that do not keep to the clock go far beyond its share."""
    share = f"{row['share']:.1%}" if row["share"] < 2 else f"{row['share']:.0f} x"
    cpu = f", {row['cpu_seconds_per_million']:.3f} s" if "cpu_seconds_per_million" in row else ""
    # Both clocks are rounded down to ticks on their own.
    ahead = f", {row['ahead_ms']:.0f} ms" if abs(row.get("ahead_ms", 0)) > 1 else ""
    return share + cpu + ahead + marks(row)


def fetches_cell(row: dict[str, Any]) -> str:
    others = row["requests_per_million"]
    requests = f", {number(others)} requests" if others != row["fetches_per_million"] else ""
    late = f", {grouped(row['late_calls'])} calls waited" if row["late_calls"] else ""
    return f"{number(row['fetches_per_million'])}{requests}, holds {grouped(row['most_held'])}{late}"


def other_cell(row: dict[str, Any]) -> str:
    if row["row"] == "crowd":
        return f"{saturated_cell(row)}, fewest {row['least_share']:.0%} of the most, longest {number(row['longest_ms'])} ms"
    low, middle, high = row["value"] if len(row["value"]) == 3 else row["value"] * 3
    spread = f" ({number(low)} to {number(high)})" if low != high else ""
    return f"{number(middle)} {row['unit']}{spread}{marks(row)}"


def grouped(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def number(value: float) -> str:
    """Three digits that matter."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def judgement(figures: Figures) -> list[str]:
    """How many goals were met, and by name each that was not."""
    count = sum(len(goals(row)) for row in figures["rows"])
    found = [
        f"{NAMES[row['language']]} {row['row']}{''.join(f' {row[name]}' for name in ('threads', 'codec') if name in row)}: "
        f"{judged(row, measure):.4g}, goal {bound(measure, goal)}"
        for row in figures["rows"]
        for measure, goal in missed(row)
    ]
    if count == 0:
        return []
    lines = [f"{figures['processor']}: {count - len(found)} of {count} goals are met."]
    return lines + [f"- missed by {words}" for words in found]


def for_a_terminal(table: Table) -> str:
    columns = [column for column in range(len(table.head)) if any(row[column] for row in table.rows)]
    plain = [
        [row[column].replace("`", "").replace("**", "") for column in columns] for row in [table.head, *table.rows]
    ]
    widths = [max(map(len, column)) for column in zip(*plain)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in plain]
    return "\n".join(["", table.title, "", *("  " + line for line in lines)])


def for_the_page(table: Table) -> str:
    lines = [f"### {table.title}", "", "| " + " | ".join(table.head) + " |", "|" + " --- |" * len(table.head)]
    for row in table.rows:
        cells = (cell.replace("<", "&lt;").replace(">", "&gt;").replace("|", "\\|") for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
