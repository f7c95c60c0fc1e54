"""Writes MANIFEST.json and SHA256SUMS of the archives of a release.

    python3 manifest.py FOLDER [TRIED]

MANIFEST.json names each archive with its natives: the system they are for, what they need of it, and how they were checked: "run",
or "format" if they were only looked at. For each platform it has the best of these, or "none" if there are no natives for it. TRIED
is what trials of the archives wrote: a JSON object of the targets that each ran on.
"""

from __future__ import annotations

import json
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import natives
from archives import VERSION, run
from inputs import digest_of
from targets import TARGETS, WITHOUT_NATIVES, Target


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix in (".whl", ".jar"):
        with zipfile.ZipFile(archive) as opened:
            yield from ((name, opened.read(name)) for name in sorted(opened.namelist()))
    elif archive.suffix in (".tgz", ".gz"):
        with tarfile.open(archive) as opened:
            for member in opened:
                if member.isfile():
                    yield member.name, opened.extractfile(member).read()


def target_of(archive: str, member: str) -> Target:
    """Returns the target whose name a native's archive has, or its folder in one."""
    for target in TARGETS.values():
        if f"/prebuilds/{target.name}/" in member or f"/native/{target.java}/" in member:
            return target
        if target.wheel in archive or f"-{target.name}." in archive:
            return target
    raise ValueError(f"{archive}: {member} is for no known system")


def facts(archive: Path, tried: dict[str, list[str]]) -> Iterator[dict[str, object]]:
    """Yields what is known of each native in an archive."""
    for name, content in members(archive):
        if not content.startswith(b"\x7fELF"):
            continue
        target = target_of(archive.name, name)
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            path = Path(file.name)
            newest = natives.newest_glibc(path)
            yield {
                "native": name,
                "platform": target.name,
                "size": len(content),
                "needs": natives.needed(path),
                "glibc": ".".join(map(str, newest)) if newest else None,
                "build_id": natives.build_id(path),
                "checked": "run" if target.name in tried.get(archive.name, ()) else "format",
            }


def checks_of_platforms(archives: list[dict[str, Any]]) -> dict[str, str]:
    checks = dict.fromkeys([*TARGETS, *WITHOUT_NATIVES], "none")
    for native in (native for archive in archives for native in archive["natives"]):
        if checks[native["platform"]] != "run":
            checks[native["platform"]] = native["checked"]
    return checks


def main(folder: Path, tried: dict[str, list[str]]) -> None:
    archives = sorted(
        path for path in folder.iterdir() if path.is_file() and path.name not in ("MANIFEST.json", "SHA256SUMS")
    )
    described = [
        {
            "file": path.name,
            "size": path.stat().st_size,
            "sha256": digest_of(path),
            "natives": list(facts(path, tried)),
        }
        for path in archives
    ]
    manifest = {
        "version": VERSION,
        "commit": run("git", "rev-parse", "HEAD").strip(),
        "platforms": checks_of_platforms(described),
        "archives": described,
    }
    (folder / "MANIFEST.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    kept = [*archives, folder / "MANIFEST.json", *sorted((folder / "symbols").iterdir())]
    sums = "".join(f"{digest_of(path)}  {path.relative_to(folder)}\n" for path in kept)
    (folder / "SHA256SUMS").write_text(sums, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8")) if len(sys.argv) > 2 else {})
