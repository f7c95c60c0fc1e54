"""Looks at the archives of a release, without running them.

    python3 inspection.py [--only python|node|java|program]... FOLDER TARGET...

Prints what is wrong with each archive; the exit code is 1 if anything is. FOLDER must have what archives.py makes for the targets.
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import descriptions
import natives
import sbom
from archives import ROOT, VERSION, asked
from names import expected
from targets import TARGETS, Target
from unpacking import unpack

# The limits hold for archives with the natives of all platforms.
LARGEST = {".tgz": 8_000_000, ".jar": 8_000_000, ".whl": 1_300_000}
# Limits of one native, a little above its size: growth is decided, not overlooked.
LARGEST_NATIVE = {"polyflake.node": 2_700_000, f"libpolyflake-jni-{VERSION}.so": 1_500_000}
JAVA_8, JAVA_9 = 52, 53


def faults_of_native(target: Target, path: Path) -> Iterator[str]:
    yield from natives.faults_for(target, path)
    content = path.read_bytes()
    if str(ROOT).encode() in content:
        yield f"names the folder in which it was built, {ROOT}"
    # Those of Java, which have it in their names, do not know it.
    if VERSION.encode() not in content and VERSION not in path.name:
        yield f"is not of version {VERSION}"
    yield from larger(len(content), LARGEST_NATIVE.get(path.name))


def larger(size: int, limit: int | None) -> Iterator[str]:
    if limit and size > limit:
        yield f"has {size} bytes, more than {limit}"


def named(name: str, faults: Iterator[str]) -> Iterator[str]:
    return (f"{name}: {fault}" for fault in faults)


def compared(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted:
        yield f"{what} is {found}, not {wanted}"


# Wheels


def faults_of_wheel(path: Path, folder: Path) -> Iterator[str]:
    _, version, python, abi, platform = path.stem.split("-")
    yield from compared("the version in its name", version, VERSION)
    yield from compared("the ABI in its name", abi.rstrip("t"), python)
    try:
        # Compares each file with RECORD.
        natives.output(sys.executable, "-m", "wheel", "unpack", path, "--dest", folder)
    except subprocess.CalledProcessError as error:
        yield error.stderr.strip().splitlines()[-1]
        return
    (content,) = folder.iterdir()
    information = content / f"polyflake-{VERSION}.dist-info"
    tags = re.findall(r"(?m)^Tag: (.*)$", (information / "WHEEL").read_text("utf-8"))
    yield from compared("the tag in WHEEL", tags, [f"{python}-{abi}-{platform}"])
    yield from compared("the version in METADATA", field(information / "METADATA", "Version"), VERSION)
    target = next((each for each in TARGETS.values() if each.wheel == platform), None)
    if target is None:
        yield f"{platform} is no platform of a release"
        return
    modules = sorted(content.rglob("*.so"))
    if len(modules) != 1:
        yield f"has {len(modules)} natives: {modules}"
    for module in modules:
        yield from named(module.name, faults_of_native(target, module))
        found = re.search(r"\.cpython-(\d+t?)-", module.name)
        if found:
            yield from compared("the Python in the name of its module", f"cp{found[1]}", abi)
    yield from faults_of_platform(path, platform)
    yield from faults_of_sbom(information / "sboms/polyflake.cdx.json", "python")


def faults_of_platform(path: Path, platform: str) -> Iterator[str]:
    """Yields what auditwheel says if it finds the wheel fit for another platform than the one in its name."""
    verdict = natives.output(sys.executable, "-m", "auditwheel", "show", path)
    found = re.search(r'platform\s+tag:\s+"(\w+)"', " ".join(verdict.split()))
    yield from compared("the platform that auditwheel finds", found and found[1], platform)


def field(path: Path, name: str) -> str:
    return re.search(rf"(?m)^{name}: (.*)$", path.read_text("utf-8"))[1]


# The tarball of Node


def faults_of_tarball(path: Path, targets: list[Target], folder: Path) -> Iterator[str]:
    unpack(path, folder)
    content = folder / "package"
    package = json.loads((content / "package.json").read_text("utf-8"))
    yield from compared("the version in package.json", package["version"], VERSION)
    prebuilt = {f"node/prebuilds/{target.name}/polyflake.node" for target in targets}
    yield from compared_names(files_in(content), published(package["files"]) | prebuilt)
    for target in targets:
        addon = content / f"node/prebuilds/{target.name}/polyflake.node"
        if addon.exists():
            yield from named(target.name, faults_of_native(target, addon))


def published(patterns: list[str]) -> set[str]:
    """Returns the files of this repository that package.json names, and those that npm always adds."""
    known = natives.output("git", "-C", ROOT, "ls-files").split("\n")
    chosen = {
        name
        for name in known
        if any(PurePosixPath(name).match(pattern) and name.count("/") == pattern.count("/") for pattern in patterns)
    }
    return chosen | {"package.json", "README.md", "LICENSE"}


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def compared_names(found: set[str], wanted: set[str]) -> Iterator[str]:
    for name in sorted(wanted - found):
        yield f"lacks {name}"
    for name in sorted(found - wanted):
        yield f"has {name}, which is not meant to be in it"


# The jar


def faults_of_jar(path: Path, targets: list[Target], folder: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as jar:
        jar.extractall(folder)
        times = {member.date_time for member in jar.infolist()}
    if len(times) != 1:
        yield f"its members have {len(times)} times"
    yield from compared(
        "the version in its manifest", field(folder / "META-INF/MANIFEST.MF", "Implementation-Version").strip(), VERSION
    )
    for source in sorted(folder.rglob("*.class")):
        newest = JAVA_9 if source.name == "module-info.class" else JAVA_8
        (version,) = struct.unpack(">H", source.read_bytes()[6:8])
        if version > newest:
            yield f"{source.relative_to(folder)} is for a newer Java, by its class version {version}"
    root = folder / "io/github/polyflake/native"
    names = {
        f"{target.java}/libpolyflake-{name}-{VERSION}.so": target for target in targets for name in ("jni", "command")
    }
    yield from compared_names(files_in(root), set(names))
    for name, target in names.items():
        if (root / name).exists():
            yield from named(name, faults_of_native(target, root / name))


# The program, and the sources


def faults_of_program(path: Path, target: Target, folder: Path) -> Iterator[str]:
    unpack(path, folder)
    content = folder / f"polyflake-{VERSION}"
    texts = {"LICENSE", "LICENSE.musl", "NOTICE", "polyflake.1", "polyflake.bash", "_polyflake", "polyflake.fish"}
    yield from compared_names(files_in(content), texts | {"polyflake"})
    yield from compared("its processor", natives.processor(content / "polyflake"), target.processor)
    needed = natives.needed(content / "polyflake")
    if needed:
        yield f"needs {', '.join(needed)}"


def faults_of_sources(path: Path, folder: Path) -> Iterator[str]:
    unpack(path, folder)
    content = folder / f"polyflake-{VERSION}"
    yield from compared("the version in PKG-INFO", field(content / "PKG-INFO", "Version"), VERSION)
    for name in (
        "LICENSE",
        "NOTICE",
        "third_party/bearssl/LICENSE",
        "third_party/cli11/LICENSE",
        "core/CMakeLists.txt",
    ):
        if not any(content.glob(f"{name}*")):
            yield f"lacks {name}"


# All of them


def faults_of_sbom(path: Path, kind: str) -> Iterator[str]:
    if path.exists():
        yield from sbom.faults(path.read_text("utf-8"), kind)
    else:
        yield f"lacks {path.name}"


def faults_of(path: Path, targets: list[Target]) -> Iterator[str]:
    yield from larger(path.stat().st_size, LARGEST.get(path.suffix))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        programs = {f"polyflake-{VERSION}-{target.name}.tar.gz": target for target in targets}
        beside = path.with_name(f"{path.name}.cdx.json")
        if path.suffix == ".whl":
            yield from faults_of_wheel(path, folder)
        elif path.suffix == ".tgz":
            yield from faults_of_tarball(path, targets, folder)
            yield from faults_of_sbom(beside, "node")
        elif path.name == f"polyflake-{VERSION}.jar":
            yield from faults_of_jar(path, targets, folder)
            yield from faults_of_sbom(beside, "java")
        elif path.name in programs:
            yield from faults_of_program(path, programs[path.name], folder)
            yield from faults_of_sbom(beside, "program")
        elif path.name == f"polyflake-{VERSION}.tar.gz":
            yield from faults_of_sources(path, folder)
            yield from faults_of_sbom(beside, "sources")


def main() -> int:
    folder, targets, kinds = asked(__doc__)
    archives = {path.name: path for path in folder.iterdir() if path.is_file()}
    found = list(compared_names(set(archives), expected(targets, kinds)))
    for name, path in sorted(archives.items()):
        found += named(name, faults_of(path, targets))
    found += descriptions.faults(
        path for name, path in archives.items() if name.endswith((".whl", f"{VERSION}.tar.gz"))
    )
    print("\n".join(found) or f"{len(archives)} archives: nothing is wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
