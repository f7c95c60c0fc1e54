"""Runs a command in a folder that is a root of its own, with its own C library:  unshare --mount python3 in_root.py ROOT COMMAND...

The folders of this repository, of temporary files and of the system are there at the same paths. The mounts end with the command.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SHARED = (
    Path(__file__).resolve().parents[2],
    Path(tempfile.gettempdir()),
    Path("/proc"),
    Path("/dev"),
    Path("/usr/share/zoneinfo"),
)


def main(root: Path, command: list[str]) -> None:
    for folder in SHARED:
        inside = root / folder.relative_to("/")
        inside.mkdir(parents=True, exist_ok=True)
        subprocess.run(["/bin/mount", "--rbind", folder, inside], check=True)
    here = os.getcwd()
    os.chroot(root)
    os.chdir(here)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
