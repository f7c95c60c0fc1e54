"""Chooses the parts of `./dev test` that a change can reach:  python changed.py [BASE]

BASE is a commit, HEAD unless given: what is not committed, and files that git does not know, are part
of the change. Prints a line for each part to run: its name, its arguments and why, separated by ASCII's
unit separator. A line that begins with "#" tells people what is left to the whole run. changed.toml has
the rules. Programs of ctest come from the dependencies that the build in build/cpp noted, if there is one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build/cpp"
CPP = (".cpp", ".hpp", ".h", ".i")
# They take minutes. The first prove leases and counters, so changes of those run them.
SLOW = {
    "simulation": ("core/src/lease/*", "core/src/count/*", "tests/simulation/*"),
    "consumer": ("cmake/*", "CMake*", "tests/consumer/cpp/*"),
}


def said_by(*command: object, folder: Path = ROOT) -> str:
    return subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def changed_files(base: str) -> list[str]:
    known = subprocess.run(
        ["git", "rev-parse", "--quiet", "--verify", f"{base}^{{commit}}"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    if known.returncode != 0:
        sys.exit(f"./dev test --changed: there is no commit {base}")
    names = said_by("git", "diff", "--name-only", base) + said_by("git", "ls-files", "--others", "--exclude-standard")
    return sorted(set(names.split("\n")) - {""})


def rules() -> list[dict]:
    return tomllib.loads((ROOT / "tools/dev/changed.toml").read_text("utf-8"))["rule"]


def matches(path: str, rule: dict) -> bool:
    def is_one_of(patterns: list[str]) -> bool:
        return any(fnmatchcase(path, pattern) for pattern in patterns)

    return is_one_of(rule["files"]) and not is_one_of(rule.get("except", []))


def objects_with(files: set[str]) -> set[str]:
    """Returns the objects that were compiled from one of the files, by the log of the build."""
    found, name = set(), ""
    for line in said_by("ninja", "-t", "deps", folder=TREE).splitlines():
        if not line.startswith(" "):
            name = line.partition(": #deps")[0]
        else:
            path = Path(TREE, line.strip()).resolve()
            if path.is_relative_to(ROOT) and str(path.relative_to(ROOT)) in files:
                found.add(name)
    return found


def programs_reached(files: set[str]) -> list[str] | None:
    """Returns the names of tests of ctest; None if nothing was built."""
    if not (TREE / ".ninja_deps").exists():
        return None
    objects = objects_with(files)
    tests = json.loads(said_by("ctest", "--show-only=json-v1", folder=TREE))["tests"]
    found = []
    for test in tests:
        labels = next((one["value"] for one in test["properties"] if one["name"] == "LABELS"), [])
        slow = [SLOW[label] for label in labels if label in SLOW]
        if slow and not any(fnmatchcase(file, pattern) for pattern in slow[0] for file in files):
            continue
        program = next((Path(word) for word in test.get("command", []) if word.startswith(str(TREE))), None)
        if program is None or not program.is_relative_to(TREE):
            found.append(test["name"])  # of no program of ours: the build does not know
            continue
        inputs = said_by("ninja", "-t", "inputs", program.relative_to(TREE), folder=TREE).split("\n")
        if not objects.isdisjoint(inputs):
            found.append(test["name"])
    return found


def chosen(files: list[str]) -> tuple[dict[str, tuple[set[str], str]], set[str], list[str]]:
    """Returns the parts with their arguments (empty: all) and a reason, what is left, and files that no rule knows."""
    parts: dict[str, tuple[set[str], str]] = {}
    left: set[str] = set()
    unknown = []
    for path in files:
        matching = [rule for rule in rules() if matches(path, rule)]
        if not matching:
            unknown.append(path)
        for rule in matching:
            left.update(rule.get("left", ()))
            for entry in rule["run"]:
                if "{" in entry and not (ROOT / path).exists():
                    continue  # a test that went
                part, *words = entry.replace("{file}", path).replace("{name}", Path(path).stem).split()
                known, reason = parts.get(part, (None, path))
                whole = not words or known == set()
                parts[part] = (set() if whole else (known or set()) | set(words), reason)
    return parts, left - parts.keys(), unknown


def united(words: set[str]) -> list[str]:
    """Returns the arguments of several rules for one run. Maven takes one -Dtest=; pytest runs no test that it has to ignore."""
    tests = sorted({name for word in words if word.startswith("-Dtest=") for name in word[7:].split(",")})
    named = {f"--ignore={word}" for word in words}
    others = sorted(word for word in words - named if not word.startswith("-Dtest="))
    return others + ([f"-Dtest={','.join(tests)}"] if tests else [])


def main(base: str = "HEAD") -> None:
    files = changed_files(base)
    parts, left, unknown = chosen(files)
    cpp = {path for path in files if path.endswith(CPP)}
    if "core" in parts and cpp and not any("CMake" in path for path in files):
        programs = programs_reached(cpp)
        if programs:
            words = {"--tests-regex", f"^({'|'.join(map(re.escape, programs))})$"}
            parts["core"] = (words, parts["core"][1])
        elif programs == []:
            del parts["core"]
    for part, (words, reason) in parts.items():
        print(part, " ".join(united(words)), reason, sep="\x1f")
    if left:
        print(f"# left to the whole run: {', '.join(sorted(left))}")
    for path in unknown:
        print(f"# no rule of tools/dev/changed.toml knows {path}: run everything")


if __name__ == "__main__":
    main(*sys.argv[1:])
