"""Runs the lints of this repository:  python run.py --jar JAR [NAME ...]

A lint is a module here with a docstring and functions check_<fact>(); each yields one line for everything it does
not like. The last line counts the facts. Needs Python 3.11, the installed Python package, node and a JDK.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import project  # noqa: E402

LINTS = (
    "rooms",
    "imports",
    "sizes",
    "functions",
    "versions",
    "bundled",
    "releases",
    "release_archives",
    "publishing",
    "tables",
    "preset_tables",
    "api",
    "codes",
    "spelling",
    "speech",
    "links",
    "paths",
    "map",
    "rows",
    "tasks",
    "binaries",
    "slower",
    "workflows",
    "counting",
    "changes",
    "compilations",
    "demo",
    "formatting",
    "linters",
)


def complaints_of(check) -> list[str]:
    try:
        return list(check())
    except Exception:
        return [traceback.format_exc()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jar", type=Path, required=True, help="the jar of the Java package")
    parser.add_argument("names", nargs="*", default=LINTS, metavar="NAME", help=", ".join(LINTS))
    options = parser.parse_args()
    project.jar = options.jar
    passed = failed = 0
    for name in options.names:
        module = importlib.import_module(name)
        for attribute, check in vars(module).items():
            if attribute.startswith("check_"):
                complaints = complaints_of(check)
                print(f"{'FAILED' if complaints else 'ok':<7} {name}: {attribute[6:].replace('_', ' ')}")
                for complaint in complaints:
                    print("        " + complaint.replace("\n", "\n        "))
                passed, failed = passed + (not complaints), failed + bool(complaints)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
