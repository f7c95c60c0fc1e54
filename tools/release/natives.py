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

EXPORTS = r"Java_\w+|PyInit_\w+|napi_register_module_v1|node_api_module_get_api_version_v1"
MACHINES = {"x64": "Advanced Micro Devices X86-64", "arm64": "AArch64"}
# A native may ask a system for its C library alone.
NEEDED = {
    "glibc": r"(libc|libm|libpthread|libdl|librt)\.so\.\d|ld-linux-[\w-]+\.so\.\d",
    "musl": r"libc\.so|libc\.musl-\w+\.so\.1",
}
NEWEST_GLIBC = (2, 28)


def read(path: Path, *options: str) -> str:
    return subprocess.check_output(["readelf", "--wide", *options, path], text=True)


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
    if "Build ID:" not in read(path, "--notes"):
        yield "has no build id"
    if ".symtab" in read(path, "--section-headers"):
        yield "is not stripped"


def faults_for(target: str, path: Path) -> Iterator[str]:
    """Yields what a native for a system lacks, and what it asks for that the system may not have."""
    _, processor, libc = target.split("-")
    machine = re.search(r"Machine: +(.*)", read(path, "--file-header"))[1]
    if machine != MACHINES[processor]:
        yield f"is for {machine}"
    yield from faults(path)
    for name in re.findall(r"Shared library: \[(.*)\]", read(path, "--dynamic")):
        if not re.fullmatch(NEEDED[libc], name):
            yield f"needs {name}"
    symbols = read(path, "--dyn-syms", "--version-info")
    for foreign in sorted(set(re.findall(r"\b(?:GLIBCXX|CXXABI)_[\d.]+", symbols))):
        yield f"needs {foreign}"
    versions = {tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_([\d.]+)", symbols)}
    if versions and (libc == "musl" or max(versions) > NEWEST_GLIBC):
        yield f"needs GLIBC_{'.'.join(map(str, max(versions)))}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="TARGET")
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    options = parser.parse_args()
    found = [f"{path}: {fault}" for path in options.files for fault in faults_for(options.target, path)]
    print("\n".join(found) or f"{len(options.files)} natives for {options.target}: nothing is wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
