"""Children of multiprocessing give their node ids back when it ends them, since they run no exit handlers of C."""

from __future__ import annotations

import multiprocessing

import pytest

METHODS = multiprocessing.get_all_start_methods()
IMPORTS = {
    "polyflake_first": "import polyflake\nimport multiprocessing",
    "multiprocessing_first": "import multiprocessing\nimport multiprocessing.util\nimport polyflake",
    "polyflake_in_the_child_only": "import multiprocessing",
}

# Each process writes down its calls of release_all(); main() prints the processes that there were.
SCRIPT = """
{imports}
import os, sys, threading, time

def watch():
    import polyflake
    release = polyflake._core.release_all
    def record():
        with open(sys.argv[2], "a") as file:
            file.write(f"{os.getpid()}\\n")
        release()
    polyflake._core.release_all = record

if "polyflake" in sys.modules:
    watch()

def issue(pipe):
    if "polyflake" not in sys.modules:
        watch()
    import polyflake
    polyflake.next_id()
    pipe.send(os.getpid())

def issue_later(pipe):
    polyflake.next_id()
    def work():
        time.sleep(0.5)
        issue(pipe)
    threading.Thread(target=work).start()

def parent(method, pipe):
    issue(pipe)
    run(method, issue, pipe)

def run(method, *work):
    process = multiprocessing.get_context(method).Process(target=work[0], args=work[1:])
    process.start()
    process.join()
    assert process.exitcode == 0

if __name__ == "__main__":
    method = sys.argv[1]
    reader, writer = multiprocessing.get_context(method).Pipe()
    run(method, issue, writer)
    run(method, issue, writer)
    run(method, parent, method, writer)
    print(*(reader.recv() for _ in range(4)))
"""


@pytest.mark.parametrize("imports", IMPORTS)
@pytest.mark.parametrize("method", METHODS)
def test_each_child_gives_back_once_and_its_parent_never(method, imports, run_script, tmp_path):
    calls = tmp_path / "calls"
    printed = run_script(SCRIPT.replace("{imports}", IMPORTS[imports]), method, str(calls))
    children = printed.split()
    assert len(set(children)) == 4
    assert sorted(calls.read_text().split()) == sorted(children)


@pytest.mark.parametrize("method", METHODS)
def test_a_thread_that_goes_on_when_the_work_of_its_child_is_done_still_gets_ids(method, run_script, tmp_path):
    script = SCRIPT.replace("{imports}", IMPORTS["polyflake_first"])
    main = script.index("    run(method, issue, writer)")
    ending = "    run(method, issue_later, writer)\n    assert reader.poll(0), 'the thread got no id'"
    run_script(script[:main] + ending, method, str(tmp_path / "calls"))


POOL = """
import multiprocessing, sys, time

def task(_):
    import polyflake
    began = time.monotonic()
    id = polyflake.next_id()
    return polyflake.decode(id).node, time.monotonic() - began

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2, maxtasksperchild=1) as pool:
        results = pool.map(task, range(8), chunksize=1)
    nodes, seconds = zip(*results)
    print(len(set(nodes)), sorted(seconds)[4])
"""


@pytest.mark.parametrize("method", METHODS)
def test_one_task_a_child_takes_few_node_ids_and_waits_for_none(method, run_script, registry):
    run_script("import polyflake, time; polyflake.next_id()")  # the folder's own wait is over
    nodes, median_seconds = run_script(POOL, method).split()
    assert int(nodes) <= 3
    # A node id that another process still holds, or held just now, takes 2 s.
    assert float(median_seconds) < 1.5


def test_polyflake_does_not_import_multiprocessing(run_script):
    assert run_script("import sys, polyflake; print(*(name for name in sys.modules if 'multiproc' in name))") == "\n"
