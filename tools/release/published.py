"""Prints the names of the files of a release that a registry does not have yet.

    python3 published.py npm|maven|github FOLDER

FOLDER is what `./dev release` made. If the registry has a file of such a name with other contents, the exit code is 1: what is
published never changes. PyPI is not asked: it takes equal files again, and refuses others.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import central
import inputs


class Differs(Exception):
    """A file that was published with other contents."""


def asked(command: list[str], absent: str, folder: Path | None = None) -> str | None:
    """Returns what a client prints, None if it says by a pattern that the registry has no such thing."""
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    if re.search(absent, done.stdout + done.stderr):
        return None
    raise OSError(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")


def compared(path: Path, found: str | None, ours: str) -> list[str]:
    """Returns the name of a file if none was found. Errors: Differs."""
    if not found:
        return [path.name]
    if found != ours:
        raise Differs(f"{path.name} is published already, as {found}; this one is {ours}")
    return []


def npm(release: Path, version: str) -> list[str]:
    archive = release / f"polyflake-{version}.tgz"
    found = asked(["npm", "view", f"polyflake@{version}", "dist.integrity"], "E404")
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
    return compared(archive, found and found.strip(), f"sha512-{digest}")


def maven(release: Path, version: str) -> list[str]:
    missing = []
    for kind in central.KINDS:
        path = release / f"polyflake-{version}{kind}"
        packaging, classifier = path.suffix[1:], kind.removesuffix(path.suffix).replace("-", ":")
        artifact = f"{central.GROUP}:{central.NAME}:{version}:{packaging}{classifier}"
        with tempfile.TemporaryDirectory() as folder:
            # In the second form Maven repeats what it did not find a while ago, such as the pom that it wanted for the jar.
            absent = r"Could not find artifact|was not found in \S+ during a previous attempt"
            asked(inputs.command_of("maven", artifact), absent, Path(folder))
            found = next(map(inputs.digest_of, Path(folder).iterdir()), None)
        missing += compared(path, found, inputs.digest_of(path))
    return missing


def github(release: Path, version: str) -> list[str]:
    said = asked(["gh", "release", "view", f"v{version}", "--json", "assets"], "release not found")
    assets = {asset["name"]: asset["digest"] for asset in json.loads(said)["assets"]} if said else {}
    missing = []
    for path in sorted(path for path in release.rglob("*") if path.is_file()):
        missing += compared(path, assets.get(path.name), f"sha256:{inputs.digest_of(path)}")
    return missing


REGISTRIES: dict[str, Callable[[Path, str], list[str]]] = {"npm": npm, "maven": maven, "github": github}


def main(registry: str, folder: str) -> None:
    release = Path(folder)
    version = json.loads((release / "MANIFEST.json").read_text("utf-8"))["version"]
    for name in REGISTRIES[registry](release, version):
        print(name)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Differs, OSError) as error:
        sys.exit(str(error))
