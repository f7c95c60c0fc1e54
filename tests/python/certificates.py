"""Certificates for tests of TLS: an authority that nobody knows, and a server's certificate for localhost by name alone."""

from __future__ import annotations

import os
import pwd
import subprocess
from pathlib import Path

HOST, OTHER_HOST = "localhost", "127.0.0.1"  # the same server: only the first is in its certificate


class Certificates:
    """authority, certificate and key are files in the folder, which the users of servers can read."""

    def __init__(self, folder: Path) -> None:
        self.authority, self.certificate, self.key = (folder / f"{name}.pem" for name in ("ca", "server", "key"))
        signing, request = folder / "ca-key.pem", folder / "request"
        new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-batch"]
        openssl(*new, "-x509", "-subj", "/CN=test", "-keyout", signing, "-out", self.authority)
        openssl(*new, "-subj", "/CN=server", "-keyout", self.key, "-out", request)
        names = folder / "names"
        names.write_text(f"subjectAltName=DNS:{HOST}\nbasicConstraints=CA:FALSE\n")
        of = ["-CA", self.authority, "-CAkey", signing, "-CAcreateserial", "-extfile", names]
        openssl("x509", "-req", "-in", request, *of, "-out", self.certificate)

    def give_key_to(self, user: str) -> None:
        """Servers that are not started as root read a key of their own user only."""
        if os.geteuid() == 0:
            os.chown(self.key, pwd.getpwnam(user).pw_uid, -1)


def openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
