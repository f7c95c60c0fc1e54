"""What the tests of the id server share."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path += [
    str(Path(__file__).resolve().parents[1]),
    str(Path(__file__).resolve().parents[1] / "soak"),
]  # servers, clocks
for name in [name for name in os.environ if name.startswith("POLYFLAKE_") and "TEST" not in name]:
    del os.environ[name]

from polyflaked import Polyflaked  # noqa: E402
from servers import Redis  # noqa: E402
from stepped_clock import Clock  # noqa: E402


@pytest.fixture(scope="module")
def server():
    """A server with a number as its worker."""
    with Polyflaked() as running:
        yield running


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    with Redis() as running:
        yield running


@pytest.fixture
def registry() -> Iterator[Path]:
    """The folder of a registry, for a worker of this host: in memory if it can be, where a flush takes no time."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    """One that steps, for processes that have its environment."""
    return Clock(tmp_path / "clock")
