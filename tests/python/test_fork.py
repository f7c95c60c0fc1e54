"""Forks: a child never issues an id of its parent, and never touches what its parent owns."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys

import pytest
from children import IN_CHILD

import polyflake
from polyflake import Generator

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

PRELUDE = (
    IN_CHILD
    + """
import json, os, sys, threading, time
import polyflake
from polyflake import Generator, PolyflakeError
"""
)


def test_a_static_number_is_refused_in_the_child_by_every_call(run_script):
    run_script(
        PRELUDE
        + """
from array import array
import asyncio
generator = Generator(5)
before = generator.next_ids(100)
calls = [generator.next_id, generator.try_next_id, lambda: next(generator), lambda: generator.next_ids(3),
         lambda: generator.fill(array("Q", bytes(8))), lambda: asyncio.run(generator.next_id_async()),
         lambda: Generator(5).next_id(), lambda: in_child(lambda: Generator(5).next_id())]
for call in calls:
    assert in_child(call) == "forked_generator", call
assert polyflake.decode(in_child(lambda: Generator(6).next_id())).node == 6
after = generator.next_ids(100)
assert len(set(before + after)) == 200 and min(after) > max(before)
"""
    )


def test_a_host_generator_takes_another_node_id_in_the_child(run_script):
    run_script(
        PRELUDE
        + """
generator = Generator("host")
mine = [generator.next_id()]
def work():
    ids = generator.next_ids(1000)
    grandchild = in_child(lambda: [generator.worker, generator.next_id()])
    return [generator.worker, ids, Generator("host").next_id(), grandchild]
for _ in range(3):
    node, ids, more, grandchild = in_child(work)
    nodes = {polyflake.decode(id).node for id in ids}
    assert nodes == {node} and node != generator.worker, (nodes, node)
    assert polyflake.decode(more).node != generator.worker
    assert polyflake.decode(grandchild[1]).node not in (node, generator.worker)
    mine += generator.next_ids(1000)
    assert polyflake.decode(mine[-1]).node == generator.worker
    assert not set(mine) & set(ids)
"""
    )


def test_a_child_that_exits_leaves_the_record_of_its_parent_alone(run_script, registry):
    run_script(
        PRELUDE
        + """
import pathlib
generator = Generator("host")
generator.next_id()
node = generator.worker
def records():
    return {path: path.read_bytes() for path in pathlib.Path(os.environ["POLYFLAKE_HOME"]).rglob("*") if path.is_file()}
before = records()
assert before
in_child(lambda: None)
in_child(lambda: generator.close())
in_child(lambda: Generator(3).next_id() and None)
assert records() == before
issued = set()
for _ in range(3):
    issued.update(in_child(lambda: generator.next_ids(10)))
changed = records()  # the folder's own, "nodes", says that more node ids are in use now
assert all(changed[path] == text for path, text in before.items() if path.name != "nodes")
assert in_child(lambda: Generator(f"host:{node}").next_id()) == "worker_in_use"
assert generator.next_id() not in issued and generator.worker == node
"""
    )


def test_forks_while_threads_issue_repeat_nothing(run_script):
    run_script(
        PRELUDE
        + """
# Waiting for the files, which another thread is at, counts, too.
generator = Generator("host", max_wait_ms=60_000)
static = Generator(1000)
ids, stop = [[] for _ in range(4)], threading.Event()
threading.excepthook = lambda failure: os.write(2, str(failure).encode()) and os._exit(1)
def issue(mine):
    while not stop.is_set():
        for _ in range(20):
            mine.append(generator.next_id()); mine.append(static.next_id()); mine += generator.next_ids(5)
        time.sleep(0.001)  # a fork copies what is kept here
threads = [threading.Thread(target=issue, args=(mine,)) for mine in ids]
for thread in threads: thread.start()
children = []
for _ in range(12):
    time.sleep(0.01)
    children.append(in_child(lambda: [generator.next_ids(200), Generator("host").next_id(), polyflake.next_id()]))
