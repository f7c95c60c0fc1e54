"""Lists what PyPI would refuse in the metadata of wheels and the source archive, as twine says it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path


def faults(archives: Iterable[Path]) -> Iterator[str]:
    paths = list(map(str, archives))
    if not paths:
        return
    # One call: to start it takes longer than to look at an archive.
    command = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *paths]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        said = " ".join(done.stdout.split())
        yield from re.findall(r"Checking (?!\S+: PASSED)(.*?)(?= Checking |$)", said)
