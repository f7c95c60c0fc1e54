"""Many processes on one host: node ids are shared out without a clash, through kill -9 and clock steps."""

from __future__ import annotations

import glob
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy
import pytest

import polyflake

HOLDER = """
import sys, polyflake
try:
    generator = polyflake.Generator("host", layout=sys.argv[1])
    print(generator.worker, *generator.next_ids(20), flush=True)
except polyflake.PolyflakeError as error:
    print(error.code, flush=True)
sys.stdin.read()
"""


def all_at_once(count, layout):
    """Starts so many processes that take a node id each and hold it; returns what they printed."""
    command = [sys.executable, "-c", HOLDER, layout]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(count)
    ]
    lines = [process.stdout.readline().split() for process in processes]
    for process in processes:
        process.communicate(timeout=300)
        assert process.returncode == 0
    return lines


@pytest.mark.real_time  # the registry waits five seconds for a lock that a crowd wants
def test_two_hundred_processes_at_once_have_two_hundred_node_ids(registry):
    lines = all_at_once(200, "polyflake")
    assert [line[0] for line in lines if not line[0].isdigit()] == [], "codes of errors"
    nodes = {line[0] for line in lines}
    assert len(nodes) == 200
    ids = {number for line in lines for number in line[1:]}
    assert len(ids) == 200 * 20
    assert all(str(polyflake.decode(line[1]).node) == line[0] for line in lines)


@pytest.mark.real_time  # the registry waits five seconds for a lock that a crowd wants
def test_the_processes_beyond_the_node_ids_are_told_so(registry):
    counts = Counter(line[0] for line in all_at_once(50, "js53"))
    assert counts.pop("no_worker_free") == 50 - 32
    assert set(counts.values()) == {1}
    assert len(counts) == 32


# --- kill -9, and clocks that go back ----------------------------------------------------------------

ROUNDS = 40
PROCESSES = 8
SPEED = 10  # of the faked clock: a window of 2 s passes in 0.2 s
BACK_SECONDS = 600  # from round to round
MOST_IDS = 200_000
LEAST_IDS = 2000
LAYOUT = "timestamp:39 worker:12 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"
LIBRARIES = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")

# Ids go straight to a file mapped into memory, which survives kill -9. Processes that started one after the other see
# different times while their clocks run fast, and a busy machine may not write a window before it is over: both pass.
ISSUER = """
import mmap, sys, time, polyflake
with open(sys.argv[1], "r+b") as file:
    ids = memoryview(mmap.mmap(file.fileno(), 0)).cast("Q")
print("loaded", flush=True)
sys.stdin.readline()
generator = polyflake.Generator("host", layout=sys.argv[2], max_lead_ms=50)
print("open", flush=True)
at = 0
failures = 0
while at + 100 <= len(ids):
    try:
        for place in range(at, at + 50):
            ids[place] = generator.next_id()
        generator.fill(ids[at + 50 : at + 100])
    except (polyflake.ClockError, polyflake.WorkerError):
        failures += 1
        if failures > 10_000:
            raise
        ids[at : at + 100] = memoryview(bytes(800)).cast("Q")
        time.sleep(0.1)
        continue
    at += 100
sys.stdin.read()
"""


def start_issuers(folder, number):
    environment = {**os.environ, "LD_PRELOAD": LIBRARIES[0], "FAKETIME": f"-{number * BACK_SECONDS} x{SPEED}"}
    processes = []
    for index in range(PROCESSES):
        path = folder / f"{number:03}-{index}"
        with path.open("wb") as file:
            file.truncate(MOST_IDS * 8)
        command = [sys.executable, "-S", "-c", f"import sys; sys.path = {sys.path!r}\n{ISSUER}", str(path), LAYOUT]
        processes.append(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        )
    return processes


def wait_until_issued(paths, deadline):
    """Until each of the processes has written LEAST_IDS ids; however busy the machine is, none is left out."""
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while file.seek((LEAST_IDS - 1) * 8) and file.read(8) == bytes(8):
                assert time.monotonic() < deadline, f"{path.name} does not issue"
                time.sleep(0.005)


def kill_all(processes):
    for process in processes:
        process.send_signal(signal.SIGKILL)
    for process in processes:
        process.communicate()
        for left in glob.glob(f"/dev/shm/*faketime*_{process.pid}"):
            Path(left).unlink()


def recorded(path):
    ids = numpy.fromfile(path, numpy.uint64)
    ids = ids[ids != 0]
    path.unlink()
    assert bool(numpy.all(ids[1:] > ids[:-1])), f"{path.name} goes backwards"
    return ids


@pytest.mark.skipif(not LIBRARIES, reason="needs libfaketime")
def test_processes_killed_again_and_again_with_the_clock_set_back_repeat_nothing(registry, tmp_path):
    ids = []
    following = start_issuers(tmp_path, 0)
    for number in range(ROUNDS):
        processes = following
        for process in processes:
            assert process.stdout.readline() == "loaded\n"
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
        following = start_issuers(tmp_path, number + 1) if number + 1 < ROUNDS else []
        for process in processes:
            assert process.stdout.readline() == "open\n"
        paths = [tmp_path / f"{number:03}-{index}" for index in range(PROCESSES)]
        wait_until_issued(paths, time.monotonic() + 120)
        assert [process.poll() for process in processes] == [None] * PROCESSES
        kill_all(processes)
        ids += [recorded(path) for path in paths]
    assert len(ids) == ROUNDS * PROCESSES
    assert min(batch.size for batch in ids) >= LEAST_IDS
    began = [polyflake.decode(int(batch[0]), LAYOUT).time_ms for batch in ids]
    assert all(later < earlier for earlier, later in zip(began, began[PROCESSES:])), "the clock was not set back"
    everything = numpy.sort(numpy.concatenate(ids))
    assert bool(numpy.all(everything[1:] > everything[:-1]))
