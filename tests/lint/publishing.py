"""The Java package is staged and judged as Central asks; what a registry has already is not published again."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import project

sys.path.insert(0, str(project.ROOT / "tools/release"))
import central
import inputs
from targets import TARGETS

PASSPHRASE = "a passphrase of no worth"
VERSION = project.version()


@lru_cache
def signing_key(passphrase: str = "") -> str:
    """Returns a key as a maintainer gives it: the subkey that signs, without the secret of the primary key."""
    with tempfile.TemporaryDirectory() as home:
        words = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase]

        def gpg(*more: str) -> str:
            return subprocess.run([*words, *more], env=environment, check=True, capture_output=True, text=True).stdout

        environment = {**os.environ, "GNUPGHOME": home}
        try:
            gpg("--quick-generate-key", "A test <test@example.org>", "ed25519", "cert", "never")
            primary = re.search(r"^fpr:+(\w+):", gpg("--with-colons", "--list-keys"), re.M)[1]
            gpg("--quick-add-key", primary, "ed25519", "sign", "never")
            return gpg("--armor", "--export-secret-subkeys")
        finally:
            subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=True)


@contextlib.contextmanager
def release() -> Iterator[Path]:
    """Yields a folder with the files of the Java package, whose pom is the real one."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in central.KINDS:
            (Path(folder) / f"polyflake-{VERSION}{kind}").write_text(kind, "utf-8")
        (Path(folder) / f"polyflake-{VERSION}.pom").write_text(project.text("java/pom.xml"), "utf-8")
        (Path(folder) / f"polyflake-{VERSION}.tgz").write_text("tgz", "utf-8")
        (Path(folder) / "MANIFEST.json").write_text(json.dumps({"version": VERSION}), "utf-8")
        yield Path(folder)


@contextlib.contextmanager
def staged() -> Iterator[tuple[Path, dict[str, str]]]:
    """Yields a staged package, and the environment of the keyring that signed it."""
    with release() as made, tempfile.TemporaryDirectory() as out, central.keyring(signing_key()) as environment:
        central.stage(made, VERSION, Path(out), environment, "")
        yield Path(out), environment


def check_the_java_package_is_what_central_asks():
    with staged() as (out, environment):
        yield from central.faults(out, VERSION, environment)


def check_a_package_that_central_would_refuse_is_refused():
    pom = f"polyflake-{VERSION}.pom"

    def without(element: str) -> Callable[[Path], None]:
        def change(folder: Path) -> None:
            text = (folder / pom).read_text("utf-8")
            (folder / pom).write_text(re.sub(rf"<{element}>.*?</{element}>", "", text, count=1, flags=re.S), "utf-8")

        return change

    changes = {
        f"lacks polyflake-{VERSION}-sources.jar": lambda folder: (folder / f"polyflake-{VERSION}-sources.jar").unlink(),
        f"lacks {pom}.asc": lambda folder: (folder / f"{pom}.asc").unlink(),
        f"has polyflake-{VERSION}.tgz": lambda folder: (folder / f"polyflake-{VERSION}.tgz").touch(),
        f"{pom}.sha1 is not the checksum": lambda folder: (folder / f"{pom}.sha1").write_text("0" * 40, "ascii"),
        f"{pom}.asc is not a signature": lambda folder: (folder / pom).write_text("<project/>", "utf-8"),
        f"the version in {pom} is , not {VERSION}": without("version"),
    }
    for element in ("name", "description", "url", "licenses", "developers", "scm"):
        changes[f"{pom} lacks {element}"] = without(element)
    with staged() as (out, environment):
        for wanted, change in changes.items():
            with tempfile.TemporaryDirectory() as folder:
                copy = shutil.copytree(out, Path(folder) / "copy")
                change(copy / central.folder_of(VERSION))
                found = list(central.faults(copy, VERSION, environment))
            if not any(fault.startswith(wanted) for fault in found):
                yield f"nothing says `{wanted}`, but: {found}"


def check_a_bundle_is_written_only_if_it_can_be_signed():
    with release() as made:
        archive = made / "bundle.zip"
        try:
            central.staged(made, VERSION, archive, signing_key(PASSPHRASE), "another passphrase")
            yield "a wrong passphrase signs"
        except central.Refused:
            pass
        if archive.exists():
            yield "a bundle was written without signatures"
        yield from central.staged(made, VERSION, archive, signing_key(PASSPHRASE), PASSPHRASE)
        if not archive.exists():
            yield "no bundle was written"


class Portal(BaseHTTPRequestHandler):
    """Stands in for Central's: takes a bundle, and is asked for its state."""

    states: tuple[str, ...] = ()
    requests: list[tuple[str, str, bytes]] = []  # noqa: RUF012 - the class is the server's, and made once

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.requests.append((self.path, self.headers["Authorization"], body))
        reply = b"an-id"
        if self.path.startswith("/status"):
            state, *rest = Portal.states
            Portal.states = tuple(rest)
            reply = json.dumps({"deploymentState": state, "errors": {"pom": "bad"}}).encode()
        self.send_response(201)
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *words: object) -> None:
        pass


