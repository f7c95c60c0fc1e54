"""Stages the Java package for Maven Central, looks at it by Central's rules, and uploads it.

    python3 central.py stage FOLDER BUNDLE     FOLDER is what `./dev release` made, BUNDLE the zip to write
    python3 central.py upload BUNDLE

`stage` signs each file with the OpenPGP key in POLYFLAKE_SIGNING_KEY, which is armored, and POLYFLAKE_SIGNING_PASSPHRASE. It writes
nothing if a rule is broken. `upload` takes the user token in CENTRAL_USERNAME and CENTRAL_PASSWORD, and returns when Central has
published the bundle. The exit code is 1 if Central would refuse the bundle, or refuses it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

GROUP, NAME = "io.github.polyflake", "polyflake"
KINDS = (".jar", "-sources.jar", "-javadoc.jar", ".pom")
CHECKSUMS = ("md5", "sha1", "sha256", "sha512")
# Central asks for these elements of a pom, by their paths in it.
REQUIRED = ("name", "description", "url", "licenses/license/name", "licenses/license/url", "developers/developer/name",
            "developers/developer/url", "scm/url", "scm/connection", "scm/developerConnection")  # fmt: skip
POM = "{http://maven.apache.org/POM/4.0.0}"
PORTAL = "https://central.sonatype.com/api/v1/publisher"
PAUSE_S, LONGEST_S = 10, 1800


class Refused(Exception):
    """The reason why Central does not take a bundle."""


# Signing


@contextmanager
def keyring(key: str) -> Iterator[dict[str, str]]:
    """Yields the environment in which gpg knows one key. Ends the agent that gpg starts."""
    with tempfile.TemporaryDirectory() as home:  # with a short path, as the socket of the agent is in it
        environment = {**os.environ, "GNUPGHOME": home}
        try:
            gpg(environment, "--import", said=key)
            yield environment
        finally:
            subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=False)


def gpg(environment: dict[str, str], *words: object, said: str = "") -> None:
    options = ["--batch", "--quiet", "--no-tty", "--pinentry-mode", "loopback"]
    command = ["gpg", *options, *map(str, words)]
    done = subprocess.run(command, env=environment, input=said, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(f"gpg: {done.stderr.strip()}")


def sign(path: Path, environment: dict[str, str], passphrase: str) -> None:
    gpg(environment, "--passphrase-fd", "0", "--armor", "--detach-sign", path, said=passphrase)


# Staging


def folder_of(version: str) -> str:
    return f"{GROUP.replace('.', '/')}/{NAME}/{version}"


def stage(release: Path, version: str, out: Path, environment: dict[str, str], passphrase: str) -> None:
    """Copies the files of the Java package into Central's layout, each with its signature and its checksums."""
    folder = out / folder_of(version)
    folder.mkdir(parents=True)
    for kind in KINDS:
        copy = folder / f"{NAME}-{version}{kind}"
        shutil.copyfile(release / copy.name, copy)
        sign(copy, environment, passphrase)
        for algorithm in CHECKSUMS:
            copy.with_name(f"{copy.name}.{algorithm}").write_text(checksum(copy, algorithm), "ascii")


def checksum(path: Path, algorithm: str) -> str:
    return hashlib.new(algorithm, path.read_bytes()).hexdigest()


