#!/usr/bin/env python3
"""Looks at natives, without running them: what they export and need, and whether they are hardened.

    python3 natives.py TARGET FILE...

TARGET is a folder of node/prebuilds, such as linux-arm64-musl. Prints what is wrong with each file; the exit code is 1 if
anything is.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from targets import TARGETS, Target

EXPORTS = r"Java_\w+|PyInit_\w+|napi_register_module_v1|node_api_module_get_api_version_v1"
MACHINES = {"Advanced Micro Devices X86-64": "x64", "AArch64": "arm64"}
# A native may ask a system for its C library alone.
NEEDED = {
    "glibc": r"(libc|libm|libpthread|libdl|librt)\.so\.\d|ld-linux-[\w-]+\.so\.\d",
    "musl": r"libc\.musl-\w+\.so\.1",
}
NEWEST_GLIBC = (2, 28)


def output(*command: object) -> str:
    """Returns what a command prints, its errors as subprocess.CalledProcessError."""
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def read(path: Path, *options: str) -> str:
    return output("readelf", "--wide", *options, path)


def processor(path: Path) -> str:
    machine = re.search(r"Machine: +(.*)", read(path, "--file-header"))[1]
    return MACHINES.get(machine, machine)


def needed(path: Path) -> list[str]:
    """The libraries that a file asks for."""
    return re.findall(r"Shared library: \[(.*)\]", read(path, "--dynamic"))


def build_id(path: Path) -> str | None:
    found = re.search(r"Build ID: (\w+)", read(path, "--notes"))
    return found and found[1]


def newest_glibc(path: Path) -> tuple[int, ...] | None:
    """The newest version of glibc whose names a file asks for."""
    found = re.findall(r"\bGLIBC_([\d.]+)", read(path, "--dyn-syms", "--version-info"))
    return max((tuple(map(int, version.split("."))) for version in found), default=None)


def exported(path: Path) -> list[str]:
    """The names that a file gives to others."""
    rows = (line.split() for line in read(path, "--dyn-syms").splitlines())
    symbols = (row for row in rows if len(row) > 7 and re.fullmatch(r"\d+:", row[0]))
    return [row[7] for row in symbols if row[4] != "LOCAL" and row[6] != "UND"]


def faults(path: Path) -> Iterator[str]:
    """Yields what a native lacks, or has too much."""
    others = [name for name in exported(path) if not re.fullmatch(EXPORTS, name)]
    if others:
        yield f"exports {', '.join(others[:3])}"
    flags = read(path, "--dynamic")
    for flag in ("NODELETE", "NOW"):
        if not re.search(rf"Flags: .*\b{flag}\b", flags):
            yield f"is not marked {flag}"
    if "GNU_RELRO" not in read(path, "--program-headers"):
        yield "has no RELRO"
    if not build_id(path):
        yield "has no build id"
    if ".symtab" in read(path, "--section-headers"):
        yield "is not stripped"


def faults_for(target: Target, path: Path) -> Iterator[str]:
    """Yields what a native for a system lacks, and what it asks for that the system may not have."""
    if processor(path) != target.processor:
        yield f"is for {processor(path)}"
    yield from faults(path)
    for name in needed(path):
        if not re.fullmatch(NEEDED[target.libc], name):
            yield f"needs {name}"
    for foreign in sorted(set(re.findall(r"\b(?:GLIBCXX|CXXABI)_[\d.]+", read(path, "--dyn-syms", "--version-info")))):
        yield f"needs {foreign}"
    newest = newest_glibc(path)
    if newest and (target.libc == "musl" or newest > NEWEST_GLIBC):
        yield f"needs GLIBC_{'.'.join(map(str, newest))}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="TARGET", choices=TARGETS)
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    options = parser.parse_args()
    found = [f"{path}: {fault}" for path in options.files for fault in faults_for(TARGETS[options.target], path)]
    print("\n".join(found) or f"{len(options.files)} natives for {options.target}: nothing is wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