stop.set()
for thread in threads: thread.join()
everything = sum(ids, [])
for batch, one, default in children:
    everything += batch + [one, default]
assert len(everything) == len(set(everything)) > 12 * 200
""",
    )


@pytest.mark.parametrize(
    "call",
    ["generator.next_ids(6)", "[generator.next_id() for _ in range(6)]", "fill(generator, 6)"],
)
def test_a_fork_in_a_signal_handler_while_a_call_waits_gives_the_child_ids_of_its_own(call, run_script):
    run_script(
        PRELUDE
        + f"""
import signal
from array import array
def fill(generator, n):
    ids = array("Q", bytes(8 * n))
    generator.fill(ids)
    return list(ids)
generator = Generator("host", layout="timestamp:31 worker:20 sequence:1 tick=3s epoch=2020-01-01T00:00:00.000Z")
generator.next_id()  # its window has begun
parent = generator.worker
reader, writer = os.pipe()
children = []
signal.signal(signal.SIGALRM, lambda *_: children.append(os.fork()))
while time.time() % 3 > 0.2:  # so that the alarm finds the call in its first wait
    time.sleep(0.01)
signal.setitimer(signal.ITIMER_REAL, 0.3)
ids = {call}
nodes = {{generator.layout.decode(id).node for id in ids}}
if children == [0]:
    os.write(writer, json.dumps([generator.worker, sorted(nodes), ids]).encode())
    sys.exit(0)
assert len(children) == 1 and os.waitpid(children[0], 0)[1] == 0
node, child_nodes, child_ids = json.loads(os.read(reader, 10_000))
assert nodes == {{parent}} and node != parent
returned_before_the_fork = {{id for id in child_ids if id in ids[:2]}} if "for" in {call!r} else set()
assert set(child_ids) & set(ids) == returned_before_the_fork
assert returned_before_the_fork or child_nodes == [node], child_nodes
"""
    )


def test_the_default_generator_works_in_a_child_before_and_after_its_first_use(run_script):
    run_script(
        PRELUDE
        + """
first = in_child(polyflake.next_id)
mine = polyflake.next_id()
second = in_child(lambda: [polyflake.next_id() for _ in range(100)])
assert len({first, mine, *second}) == 102
assert polyflake.decode(second[0]).node != polyflake.decode(mine).node
"""
    )


def test_a_fork_while_another_thread_opens_the_default_generator(run_script):
    run_script(
        PRELUDE
        + """
from polyflake import _default
inside, go_on = threading.Event(), threading.Event()
class Slow(Generator):
    def __init__(self):
        inside.set(); go_on.wait()
        super().__init__()
_default.Generator = Slow
opening = threading.Thread(target=polyflake.next_id)
opening.start()
inside.wait()
def work():
    _default.Generator = Generator
    return polyflake.next_id()
child = in_child(work)
go_on.set()
opening.join()
assert child != polyflake.next_id()
""",
    )


def issue(count):
    return [polyflake.next_id() for _ in range(count)]


def test_a_pool_of_forked_workers_repeats_nothing():
    before = issue(100)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        batches = pool.map(issue, [500] * 16, chunksize=1)
    everything = sum(batches, before) + issue(100)
    assert len(set(everything)) == len(everything) == 100 + 16 * 500 + 100


def test_a_generator_cannot_be_sent_to_a_spawned_process():
    process = multiprocessing.get_context("spawn").Process(target=print, args=(Generator(1004),))
    with pytest.raises(TypeError, match="cannot be pickled"):
        process.start()


def test_an_executed_program_is_no_copy(tmp_path):
    generator = Generator("host")
    generator.next_id()
    done = subprocess.run(
        [sys.executable, "-c", f"import polyflake; polyflake.Generator('host:{generator.worker}')"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "WorkerError" in done.stderr
    assert str(os.getpid()) in done.stderr
