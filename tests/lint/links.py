"""Links from page to page lead somewhere, headings included, also those that go round by the repository's address."""

from __future__ import annotations

import posixpath
import re

import project

ADDRESS = "https://github.com/polyflake/polyflake"
ON_PACKAGE_PAGES = ("README.md",)  # shown by registries of packages, which have no file of ours beside it


def without_code(page: str) -> str:
    return re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)


def anchors(path: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", without_code(project.text(path)), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links():
    for path in project.files():
        if path.endswith(".md"):
            page = without_code(project.text(path))
            for target in re.findall(r"\]\(([^)\s]+)\)", page) + re.findall(r"^\[[^\]]+\]: (\S+)$", page, re.M):
                yield path, target


def inside(path: str, target: str) -> str | None:
    """Where a link leads, relative to the root; None: out of the repository."""
    ours = re.match(re.escape(ADDRESS) + r"/(?:blob|tree|raw)/main/", target)
    if ours:
        return target[ours.end() :]
    if re.match(r"[a-z]+:", target):
        return None
    file, mark, anchor = target.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), file) if file else path) + mark + anchor


def check_links_lead_somewhere():
    known = set(project.files())
    folders = {posixpath.dirname(path) for path in known} | {"."}
    for path, target in links():
        goal, _, anchor = (inside(path, target) or "").partition("#")
        if goal and goal not in known and goal.rstrip("/") not in folders:
            yield f"{path}: {target}: there is no {goal}"
        elif anchor and goal.endswith(".md") and anchor not in anchors(goal):
            yield f"{path}: {target}: {goal} has no such heading"


def check_pages_of_packages_link_to_the_repository_by_its_address():
    for path, target in links():
        if path in ON_PACKAGE_PAGES and not re.match(r"[a-z]+:", target):
            yield f"{path}: {target}: write {ADDRESS}/blob/main/{inside(path, target)}"


def check_every_name_of_a_link_has_an_address():
    for path in project.files():
        if path.endswith(".md"):
            page = without_code(project.text(path))
            named = {name.lower() for name in re.findall(r"^\[([^\]]+)\]: \S+$", page, re.M)}
            for name in re.findall(r"\[([a-zA-Z][^\]]*)\](?![\[(:])", re.sub(r"`[^`\n]*`", "", page)):
                if name.lower() not in named:
                    yield f"{path}: [{name}] has no address"
