"""Fixtures for all tests of the id server."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "soak")]  # the package servers; faults
for name in [name for name in os.environ if name.startswith("POLYFLAKE_") and "TEST" not in name]:
    del os.environ[name]

from certificates import Authority, Certificate, Tls  # noqa: E402
from polyflaked import Polyflaked  # noqa: E402
from servers import Redis  # noqa: E402
from stepped_clock import Clock  # noqa: E402


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The clients of test_clients.py: what each of them calls, and how integers come."""
    table: dict[str, dict[str, str]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            found = dict(report.user_properties)
            if report.when != "call" or "client" not in found:
                continue
            row = table.setdefault(found["client"], {})
            for call in found["calls"].split(","):
                row[call] = "FAILED" if "FAILED" in (outcome.upper(), row.get(call)) else row.get(call, "exact")
            if "rounds" in found:
                row["INCR"] = row["INCR piped"] = "rounded"
    if not table:
        return
    columns = list(dict.fromkeys(call for row in table.values() for call in row))
    terminalreporter.section("clients of polyflaked")
    terminalreporter.line(f"{'':72}" + "".join(f"{call:12}" for call in columns))
    for client, row in table.items():
        terminalreporter.line(client + "".join(f"{row.get(call, '-'):12}" for call in columns))


@pytest.fixture(scope="module")
def server():
    """A server with a number as its worker."""
    with Polyflaked() as running:
        yield running


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def server_certificate(authority: Authority) -> Certificate:
    return authority.certificate("server")


@pytest.fixture
def tls(tmp_path: Path, authority: Authority, server_certificate: Certificate) -> Tls:
    return Tls(tmp_path, server_certificate, authority)


@pytest.fixture(params=["plain", "tls"])
def start(request: pytest.FixtureRequest) -> Callable[..., Polyflaked]:
    """Makes a server, once without TLS and once with."""
    return partial(Polyflaked, tls=request.getfixturevalue("tls") if request.param == "tls" else None)


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
