"""The one place where raw times become figures:

    python3 tests/bench/report/report.py [--quick] [--keep] [--check] [FOLDER LANGUAGE ...]

FOLDER holds what the programs of these languages wrote; their figures are printed. With --keep they become
tests/bench/figures/<processor>.json. With --keep, or without a folder, the tables in docs/performance.md are written anew
from all files in there; with --check they are compared. The status is 1 where two ids of ours are equal, a text is wrong, or
the page another.
"""

from __future__ import annotations

import argparse
import difflib
import json
from pathlib import Path

import figures
import tables
from rows import NAMES, ROWS

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "tests/bench/figures"
PAGE = ROOT / "docs/performance.md"
BEGIN, END = "<!-- written by ./dev bench, down to the next marker -->", "<!-- end of what is written -->"


def page_with(all_figures: list[figures.Figures], page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    parts = [tables.for_the_page(tables.meanings())]
    if all_figures:
        parts += [tables.for_the_page(table) for table in tables.of_figures(all_figures)]
    else:
        parts.append("There are no figures of these rows yet: a whole run writes them.")
    return before + "\n\n".join([BEGIN, *parts, END]) + after


def a_line_a_row(found: figures.Figures) -> str:
    head = json.dumps({name: value for name, value in found.items() if name != "rows"}, indent=1)
    rows = ",\n  ".join(map(json.dumps, found["rows"]))
    return head.removesuffix("\n}") + f',\n "rows": [\n  {rows}\n ]\n}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="judge nothing: the figures of a quick run mean little")
    parser.add_argument("--keep", action="store_true", help="these are the figures of this kind of processor")
    parser.add_argument("--check", action="store_true", help="write no page: compare it")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=", ".join(NAMES))
    options = parser.parse_args()
    if options.quick:
        for row in ROWS.values():
            row.goals.clear()
            row.goals_ns.clear()
    if options.folder:
        found = figures.of_run(options.folder, options.languages)
        for table in tables.of_figures([found]):
            print(tables.for_a_terminal(table))
        print("", *tables.judgement(found), sep="\n")
        twice = sum(row.get("duplicates", 0) for row in found["rows"] if figures.is_ours(row))
        if twice:
            raise SystemExit(f"{twice} ids of Polyflake are equal to another")
        wrong = sum(row.get("wrong", 0) for row in found["rows"] if figures.is_ours(row))
        if wrong:
            raise SystemExit(f"{wrong} texts of Polyflake are wrong")
        if options.keep:
            KEPT.mkdir(exist_ok=True)
            (KEPT / figures.file_name(found)).write_text(a_line_a_row(found), "ascii")
    if options.keep or not options.folder:
        kept = [json.loads(path.read_text("ascii")) for path in sorted(KEPT.glob("*.json"))]
        page = PAGE.read_text("ascii")
        written = page_with(kept, page)
        if options.check:
            lines = difflib.unified_diff(
                page.splitlines(), written.splitlines(), "the page", "the report", n=0, lineterm=""
            )
            raise SystemExit("\n".join(lines) or None)
        PAGE.write_text(written, "ascii")
        print(f"wrote {PAGE.relative_to(ROOT)} from {len(kept)} kinds of processor")


if __name__ == "__main__":
    main()
