"""Links from page to page lead somewhere, headings included."""

from __future__ import annotations

import posixpath
import re

import project


def without_code(page: str) -> str:
    return re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)


def anchors(path: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", without_code(project.text(path)), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links_lead_somewhere():
    known = set(project.files())
    folders = {posixpath.dirname(path) for path in known} | {"."}
    for path in project.files():
        if not path.endswith(".md"):
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code(project.text(path))):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            if goal not in known and goal.rstrip("/") not in folders:
                yield f"{path}: {target}: there is no {goal}"
            elif anchor and goal.endswith(".md") and anchor not in anchors(goal):
                yield f"{path}: {target}: {goal} has no such heading"
