"""The packages need no more of the system that they run on than README.md says."""

from __future__ import annotations

import platform
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import project
from polyflake import _core


def binaries(folder: str):
    """The natives of each package; those of the jar are unpacked into the folder."""
    yield Path(_core.__file__)
    yield from project.ROOT.glob("node/prebuilds/*/*.node")
    with zipfile.ZipFile(project.jar) as jar:
        for name in jar.namelist():
            if name.endswith(".so"):
                yield Path(jar.extract(name, folder))


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def check_packages_need_no_newer_libraries_than_readme_says():
    system = platform.freedesktop_os_release()
    if (system["ID"], system.get("VERSION_ID")) != ("debian", "12"):
        return  # what is built elsewhere may need more, as README.md says
    named = re.search(r"glibc ([\d.]+) and libstdc\+\+ ([\d.]+)", project.text("README.md"))
    with tempfile.TemporaryDirectory() as folder:
        paths = list(binaries(folder))
        symbols = "".join(subprocess.check_output(["objdump", "-T", path], text=True) for path in paths)
    if len(paths) != 4:
        yield f"not one of each package, and two of the jar: {[path.name for path in paths]}"
    for family, most in zip(("GLIBC", "GLIBCXX"), named.groups()):
        needed = max(re.findall(rf"\b{family}_([\d.]+)", symbols), key=version)
        if version(needed) > version(most):
            yield f"README.md says {most}, the packages need {family} {needed}"


EXPORTS = r"Java_\w+|PyInit_\w+|napi_register_module_v1|node_api_module_get_api_version_v1"


def read(path: Path, *options: str) -> str:
    return subprocess.check_output(["readelf", "--wide", *options, path], text=True)


def faults_of(path: Path) -> Iterator[str]:
    """What the file of a native lacks, or has too much."""
    defined = subprocess.check_output(["nm", "--dynamic", "--defined-only", path], text=True)
    others = [line.split()[-1] for line in defined.splitlines() if not re.fullmatch(EXPORTS, line.split()[-1])]
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
    if str(project.ROOT).encode() in path.read_bytes():
        yield f"names {project.ROOT}"


def check_natives_export_their_entries_alone_and_are_hardened():
    with tempfile.TemporaryDirectory() as folder:
        for path in binaries(folder):
            yield from (f"{path.name} {fault}" for fault in faults_of(path))
