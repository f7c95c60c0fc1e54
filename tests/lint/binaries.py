"""The packages need no more of the system that they run on than README.md says."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import project
from polyflake import _core

sys.path.insert(0, str(project.ROOT / "tools/release"))
import natives
from targets import TARGETS


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


def check_natives_export_their_entries_alone_and_are_hardened():
    with tempfile.TemporaryDirectory() as folder:
        for path in binaries(folder):
            yield from (f"{path.name} {fault}" for fault in natives.faults(path))
            if str(project.ROOT).encode() in path.read_bytes():
                yield f"{path.name} names {project.ROOT}"


def check_natives_of_another_system_are_refused_by_name():
    # The addon of this machine's compiler needs a C++ library, and a newer C library than a release may.
    (addon,) = project.ROOT.glob("node/prebuilds/*/*.node")
    if platform.machine() != "x86_64" or "glibc" not in str(addon):
        return
    for target, wanted in {
        "linux-x64-glibc": ("needs libstdc++.so.6", "needs GLIBCXX_3.4", "needs GLIBC_2.3"),
        "linux-x64-musl": ("needs libc.so.6", "needs GLIBC_"),
        "linux-arm64-glibc": ("is for x64",),
    }.items():
        found = list(natives.faults_for(TARGETS[target], addon))
        for fault in wanted:
            if not any(each.startswith(fault) for each in found):
                yield f"{target}: nothing says `{fault}` of {addon.name}"
