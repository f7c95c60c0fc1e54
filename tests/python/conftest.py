"""Every test session has a registry folder of its own, so that the user's is never touched."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the package servers

_home = tempfile.mkdtemp(prefix="polyflake-test-")
os.environ["POLYFLAKE_HOME"] = _home
os.environ.pop("POLYFLAKE_WORKER", None)

NOW_MS = 1_767_225_600_123  # 2026-01-01T00:00:00.123Z


LONGEST_FIRST = "test_processes.py"  # so that one of two processes does not end alone with it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name != LONGEST_FIRST)


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(_home, ignore_errors=True)


@pytest.fixture(autouse=True, scope="module")
def _no_thread_is_left():
    """A thread that a file of tests leaves would fail the next one, or only on another machine."""
    yield
    from patience import HANGS_S
    from servers.waiting import within

    gc.collect()  # sources that only the traceback of an error holds, in a circle
    assert within(HANGS_S, lambda: not _threads()), _threads()


def _threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("polyflake")]


@pytest.fixture
def registry(tmp_path, monkeypatch) -> Path:
    """An empty registry folder for this test alone."""
    folder = tmp_path / "registry"
    monkeypatch.setenv("POLYFLAKE_HOME", str(folder))
    return folder


@pytest.fixture
def patient_close(monkeypatch) -> None:
    """Leases of this process are given back, however long it takes. In scripts: PATIENT_CLOSE."""
    from patience import HANGS_S

    from polyflake import _lease, _lease_asyncio, _lease_runners

    for module in (_lease_runners, _lease, _lease_asyncio):
        monkeypatch.setattr(module, "CLOSING_S", HANGS_S)


@pytest.fixture
def namespace(request):
    """A name that no other test has."""
    return f"n{abs(hash(request.node.nodeid))}"


@pytest.fixture
def run_script(tmp_path):
    """Runs a Python script in a process of its own and returns what it printed."""

    def run(script: str, *arguments: str, timeout: float = 300, **environment: str) -> str:
        path = tmp_path / "script.py"
        path.write_text(script)
        with subprocess.Popen(
            [sys.executable, "-X", "faulthandler", str(path), *arguments],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except BaseException:
                os.killpg(process.pid, signal.SIGABRT)  # each process of the script prints its stacks
                out, err = process.communicate()
                print(out, err, sep="\n")
                raise
        assert process.returncode == 0, f"exit code {process.returncode}\n{out}\n{err}"
        return out

    return run
