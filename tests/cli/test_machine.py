"""doctor and bench: what they say of the machine that they run on."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import LIMIT, ROOT


def findings(text: str) -> dict[str, tuple[str, str]]:
    """Verdict and words of each subject."""
    rows = re.findall(r"^(ok|-|warning|fault) +(.{14}) (.*)$", text, re.M)
    return {subject.strip(): (verdict, words) for verdict, subject, words in rows}


def test_doctor_looks_at_all_that_ids_depend_on(entry):
    result = entry.run("doctor", environment={"POLYFLAKE_WORKER": "redis://me:secret@host/0?namespace=n"})
    assert result.err == ""
    found = findings(result.out)
    assert set(found) - {"leap second"} == {  # which is a finding of some days
        "clock source", "tsc", "ntp", "clock steps", "fork", "registry", "file system", "nodes", "marks", "worker", "layout",
    }  # fmt: skip
    assert found["fork"][0] == "ok"
    assert "secret" not in result.out
    assert result.exit_code == (1 if "fault" in {verdict for verdict, _ in found.values()} else 0)


def test_doctor_says_the_same_in_json(entry):
    result = entry.run("doctor", "--json")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert {row["subject"] for row in rows} >= {"clock source", "registry", "nodes", "marks", "layout"}
    assert {row["verdict"] for row in rows} <= {"ok", "note", "warning", "fault"}
    assert all(row["finding"] for row in rows)
    assert result.exit_code == (1 if "fault" in {row["verdict"] for row in rows} else 0)


def test_doctor_finds_a_clock_that_was_set_back(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    assert findings(entry.run("doctor", environment=environment).out)["marks"] == ("ok", "0 node ids, 0 held")
    entry.run("next", "--worker", "host", environment=environment)
    assert findings(entry.run("doctor", environment=environment).out)["marks"] == ("ok", "1 node ids, 0 held")
    before = entry.run("doctor", "--now", "2025-01-01", environment=environment)
    verdict, words = findings(before.out)["marks"]
    assert verdict == "warning"
    assert "the clock was set back" in words
    assert before.exit_code == 0


def test_doctor_finds_a_registry_that_cannot_be_used(entry):
    result = entry.run("doctor", environment={"POLYFLAKE_HOME": "relative"})
    assert findings(result.out)["registry"][0] == "fault"
    assert result.exit_code == 1


@pytest.mark.parametrize("home", ["/proc/nothing/x", "/etc/passwd/x", "/etc/passwd"])
def test_doctor_finds_a_registry_that_cannot_be_made(entry, home):
    result = entry.run("doctor", environment={"POLYFLAKE_HOME": home})
    assert findings(result.out)["registry"][0] == "fault"
    assert result.exit_code == 1


def test_doctor_finds_a_file_that_cannot_be_used(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    entry.run("next", "--worker", "host:3", environment=environment)
    next((tmp_path / "home").glob("*/3")).with_name("5").write_text("nothing of ours")
    verdict, words = findings(entry.run("doctor", environment=environment).out)["marks"]
    assert verdict == "warning"
    assert "is corrupt" in words


def test_doctor_finds_a_list_of_node_ids_that_cannot_be_used(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    entry.run("next", "--worker", "host:3", environment=environment)
    assert findings(entry.run("doctor", environment=environment).out)["nodes"][0] == "ok"
    nodes = next((tmp_path / "home").glob("*/nodes"))
    nodes.with_name("3").unlink()
    nodes.write_text("nothing of ours")
    assert "registry_unusable" in entry.run("next", "--worker", "host", environment=environment).err
    result = entry.run("doctor", environment=environment)
    verdict, words = findings(result.out)["nodes"]
    assert verdict == "fault"
    assert "is corrupt" in words
    assert result.exit_code == 1


@pytest.fixture
def home_of_nobody() -> Iterator[Path]:
    """For a test of permissions, which root has in any case."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder) / "home"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs as another user")
def test_doctor_finds_a_list_of_node_ids_that_cannot_be_written(entry, home_of_nobody):
    environment = {"POLYFLAKE_HOME": str(home_of_nobody)}
    as_nobody = {"environment": environment, "user": 65534}
    if not all(folder.stat().st_mode & stat.S_IXOTH for folder in ROOT.parents):
        pytest.skip("this clone is where other users may not look, as root's home is")
    try:
        entry.run("next", "--worker", "host:3", **as_nobody)
    except PermissionError:
        pytest.skip("its runtime is where other users may not look")
    assert findings(entry.run("doctor", **as_nobody).out)["nodes"][0] == "ok"
    nodes = next(home_of_nobody.glob("*/nodes"))
    nodes.with_name("3").unlink()
    nodes.chmod(0o400)
    assert "registry_unusable" in entry.run("next", "--worker", "host", **as_nobody).err
    for path in (nodes, nodes.parent):
        path.chmod(path.stat().st_mode & ~0o222)
        verdict, words = findings(entry.run("doctor", **as_nobody).out)["nodes"]
        assert (verdict, words.split(": ")[0]) == ("fault", f"{path} cannot be read and written")


@pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="the system does not tell who has a lock")
def test_doctor_finds_a_list_of_node_ids_that_is_locked(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    entry.run("next", "--worker", "host:3", environment=environment)
    with next((tmp_path / "home").glob("*/nodes")).open() as nodes:
        fcntl.flock(nodes, fcntl.LOCK_EX)
        verdict, words = findings(entry.run("doctor", environment=environment).out)["nodes"]
    assert verdict == "warning"
    assert "has locked" in words


def test_doctor_and_leases_find_a_file_without_a_record(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    entry.run("next", "--worker", "host:3", environment=environment)
    next((tmp_path / "home").glob("*/3")).with_name("5").touch()
    verdict, words = findings(entry.run("doctor", environment=environment).out)["marks"]
    assert verdict == "warning"
    assert "without a record: 5:" in words
    assert re.search(
        r"^5 +unknown +free, its file has no record$", entry.run("leases", environment=environment).out, re.M
    )


def test_doctor_knows_how_far_ahead_a_mark_may_lie(entry, tmp_path, monkeypatch):
    import polyflake

    layout = f"timestamp:32 of_{entry.name}:10 sequence:12 tick=80s epoch=2020-01-01T00:00:00.000Z"
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    monkeypatch.setenv("POLYFLAKE_HOME", environment["POLYFLAKE_HOME"])

    def marks(*arguments: str) -> tuple[str, str]:
        return findings(entry.run("doctor", *arguments, environment=environment).out)["marks"]

    with polyflake.Generator("host", layout=layout):
        assert marks("--layout", layout) == ("ok", "1 node ids, 1 held")
        if_so = "ahead: more than three ticks of its layout means that the clock was set back"
        assert if_so in marks("--now", "2025-01-01")[1]
        assert "ahead: the clock was set back" in marks("--now", "2025-01-01", "--layout", layout)[1]


def test_doctor_reckons_from_any_time(entry):
    result = entry.run("doctor", "--now", str(2**63 - 1))
    assert findings(result.out)["clock steps"][0] == "ok"
    assert findings(result.out)["marks"][0] == "ok"


def test_doctor_tries_copies_where_nobody_waits_for_children(entry):
    done = subprocess.run(
        [*entry.prefix, "doctor"],
        capture_output=True,
        text=True,
        env=entry.environment(),
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
        timeout=LIMIT,
        check=False,
    )
    assert findings(done.stdout)["fork"][0] == "ok"


@pytest.mark.skipif(not os.path.ismount("/dev/shm"), reason="no file system in memory")
def test_doctor_finds_a_registry_in_memory(entry):
    verdict, words = findings(entry.run("doctor", environment={"POLYFLAKE_HOME": "/dev/shm/none"}).out)["file system"]
    assert verdict == "warning"
    assert words.startswith("tmpfs: ")


@pytest.mark.parametrize(
    ("layout", "verdict"), [("baidu", "fault"), ("polyflake", "ok"), ("yitter", "ok"), ("instagram", "ok")]
)
def test_doctor_knows_when_a_layout_ends(entry, layout, verdict):
    result = entry.run("doctor", "--layout", layout, "--now", "2026-01-01")
    assert findings(result.out)["layout"][0] == verdict


def test_doctor_knows_when_a_layout_is_about_to_end(entry):
    result = entry.run("doctor", "--now", "2087-01-01")
    assert findings(result.out)["layout"] == ("warning", "polyflake lasts 2 years 249 days")


def test_bench_has_a_figure_for_each_thing_it_measures(entry):
    result = entry.run("bench")
    assert (result.exit_code, result.err) == (0, "")
    rows = dict(re.findall(r"^(\S+) +([\d.]+) ns  ", result.out, re.M))
    assert {"clock", "next_id", "batch", "decimal", "base62"} <= set(rows)
    assert all(0 < float(ns) < 100_000 for ns in rows.values())


def test_bench_has_the_same_figures_in_json(entry):
    result = entry.run("bench", "--json")
    rows = {row.pop("name"): row for row in map(json.loads, result.out.splitlines())}
    assert {name: set(row) for name, row in rows.items() if name in ("next_id", "hex")} == {
        "next_id": {"ns"},
        "hex": {"encode_ns", "decode_ns"},
    }
