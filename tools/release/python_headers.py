"""Lays out the headers of the Pythons that wheels are for, from the archives that inputs.lock names.

    python3 python_headers.py FOLDER

Makes FOLDER/cp39/Python.h and so on. Those of a free-threaded Python, cp314t, are the same but for Py_GIL_DISABLED in pyconfig.h.
The headers of glibc that zig has lack crypt.h, which Python.h of 3.9 and 3.10 includes for a module of the standard library.
"""

from __future__ import annotations

import re
import shutil
import sys
import zipfile
from pathlib import Path

import inputs

FREE_THREADED = ("3.14",)


def versions() -> list[str]:
    """Returns the versions of the interpreters that inputs.lock names, such as 3.9."""
    found = (re.fullmatch(r"cpython-(3\.\d+)", name) for name in inputs.locked())
    return [name[1] for name in found if name]


def tag(version: str) -> str:
    return f"cp{version.replace('.', '')}"


def tags() -> list[str]:
    """Returns the tags of the Pythons that wheels are for, such as cp39."""
    return [tag(version) for version in versions()] + [f"{tag(version)}t" for version in FREE_THREADED]


def lay_out(version: str, folder: Path) -> None:
    headers = folder / tag(version)
    with zipfile.ZipFile(inputs.fetch(f"cpython-{version}")) as jar:
        for member in jar.namelist():
            found = re.search(rf"/include/python{re.escape(version)}/(.+\.h)$", member)
            if found:
                path = headers / found[1]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(jar.read(member))
    configure(headers, "#define HAVE_CRYPT_H 1", "")
    if version in FREE_THREADED:
        copy = folder / f"{tag(version)}t"
        shutil.copytree(headers, copy)
        configure(copy, "/* #undef Py_GIL_DISABLED */", "#define Py_GIL_DISABLED 1")
        if "#define Py_GIL_DISABLED 1" not in (copy / "pyconfig.h").read_text("utf-8"):
            sys.exit(f"{copy}/pyconfig.h does not say that there is no GIL")


def configure(headers: Path, line: str, replacement: str) -> None:
    config = headers / "pyconfig.h"
    config.write_text(config.read_text("utf-8").replace(f"\n{line}\n", f"\n{replacement}\n"), "utf-8")


def main(folder: Path) -> None:
    made = folder.with_name(folder.name + ".new")
    shutil.rmtree(made, ignore_errors=True)
    for version in versions():
        lay_out(version, made)
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
