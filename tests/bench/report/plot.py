"""docs/performance.svg: what one call of each library costs over the floor of its language, one panel per language.

Written by hand, so that the same figures give the same file, and so that text is text. It brings its own background,
and follows the reader's choice of light or dark where the viewer knows it.
"""

from __future__ import annotations

import math
from html import escape

from figures import NAMES, ORDER, is_ours, peers, seen
from tables import number

WIDTH, LABELS, BARS, ROW, HEAD = 1040, 360, 270, 19, 34  # pixels
NUMBERS = LABELS + BARS + 44  # their right edge; the price begins there and takes what is left
STYLE = """
    .page { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e } .warn { fill: #9a3412 }
    .peer { fill: #aab3be } .ours { fill: #1f6feb } .grid { stroke: #d8dee4 } .floor { stroke: #1f2328 }
    .spread { stroke: #1f2328 }
    text { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif } .bold { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117 } .ink { fill: #e6edf3 } .soft { fill: #9198a1 } .warn { fill: #f0a35e }
      .peer { fill: #59636e } .ours { fill: #4493f8 } .grid { stroke: #2a313a } .floor { stroke: #e6edf3 }
      .spread { stroke: #e6edf3 }
    }"""


class Scale:
    """Logarithmic, over whole powers of ten."""

    def __init__(self, values: list[float]) -> None:
        self.first = math.floor(math.log10(min(values)))
        self.last = max(math.ceil(math.log10(max(values))), self.first + 1)

    def x(self, value: float) -> float:
        return LABELS + BARS * (math.log10(value) - self.first) / (self.last - self.first)

    def powers(self) -> list[float]:
        return [10.0**power for power in range(self.first, self.last + 1)]


def svg(reports: list[dict]) -> str:
    rows = peers(reports)
    scale = Scale([bound for row in rows for bound in (row["ratio"], *row["quartiles"], 1.0)])
    parts, y = [], 64  # below the header
    for language in ORDER:
        panel = [row for row in rows if row["language"] == language]
        if panel:
            parts += panel_of(language, panel, scale, y, reports)
            y += HEAD + ROW * len(panel) + 26
    header = [
        text(16, 26, "What one call costs, over one reading of the clock in the same language", "ink bold", size=15),
        text(16, 46, "Logarithmic, less is faster, 1 is the floor. Blue: Polyflake. Thin lines: quartiles. "
             "At the right: what a library does not do, and in colour what it was seen to do.", "soft"),
    ]
    size = f'width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}"'
    about = 'role="img" aria-label="What one call of each library costs over the floor of its language"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {about}>'
    background = f'<rect class="page" width="{WIDTH}" height="{y}"/>'
    return "\n".join([opening, f"  <style>{STYLE}\n  </style>", background, *header, *parts, "</svg>", ""])


def panel_of(language: str, rows: list[dict], scale: Scale, y: float, reports: list[dict]) -> list[str]:
    floor = rows[0]
    bottom = y + HEAD + ROW * len(rows)
    parts = [text(16, y + 20, NAMES[language], "ink bold", size=14),
             text(LABELS, y + 20, f"floor: {floor['floor']}, {floor['floor_ns']:.0f} ns", "soft")]
    for power in scale.powers():
        parts.append(line(scale.x(power), y + HEAD - 4, scale.x(power), bottom, "floor" if power == 1 else "grid"))
        parts.append(text(scale.x(power), bottom + 13, f"{power:g}", "soft", "middle"))
    for index, row in enumerate(rows):
        parts += bar(row, scale, y + HEAD + ROW * index, seen(row, reports))
    return parts


def bar(row: dict, scale: Scale, y: float, was_seen: str) -> list[str]:
    low, end, high = (scale.x(value) for value in (row["quartiles"][0], row["ratio"], row["quartiles"][1]))
    ours, middle = is_ours(row), y + ROW / 2
    words, colour = ("ink bold", "ours") if ours else ("ink", "peer")
    price = row["price"].partition(";")[0]  # the first thing it says
    parts = [
        text(LABELS - 8, middle + 4, shortened(f"{row['library']} {row['name']}", 50), words, "end"),
        f'<rect class="{colour}" x="{LABELS}" y="{y + 3:g}" width="{end - LABELS:.1f}" height="{ROW - 6}"/>',
        line(low, middle, high, middle, "spread"),
        text(NUMBERS, middle + 4, number(row["ratio"]), words, "end"),
    ]
    if was_seen or price:
        parts.append(text(NUMBERS + 12, middle + 4, shortened(was_seen or price, 58), "warn" if was_seen else "soft"))
    return parts


def shortened(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 3].rstrip() + "..."


def text(x: float, y: float, words: str, kind: str, anchor: str = "start", size: int = 12) -> str:
    extra = f' text-anchor="{anchor}"' if anchor != "start" else ""
    extra += f' style="font-size:{size}px"' if size != 12 else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{extra}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
