"""Checks the site:  python check.py FOLDER

Each link of each page leads to a file of the site, and its anchor to a place there. The page of Python has all public names.
Links to other sites are not followed. A page passes if all its links do.
"""

from __future__ import annotations

import html
import re
import sys
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINK = re.compile(
    r"<(?:a|link|script|img|iframe|area)\b[^>]*?\b(?:href|src)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I | re.S
)
PLACE = re.compile(r"\b(?:id|name)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)
NO_PAGES = re.compile(r"<!--.*?-->|<script\b[^>]*>.*?</script>", re.I | re.S)
FOUR_OH_FOUR = "404.html"  # is shown at any address, so its links are not relative


@lru_cache(None)
def places(page: Path) -> frozenset[str]:
    found = PLACE.findall(page.read_text("utf-8", errors="replace"))
    return frozenset(html.unescape(one or other) for one, other in found)


def links(page: Path) -> list[str]:
    text = page.read_text("utf-8", errors="replace")
    scripts = re.findall(r"<script\b[^>]*>", text, re.I)
    found = LINK.findall(NO_PAGES.sub("", text) + "".join(scripts))
    return [html.unescape(one or other).strip() for one, other in found]


def complaint(page: Path, link: str, root: Path) -> str | None:
    target = urlsplit(link)
    if target.scheme or target.netloc:
        return None
    goal = page if not target.path else (page.parent / unquote(target.path)).resolve()
    if root not in (goal, *goal.parents):
        return "leaves the site"
    if goal.is_dir():
        goal = goal / "index.html"
    if not goal.is_file():
        return "there is no such file"
    anchor = unquote(target.fragment)
    if anchor and goal.suffix == ".html" and goal.name != "inspector.html" and anchor not in places(goal):
        return "there is no such place in it"
    return None


def missing_names(root: Path) -> list[str]:
    import polyflake

    known = places(root / "api/python.html")
    return [name for name in polyflake.__all__ if name != "__version__" and f"polyflake.{name}" not in known]


def main(folder: str) -> int:
    root = Path(folder).resolve()
    pages = sorted(page for page in root.rglob("*.html") if page != root / FOUR_OH_FOUR)
    count, wrong = 0, {page: [] for page in pages}
    for page in pages:
        for link in dict.fromkeys(links(page)):
            count += 1
            if words := complaint(page, link, root):
                wrong[page].append(f"{link}: {words}")
    wrong[root / "api/python.html"] += [f"{name} is not described" for name in missing_names(root)]
    for page, complaints in wrong.items():
        for words in complaints:
            print(f"{page.relative_to(root)}: {words}")
    failed = sum(map(bool, wrong.values()))
    print(f"{count} links, {sum(map(len, wrong.values()))} broken")
    print(f"{len(pages) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
