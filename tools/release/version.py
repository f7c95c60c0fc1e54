"""Gives the project a new version:  python3 tools/release/version.py [X.Y.Z]

Rewrites every place that names the version, and in CHANGELOG.md makes what is under "Unreleased" the notes of the new
version. Changes nothing if it refuses. Prints each file that it changed; without an argument, the version. The one
source is project(polyflake VERSION ...) in CMakeLists.txt; tests/lint/versions.py judges the copies.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = r"<artifactId>polyflake</artifactId>\s*<version>"

# Each pattern ends where a version begins. Patterns of files may match more than once.
PLACES = {
    "CMakeLists.txt": r"^project\(polyflake VERSION ",
    "package.json": r'^  "version": "',
    "package-lock.json": r'"name": "polyflake",\s*"version": "',
    "java/pom.xml": OURS,
    "tests/*pom.xml": OURS,
    "deploy/kubernetes/*.yaml": r"image: polyflaked:",
    "tests/cli/expected/*.txt": r"\bpolyflake ",
    "*.md": rf"polyflake(?:d|-jni)?[-:]|^Polyflake (?=\d+\.\d+\.\d+ )|{OURS}",
}
LEFT = ("CHANGELOG.md", "docs/performance.md")  # its own rule; the version that was measured


class Refused(Exception):
    """Why the version cannot be this one."""


def present(root: Path = ROOT) -> str:
    return re.search(r"^project\(polyflake VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text("utf-8"), re.M)[1]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def released(changelog: str, version: str) -> str:
    """Returns the changelog in which the notes under "Unreleased" are those of the version."""
    notes = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if not notes or not re.search(r"^- ", notes[1], re.M):
        raise Refused('CHANGELOG.md has no notes under "## Unreleased"')
    if re.search(rf"^## {re.escape(version)}$", changelog, re.M):
        raise Refused(f"CHANGELOG.md has notes of {version} already")
    return changelog.replace("## Unreleased\n", f"## Unreleased\n\n## {version}\n", 1)


def rewritten(root: Path, version: str) -> dict[str, str]:
    """Returns the new text of each file that changes. Errors: Refused."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise Refused(f"{version} is not a version: three numbers, as in 1.2.3")
    if numbers(version) < numbers(present(root)):
        raise Refused(f"{version} is older than {present(root)}")
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    texts = {"CHANGELOG.md": released(changelog, version)}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
    for path in listed.split("\0"):
        for place, pattern in PLACES.items():
            if path and path not in LEFT and Path(path).match(place):
                old = (root / path).read_text("utf-8")
                new = re.sub(rf"({pattern}){re.escape(present(root))}\b", rf"\g<1>{version}", old, flags=re.M)
                if new != old:
                    texts[path] = new
    return texts


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev version", description=__doc__.split("\n\n")[1])
    parser.add_argument("version", nargs="?", metavar="X.Y.Z", help="the new version, not older than the present one")
    options = parser.parse_args()
    if options.version is None:
        print(present())
        return 0
    try:
        texts = rewritten(ROOT, options.version)
    except Refused as reason:
        print(f"./dev version: {reason}", file=sys.stderr)
        return 1
    for path, text in texts.items():
        (ROOT / path).write_text(text, "utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
