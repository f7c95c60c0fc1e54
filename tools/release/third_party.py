#!/usr/bin/env python3
"""Makes third_party/: the source of others that the source archive carries, so that it builds with a compiler alone.

    python3 third_party.py

Fetches the archives that third_party.list names, compares the SHA-256 of each archive and of each file with the list, and
replaces third_party/ of this project with the files. Does nothing if the folder holds these files and no others. The exit
code is 1 if an archive cannot be fetched or is not the listed one; the folder is then as before.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "third_party"
LIST = Path(__file__).with_name("third_party.list")
DEBIAN = "http://deb.debian.org/debian"  # not encrypted, as for apt: the digests decide
POOL = f"{DEBIAN}/pool"
ATTEMPTS, PAUSE_S, TIMEOUT_S = 4, 5, 60


class WrongDigest(Exception):
    """An archive or a file in it that is not the listed one."""


@dataclass
class Archive:
    digest: str
    path: str
    files: list[tuple[str, str, str]] = field(default_factory=list)  # digest, name in the archive, path in FOLDER


def archives(text: str) -> list[Archive]:
    found: list[Archive] = []
    for line in text.splitlines():
        word, *rest = line.split() or [""]
        if word == "archive":
            found.append(Archive(*rest))
        elif word == "file":
            digest, name, path = rest
            found[-1].files.append((digest, name, path))
    return found


def require(digest: str, content: bytes, what: str) -> bytes:
    if (got := hashlib.sha256(content).hexdigest()) != digest:
        raise WrongDigest(f"{what} has the SHA-256 {got}, not {digest}")
    return content


def fetch(url: str, attempts: int = ATTEMPTS) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as reply:
            return reply.read()
    except OSError:
        if attempts == 1:
            raise
    time.sleep(PAUSE_S)
    return fetch(url, attempts - 1)


def unpack(archive: Archive, content: bytes, folder: Path) -> None:
    require(archive.digest, content, archive.path)
    with tarfile.open(fileobj=io.BytesIO(content)) as members:
        for digest, name, path in archive.files:
            member = members.extractfile(name)
            if member is None:
                raise WrongDigest(f"{name} of {archive.path} is not a file")
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(require(digest, member.read(), f"{name} of {archive.path}"))


def make(listed: list[Archive], folder: Path, pool: str) -> None:
    """Replaces the folder once all files are there: a build never sees half of them."""
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}.", dir=folder.parent) as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        for archive in listed:
            unpack(archive, fetch(f"{pool}/{archive.path}"), new)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)


def faults(listed: list[Archive], folder: Path) -> Iterator[str]:
    wanted = {path: digest for archive in listed for digest, _, path in archive.files}
    there = {str(path.relative_to(folder)): path for path in folder.rglob("*") if not path.is_dir()}
    for path in sorted(wanted.keys() | there.keys()):
        if path not in there:
            yield f"{path} is missing"
        elif path not in wanted:
            yield f"{path} is not in the list"
        elif hashlib.sha256(there[path].read_bytes()).hexdigest() != wanted[path]:
            yield f"{path} differs from the listed one"


def main() -> int:
    if len(sys.argv) > 1:
        print(__doc__)
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    listed = archives(LIST.read_text("utf-8"))
    if any(faults(listed, FOLDER)):
        try:
            make(listed, FOLDER, POOL)
        except (WrongDigest, OSError, KeyError, tarfile.TarError) as error:
            print(f"third_party.py: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
