"""The packages need no more of the system that they run on than README.md says."""

from __future__ import annotations

import platform
import re
import subprocess
import tempfile
import zipfile
from pathlib import Path

import project
from polyflake import _command, _core


def binaries(folder: str):
    """The compiled parts of each package, its own and the command line; the jar's are unpacked into the folder."""
    yield from (Path(_core.__file__), Path(_command.__file__))
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
    if len(paths) != 6:
        yield f"not two of each package: {[path.name for path in paths]}"
    for family, most in zip(("GLIBC", "GLIBCXX"), named.groups()):
        needed = max(re.findall(rf"\b{family}_([\d.]+)", symbols), key=version)
        if version(needed) > version(most):
            yield f"README.md says {most}, the packages need {family} {needed}"