def bundle(out: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for path in sorted(path for path in out.rglob("*") if path.is_file()):
            opened.write(path, path.relative_to(out).as_posix())


# Central's rules


def faults(out: Path, version: str, environment: dict[str, str]) -> Iterator[str]:
    """Yields what Central would refuse in a staged folder; the keyring knows the key that signed."""
    folder = out / folder_of(version)
    files = [f"{NAME}-{version}{kind}" for kind in KINDS]
    wanted = {f"{name}{end}" for name in files for end in ("", ".asc", *(f".{each}" for each in CHECKSUMS))}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    yield from (f"lacks {name}" for name in sorted(wanted - found))
    yield from (f"has {name}, which is not part of the package" for name in sorted(found - wanted))
    for path in (folder / name for name in files if name in found):
        yield from faults_of_file(path, environment)
        if path.suffix == ".pom":
            yield from faults_of_pom(path, version)


def faults_of_file(path: Path, environment: dict[str, str]) -> Iterator[str]:
    for algorithm in CHECKSUMS:
        beside = path.with_name(f"{path.name}.{algorithm}")
        if beside.exists() and beside.read_text("ascii") != checksum(path, algorithm):
            yield f"{beside.name} is not the checksum of {path.name}"
    signature = path.with_name(f"{path.name}.asc")
    if signature.exists():
        try:
            gpg(environment, "--verify", signature, path)
        except Refused as error:
            yield f"{signature.name} is not a signature of {path.name}: {error}"


def faults_of_pom(path: Path, version: str) -> Iterator[str]:
    pom = ElementTree.parse(path).getroot()

    def said(where: str) -> str:
        return (pom.findtext("/".join(POM + word for word in where.split("/"))) or "").strip()

    for where, wanted in (("groupId", GROUP), ("artifactId", NAME), ("version", version)):
        if said(where) != wanted:
            yield f"the {where} in {path.name} is {said(where)}, not {wanted}"
    if version.endswith("-SNAPSHOT"):
        yield f"{version} is not the version of a release"
    for where in REQUIRED:
        if not said(where):
            yield f"{path.name} lacks {where}"


# Uploading


def upload(archive: Path, username: str, password: str, portal: str = PORTAL, pause_s: float = PAUSE_S) -> str:
    """Returns the id of a deployment that is published. Errors: Refused, OSError."""
    token = base64.b64encode(f"{username}:{password}".encode()).decode("ascii")
    border = uuid.uuid4().hex
    head = f'--{border}\r\nContent-Disposition: form-data; name="bundle"; filename="{archive.name}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode() + archive.read_bytes() + f"\r\n--{border}--\r\n".encode()
    address = f"{portal}/upload?name={archive.stem}&publishingType=AUTOMATIC"
    deployment = post(address, token, body, f"multipart/form-data; boundary={border}").strip()
    for _ in range(int(LONGEST_S / PAUSE_S)):
        status = json.loads(post(f"{portal}/status?id={deployment}", token))
        if status["deploymentState"] == "PUBLISHED":
            return deployment
        if status["deploymentState"] == "FAILED":
            raise Refused(f"deployment {deployment}: {json.dumps(status.get('errors'))}")
        time.sleep(pause_s)
    raise Refused(f"deployment {deployment} is still {status['deploymentState']} after {LONGEST_S} s")


def post(address: str, token: str, body: bytes = b"", kind: str = "application/json") -> str:
    request = urllib.request.Request(address, body, {"Authorization": f"Bearer {token}", "Content-Type": kind})
    with urllib.request.urlopen(request, timeout=300) as reply:
        return reply.read().decode()


def staged(release: Path, version: str, archive: Path, key: str, passphrase: str) -> list[str]:
    """Writes the bundle unless Central would refuse it. Returns the faults."""
    with tempfile.TemporaryDirectory() as folder, keyring(key) as environment:
        stage(release, version, Path(folder), environment, passphrase)
        found = list(faults(Path(folder), version, environment))
        if not found:
            bundle(Path(folder), archive)
        return found


def main(command: str, *paths: str) -> None:
    if command == "upload":
        print(upload(Path(paths[0]), os.environ["CENTRAL_USERNAME"], os.environ["CENTRAL_PASSWORD"]))
        return
    release, archive = map(Path, paths)
    version = json.loads((release / "MANIFEST.json").read_text("utf-8"))["version"]
    key, passphrase = os.environ["POLYFLAKE_SIGNING_KEY"], os.environ.get("POLYFLAKE_SIGNING_PASSPHRASE", "")
    found = staged(release, version, archive, key, passphrase)
    if found:
        raise Refused("\n".join(found))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Refused, OSError) as error:
        sys.exit(str(error))
