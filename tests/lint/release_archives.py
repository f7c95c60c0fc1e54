"""An archive that is not what its name says, or asks a system for more than it has, is not let into a release."""

from __future__ import annotations

import importlib.metadata
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from unittest import mock

import project

sys.path.insert(0, str(project.ROOT / "tools/release"))
import descriptions
import inspection
import manifest
import natives
import sbom
from targets import TARGETS, WITHOUT_NATIVES
from unpacking import NotUnpacked, unpack

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


def faults_of_addon(change: Callable[[bytes], bytes]) -> list[str]:
    """Returns the faults of the addon of Node with other bytes."""
    (addon,) = project.ROOT.glob("node/prebuilds/*/*.node")
    with tempfile.TemporaryDirectory() as folder:
        native = Path(folder) / addon.name
        native.write_bytes(change(addon.read_bytes()))
        return list(inspection.faults_of_native(GLIBC, native))


def check_a_native_of_another_version_is_refused():
    faults = faults_of_addon(lambda content: content.replace(project.version().encode(), b"9.9.9"))
    yield from refused(f"is not of version {project.version()}", faults)


def check_a_native_that_grew_is_refused():
    faults = faults_of_addon(lambda content: content.ljust(2_700_001, b"\0"))
    yield from refused("has 2700001 bytes, more than 2700000", faults)


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


def native_that_needs(library: str, folder: str) -> Path:
    libc, native = Path(folder) / "libc.so", Path(folder) / "polyflake.node"
    for source, file, more in (("void libc(void) {}", libc, [f"-Wl,-soname,{library}"]),
                               ("void libc(void); void napi(void) { libc(); }", native, [libc])):  # fmt: skip
        command = ["gcc", "-x", "c", "-", "-shared", "-nostdlib", "-o", file, "-x", "none", *more]
        subprocess.run(command, input=source, text=True, check=True)
    return native


def check_a_native_for_musl_is_refused_among_those_for_glibc():
    with tempfile.TemporaryDirectory() as folder:
        native = native_that_needs("libc.musl-x86_64.so.1", folder)
        yield from refused("needs libc.musl-x86_64.so.1", natives.faults_for(GLIBC, native))


def check_a_native_for_musl_that_takes_any_c_library_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        native = native_that_needs("libc.so", folder)
        yield from refused("needs libc.so", natives.faults_for(TARGETS["linux-x64-musl"], native))


def check_a_manifest_says_how_each_platform_was_checked():
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / named_for(GLIBC.wheel)
        shutil.copy(wheel(), archive)
        for tried, wanted in (({}, "format"), ({archive.name: [GLIBC.name]}, "run")):
            described = [
                {"natives": list(manifest.facts(archive, tried))},
                {"natives": list(manifest.facts(archive, {}))},
            ]
            found = manifest.checks_of_platforms(described)
            names = [*TARGETS, *WITHOUT_NATIVES]
            if found != {**dict.fromkeys(names, "none"), GLIBC.name: wanted}:
                yield f"{found}"


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


def licenses_of_others() -> dict[str, tuple[str, str]]:
    """Returns who owns each library of others, and the license it comes with."""
    return {
        "BearSSL": ("Thomas Pornin", project.text("third_party/bearssl/LICENSE.txt")),
        "CLI11": ("University of Cincinnati", project.text("third_party/cli11/LICENSE").replace(" of CLI11,", ",")),
        "pybind11": ("Wenzel Jakob", importlib.metadata.distribution("pybind11").read_text("licenses/LICENSE")),
        "node-addon-api": ("Node.js API collaborators", project.text("node_modules/node-addon-api/LICENSE.md")),
    }


def check_notice_has_the_licenses_of_all_that_is_in_an_archive():
    notice = " ".join(project.text("NOTICE").split())
    for name in sbom.LICENSES.keys() - {"polyflake"}:
        if name not in notice:
            yield f"does not name {name}"
    for name, (owner, license_text) in licenses_of_others().items():
        if owner not in notice or owner not in license_text:
            yield f"{owner} does not own {name}, or is not named"
        for paragraph in license_text.split("\n\n"):
            words = " ".join(paragraph.split())
            # Years differ between the license and the sources; the others are not part of the license.
            if (
                not re.match(r"CLI11 [\d.]+ Copyright|Copyright|The MIT License|Please also refer", words)
                and words not in notice
            ):
                yield f"lacks of the license of {name}: {words[:80]}"
    expression = json.loads(project.text("package.json"))["license"]
    for spoken in set(sbom.LICENSES.values()):
        if spoken.split(" WITH ")[0] not in expression.split(" AND "):
            yield f"package.json says {expression}, without {spoken}"
    if f'license = "{expression}"' not in project.text("pyproject.toml"):
        yield f"package.json says {expression}, pyproject.toml does not"


def source_archive(folder: str, *names: str) -> Path:
    """Makes a source archive without sources, in which each file says the version alone."""
    archive = Path(folder) / f"polyflake-{project.version()}.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in names:
            content = f"Metadata-Version: 2.2\nName: polyflake\nVersion: {project.version()}\n".encode()
            member = tarfile.TarInfo(f"polyflake-{project.version()}/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return archive


def check_an_archive_is_looked_at_by_the_python_of_debian():
    def extractall(self, path=".", members=None, *, numeric_owner=False):
        """As Python 3.11.2 has it, without a filter."""

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(tarfile.TarFile, "extractall", extractall):
        sources = source_archive(folder, "PKG-INFO")
        yield from refused("lacks LICENSE", inspection.faults_of_sources(sources, Path(folder) / "unpacked"))


def check_an_archive_with_a_file_outside_of_it_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        sources = source_archive(folder, "PKG-INFO", "../../outside")
        try:
            unpack(sources, Path(folder) / "unpacked")
            yield "it was unpacked"
        except NotUnpacked as error:
            if "../../outside: " not in str(error):
                yield str(error)
        if (Path(folder) / "outside").exists():
            yield "its file outside was written"


def check_an_archive_that_pypi_would_refuse_is_refused():
    yield from descriptions.faults([wheel()])
    with tempfile.TemporaryDirectory() as folder:
        sources = source_archive(folder, "PKG-INFO", "pyproject.toml")
        found = list(descriptions.faults([wheel(), sources]))
        if len(found) != 1 or "`long_description` missing" not in found[0]:
            yield f"a source archive without a description: {found}"
