"""A process that is stopped at a system call of its opening, while the registry is removed, replaced or moved away.

tests/faults/stopped_openings_test.cpp is the same for C++, and says what the three processes of a case are about.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

INTERPOSER = Path(__file__).parents[1] / "faults" / "system_calls.cpp"

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="system calls are stopped at on Linux"),
    pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler"),
]

# One process that has opened nothing forks all others: arguments are a folder and how many of the calls to leave out.
SCRIPT = """
import ctypes, json, os, shutil, signal, struct, sys, time
import polyflake

# Each tick is long and begins at the same sequence in every process, so that two with one node id issue the same ids.
LAYOUT = "timestamp:36 worker:10 sequence:16 tick=100ms epoch=2020-01-01T00:00:00.000Z"
BASE, STRIDE = sys.argv[1], int(sys.argv[2])
calls = ctypes.CDLL(None)
calls.polyflake_calls_end.restype = ctypes.c_long


def start(home, path, stop_at=0, count=None):
    child = os.fork()
    if child != 0:
        return child
    os.environ["POLYFLAKE_HOME"] = home
    ids = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    generator, opening = None, True
    os.environ["POLYFLAKE_CALLS_STOP_AT"] = str(stop_at)
    calls.polyflake_calls_begin()
    while True:
        batch = []
        try:
            generator = generator or polyflake.Generator("host", layout=LAYOUT)
            batch = [generator.next_id() for _ in range(1 if opening else 3)]
        except polyflake.PolyflakeError:
            pass
        if opening:
            made = calls.polyflake_calls_end()
            if count is not None:
                os.write(count, str(made).encode())
            opening = False
        os.write(ids, struct.pack(f"{len(batch)}Q", *batch))
        time.sleep(0.05)


def kill(child):
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def has_issued(path):
    return os.path.exists(path) and os.path.getsize(path) > 0


def wait_for_all(paths):
    paths = list(paths)
    while not all(map(has_issued, paths)):
        time.sleep(0.01)


class Case:
    def __init__(self, event, stop_at):
        self.event, self.stop_at = event, stop_at
        self.folder = f"{BASE}/{event}-{stop_at}"
        self.home, self.away = f"{self.folder}/home", f"{self.folder}/away"
        os.mkdir(self.folder)
        self.early = start(self.home, self.ids("early"))
        self.late = None

    def ids(self, who):
        return f"{self.folder}/{who}"

    def begin(self):
        self.stopped = start(self.home, self.ids("stopped"), self.stop_at)

    def wait_until_stopped(self):
        while os.waitpid(self.stopped, os.WUNTRACED | os.WNOHANG)[0] == 0 and not has_issued(self.ids("stopped")):
            time.sleep(0.001)

    def start_late(self):
        self.late = start(self.home, self.ids("late"))

    def soon(self):
        if self.event == "moved":
            os.rename(self.home, self.away)
            self.start_late()

    def after_a_second(self):
        if self.event == "moved":
            while not os.path.exists(self.home):  # a late one makes it
                time.sleep(0.001)
            gone = f"{self.folder}/gone"
            os.rename(self.home, gone)  # at once: the late one may be writing there
            os.rename(self.away, self.home)
            shutil.rmtree(gone, ignore_errors=True)

    def before_it_goes_on(self):
        if self.event == "removed":
            shutil.rmtree(self.home)
        if self.event == "copied":
            copy = self.folder + "/copy"
            shutil.copytree(self.home, copy)
            os.rename(self.home, self.away)
            os.rename(copy, self.home)

    def go_on(self):
        os.kill(self.stopped, signal.SIGCONT)

    def right_after(self):
        if self.late is None:
            self.start_late()

    def wait_until_all_have_issued(self):
        wait_for_all(map(self.ids, ("early", "stopped", "late")))

    def end(self):
        for child in (self.early, self.stopped, self.late):
            kill(child)

    def duplicates(self):
        everything = []
        for who in ("early", "stopped", "late"):
            with open(self.ids(who), "rb") as file:
                ids = file.read()
            assert ids, f"the {who} process issued nothing: {self.folder}"
            everything += struct.unpack(f"{len(ids) // 8}Q", ids)
        return len(everything) - len(set(everything))


def calls_of_an_opening():
    reader, writer = os.pipe()
    os.mkdir(f"{BASE}/counted")
    first = start(f"{BASE}/counted/home", f"{BASE}/counted/first")
    wait_for_all([f"{BASE}/counted/first"])
    second = start(f"{BASE}/counted/home", f"{BASE}/counted/second", count=writer)
    made = int(os.read(reader, 20))
    kill(first)
    kill(second)
    return made


made = calls_of_an_opening()
cases = [Case(event, n) for event in ("removed", "copied", "moved") for n in range(1, made + 1, STRIDE)]
wait_for_all([case.ids("early") for case in cases])
for case in cases:
    case.begin()
for case in cases:
    case.wait_until_stopped()
begin = time.monotonic()
for seconds, step in (
    (0.1, Case.soon), (1, Case.after_a_second), (4.9, Case.before_it_goes_on), (5, Case.go_on),
    (5.05, Case.right_after), (8.5, Case.wait_until_all_have_issued), (8.5, Case.end),
):
    time.sleep(max(0, begin + seconds - time.monotonic()))
    for case in cases:
        step(case)
print(json.dumps({"calls": made, "duplicates": {f"{case.event} {case.stop_at}": case.duplicates() for case in cases}}))
"""


@pytest.fixture
def interposer(tmp_path):
    """The library that stops processes, built as it would be for any interpreter."""
    library = tmp_path / "system_calls.so"
    command = ["c++", "-std=c++17", "-O2", "-shared", "-fPIC", str(INTERPOSER), "-o", str(library), "-ldl"]
    subprocess.run(command, check=True)
    return str(library)


def test_openings_that_were_stopped_repeat_no_id_whatever_became_of_the_registry(interposer, run_script, tmp_path):
    folder = tmp_path / "cases"
    folder.mkdir()
    said = json.loads(run_script(SCRIPT, str(folder), "3", LD_PRELOAD=interposer))
    assert said["calls"] > 20
    assert len(said["duplicates"]) > said["calls"] - 3
    assert {case: count for case, count in said["duplicates"].items() if count} == {}
