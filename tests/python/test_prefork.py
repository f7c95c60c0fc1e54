"""A server that opens its generator and forks its workers then: gunicorn with --preload, os.fork and multiprocessing. On Redis."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from patience import HANGS_S, PATIENT_CLOSE
from servers import Redis
from servers.port import Port
from servers.waiting import within

import polyflake
from polyflake.stores import init_namespace, leases

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

WORKERS = 8
WINDOW_MS = 120_000  # nobody renews while a test runs, so that a record changes only by what should not be

# What each process issued is a line of a file of its own; the parent's record is there as it was when it opened.
PRELUDE = (
    PATIENT_CLOSE
    + """
import atexit, gc, json, multiprocessing, os, signal, sys, time
import polyflake, redis
from polyflake import Generator
url, folder, port = os.environ["URL"], os.environ["FOLDER"], os.environ["PORT"]
name = url.split("namespace=")[1].split("&")[0]

def record():
    with redis.Redis(port=int(port)) as client:
        return client.hgetall(f"polyflake:{{{name}}}:node:{NODE}")

def write(ids):
    with open(f"{folder}/{os.getpid()}", "a") as file:
        file.write(json.dumps(ids) + "\\n")

def is_untouched():
    assert b"nonce" in RECORD and record() == RECORD, (RECORD, record())

def opened():
    global GENERATOR, NODE, RECORD
    GENERATOR = Generator(url)
    NODE = GENERATOR.worker
    write(GENERATOR.next_ids(1000))
    RECORD = record()
"""
)


@pytest.fixture(scope="module")
def server():
    with Redis() as one:
        yield one


@pytest.fixture
def environment(server, request, tmp_path):
    folder = tmp_path / "ids"
    folder.mkdir()
    url = f"redis://127.0.0.1:{server.port}?namespace=n{abs(hash(request.node.nodeid))}&window_ms={WINDOW_MS}"
    init_namespace(url, fresh=True)
    return {"URL": url, "FOLDER": str(folder), "PORT": str(server.port)}


def issued_by(environment):
    """By pid."""
    folder = environment["FOLDER"]
    found = {}
    for pid in os.listdir(folder):
        with open(f"{folder}/{pid}") as file:
            found[int(pid)] = [id for line in file for id in json.loads(line)]
    return found


def check_no_id_twice(issued, parent):
    """Nor a node id of two processes."""
    everything = [id for ids in issued.values() for id in ids]
    assert len(set(everything)) == len(everything)
    nodes = {pid: {polyflake.decode(id).node for id in ids} for pid, ids in issued.items()}
    assert all(len(of_one) == 1 for of_one in nodes.values()), nodes
    assert not nodes[parent] & set().union(*(nodes[pid] for pid in nodes if pid != parent)), nodes
    return nodes


# --- gunicorn ---------------------------------------------------------------------------------------

APPLICATION = (
    PRELUDE
    + """
opened()

def application(environ, start_response):
    time.sleep(0.02)  # the others have their turn
    ids = [GENERATOR.next_id() for _ in range(200)] + GENERATOR.next_ids(200)
    write(ids)
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps([os.getpid(), GENERATOR.worker]).encode()]
"""
)

# Half of the workers leave as gunicorn has them leave, through sys.exit and all exit handlers; the others at once.
SETTINGS = """
import os
preload_app = True
workers = {workers}
worker_class = "{worker_class}"
threads = {threads}
bind = "127.0.0.1:{port}"
graceful_timeout = 60
timeout = 120
control_socket_disable = True

def worker_exit(server, worker):
    import service
    service.write(service.GENERATOR.next_ids(100))
    if worker.age % 2:
        os._exit(0)

def child_exit(server, worker):
    import service
    service.write(service.GENERATOR.next_ids(100))
    service.is_untouched()

def on_exit(server):
    import service
    service.write(service.GENERATOR.next_ids(1000))
    service.is_untouched()
    open(service.folder + "/../well", "w").close()
