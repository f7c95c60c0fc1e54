"""The OCI image of the server: unpacked, looked at, and run as its user with nothing but its files."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from polyflaked import Polyflaked
from servers.waiting import within

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 25 << 20
USER = 65532


def unpack(archive: Path, folder: Path) -> None:
    """With tar, since Python 3.11.2 has no filter."""
    subprocess.run(["tar", "--no-same-owner", "-xf", archive, "-C", folder], check=True)


class Image:
    """An image of one layer in an archive of its OCI layout."""

    def __init__(self, archive: Path, folder: Path) -> None:
        self.layout, self.root = folder / "layout", folder / "root"
        self.root.mkdir()
        self.layout.mkdir()
        unpack(archive, self.layout)
        (found,) = json.loads((self.layout / "index.json").read_text())["manifests"]
        self.name = found["annotations"]["org.opencontainers.image.ref.name"]
        self.manifest = json.loads(self.blob(found["digest"]))
        self.configuration = json.loads(self.blob(self.manifest["config"]["digest"]))
        (layer,) = self.manifest["layers"]
        self.blob(layer["digest"])
        with tarfile.open(self._path(layer["digest"])) as files:
            self.members = files.getmembers()
        unpack(self._path(layer["digest"]), self.root)
        self.root.chmod(0o755)

    def _path(self, digest: str) -> Path:
        return self.layout / "blobs" / digest.replace(":", "/")

    def blob(self, digest: str) -> bytes:
        content = self._path(digest).read_bytes()
        assert digest == "sha256:" + hashlib.sha256(content).hexdigest()
        return content

    @property
    def settings(self) -> dict[str, Any]:
        return self.configuration["config"]

    def command(self, *words: str) -> list[str]:
        """A program of the image that sees its files alone, as its user."""
        user = [f"--map-user={USER}", f"--map-group={USER}"]
        return ["unshare", "--user", *user, f"--root={self.root}", "--wd=/", *words]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    named = os.environ.get("POLYFLAKE_TEST_SERVER_IMAGE")
    archive = Path(named) if named else ROOT / "build/server-package/polyflaked.oci.tar"
    assert archive.exists(), "`./dev package server` makes it"
    return Image(archive, tmp_path_factory.mktemp("image"))


class Contained(Polyflaked):
    """The server of an image. Its configuration is in the volume of the image."""

    def __init__(self, image: Image, **options: Any) -> None:
        super().__init__(**options)
        self.image = image

    def prepare(self) -> None:
        (self.image.root / "etc/polyflake/server.toml").write_text(self.configuration)

    def command(self) -> list[str]:
        return self.image.command(*self.image.settings["Entrypoint"])


def test_it_says_how_it_is_run(image: Image) -> None:
    version = re.search(r"^project\(polyflake VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.M)
    assert version is not None
    assert image.name == f"polyflaked:{version[1]}"
    settings = image.settings
    assert settings["User"] == f"{USER}:{USER}"
    assert settings["Entrypoint"] == ["/usr/bin/polyflaked"] and not settings.get("Cmd")
    assert settings["Volumes"] == {"/etc/polyflake": {}}
    assert settings["StopSignal"] == "SIGTERM"
    assert settings["Labels"]["org.opencontainers.image.version"] == version[1]
    assert settings["Labels"]["org.opencontainers.image.licenses"] == "Apache-2.0"


def test_it_is_small(image: Image) -> None:
    assert 0 < sum(one.size for one in image.members) <= LARGEST


def test_it_has_no_shell_and_nothing_to_become_root_with(image: Image) -> None:
    programs = [one.name for one in image.members if one.isfile() and one.mode & 0o111]
    assert [name for name in programs if "/lib" not in f"/{name}"] == ["usr/bin/polyflaked"]
    for one in image.members:
        assert (one.uid, one.gid) == (0, 0)
        assert not one.mode & (stat.S_ISUID | stat.S_ISGID), one.name
        assert one.name.rstrip("/") == "tmp" or not one.mode & stat.S_IWOTH or one.issym(), one.name


def test_it_has_certificates_and_the_copyrights_of_all(image: Image) -> None:
    assert (image.root / "etc/ssl/certs/ca-certificates.crt").read_text("utf-8").count("BEGIN CERTIFICATE") > 50
    documented = {file.parent.name for file in image.root.glob("usr/share/doc/*/copyright")}
    assert {"polyflaked", "libc6", "libstdc++6", "libgcc-s1"} <= documented


def test_it_serves_as_its_user_and_says_that_it_is_ready(image: Image) -> None:
    with Contained(image) as server:
        check = [*image.command(*image.settings["Entrypoint"]), "--check"]
        assert within(60, lambda: subprocess.run(check, check=False, capture_output=True).returncode == 0)
        ids = server.ids(1000)
        assert ids == sorted(set(ids))
        for protocol in server.ports:
            with server.client(protocol) as client:
                assert client.take(5)
        status = Path(f"/proc/{server.pid}/status").read_text()
        assert re.search(r"^CapEff:\t0+$", status, re.M) or os.geteuid() != 0
        server.terminate()
        assert server.ended() == 0
    assert subprocess.run(check, check=False, capture_output=True).returncode == 1


def test_without_a_configuration_it_says_where_it_looked(image: Image) -> None:
    (image.root / "etc/polyflake/server.toml").unlink(missing_ok=True)
    done = subprocess.run(
        image.command(*image.settings["Entrypoint"]), check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "cannot read the configuration /etc/polyflake/server.toml" in done.stderr
