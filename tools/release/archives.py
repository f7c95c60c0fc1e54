"""Packs what `./dev natives` has built into the archives of a release.

    python3 archives.py [--only python|node|java|program]... FOLDER TARGET...

TARGET is a folder of build/natives. Two runs give equal bytes: members are sorted, and have the time that SOURCE_DATE_EPOCH says.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import natives
import sbom
import version
from targets import TARGETS, Target, host_processor

ROOT = Path(__file__).resolve().parents[2]
NATIVES = ROOT / "build/natives"
STAGE = ROOT / "build/release"
VERSION = version.present()
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def run(*command: object, folder: Path = ROOT) -> str:
    """Returns what a command prints; its errors go where ours do. If it fails, all that it said does."""
    done = subprocess.run(list(map(str, command)), cwd=folder, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{' '.join(map(str, command))} ended with {done.returncode}")
    return done.stdout


def fresh_folder(path: Path) -> Path:
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def copied(stage: Path, *paths: str) -> None:
    """Copies files of the repository, and of folders what git knows of, to the same places below a folder."""
    for path in run("git", "ls-files", "--cached", "--others", "--exclude-standard", *paths).splitlines():
        (stage / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, stage / path)


def natives_of(target: Target, *names: str) -> list[Path]:
    return [NATIVES / target.name / "natives" / name for name in names]


def contents_of(kind: str, name: str) -> str:
    return sbom.sbom(kind, name, EPOCH, sbom.zig_folder())


def describe(kind: str, archive: Path) -> None:
    """Writes what is in an archive beside it."""
    archive.with_name(f"{archive.name}.cdx.json").write_text(contents_of(kind, archive.name), "utf-8")


# Python


def pack_python(out: Path, targets: list[Target]) -> None:
    backend = "import sys; from scikit_build_core import build; "
    run(sys.executable, "-c", backend + "build.build_sdist(sys.argv[1])", out)
    describe("sources", out / f"polyflake-{VERSION}.tar.gz")
    stage = fresh_folder(STAGE / "python")
    # All of a wheel but the native, by the project's own backend.
    run(sys.executable, "-c", backend + "build.build_wheel(sys.argv[1], {'wheel.cmake': 'false'})", stage)
    (pure,) = stage.glob("*.whl")
    for target in targets:
        for native in sorted(natives_of(target, "")[0].glob("cp*/_core.so")):
            run(sys.executable, "-m", "wheel", "unpack", pure, "--dest", stage)
            pack_wheel(out, stage / f"polyflake-{VERSION}", native, target)


def pack_wheel(out: Path, content: Path, native: Path, target: Target) -> None:
    abi = native.parent.name
    shutil.copy(native, content / "polyflake" / module_name(abi, target))
    metadata = content / f"polyflake-{VERSION}.dist-info" / "WHEEL"
    tag = target.tag(abi)
    text = re.sub(r"(?m)^Tag: .*\n", "", metadata.read_text("utf-8")).replace(
        "Root-Is-Purelib: true", "Root-Is-Purelib: false"
    )
    metadata.write_text(f"{text.rstrip()}\nTag: {tag}\n", "utf-8")
    described = metadata.with_name("sboms") / "polyflake.cdx.json"  # PEP 770
    described.parent.mkdir()
    described.write_text(contents_of("python", tag), "utf-8")
    run(sys.executable, "-m", "wheel", "pack", content, "--dest-dir", out)
    shutil.rmtree(content)


def module_name(abi: str, target: Target) -> str:
    """Returns the file name of the extension module. Patches of Python 3.9 and 3.10 gave musl a name of its own."""
    if target.libc == "musl":
        return "_core.so"
    architecture = target.java.split("/")[1]
    return f"_core.cpython-{abi[2:]}-{architecture}-linux-gnu.so"


# Node


def pack_node(out: Path, targets: list[Target]) -> None:
    stage = fresh_folder(STAGE / "node")
    copied(stage, "package.json", "README.md", "LICENSE", "NOTICE", "node")
    for target in targets:
        folder = stage / "node/prebuilds" / target.name
        folder.mkdir(parents=True)
        shutil.copy(*natives_of(target, "polyflake.node"), folder)
    run("npm", "pack", "--silent", "--pack-destination", out, folder=stage)
    describe("node", out / f"polyflake-{VERSION}.tgz")


# Java


def pack_java(out: Path, targets: list[Target]) -> None:
    stage = fresh_folder(STAGE / "java")
    copied(stage, "LICENSE", "NOTICE", "java/pom.xml", "java/src/main")
    # SWIG writes the same for each target.
    shutil.copytree(NATIVES / targets[0].name / "bindings/java/generated", stage / "native/generated")
    for target in targets:
        folder = stage / "native/resources/io/github/polyflake/native" / target.java
        folder.mkdir(parents=True)
        for native in natives_of(target, *(f"libpolyflake-{name}-{VERSION}.so" for name in ("jni", "command"))):
            shutil.copy(native, folder)
    run("mvn", "--batch-mode", "--quiet", "-Dstyle.color=never", "-f", stage / "java/pom.xml", "-Pdist", "-Dmaven.test.skip=true",
        f"-Dpolyflake.native={stage / 'native'}", f"-Dproject.build.outputTimestamp={EPOCH}", "package")  # fmt: skip
    for kind in ("", "-sources", "-javadoc"):
        shutil.copy(stage / f"java/target/polyflake-{VERSION}{kind}.jar", out)
    shutil.copy(stage / "java/pom.xml", out / f"polyflake-{VERSION}.pom")
    describe("java", out / f"polyflake-{VERSION}.jar")


# The program


def pack_program(out: Path, targets: list[Target]) -> None:
    """Packs the programs that need no library of the system, with the manual and completions, which one of them writes."""
    static = [target for target in targets if target.libc == "musl"]
    ours = [target for target in targets if target.processor == host_processor()]
    if not static:
        return
    if not ours:
        sys.exit(
            f"the manual is written by a program for this processor: no target of {', '.join(t.name for t in targets)} is for it"
        )
    (program,) = natives_of(ours[0], "polyflake")
    texts = {"polyflake.1": run(program, "man")}
    for shell, name in (("bash", "polyflake.bash"), ("zsh", "_polyflake"), ("fish", "polyflake.fish")):
        texts[name] = run(program, "completion", shell)
    musl = sbom.zig_folder() / "libc/musl/COPYRIGHT"
    for target in static:
        files = {name: (text.encode(), 0o644) for name, text in texts.items()}
        files |= {name: ((ROOT / name).read_bytes(), 0o644) for name in ("LICENSE", "NOTICE")}
        files["LICENSE.musl"] = (musl.read_bytes(), 0o644)
        files["polyflake"] = (natives_of(target, "polyflake")[0].read_bytes(), 0o755)
        archive = out / f"polyflake-{VERSION}-{target.name}.tar.gz"
        pack_tar(archive, f"polyflake-{VERSION}", files)
        describe("program", archive)


def pack_tar(path: Path, folder: str, files: dict[str, tuple[bytes, int]]) -> None:
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name, (content, mode) in sorted(files.items()):
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size, member.mode, member.mtime = len(content), mode, EPOCH
            tar.addfile(member, io.BytesIO(content))


def keep_symbols(out: Path, targets: list[Target]) -> None:
    """Copies the symbols of all natives to symbols/<build id>.debug."""
    for target in targets:
        for path in sorted(natives_of(target, "symbols")[0].iterdir()):
            copy = out / "symbols" / f"{natives.build_id(path)}.debug"
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, copy)


KINDS = {"python": pack_python, "node": pack_node, "java": pack_java, "program": pack_program}


def asked(description: str) -> tuple[Path, list[Target], list[str]]:
    """Returns what the command line asks for: a folder, targets and kinds."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=KINDS, help="take these alone")
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("targets", metavar="TARGET", nargs="+", choices=TARGETS)
    options = parser.parse_args()
    return options.folder.resolve(), [TARGETS[name] for name in options.targets], options.only or list(KINDS)


def main() -> None:
    out, targets, kinds = asked(__doc__)
    os.umask(0o022)
    fresh_folder(out)
    for kind in kinds:
        KINDS[kind](out, targets)
    keep_symbols(out, targets)


if __name__ == "__main__":
    main()
