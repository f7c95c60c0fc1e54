"""What the benchmarks wrote, and what was promised: reads the JSON of all languages and judges it by goals.json."""

from __future__ import annotations

import json
from pathlib import Path

ORDER = ("cpp", "python", "node", "java", "go", "rust")
NAMES = {"cpp": "C++", "python": "Python", "node": "Node", "java": "Java", "go": "Go", "rust": "Rust"}
GOALS = json.loads((Path(__file__).parents[1] / "goals.json").read_text("ascii"))


def read(folder: Path, languages: list[str]) -> list[dict]:
    """The reports of these languages in the order of the tables; each row knows its language."""
    reports = []
    for language in (language for language in ORDER if language in languages):
        report = json.loads((folder / f"{language}.json").read_text("ascii"))
        for row in report["rows"]:
            row["language"] = language
        reports.append(report)
    return reports


def rows(reports: list[dict], kind: str) -> list[dict]:
    return [row for report in reports for row in report["rows"] if row["kind"] == kind]


def paired(reports: list[dict]) -> list[dict]:
    """Work beside its floor: ours, and what it is read beside."""
    return [row for row in rows(reports, "ratio") if row["group"] != "peers"]


def peers(reports: list[dict]) -> list[dict]:
    """One call of ours and of each peer: by language, the cheapest first."""
    found = [row for row in rows(reports, "ratio") if row["group"] == "peers"]
    return sorted(found, key=lambda row: (ORDER.index(row["language"]), row["ratio"]))


def is_ours(row: dict) -> bool:
    return row.get("library", "polyflake").startswith("polyflake")


# What a row with two goals calls them.
METRICS = {"ratio": "", "value": "", "share": "share ", "cpu_seconds_per_million": "CPU "}


# --- goals ---------------------------------------------------------------------------------------


def missed_by(value: float, goal: dict) -> float:
    """How much is missing; not above zero: the goal is met."""
    return value - goal["at_most"] if "at_most" in goal else goal["at_least"] - value


def verdict(row: dict) -> str:
    """'', 'met', or by how much it was missed; one word for each goal of the row."""
    words = []
    for metric, goal in GOALS.get(row.get("key") or "", {}).items():
        bound = f"<= {goal['at_most']:g}" if "at_most" in goal else f">= {goal['at_least']:g}"
        missing = missed_by(row[metric], goal)
        words.append(METRICS[metric] + (f"met ({bound})" if missing <= 0 else f"missed by {missing:.2g} ({bound})"))
    return ", ".join(words)


def summary(reports: list[dict]) -> list[str]:
    """How many goals were met, and by name each that was not, or that nobody measured."""
    measured = {row["key"]: row for report in reports for row in report["rows"] if row.get("key") in GOALS}
    languages = {row["language"] for report in reports for row in report["rows"]}
    wanted = [key for key in GOALS if key.split(".")[0] in languages]
    judged = {key: verdict(measured[key]) for key in wanted if key in measured}
    missed = [f"{key}, {words}" for key, words in judged.items() if "missed" in words]
    if not wanted:
        return []
    lines = [f"{len(judged) - len(missed)} of {len(wanted)} rows with goals meet them."]
    if missed:
        lines += ["Missed:", "", *(f"- {words}" for words in missed), ""]
    if len(judged) < len(wanted):
        lines.append("Not measured: " + ", ".join(key for key in wanted if key not in measured) + ".")
    return lines


# --- what a peer was seen to do ------------------------------------------------------------------

# Both clocks are rounded down to ticks on their own.
ROUNDING_MS = 1


def seen(row: dict, reports: list[dict]) -> str:
    """What the saturated runs of the same library, and of the same call if it has several, saw: repeated ids, ids ahead
    of the clock."""
    whose = (row["language"], row["library"])
    runs = [run for run in rows(reports, "saturated") if (run["language"], run["library"]) == whose]
    runs = [run for run in runs if run["name"] == row["name"]] or runs
    words = []
    repeated = max((run["duplicates"] for run in runs), default=0)
    if repeated:
        words.append(f"repeated {repeated} ids")
    ahead = max((run.get("ahead_ms") or 0 for run in runs), default=0)
    if ahead > ROUNDING_MS:
        words.append(f"ran {ahead:.0f} ms ahead")
    return ", ".join(words)
