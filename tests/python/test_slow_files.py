"""A disk that is slow to flush holds up the call that needs it, and no other thread of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the shim stands before fdatasync() of Linux"),
    pytest.mark.skipif(COMPILER is None, reason="needs a C compiler"),
]

# Each is called in a program of its own until it has met a flush; the main thread counts its rounds meanwhile.
CALLS = {
    "the_constructor": "Generator('host', layout='twitter')",
    "next_id": "generator.next_id()",
    "next_id_string": "generator.next_id_string()",
    "try_next_id": "generator.try_next_id()",
    "next_ids": "generator.next_ids(3)",
    "fill": "generator.fill(buffer)",
    "next_id_async": "asyncio.run(generator.next_id_async())",
    "renew": "generator.renew()",
    "the_default_generator": "polyflake.next_id()",
}
SECONDS = 1.7  # the longest that a flush takes; less than the window, so that it counts
ROUNDS = 5  # of the main thread, which end the flush
PRELUDE = f"""
import asyncio, ctypes, sys, threading, time
from array import array
import polyflake
from polyflake import Generator
shim = ctypes.CDLL(sys.argv[1])
names = ("seconds", "began", "ended")
seconds, began, ended = (ctypes.c_double.in_dll(shim, "slow_flush_" + name) for name in names)

def flushing():
    return began.value > 0 and not ended.value

def slow():
    seconds.value = {SECONDS}
"""
IN_A_THREAD = """
generator = Generator("host")
generator.next_id()
polyflake.next_id()
buffer = array("Q", bytes(80))
done = threading.Event()

def call_until_flushed():
    latest = time.monotonic() + 60
    while not ended.value and time.monotonic() < latest:
        {call}
        time.sleep(0.005)
    done.set()

rounds = 0
slow()
threading.Thread(target=call_until_flushed, daemon=True).start()
while not done.is_set():
    time.sleep(0.005)
    rounds += flushing()
    if rounds == {ROUNDS}:
        seconds.value = 0
assert ended.value, "no flush was met"
print(rounds)
"""
BESIDE_THE_LOOP = """
async def main():
    opening = asyncio.create_task(Generator.open("host"))
    rounds = 0
    slow()
    while not opening.done():
        await asyncio.sleep(0.005)
        rounds += flushing()
        if rounds == {ROUNDS}:
            seconds.value = 0
    await opening
    assert ended.value, "no flush was met"
    print(rounds)

asyncio.run(main())
"""
IN_THE_MIDDLE = """
layout = "timestamp:39 worker:20 sequence:1 tick=100ms epoch=2020-01-01T00:00:00.000Z"
generator = Generator("host", layout=layout, max_wait_ms=60_000)
generator.next_id()
seconds.value = 0.3
batches = []
threads = [threading.Thread(target=lambda: batches.append(generator.next_ids(40))) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()  # six seconds, so three windows
assert ended.value, "no flush was met"
assert len(batches) == 3 and len(set(sum(batches, []))) == 120
print(generator.stats().issued - 121)
"""
SCRIPTS = {name: IN_A_THREAD.replace("{call}", call) for name, call in CALLS.items()}
SCRIPTS["open"] = BESIDE_THE_LOOP
SCRIPTS = {name: script.replace("{ROUNDS}", str(ROUNDS)) for name, script in SCRIPTS.items()}
BATCHES = "batches"


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Side by side, since most of the time they wait."""
    folder = tmp_path_factory.mktemp("slow")
    shim = folder / "slow_flush.so"
    source = Path(__file__).with_name("slow_flush.c")
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
    started = {}
    for name, script in {**SCRIPTS, BATCHES: IN_THE_MIDDLE}.items():
        environment = {**os.environ, "LD_PRELOAD": str(shim), "POLYFLAKE_HOME": str(folder / name)}
        started[name] = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + script, str(shim)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    yield started
    for program in started.values():
        program.kill()
        program.communicate()


@pytest.mark.parametrize("call", SCRIPTS)
def test_others_run_while_a_file_is_flushed_by(call, programs):
    printed, errors = programs[call].communicate(timeout=300)
    assert programs[call].returncode == 0, errors
    assert int(printed) >= ROUNDS  # with the lock of the interpreter held, none


def test_batches_lose_no_id_where_one_waits_for_the_flush_of_another(programs):
    printed, errors = programs[BATCHES].communicate(timeout=300)
    assert programs[BATCHES].returncode == 0, errors
    assert int(printed) == 0
