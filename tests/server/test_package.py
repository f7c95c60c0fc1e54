"""The Debian package of the server, without installing it: what is in it, and the program from it. `./dev soak server-package` installs
it on a clean Debian."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest
from polyflaked import Polyflaked, run_polyflaked
from servers.waiting import within

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = 2
UNIT = (ROOT / "deploy/systemd/polyflaked.service").read_text("ascii")
MANUAL = ROOT / "deploy/debian/polyflaked.8"


@pytest.fixture(scope="module")
def package() -> Path:
    named = os.environ.get("POLYFLAKE_TEST_SERVER_PACKAGE")
    found = [Path(named)] if named else list((ROOT / "build/server-package").glob("polyflaked_*.deb"))
    assert len(found) == 1, "`./dev package server` makes it"
    return found[0]


@pytest.fixture(scope="module")
def root(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the package."""
    folder = tmp_path_factory.mktemp("root")
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return folder


def said(*words: str | Path) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def field(package: Path, name: str) -> str:
    return said("dpkg-deb", "-f", package, name).strip()


def value_of(key: str) -> str:
    found = re.findall(rf"^{key}=(.*)$", UNIT, re.M)
    assert len(found) == 1, (key, found)
    return found[0]


def test_it_has_what_a_package_has(package: Path, root: Path) -> None:
    assert field(package, "Package") == "polyflaked"
    version = re.search(r"^project\(polyflake VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.M)
    assert version is not None and field(package, "Version") == f"{version[1]}-1"
    assert field(package, "Homepage").startswith("https://")
    files = {
        str(file.relative_to(root)): stat.S_IMODE(file.stat().st_mode) for file in root.rglob("*") if file.is_file()
    }
    assert files == {
        "etc/polyflake/server.toml": 0o600,
        "usr/bin/polyflaked": 0o755,
        "usr/lib/systemd/system/polyflaked.service": 0o644,
        "usr/lib/systemd/system/polyflaked.socket": 0o644,
        "usr/share/doc/polyflaked/changelog.Debian.gz": 0o644,
        "usr/share/doc/polyflaked/copyright": 0o644,
        "usr/share/lintian/overrides/polyflaked": 0o644,
        "usr/share/man/man8/polyflaked.8.gz": 0o644,
    }
    assert said("dpkg-deb", "-I", package, "conffiles") == "/etc/polyflake/server.toml\n"
    copyright_ = (root / "usr/share/doc/polyflaked/copyright").read_text("utf-8")
    assert all(word in copyright_ for word in ("Apache License", "CLI11", "common-licenses"))


def test_it_depends_on_the_packages_of_its_libraries(package: Path, root: Path) -> None:
    needed = re.findall(r"NEEDED.*\[(.+)\]", said("readelf", "-d", root / "usr/bin/polyflaked"))
    depends = {one.split()[0] for one in field(package, "Depends").split(", ")}
    assert len(needed) >= 4
    for library in needed:
        path = said("sh", "-c", f"ldd '{root}/usr/bin/polyflaked' | grep -F '{library}'").split("=>")[-1].split()[0]
        owners = said("dpkg", "-S", f"*/{Path(path).name}")
        assert depends & {line.split(":")[0] for line in owners.splitlines()}, library


def test_its_program_is_hardened(root: Path) -> None:
    program = root / "usr/bin/polyflaked"
    assert "BIND_NOW" in said("readelf", "-d", program) and "GNU_RELRO" in said("readelf", "-lW", program)
    assert "DYN (Position-Independent Executable file)" in said("readelf", "-h", program)
    symbols = said("readelf", "-Ws", "--dyn-syms", program)
    assert "__stack_chk_fail" in symbols and re.search(r"__\w+_chk@", symbols)
    assert ".symtab" not in said("readelf", "-SW", program)


def test_its_configuration_refuses_to_start_until_a_worker_is_set(root: Path, tmp_path: Path) -> None:
    text = (root / "etc/polyflake/server.toml").read_text("ascii")
    file = tmp_path / "server.toml"
    file.write_text(text)
    done = run_polyflaked("--config", file)
    assert done.returncode == CONFIGURATION
    assert "worker of [generator.ids] is missing" in done.stderr
    examples = re.findall(r"^#(worker = .*)$", text, re.M)
    assert len(examples) == 2
    for example in examples:
        file.write_text(text.replace(f"#{example}", example))
        assert run_polyflaked("--check-config", "--config", file).returncode == 0


def test_the_program_from_it_gives_ids(root: Path) -> None:
    with Polyflaked(program=root / "usr/bin/polyflaked") as server:
        assert within(60, lambda: server.ready()[0] == 200)
        ids = server.ids(1000)
        assert ids == sorted(set(ids))
        assert server.client("resp").take(10)


# --- the unit ------------------------------------------------------------------------------------


def default_of(key: str) -> int:
    row = re.search(rf"^\| top of the file \| `{key}` \|[^|]*\| (\d+) \|", run_polyflaked("--config-help").stdout, re.M)
    assert row is not None
    return int(row[1])


def test_the_unit_gives_the_server_time_to_drain() -> None:
    longest_ms = default_of("drain_ms") + 2 * default_of("max_wait_ms") + 500
    assert int(value_of("TimeoutStopSec")) * 1000 >= 2 * longest_ms


def test_the_unit_allows_as_many_files_as_connections() -> None:
    assert int(value_of("LimitNOFILE")) > default_of("max_connections")


def test_the_unit_says_what_the_program_does(root: Path) -> None:
    assert (value_of("Type"), value_of("DynamicUser"), value_of("StateDirectory")) == ("notify", "yes", "polyflake")
    assert value_of("RestartPreventExitStatus") == str(CONFIGURATION)
    assert value_of("LoadCredential").split(":")[1] in run_polyflaked("--help").stdout  # the program's own default
    program = value_of("ExecStart").split()[0]
    assert (root / program.lstrip("/")).exists()
    assert "kill -HUP" in value_of("ExecReload")
    page = (ROOT / "docs/server.md").read_text("ascii")
    assert f"`TimeoutStopSec`, {value_of('TimeoutStopSec')} s," in page
    assert f"hangs for {value_of('WatchdogSec')} s is restarted" in page


# --- the manual page -----------------------------------------------------------------------------


def test_the_manual_page_is_right_and_has_all_options() -> None:
    done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", MANUAL], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    manual = MANUAL.read_text("ascii").replace("\\-", "-")
    options = set(re.findall(r"(--[a-z-]+)", run_polyflaked("--help").stdout))
    assert len(options) >= 5
    assert set(re.findall(r"(--[a-z-]+)", manual)) == options
    codes = re.findall(r"^\| (\d) \| ", (ROOT / "docs/server.md").read_text("ascii"), re.M)
    assert re.findall(r"^\.B (\d)$", manual, re.M) == codes
