"""One table of what the benchmarks of all languages wrote:

    python3 tests/bench/report/report.py [--quick] FOLDER LANGUAGE ...   prints it
    python3 tests/bench/report/report.py --page FOLDER LANGUAGE ...      and renews docs/performance.svg and the
                                                                         figures in docs/performance.md

FOLDER holds LANGUAGE.json (the shape: figures.py and the programs) and machine.json (machine.py). The same JSON gives
the same output.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from figures import GOALS, NAMES, ORDER, read, summary
from plot import svg
from tables import for_a_terminal, for_the_page

DOCS = Path(__file__).resolve().parents[3] / "docs"
BEGIN, END = "<!-- figures: written by ./dev bench, down to the next marker -->", "<!-- end of the figures -->"


def origin(folder: Path, reports: list[dict]) -> str:
    """Where and with what it was measured."""
    machine = json.loads((folder / "machine.json").read_text("ascii"))
    with_what = ", ".join(f"{NAMES[report['language']]} ({report['runtime']})" for report in reports)
    return (f"Measured on {machine['date']}: {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
            f"clock source {machine['clock_source']}. {with_what}.")


def renew_the_page(folder: Path, reports: list[dict]) -> None:
    page = DOCS / "performance.md"
    before, _, rest = page.read_text("ascii").partition(BEGIN)
    _, _, after = rest.partition(END)
    figures = "\n\n".join([BEGIN, origin(folder, reports), "\n".join(summary(reports)), for_the_page(reports) + END])
    page.write_text(before + figures + after, "ascii")
    (DOCS / "performance.svg").write_text(svg(reports), "ascii")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", action="store_true", help="renew the page and the plot in docs/ too")
    parser.add_argument("--quick", action="store_true", help="judge nothing: the figures of a quick run mean little")
    parser.add_argument("folder", type=Path)
    parser.add_argument("languages", nargs="+", choices=ORDER)
    options = parser.parse_args()
    if options.quick:
        GOALS.clear()
    reports = read(options.folder, options.languages)
    print(for_a_terminal(reports))
    print("\n" + origin(options.folder, reports), *summary(reports), sep="\n")
    if options.page:
        renew_the_page(options.folder, reports)
        print("renewed docs/performance.md and docs/performance.svg")


if __name__ == "__main__":
    main()
