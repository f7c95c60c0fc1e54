"""Unpacks tar archives: those of a release, and those that registries have."""

from __future__ import annotations

import subprocess
from pathlib import Path


class NotUnpacked(Exception):
    """The program tar refuses an archive. The message says why."""


def unpack(archive: Path, folder: Path) -> None:
    """Unpacks an archive into a folder, which is made if it is missing. Errors: NotUnpacked, also if a member is not inside.

    By the program tar: Python has a filter for members only from 3.11.4, and Debian 12 has 3.11.2.
    """
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--no-same-owner", "--no-same-permissions"]
    command = ["tar", "--extract", *options, "--file", archive, "--directory", folder]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise NotUnpacked(f"{archive.name}: {done.stderr.strip()}")
