"""The wheel as a stranger gets it: installed into a clean environment on a machine without a compiler.

The wheel is the one in build/wheel (./dev puts it there), or the file that POLYFLAKE_WHEEL names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[3]
UNPACKED = ROOT / "build/consumer-python"
PRIVATE_MODULES = {
    "_arguments",
    "_carrier",
    "_clients",
    "_closable",
    "_counted",
    "_dates",
    "_default",
    "_explain",
    "_imports",
    "_issuing",
    "_kinds",
    "_lease",
    "_lease_asyncio",
    "_lease_runners",
    "_options",
    "_processes",
    "_pytest_plugin",
    "_reports",
    "_segment",
    "_sources",
    "_store_session",
    "_ticket_servers",
    "_tickets",
    "_uuids",
    "_warning",
    "_zones",
}
MODULES = PRIVATE_MODULES | {
    "__init__",
    "__main__",
    "clock",
    "codec",
    "errors",
    "generator",
    "hashids",
    "layout",
    "seal",
    "sqids",
    "testing",
    "text",
    "values",
}
STORES = {
    "__init__",
    "_counters",
    "_namespaces",
    "_sql_url",
    "_store",
    "_url",
    "etcd",
    "memory",
    "redis",
    "sql",
    "zookeeper",
}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def used_in_clean_environment(wheel, folder):
    """Installs the wheel where nothing else is, and returns what a program printed there."""
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    environment = {"PATH": str(python.parent), "HOME": str(folder), "POLYFLAKE_HOME": str(folder / "registry")}
    run(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel, env=environment)
    return run(python, "-I", ROOT / "tests/consumer/python/use.py", env=environment, cwd=folder)


@pytest.fixture(scope="module")
def wheel():
    named = os.environ.get("POLYFLAKE_WHEEL")
    wheels = [Path(named)] if named else sorted((ROOT / "build/wheel").glob("*.whl"))
    assert wheels, "no wheel: run ./dev test consumers, or name one in POLYFLAKE_WHEEL"
    return wheels[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    code = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    run(sys.executable, "-c", code, folder, cwd=ROOT)
    (path,) = folder.glob("*.tar.gz")
    return path


def test_the_wheel_works_where_no_compiler_is(wheel, tmp_path):
    assert used_in_clean_environment(wheel, tmp_path).startswith("used ")


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = [PurePosixPath(name) for name in archive.namelist() if ".dist-info/" not in name]
        metadata = next(archive.read(name) for name in archive.namelist() if name.endswith("/METADATA")).decode()
        licenses = [name for name in archive.namelist() if name.endswith(("/LICENSE", "/NOTICE"))]
    assert {name.parts[0] for name in names} == {"polyflake"}
    extensions = [name for name in names if name.suffix == ".so"]
    assert sorted(name.name.split(".")[0] for name in extensions) == ["_core"]
    others = {str(name.relative_to("polyflake")) for name in names if name not in extensions}
    modules = {f"{name}.py" for name in MODULES} | {f"stores/{name}.py" for name in STORES}
    assert others == modules | {"_core.pyi", "py.typed"}
    assert wheel.stat().st_size < 1_500_000
    assert all("extra ==" in line for line in metadata.splitlines() if line.startswith("Requires-Dist"))
    assert len(licenses) == 2


def test_the_source_distribution_has_what_a_build_needs_and_no_tests(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "CMakeLists.txt",
        "pyproject.toml",
        "LICENSE",
        "NOTICE",
        "python/polyflake/__init__.py",
        "core/CMakeLists.txt",
    } <= names
    folders = {name.split("/")[0] for name in names if "/" in name}
    assert folders == {"bindings", "cli", "cmake", "core", "python", "third_party"}
    assert {"third_party/bearssl/LICENSE.txt", "third_party/cli11/LICENSE"} <= names
    assert {name.split("/")[1] for name in names if name.startswith("bindings/")} == {
        "CMakeLists.txt",
        "facade",
        "python",
    }


def test_a_wheel_is_built_from_the_source_distribution_without_libraries_of_others(sdist, tmp_path):
    # Not in a temporary folder: the compiler cache knows a source by its path inside of the clone.
    shutil.rmtree(UNPACKED, ignore_errors=True)
    UNPACKED.mkdir(parents=True)
    run("tar", "--extract", "--no-same-owner", "--file", sdist, "--directory", UNPACKED)
    (source,) = UNPACKED.iterdir()
    options = ["--no-deps", "--no-build-isolation", "--config-settings", "build-dir=build"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "-w", tmp_path, "."]
    run(ROOT / "tests/consumer/without-libraries.sh", *command, cwd=source)
    (built,) = tmp_path.glob("*.whl")
    assert used_in_clean_environment(built, tmp_path).startswith("used ")
    run(sys.executable, ROOT / "tools/release/trial.py", built, sys.executable)  # all vectors
