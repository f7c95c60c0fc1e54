"""Files and folders that pages name in backticks are there.

A path is what has a slash, or ends like a file of ours. It may be the end of a longer one (`Generator.java`), and have `*`
or `{a,b}` in it. Not looked for: paths from the root of the system, what only builds make (project.NOT_SOURCES), and files that
the page lets its reader write: blocks with a title.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

import links

import project

PAGES = r"README\.md|CONTRIBUTING\.md|bindings/README\.md|docs/[^/]+\.md"
NO_PATHS = {"host/pid": "how messages name a process"}


def with_folders() -> set[str]:
    files = [PurePosixPath(path) for path in project.files()]
    return {str(path) for file in files for path in (file, *file.parents)}


def looks_like_a_path(text: str, endings: set[str]) -> bool:
    if not re.fullmatch(r"[\w./{},*-]+", text) or text.startswith("/") or text in NO_PATHS:
        return False
    return "/" in text or PurePosixPath(text).suffix in endings


def alternatives(text: str) -> list[str]:
    found = re.search(r"\{([^{}]*)\}", text)
    if not found:
        return [text]
    return [one for word in found[1].split(",") for one in alternatives(text.replace(found[0], word, 1))]


def check_files_named_in_pages_are_there():
    known = with_folders()
    endings = {PurePosixPath(path).suffix for path in known} - {""}
    for page in project.files():
        if not re.fullmatch(PAGES, page):
            continue
        written = set(re.findall(r'^```\w+ title="(\S+)"', project.text(page), re.M))
        for text in re.findall(r"`([^`\n]+)`", links.without_code(project.text(page))):
            if text in written or not looks_like_a_path(text, endings):
                continue
            for path in alternatives(text.removeprefix("./").rstrip("/")):
                made = set(path.split("/")) & project.NOT_SOURCES
                if not made and not any(fnmatchcase(one, path) or fnmatchcase(one, f"*/{path}") for one in known):
                    yield f"{page}: `{text}`: there is no {path}"
