"""The files of this repository, and what several lints ask about it."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_SOURCES = {"build", "dist", "node_modules", "target", "prebuilds", "third_party", "__pycache__"}
jar = Path()  # of the Java package; set by run.py


@lru_cache
def files() -> tuple[str, ...]:
    """All files that are not built, relative to the root, with '/' between folders."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        inside = Path(folder).relative_to(ROOT)
        folders[:] = [n for n in folders if n not in NOT_SOURCES and (not n.startswith(".") or n in (".ci", ".github"))]
        names = [n for n in names if n != ".git" and not n.endswith((".pyc", ".tgz"))]  # a file where git has worktrees
        found += [(inside / name).as_posix() for name in names]
    return tuple(sorted(found))


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def error_codes() -> list[str]:
    """The codes of the one table, in its order."""
    return re.findall(r"^  X\((\w+), \w+\)", text("core/include/polyflake/error.hpp"), re.M)


def version() -> str:
    return re.search(r"^project\(polyflake VERSION ([\d.]+)", text("CMakeLists.txt"), re.M)[1]
