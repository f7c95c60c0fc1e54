"""An archive that is not what its name says, or asks a system for more than it has, is not let into a release."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import project

sys.path.insert(0, str(project.ROOT / "tools/release"))
import inspection
import natives
import sbom
from targets import TARGETS

GLIBC = TARGETS["linux-x64-glibc"]


def refused(wanted: str, found: Iterable[str]) -> Iterator[str]:
    """Yields what was found instead, unless one of the faults begins with the wanted one."""
    faults = list(found)
    if not any(fault.startswith(wanted) for fault in faults):
        yield f"nothing says `{wanted}`, but: {faults}"


def inspected(path: Path, name: str, change: Callable[[Path], None]) -> list[str]:
    """Returns the faults of a copy of an archive that has another name, and was changed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / name
        shutil.copy(path, copy)
        change(copy)
        return list(inspection.faults_of(copy, list(TARGETS.values())))


def unchanged(_: Path) -> None:
    pass


def wheel() -> Path:
    (path,) = (project.ROOT / "build/wheel").glob("*.whl")
    return path


def named_for(platform: str) -> str:
    return f"{wheel().stem.rsplit('-', 1)[0]}-{platform}.whl"


def retagged(path: Path) -> None:
    """Gives the wheel the tag that is in its name, by the tool for it."""
    platform = path.stem.split("-")[-1]
    plain = path.with_name(wheel().name)
    path.rename(plain)
    natives.output(sys.executable, "-m", "wheel", "tags", "--remove", f"--platform-tag={platform}", plain)


def check_a_wheel_whose_tag_is_false_is_refused():
    # The compiler of this machine links its own C and C++ libraries.
    faults = inspected(wheel(), named_for(GLIBC.wheel), retagged)
    yield from refused("the platform that auditwheel finds is ", faults)
    faults = inspected(wheel(), named_for(GLIBC.wheel), unchanged)
    yield from refused("the tag in WHEEL is ", faults)


def check_a_wheel_of_another_version_is_refused():
    faults = inspected(wheel(), wheel().name.replace(project.version(), "9.9.9"), unchanged)
    yield from refused("the version in its name is 9.9.9", faults)


def check_a_native_of_another_version_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        native = Path(folder) / "polyflake.node"
        (addon,) = project.ROOT.glob("node/prebuilds/*/*.node")
        native.write_bytes(addon.read_bytes().replace(project.version().encode(), b"9.9.9"))
        yield from refused(f"is not of version {project.version()}", inspection.faults_of_native(GLIBC, native))


def check_a_wheel_whose_file_was_changed_is_refused():
    def change(path: Path) -> None:
        with zipfile.ZipFile(wheel()) as old, zipfile.ZipFile(path, "w") as new:
            for member in old.infolist():
                content = old.read(member)
                new.writestr(member, content + b"#" if member.filename == "polyflake/__init__.py" else content)

    yield from refused("Hash mismatch for file 'polyflake/__init__.py'", inspected(wheel(), wheel().name, change))


def check_a_jar_without_a_platform_is_refused():
    faults = inspected(project.jar, f"polyflake-{project.version()}.jar", unchanged)
    for target in TARGETS.values():
        if target.name != "linux-x64-glibc":
            yield from refused(f"lacks {target.java}/libpolyflake-jni-", faults)


def check_a_native_for_musl_is_refused_among_those_for_glibc():
    with tempfile.TemporaryDirectory() as folder:
        libc, native = Path(folder) / "libc.so", Path(folder) / "polyflake.node"
        for name, file, more in (("void libc(void) {}", libc, ["-Wl,-soname,libc.musl-x86_64.so.1"]),
                                 ("void libc(void); void napi(void) { libc(); }", native, [libc])):  # fmt: skip
            command = ["gcc", "-x", "c", "-", "-shared", "-nostdlib", "-o", file, "-x", "none", *more]
            subprocess.run(command, input=name, text=True, check=True)
        yield from refused("needs libc.musl-x86_64.so.1", natives.faults_for(GLIBC, native))


def check_a_release_that_lacks_an_archive_is_refused():
    with tempfile.TemporaryDirectory() as empty:
        words = ["--only", "node", empty, GLIBC.name]
        script = project.ROOT / "tools/release/inspection.py"
        done = subprocess.run([sys.executable, script, *words], check=False, capture_output=True, text=True)
    name = f"polyflake-{project.version()}.tgz"
    if (done.returncode, done.stdout) != (1, f"lacks {name}\nlacks {name}.cdx.json\n"):
        yield f"{done.returncode}: {done.stdout}{done.stderr}"


def check_what_is_in_an_archive_is_said_by_the_schema():
    with tempfile.TemporaryDirectory() as folder:
        zig = Path(folder)
        for path, text in (
            ("libcxx/include/__config", "_LIBCPP_VERSION 220108"),
            ("libc/musl/src/internal/version.h", '"1.2.5"'),
        ):
            (zig / path).parent.mkdir(parents=True)
            (zig / path).write_text(text, "utf-8")
        for kind in sbom.CONTENTS:
            text = sbom.sbom(kind, "one", 1, zig)
            yield from sbom.faults(text, kind)
            if text != sbom.sbom(kind, "one", 1, zig):
                yield f"{kind}: two of one archive differ"
            yield from refused(
                "does not name CLI11 with its license", sbom.faults(text.replace("CLI11", "CLI12"), kind)
            )
            yield from refused("is no CycloneDX 1.6", sbom.faults(text.replace('"library"', '"book"'), kind))


def check_notice_names_each_library_that_asks_for_it():
    notice = project.text("NOTICE")
    for name in sbom.SOURCES:
        if name not in notice:
            yield name
