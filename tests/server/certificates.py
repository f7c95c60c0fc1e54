"""Authorities and certificates for tests, made by the openssl command."""

from __future__ import annotations

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path


def run(*words: str | Path) -> None:
    done = subprocess.run(["openssl", *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


NAMES = "DNS:localhost,IP:127.0.0.1"
VERSIONS = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)


@dataclass(frozen=True)
class Certificate:
    """A certificate with those that lead to its authority, and its key."""

    chain: Path
    key: Path


class Authority:
    """Signs by another one below it, so that chains have to be sent."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self.folder = folder / name
        self.folder.mkdir()
        self._made = 0
        root = Certificate(self.folder / "root.pem", self._new_key("root"))
        run("req", "-x509", "-new", "-key", root.key, "-subj", f"/CN={name} root", "-days", "60", "-out", root.chain)
        self._root = root
        self._below = self._signed("below", root, "CA:TRUE", "", days=60)
        self.root, self.intermediate = root.chain, self._below.chain

    def certificate(self, name: str, *, days: int = 30) -> Certificate:
        """For a server at the loopback address, or a client. days: until it expires; -1: yesterday."""
        return self._signed(name, self._below, "CA:FALSE", NAMES, days=days)

    def directly(self, name: str) -> Certificate:
        """The same, without the authority between."""
        return self._signed(name, self._root, "CA:FALSE", NAMES, days=30)

    def _signed(self, name: str, issuer: Certificate, constraint: str, names: str, *, days: int) -> Certificate:
        self._made += 1
        name = f"{name}-{self._made}"
        key = self._new_key(name)
        request, signed, extensions = (self.folder / f"{name}.{end}" for end in ("csr", "pem", "ext"))
        run("req", "-new", "-key", key, "-subj", f"/CN={name}", "-out", request)
        extensions.write_text(f"basicConstraints={constraint}\n" + (f"subjectAltName={names}\n" if names else ""))
        sign = ("x509", "-req", "-in", request, "-CA", issuer.chain, "-CAkey", issuer.key)
        run(*sign, "-set_serial", str(self._made), "-days", str(days), "-extfile", extensions, "-out", signed)
        if issuer != self._root:  # which clients have
            signed.write_text(signed.read_text() + issuer.chain.read_text())
        return Certificate(signed, key)

    def _new_key(self, name: str) -> Path:
        key = self.folder / f"{name}.key"
        run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", key)
        return key


class Tls:
    """The files of a server, which a test may replace, and the context of its clients."""

    def __init__(self, folder: Path, server: Certificate, authority: Authority, client_ca: Path | None = None) -> None:
        self.authority = authority
        self.certificate, self.key = folder / "certificate.pem", folder / "key.pem"
        self.use(server)
        self.keys = f'certificate = "{self.certificate}"\nkey = "{self.key}"\n'
        if client_ca:
            self.keys += f'client_ca = "{client_ca}"\n'
        self.context = self.new_context()

    def use(self, server: Certificate) -> None:
        """Puts the certificate of the server into its files."""
        self.certificate.write_bytes(server.chain.read_bytes())
        self.key.write_bytes(server.key.read_bytes())

    def speak(self, version: ssl.TLSVersion) -> None:
        """Lets the clients speak no other version."""
        self.context.minimum_version = self.context.maximum_version = version

    def new_context(self, client: Certificate | None = None) -> ssl.SSLContext:
        """The context of a client that knows the authority, with this certificate."""
        context = ssl.create_default_context(cafile=self.authority.root)
        if client:
            context.load_cert_chain(client.chain, client.key)
        return context
