"""Every source has the form that its formatter gives it; `./dev format` runs them:  python formatting.py"""

from __future__ import annotations

import difflib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import project

BIN = Path(sys.executable).parent  # of the environment that has requirements.txt


class Formatter(NamedTuple):
    suffixes: tuple[str, ...]
    settings: str
    commands: tuple[tuple[object, ...], ...]  # the paths of files follow


FORMATTERS = (
    Formatter((".cpp", ".hpp", ".c", ".java"), ".clang-format", ((BIN / "clang-format", "-i", "--Werror"),)),
    Formatter(
        (".py", ".pyi"),
        "pyproject.toml",
        (
            (BIN / "ruff", "check", "--quiet", "--no-cache", "--force-exclude", "--select", "I", "--fix"),
            (BIN / "ruff", "format", "--quiet", "--no-cache", "--force-exclude"),
        ),
    ),
    Formatter(
        (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"),
        ".prettierrc.json",
        (("node", project.ROOT / "node_modules/prettier/bin/prettier.cjs", "--log-level", "warn", "--write"),),
    ),
)


def paths_of(formatter: Formatter) -> list[str]:
    return [path for path in project.files() if path.endswith(formatter.suffixes)]


def format_in(root: Path, formatter: Formatter) -> None:
    for command in formatter.commands:
        subprocess.run([*command, *paths_of(formatter)], cwd=root, check=True)


def changes(formatter: Formatter):
    """What formatting would change, tried on a copy: the path of each file, and how many lines would go or come."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for path in (*paths_of(formatter), formatter.settings):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(project.ROOT / path, copy / path)
        format_in(copy, formatter)
        for path in paths_of(formatter):
            before, after = project.text(path).splitlines(), (copy / path).read_text(encoding="utf-8").splitlines()
            lines = sum(line[0] in "+-" for line in list(difflib.unified_diff(before, after, n=0, lineterm=""))[2:])
            if (project.ROOT / path).read_bytes() != (copy / path).read_bytes():
                yield path, lines


def check_formatting_would_change_nothing():
    for formatter in FORMATTERS:
        for path, lines in changes(formatter):
            yield f"{path}: ./dev format would change {lines} lines"


if __name__ == "__main__":
    for each in FORMATTERS:
        format_in(project.ROOT, each)
