"""Names of tests that went, and that came:  python3 names.py COMMIT

Compares what the sources of a commit name with those of this tree: tests of googletest and ctest, of pytest, of node:test and JUnit,
cases of the command line, checks of the lint, and vectors by their number. A test with another name is one that went and one that
came. The message of a commit says what covers those that went.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    "googletest": (r"^tests/.*\.cpp$", r"^TEST(?:_F|_P)?\((\w+,\s*\w+)\)"),
    "ctest": (r"CMakeLists\.txt$", r"(?:add_test\(NAME|(?:polyflake\w*|consumer)_test\()\s*(\w[^\s)]*)"),
    "pytest": (r"^tests/.*\.py$", r"^(?:async )?def (test_\w+)"),
    "node:test": (r"^tests/.*\.mjs$", r"^\s*test\(\s*['\"`](.+?)['\"`],"),
    "JUnit": (r"Test\.java$", r"@Test(?:Factory)?\s+(?:@\w+(?:\([^)]*\))?\s+)*(?:static |public )*[\w<>]+ (\w+)\("),
    "cases of the command line": (r"^tests/cli/.*\.toml$", r'^name = "(.+)"'),
    "lint": (r"^tests/lint/.*\.py$", r"^def (check_\w+)"),
    "vectors": (r"^tests/vectors/vectors\.json$", r'"number_of_tests": (\d+)'),
}


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def texts_of(commit: str | None) -> dict[str, str]:
    """The sources that may name tests; of this tree, without a commit."""
    paths = (
        git("ls-tree", "-r", "--name-only", commit).split()
        if commit
        else git("ls-files", "-co", "--exclude-standard").split()
    )
    wanted = [path for path in paths if any(re.search(files, path) for files, _ in KINDS.values())]
    if commit:
        return {path: git("show", f"{commit}:{path}") for path in wanted}
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in wanted if (ROOT / path).is_file()}


def names_in(texts: dict[str, str], kind: str) -> Counter[str]:
    files, name = KINDS[kind]
    found: Counter[str] = Counter()
    for path, text in texts.items():
        if re.search(files, path):
            found.update(re.sub(r"\s+", " ", match) for match in re.findall(name, text, re.M))
    return found


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    before, now = texts_of(sys.argv[1]), texts_of(None)
    for kind in KINDS:
        were, are = names_in(before, kind), names_in(now, kind)
        print(f"{kind}: {were.total()} before, {are.total()} now")
        for word, names in (("went", were - are), ("came", are - were)):
            for name in sorted(names.elements()):
                print(f"  {word}: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