"""


@pytest.mark.parametrize(("worker_class", "threads"), [("sync", 1), ("gthread", 4)])
def test_workers_of_gunicorn_with_a_preloaded_generator(environment, tmp_path, worker_class, threads):
    port = Port()
    (tmp_path / "service.py").write_text(APPLICATION)
    settings = SETTINGS.format(workers=WORKERS, worker_class=worker_class, threads=threads, port=port.number)
    (tmp_path / "settings.py").write_text(settings)
    port.close()
    log = tmp_path / "log"
    with log.open("w") as out:
        master = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "settings.py", "service:application"],
            cwd=tmp_path,
            env={**os.environ, **environment},
            stdout=out,
            stderr=out,
        )
    try:
        nodes = ask_until_all_have_answered(f"http://127.0.0.1:{port.number}/", environment)
        master.send_signal(signal.SIGTERM)
        assert master.wait(2 * HANGS_S) == 0, log.read_text()
    finally:
        master.kill()
        master.wait()
    assert (tmp_path / "well").exists(), log.read_text()
    issued = issued_by(environment)
    assert issued.keys() == {*nodes, master.pid}
    assert check_no_id_twice(issued, master.pid) == {
        **{pid: {node} for pid, node in nodes.items()},
        master.pid: {polyflake.decode(issued[master.pid][0]).node},
    }
    assert len(set(nodes.values())) == WORKERS, "workers that live at the same time have node ids of their own"
    assert min(len(ids) for ids in issued.values()) > 2000
    # What left through exit handlers has given back; os._exit leaves its window to end by itself.
    assert len(leases(environment["URL"])) == WORKERS // 2


def ask_until_all_have_answered(address, environment):
    """Until every worker has issued two thousand ids. Returns the node id of each pid."""

    def ask(_=None):
        with urllib.request.urlopen(address, timeout=HANGS_S) as answer:
            return json.load(answer)

    def answers():
        try:
            return bool(ask())
        except OSError:
            return False

    def all_have():
        for pid, node in pool.map(ask, range(3 * WORKERS)):
            assert nodes.setdefault(pid, node) == node
        issued = issued_by(environment)
        return len(nodes) == WORKERS and all(len(issued[pid]) >= 2000 for pid in nodes)

    assert within(HANGS_S, answers)
    nodes: dict[int, int] = {}
    with ThreadPoolExecutor(3 * WORKERS) as pool:
        assert within(2 * HANGS_S, all_have), nodes
    return nodes


# --- os.fork ----------------------------------------------------------------------------------------

ENDINGS = {
    "sys_exit": "sys.exit(0)",
    "os_exit": "os._exit(0)",
    "closed": "GENERATOR.close(); sys.exit(0)",
    "destroyed": "del GENERATOR; gc.collect(); sys.exit(0)",
    "raised": "sys.stderr = open(os.devnull, 'w'); raise RuntimeError",
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "terminated": "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0)); os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)",
    "last_words": "atexit.register(lambda: write(GENERATOR.next_ids(100))); sys.exit(0)",
}
LEAVES_A_LEASE = ("os_exit", "killed")

FORKS = (
    PRELUDE
    + """
opened()
go, ready = os.pipe(), os.pipe()
children = {}
for ending in json.loads(sys.argv[1]):
    child = os.fork()
    if child == 0:
        for _ in range(20):
            write([GENERATOR.next_id() for _ in range(100)] + GENERATOR.next_ids(100))
        os.write(ready[1], b".")
        os.close(go[1])
        os.read(go[0], 1)  # all live at the same time
        exec(ending)
        os._exit(99)
    children[child] = ending
    write(GENERATOR.next_ids(100))
for _ in children:
    os.read(ready[0], 1)
is_untouched()
os.close(go[1])
while children:
    pid, status = os.wait()
    ending = children.pop(pid)
    expected = -signal.SIGKILL if "SIGKILL" in ending else 1 if "raise" in ending else 0
    assert os.waitstatus_to_exitcode(status) == expected, (ending, status)
    write(GENERATOR.next_ids(100))
    is_untouched()
write(GENERATOR.next_ids(1000))
print(os.getpid())
"""
)


def test_eight_forked_workers_that_end_in_every_way(environment, run_script):
    assert len(ENDINGS) == WORKERS
    url = environment["URL"]
    parent = int(run_script(FORKS, json.dumps(list(ENDINGS.values())), **environment))
    issued = issued_by(environment)
    nodes = check_no_id_twice(issued, parent)
    assert len(nodes) == 1 + WORKERS == len(set().union(*nodes.values()))
    assert min(len(ids) for ids in issued.values()) >= 2000
    assert len(leases(url)) == len(LEAVES_A_LEASE)


# --- multiprocessing --------------------------------------------------------------------------------

CHILDREN = (
    PRELUDE
    + """
def work(barrier):
    for _ in range(20):
        write([GENERATOR.next_id() for _ in range(100)] + GENERATOR.next_ids(100))
    barrier.wait(120)

if __name__ != "__main__":
    GENERATOR = Generator(url)  # spawned: a program of its own
else:
    opened()
    context = multiprocessing.get_context(sys.argv[1])
    barrier = context.Barrier(int(sys.argv[2]))
    children = [context.Process(target=work, args=(barrier,)) for _ in range(int(sys.argv[2]))]
    for child in children:
        child.start()
        write(GENERATOR.next_ids(100))
    for child in children:
        child.join()
        assert child.exitcode == 0
        write(GENERATOR.next_ids(100))
        is_untouched()
    write(GENERATOR.next_ids(1000))
    print(os.getpid())
"""
)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_eight_processes_of_multiprocessing(environment, run_script, method):
    parent = int(run_script(CHILDREN, method, str(WORKERS), **environment))
    issued = issued_by(environment)
    nodes = check_no_id_twice(issued, parent)
    assert len(nodes) == 1 + WORKERS == len(set().union(*nodes.values()))
    assert min(len(ids) for ids in issued.values()) >= 2000
    assert leases(environment["URL"]) == []
