"""The tables of presets in docs/bit-layout.md: what the library and the vectors say, and a remark of ours.

    build/venv/bin/python tests/lint/preset_tables.py     writes them; as a lint it compares

A table follows the line `<!-- NAME: written by tests/lint/preset_tables.py -->`.
"""

from __future__ import annotations

import difflib
import json
import re
from datetime import datetime, timedelta

import polyflake
import project

PAGE = "docs/bit-layout.md"
REMARKS = {
    "polyflake": "the default",
    "twitter": "Snowflake as Twitter published it",
    "leaf": "same bits as `twitter`, one node field",
    "shardingsphere": "epoch 2016-11-01 at UTC+8; the real one follows the zone of its host: write your own text for another",
    "beyondfengyu": "the class copied into many Java projects",
    "discord": '64 bits wide; Discord calls the sequence "increment"',
    "instagram": "64 bits wide",
    "mastodon": "64 bits wide, no node field; Mastodon's own low 16 bits come from a hash",
    "sonyflake": "version 2; the sequence is above the machine",
    "baidu": "over: decodes, refuses to generate",
    "tsid": "64 bits wide",
    "yitter": "",
    "cosid": "",
    "game": "bursts: see `max_lead_ms` in [clock.md](clock.md)",
    "js53": "ids below 2^53 fit a JavaScript number exactly",
}


def texts():
    yield "preset", "canonical text"
    for name in polyflake.presets():
        yield f"`{name}`", f"`{polyflake.Layout(name)}`"


def capacities():
    yield "preset", "node ids", "ids per second and node id", "generates until (UTC)", "remarks"
    for name in polyflake.presets():
        layout = polyflake.Layout(name)
        widths = dict(layout.fields)
        sequences, nodes = 1 << widths.pop("sequence"), 1 << sum(widths.values()) - widths["timestamp"]
        generator = polyflake.Generator(0, layout=layout, clock=polyflake.ManualClock(layout.epoch_ms))
        yield f"`{name}`", nodes, sequences * 1000 // layout.tick_ms, day(generator.stats().until_ms), REMARKS[name]


def day(unix_ms: int) -> str:
    """The calendar repeats itself after 400 years of 146097 days; datetime ends with the year 9999."""
    periods, days = divmod(unix_ms // 86_400_000, 146_097)
    date = datetime(1970, 1, 1) + timedelta(days=days)
    return f"{date.year + 400 * periods}-{date:%m-%d}"


def examples():
    yield "preset", "node fields", "sequence", "id", "hex"
    encoded = [test for test in vectors("layout") if test["op"] == "encode" and "time_ms" in test]
    for name in polyflake.presets():
        test = next(test for test in encoded if test["layout"] == name)
        yield f"`{name}`", fields_of(test), test["sequence"], test["expect"]["id"], test["expect"]["hex"]


def published():
    yield "preset", "id", "hex", "time", "fields", "sequence"
    for test in vectors("published"):
        if "preset" in test:
            expect = test["expect"]
            yield f"`{test['preset']}`", *test["input"].values(), expect["utc"], fields_of(expect), expect["sequence"]


def vectors(group: str) -> list[dict]:
    groups = json.loads(project.text("tests/vectors/vectors.json"))["groups"]
    return next(found["tests"] for found in groups if found["name"] == group)


def fields_of(given: dict) -> str:
    return ", ".join(f"{name} {value}" for name, value in given["fields"].items()) or "-"


def markdown(rows) -> str:
    head, *rest = (" | ".join(map(str, row)) for row in rows)
    lines = [head, " | ".join(["---"] * (head.count(" | ") + 1)), *rest]
    return "".join(f"| {line} |\n".replace("|  |", "| |") for line in lines)


def renewed(page: str) -> str:
    for table in (texts, capacities, examples, published):
        marker = f"<!-- {table.__name__}: written by tests/lint/preset_tables.py -->\n"
        before, found, after = page.partition(marker)
        assert found, f"{PAGE} has no line {marker}"
        page = before + marker + markdown(table()) + re.sub(r"\A(\|.*\n)*", "", after)
    return page


def check_the_documented_presets_are_those_of_the_library():
    page = project.text(PAGE)
    written = renewed(page).splitlines()
    yield from difflib.unified_diff(page.splitlines(), written, PAGE, "tests/lint/preset_tables.py", n=0, lineterm="")


if __name__ == "__main__":
    (project.ROOT / PAGE).write_text(renewed(project.text(PAGE)), "ascii")