def uploaded(archive: Path, *states: str) -> str:
    Portal.states = states
    with ThreadingHTTPServer(("127.0.0.1", 0), Portal) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return central.upload(archive, "me", "secret", f"http://127.0.0.1:{server.server_port}", 0)
        finally:
            server.shutdown()


def check_an_upload_ends_when_central_has_published_or_refused():
    with release() as made:
        archive = made / f"polyflake-{VERSION}.jar"
        if uploaded(archive, "VALIDATING", "PUBLISHING", "PUBLISHED") != "an-id":
            yield "the id of the deployment is lost"
        (path, token, body), *asked = Portal.requests
        if "publishingType=AUTOMATIC" not in path or archive.read_bytes() not in body:
            yield f"{path} was sent {body!r}"
        if token != "Bearer " + base64.b64encode(b"me:secret").decode():
            yield f"the token is {token}"
        if [path for path, *_ in asked] != ["/status?id=an-id"] * 3:
            yield f"asked for {asked}"
        try:
            yield f"a failed deployment counts as {uploaded(archive, 'FAILED')}"
        except central.Refused as error:
            if "bad" not in str(error):
                yield f"does not say why: {error}"


# Clients that answer as the registries do. Each has the state of its registry in the variable FAKE.
CLIENTS = {
    "npm": 'case $FAKE in none) echo "npm error code E404" >&2; exit 1;; down) echo "npm error code ECONNREFUSED" >&2; exit 1;;\n'
    '"") ;; *) echo "$FAKE";; esac',
    "gh": 'case $FAKE in none) echo "release not found" >&2; exit 1;; *) echo "$FAKE";; esac',
    "mvn": 'case $FAKE in none) echo "Could not find artifact $*"; exit 1;; down) echo "Connection refused"; exit 1;;\n'
    'again) echo "was not found in https://example.org during a previous attempt"; exit 1;;\n'
    "*) printf %s \"$FAKE\" >artifact;; esac",
}  # fmt: skip


def asked(registry: str, made: Path, state: str) -> subprocess.CompletedProcess[str]:
    client = {"npm": "npm", "github": "gh", "maven": "mvn"}[registry]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / client
        program.write_text(f"#!/bin/sh\n{CLIENTS[client]}\n", "utf-8")
        program.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "FAKE": state}
        script = project.ROOT / "tools/release/published.py"
        return subprocess.run([sys.executable, script, registry, made], env=environment, check=False, capture_output=True, text=True)  # fmt: skip


def check_equal_files_are_not_published_again_and_others_are_refused():
    with release() as made:
        tarball = made / f"polyflake-{VERSION}.tgz"
        for kind in central.KINDS:
            (made / f"polyflake-{VERSION}{kind}").write_text("same", "utf-8")
        java = "".join(f"polyflake-{VERSION}{kind}\n" for kind in central.KINDS)
        equal = "sha512-" + base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
        files = sorted(path for path in made.rglob("*") if path.is_file())
        assets = [{"name": path.name, "digest": f"sha256:{inputs.digest_of(path)}"} for path in files]
        other = [{**assets[0], "digest": "sha256:0"}]
        cases = (
            ("npm", "none", 0, f"{tarball.name}\n"),
            ("npm", "", 0, f"{tarball.name}\n"),  # another version is there
            ("npm", equal, 0, ""),
            ("npm", "sha512-other", 1, ""),
            ("npm", "down", 1, ""),
            ("maven", "none", 0, java),
            ("maven", "again", 0, java),
            ("maven", "same", 0, ""),
            ("maven", "other", 1, ""),
            ("maven", "down", 1, ""),
            ("github", "none", 0, "".join(f"{path.name}\n" for path in files)),
            ("github", json.dumps({"assets": assets}), 0, ""),
            ("github", json.dumps({"assets": assets[1:]}), 0, f"{files[0].name}\n"),
            ("github", json.dumps({"assets": other}), 1, ""),
        )
        for registry, state, status, said in cases:
            done = asked(registry, made, state)
            if (done.returncode, done.stdout) != (status, said):
                yield f"{registry}, {state}: {done.returncode}: {done.stdout}{done.stderr}"


def check_readme_has_a_row_for_each_platform_of_a_release():
    rows = re.findall(r"^\| Linux [^|]*\| `(\S+)` \| `(\S+)` \|", project.text("README.md"), re.M)
    wanted = [(target.wheel, target.name) for target in TARGETS.values()]
    if rows != wanted:
        yield f"README.md has {rows}, tools/release/targets.py {wanted}"
