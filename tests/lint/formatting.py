"""Every source has the form that its formatter gives it:  python formatting.py

The lint says which files have not; the program, `./dev format`, gives it to them. Both format a copy and compare.
"""

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
    settings: tuple[str, ...]
    commands: tuple[tuple[object, ...], ...]  # run in the copy, for whose folder stands {copy}
    takes_paths: bool = True  # at the end of its command; else it formats the whole copy


FORMATTERS = (
    Formatter((".cpp", ".hpp", ".c"), (".clang-format",), ((BIN / "clang-format", "-i"),)),
    Formatter(
        (".py", ".pyi"),
        ("pyproject.toml",),
        (
            (BIN / "ruff", "check", "--quiet", "--no-cache", "--force-exclude", "--select", "I", "--fix"),
            (BIN / "ruff", "format", "--quiet", "--no-cache", "--force-exclude"),
        ),
    ),
    Formatter(
        (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".html"),
        (".prettierrc.json",),
        (("node", project.ROOT / "node_modules/prettier/bin/prettier.cjs", "--log-level", "warn", "--write"),),
    ),
    Formatter(
        (".java",),
        (),
        (("mvn", "-q", "-B", "-f", project.ROOT / "tests/lint/java-format", "-Dpolyflake.sources={copy}", "validate"),),
        takes_paths=False,
    ),
)


def paths_of(formatter: Formatter) -> list[str]:
    return [path for path in project.files() if path.endswith(formatter.suffixes)]


def changes(formatter: Formatter):
    """Each file that formatting changes, and its new content."""
    paths = paths_of(formatter)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for path in (*paths, *formatter.settings):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(project.ROOT / path, copy / path)
        for command in formatter.commands:
            words = [str(word).replace("{copy}", folder) for word in command] + (paths if formatter.takes_paths else [])
            done = subprocess.run(
                words, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
            if done.returncode != 0:
                raise RuntimeError(f"{words[0]}: exit code {done.returncode}\n{done.stdout}")
        for path in paths:
            formatted = (copy / path).read_bytes()
            if formatted != (project.ROOT / path).read_bytes():
                yield path, formatted


def lines_changed(path: str, formatted: bytes) -> int:
    compared = difflib.ndiff(project.text(path).splitlines(), formatted.decode("utf-8").splitlines())
    return sum(line.startswith(("- ", "+ ")) for line in compared)


def check_formatting_would_change_nothing():
    for formatter in FORMATTERS:
        for path, formatted in changes(formatter):
            yield f"{path}: ./dev format would change {lines_changed(path, formatted)} lines"


def main() -> None:
    for formatter in FORMATTERS:
        for path, formatted in changes(formatter):
            (project.ROOT / path).write_bytes(formatted)
            print(path)


if __name__ == "__main__":
    main()
