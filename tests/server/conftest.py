"""What the tests of the id server share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the package servers
for name in [name for name in os.environ if name.startswith("POLYFLAKE_") and "TEST" not in name]:
    del os.environ[name]

from polyflaked import Polyflaked  # noqa: E402


@pytest.fixture(scope="module")
def server():
    """A server with a number as its worker."""
    with Polyflaked() as running:
        yield running


@pytest.fixture
def registry(tmp_path) -> Path:
    """The folder of a registry, for a worker of this host."""
    folder = tmp_path / "registry"
    folder.mkdir(mode=0o700)
    return folder
