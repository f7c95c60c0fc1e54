"""Lists the libraries of others in an archive, in CycloneDX 1.6 (ECMA-424): equal bytes for equal archives.

Versions and digests are those of the files that pin them.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import third_party
import version
from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[2]

LICENSES = {
    "polyflake": "Apache-2.0",
    "BearSSL": "MIT",
    "CLI11": "BSD-3-Clause",
    "libc++": "Apache-2.0 WITH LLVM-exception",
    "libc++abi": "Apache-2.0 WITH LLVM-exception",
    "libunwind": "Apache-2.0 WITH LLVM-exception",
    "compiler-rt of Zig": "MIT",
    "musl": "MIT",
    "pybind11": "BSD-3-Clause",
    "node-addon-api": "MIT",
}
SOURCES = ("BearSSL", "CLI11")
NATIVES = (*SOURCES, "libc++", "libc++abi", "libunwind", "compiler-rt of Zig")
CONTENTS = {
    "sources": SOURCES,
    "python": (*NATIVES, "pybind11"),
    "node": (*NATIVES, "node-addon-api"),
    "java": NATIVES,
    "program": (*NATIVES, "musl"),
}


def zig_folder() -> Path:
    """Returns the folder of the sources that come with zig."""
    import ziglang

    return Path(ziglang.__file__).parent / "lib"


def versions(zig: Path) -> dict[str, str]:
    """Returns the version of each component, from what pins it."""
    pins = "".join((ROOT / "tools" / path).read_text("utf-8") for path in ("dev/requirements.txt", "release/zig.txt"))
    packages = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    number = int(re.search(r"_LIBCPP_VERSION (\d+)", (zig / "libcxx/include/__config").read_text("utf-8"))[1])
    llvm = f"{number // 10_000}.{number // 100 % 100}.{number % 100}"
    found = {
        "polyflake": version.present(),
        "libc++": llvm,
        "libc++abi": llvm,
        "libunwind": llvm,
        "compiler-rt of Zig": pinned(pins, "ziglang"),
        "musl": re.search(r'"([\d.]+)"', (zig / "libc/musl/src/internal/version.h").read_text("utf-8"))[1],
        "pybind11": pinned(pins, "pybind11"),
        "node-addon-api": packages["node-addon-api"],
    }
    return found | {name: release for name, (release, _) in fetched().items()}


def pinned(pins: str, name: str) -> str:
    return re.search(rf"^{name}==(.*)$", pins, re.M)[1]


def fetched() -> dict[str, tuple[str, str]]:
    """Returns the version and digest of each library in third_party/."""
    found = {}
    for archive in third_party.archives(third_party.LIST.read_text("utf-8")):
        name, release = re.search(r"/(\w+)_([\d.]+)", archive.path).groups()
        (ours,) = (each for each in SOURCES if each.lower() == name)
        found[ours] = (release, archive.digest)
    return found


def component(name: str, release: str) -> Component:
    digest = fetched().get(name, ("", ""))[1]
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=release,
        bom_ref=f"{name}@{release}",
        scope=ComponentScope.REQUIRED,
        licenses=[LicenseFactory().make_from_string(LICENSES[name])],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)] if digest else [],
        purl=PackageURL("generic", None, name, release),
    )


def sbom(kind: str, archive: str, epoch: int, zig: Path) -> str:
    """Returns the JSON for an archive of a kind of CONTENTS, at the Unix second of the release."""
    releases = versions(zig)
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{archive}@{epoch}"))
    bom.metadata.timestamp = datetime.fromtimestamp(epoch, timezone.utc)
    bom.metadata.component = component("polyflake", releases["polyflake"])
    for name in CONTENTS[kind]:
        bom.components.add(component(name, releases[name]))
    bom.register_dependency(bom.metadata.component, bom.components)
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


def faults(text: str, kind: str) -> Iterator[str]:
    """Yields what the schema does not allow, and what is not named with its license."""
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        yield f"is no CycloneDX 1.6: {error}"
        return
    named = {each["name"]: each.get("licenses") for each in json.loads(text)["components"]}
    for name in CONTENTS[kind]:
        if LICENSES[name] not in str(named.get(name)):
            yield f"does not name {name} with its license, {LICENSES[name]}"
