"""Waiting: signals are honoured, other threads run, interpreters end at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from array import array

import pytest
from patience import HANGS_S
from refusals import code_of

from polyflake import Generator

# Two ids a minute: the third has to wait. On "host" the first window of a new registry begins in
# about two minutes.
SLOW = "timestamp:31 worker:20 sequence:1 tick=60s epoch=2020-01-01T00:00:00.000Z"
SOON_S = 30  # far below a minute, and far above what a busy machine needs


class Interrupted(Exception):
    pass


@pytest.fixture
def alarm():
    """Gives a function that sets an alarm, which rings once, after a fifth of a second, and raises."""

    def ring(*_):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.2)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def slow():
    return Generator(1, layout=SLOW, max_wait_ms=2**31 - 1)


CALLS = {
    "next_id": lambda generator: [generator.next_id() for _ in range(6)],
    "next_ids": lambda generator: generator.next_ids(6),
    "fill": lambda generator: generator.fill(array("Q", bytes(48))),
    "next_id_string": lambda generator: [generator.next_id_string() for _ in range(6)],
    "iteration": lambda generator: [next(generator) for _ in range(6)],
}


@pytest.mark.parametrize("call", CALLS)
def test_a_signal_handler_ends_the_wait(call, slow, alarm):
    began = time.monotonic()
    with pytest.raises(Interrupted):
        alarm()
        CALLS[call](slow)
    assert 0.1 < time.monotonic() - began < SOON_S


def test_a_signal_handler_ends_the_wait_for_a_first_window(registry, alarm):
    generator = Generator("host", layout=SLOW)
    began = time.monotonic()
    with pytest.raises(Interrupted):
        alarm()
        generator.next_id()
    assert 0.1 < time.monotonic() - began < SOON_S
    assert generator.state() == ("starting", None)


def test_others_run_while_a_first_window_is_waited_for(registry):
    generator = Generator("host", layout=SLOW)
    calling, codes = threading.Event(), []

    def call():
        calling.set()
        codes.append(code_of(lambda: generator.next_ids(3)))

    waiting = threading.Thread(target=call)
    began = time.monotonic()
    waiting.start()
    calling.wait()
    for _ in range(100):
        time.sleep(0.001)
    generator.close()
    waiting.join()
    assert codes == ["generator_closed"]
    assert time.monotonic() - began < SOON_S


def test_opening_waits_for_nothing(registry):
    # Its first window begins in about six seconds, and not before this is looked at.
    began = time.monotonic()
    generator = Generator("host", layout=SLOW.replace("60s", "3s"))
    assert generator.state() == ("starting", None)
    assert repr(generator).endswith(" starting>")
    assert generator.try_next_id() is None
    first = generator.next_id()
    assert generator.state() == ("open", None)
    assert time.monotonic() - began > 1
    assert generator.layout.decode(first).time_ms <= time.time() * 1000


def test_a_signal_handler_that_raises_nothing_does_not_shorten_the_wait():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    generator = Generator(9, layout=SLOW.replace("60s", "3s"))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        ids = generator.next_ids(6)  # at least three seconds
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(rung) > 3
    assert generator.layout.decode(ids[-1]).time_ms <= time.time() * 1000


def test_control_c_ends_a_waiting_program(tmp_path):
    script = f"""
import polyflake
generator = polyflake.Generator(1, layout={SLOW!r})
print("ready", flush=True)
generator.next_ids(100)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A background job of a shell is started with the signal ignored, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANGS_S)
    assert time.monotonic() - began < SOON_S
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_the_interpreter_ends_at_once_though_daemon_threads_issue_and_wait(run_script):
    script = f"""
import threading, time, polyflake
slow = polyflake.Generator(1, layout={SLOW!r})
busy = polyflake.Generator(2)
calls = [lambda: slow.next_id(), lambda: slow.next_ids(5), lambda: busy.next_id(), lambda: busy.next_ids(9000),
         lambda: next(busy), polyflake.next_id, polyflake.next_id_string, busy.try_next_id, busy.renew]
def forever(call):
    while True:
        call()
for call in calls * 3:
    threading.Thread(target=forever, args=(call,), daemon=True).start()
time.sleep(0.3)
"""
    for _ in range(3):
        run_script(script, timeout=SOON_S)


def test_leaving_main_waits_for_no_daemon_thread(run_script):
    script = f"""
import atexit, threading, time, polyflake
slow = polyflake.Generator(1, layout={SLOW!r})
for _ in range(4):
    threading.Thread(target=lambda: slow.next_ids(50), daemon=True).start()
time.sleep(0.2)
print(time.time())
"""
    left = float(run_script(script))
    assert time.time() - left < SOON_S


def test_the_interpreter_ends_at_once_though_daemon_threads_wait_for_a_first_window(run_script, registry):
    script = f"""
import threading, time, polyflake
host, third = (polyflake.Generator(worker, layout={SLOW!r}) for worker in ("host", "host:3"))
for call in (polyflake.next_id, host.next_id_string, third.next_id):
    for _ in range(2):
        threading.Thread(target=call, daemon=True).start()
time.sleep(0.2)
print(time.time())
"""
    left = float(run_script(script))
    assert time.time() - left < SOON_S
