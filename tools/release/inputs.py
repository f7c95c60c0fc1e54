"""Fetches the inputs of releases and of their trials, by the ordinary client of each registry.

    python3 inputs.py NAME...

Fetches the archives of these names in inputs.lock into build/inputs, unless they are there, and prints their paths. A line of
inputs.lock is a name, the SHA-256 of the archive, the client and what the client calls it. An archive with another digest is
refused by name.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from third_party import DEBIAN

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("inputs.lock")
FOLDER = ROOT / "build/inputs"

# A list of packages of its own for each suite and architecture of Debian, so that nothing is asked of this machine's.
APT = """
state={apt}/{suite}-{architecture}
mkdir -p "$state/lists/partial" "$state/archives/partial"
touch "$state/status"
echo 'deb {debian} {suite} main' >"$state/sources.list"
set -- -qq -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" -o Dir::Etc::SourceParts=/dev/null \\
  -o Dir::Etc::SourceList="$state/sources.list" -o APT::Architecture={architecture} -o APT::Sandbox::User=root
apt-get "$@" download {0} 2>/dev/null || {{ apt-get "$@" update && apt-get "$@" download {0}; }}
"""

# Each command downloads one archive into the folder in which it runs.
CLIENTS = {
    "maven": ["mvn", "--batch-mode", "--quiet", "-Dstyle.color=never", "-DoutputDirectory=.", "-Dartifact={}",
              "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"],
    "npm": ["npm", "pack", "--loglevel=error", "{}"],
    # name==version@platform
    "pip": ["python3", "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--no-deps", "--only-binary=:all:",
            "--dest=.", "--platform={platform}", "{}"],
    # name=version@suite/architecture
    "debian": ["sh", "-eu", "-c", APT],
}  # fmt: skip


class NotFetched(Exception):
    """Why an archive is not there: its client failed, or it has another digest."""


def locked() -> dict[str, tuple[str, str, str]]:
    """Returns the digest, client and coordinates of each name."""
    lines = (line.split() for line in LOCK.read_text("utf-8").splitlines() if line and not line.startswith("#"))
    return {name: (digest, client, coordinates) for name, digest, client, coordinates in lines}


def fetch(name: str) -> Path:
    """Returns the path of the archive of a name, which is fetched if it is missing. Errors: NotFetched."""
    digest, client, coordinates = locked()[name]
    archive = FOLDER / name
    if not archive.exists() or digest_of(archive) != digest:  # the lock may be newer
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=FOLDER) as temporary:
            command = command_of(client, coordinates)
            done = subprocess.run(command, cwd=temporary, check=False, capture_output=True, text=True)
            if done.returncode != 0:
                said = (done.stderr or done.stdout).strip()
                raise NotFetched(f"{name}: {client} does not give {coordinates}: {said}")
            (fetched,) = Path(temporary).iterdir()
            found = digest_of(fetched)
            if found != digest:
                raise NotFetched(f"{name}: the SHA-256 of {fetched.name} is {found}, not {digest}")
            fetched.rename(archive)
    return archive


def digest_of(archive: Path) -> str:
    return hashlib.sha256(archive.read_bytes()).hexdigest()


def command_of(client: str, coordinates: str) -> list[str]:
    called, system = coordinates, ""
    if client in ("pip", "debian"):
        called, system = coordinates.split("@")
    suite, _, architecture = system.partition("/")
    return [
        word.format(called, platform=system, suite=suite, architecture=architecture, debian=DEBIAN, apt=FOLDER / "apt")
        for word in CLIENTS[client]
    ]


if __name__ == "__main__":
    try:
        for each in sys.argv[1:]:
            print(fetch(each))
    except NotFetched as error:
        sys.exit(str(error))
