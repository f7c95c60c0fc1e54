"""A new version reaches every place that names it, and is refused without notes in the changelog."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import project

NEW = "9.9.9"
REFUSALS = {
    "9.9": "9.9 is not a version: three numbers, as in 1.2.3",
    "09.9.9": "09.9.9 is not a version: three numbers, as in 1.2.3",
    "0.0.1": f"0.0.1 is older than {project.version()}",
}


@contextmanager
def copy_of_the_tree() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path in project.files():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(project.ROOT / path, root / path)
        for words in (["init", "--quiet"], ["add", "--all", "--force"]):
            subprocess.run(["git", *words], cwd=root, check=True)
        yield root


def run(root: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(root / script), *words],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def tree(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}


def check_a_new_version_reaches_every_place():
    with copy_of_the_tree() as root:
        changed = run(root, "tools/release/version.py", NEW)
        if changed.returncode:
            yield changed.stdout
        # The wheel that is installed here is an older one, and all that the judge may find.
        judged = run(root, "tests/lint/run.py", "--jar", "none", "versions").stdout
        complaints = [line.strip() for line in judged.splitlines() if line.startswith("        ")]
        if complaints != [f"the wheel's metadata says {project.version()}, CMakeLists.txt {NEW}"]:
            yield judged
        if run(root, "tools/release/version.py").stdout != f"{NEW}\n":
            yield "it does not print the new version"
        second = run(root, "tools/release/version.py", "9.9.10")
        if second.returncode != 1 or second.stdout != (
            './dev version: CHANGELOG.md has no notes under "## Unreleased"\n'
        ):
            yield f"a version without notes: {second.stdout}"


def check_a_version_that_cannot_be_changes_nothing():
    with copy_of_the_tree() as root:
        before = tree(root)
        for version, reason in REFUSALS.items():
            refused = run(root, "tools/release/version.py", version)
            if refused.returncode != 1 or refused.stdout != f"./dev version: {reason}\n":
                yield f"{version}: {refused.stdout}"
        if tree(root) != before:
            yield "a refusal changes files"
