"""The demo is a newcomer's first command: it runs with what is installed for it, and waits for no package of the tests."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import project

FOLDERS = ("examples/python", "tests", "tests/soak")  # which the examples have in sys.path
REQUIREMENTS = "tools/dev/requirements.txt"


def programs() -> Iterator[Path]:
    for name in re.findall(r"examples/\w+\.py", project.text("tools/dev/demo.sh")):
        yield project.ROOT / name
    yield from (project.ROOT / "examples/python").glob("*.py")  # which these start


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0]


def here(name: str) -> list[Path]:
    """The files of a module or package of this repository."""
    for folder in (project.ROOT / folder for folder in FOLDERS):
        if (folder / f"{name}.py").is_file():
            return [folder / f"{name}.py"]
        if (folder / name / "__init__.py").is_file():
            return [file for file in (folder / name).glob("*.py") if not file.match("test_*.py")]
    return []


def check_the_demo_imports_what_is_installed_for_it():
    installed = {name.replace("-", "_") for name in re.findall(r"^([\w-]+)==", project.text(REQUIREMENTS), re.M)}
    files, seen = list(programs()), set()
    if len(files) < 3:
        yield f"tools/dev/demo.sh runs {len(files)} programs"
    while files:
        file = files.pop()
        for name in set(imported(file)) - seen:
            seen.add(name)
            files += here(name)
            if not here(name) and name not in installed | {"polyflake"} | sys.stdlib_module_names:
                yield f"{file.relative_to(project.ROOT)} imports {name}, which {REQUIREMENTS} does not have"
