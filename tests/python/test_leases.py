"""Leases as a program meets them: forks, the end of the interpreter, and a store that fails.

In memory, where nothing but this process looks at the store; else on Redis, which starts at once.
"""

from __future__ import annotations

import asyncio
import gc
import pathlib
import secrets
import subprocess
import sys
import threading
import time

import pytest
from children import IN_CHILD
from patience import HANGS_S, PATIENT_CLOSE, renew
from refusals import code_of
from servers import Redis
from servers.waiting import within

from polyflake import Generator, ManualClock, PolyflakeError, _lease
from polyflake.stores import init_namespace, leases

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
    pytest.mark.usefixtures("patient_close"),
]
WINDOW_MS = 600_000  # no lease is renewed, or ends, unless a test asks for it

PRELUDE = (
    IN_CHILD
    + """
import json, multiprocessing, os, signal, sys, threading, time
import polyflake
from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases
url = sys.argv[1]

def wait_for(fact):
    deadline = time.monotonic() + 60
    while not fact():
        assert time.monotonic() < deadline
        time.sleep(0.01)

def wait_until_a_lease_is_opened():
    wait_for(lambda: any(thread.name == "polyflake-lease" for thread in threading.enumerate()))
    time.sleep(0.2)  # it waits for an answer by now, or the test shows less than it might
"""
    + PATIENT_CLOSE
)


@pytest.fixture(scope="module")
def server():
    with Redis() as one:
        yield one


@pytest.fixture
def own_server():
    with Redis() as one:
        yield one


@pytest.fixture
def url():
    return fresh(f"memory://{secrets.token_hex(8)}{place()}")


@pytest.fixture
def redis_url(server, request):
    return address(server, f"n{abs(hash(request.node.nodeid))}")


def address(server, namespace="orders", window_ms=WINDOW_MS):
    return fresh(f"redis://127.0.0.1:{server.port}{place(namespace, window_ms)}")


def place(namespace="orders", window_ms=WINDOW_MS):
    return f"?namespace={namespace}&window_ms={window_ms}&renew_wait_ms=60000"


def fresh(url):
    init_namespace(url, fresh=True)
    return url


def all_given_back(url):
    """The last millisecond of a lease may be this one."""
    return within(HANGS_S, lambda: leases(url) == [])


# --- generators -------------------------------------------------------------------------------------


def test_one_lease_is_shared_and_the_last_one_gives_it_back(url):
    generators = [Generator(url) for _ in range(5)]
    assert len({generator.worker for generator in generators}) == 1
    for generator in generators[:-1]:
        generator.close()
        generator.close()
        assert code_of(generator.next_id) == "generator_closed"
    assert len(leases(url)) == 1
    generators[-1].next_id()
    generators[-1].close()
    assert all_given_back(url)


def test_a_generator_that_is_dropped_gives_its_lease_back(url):
    generator = Generator(url)
    generator.next_id()
    generator.itself = generator  # a cycle: the garbage collector finds it, in any thread
    del generator
    gc.collect()
    assert all_given_back(url)


def test_the_environment_names_a_store(url, monkeypatch):
    monkeypatch.setenv("POLYFLAKE_WORKER", url)
    with Generator() as generator:
        generator.next_id()
        assert len(leases(url)) == 1


def test_a_refused_option_leaves_no_lease(url):
    assert code_of(lambda: Generator(url, max_wait_ms=-1)) == "option_invalid"
    assert code_of(lambda: Generator(url, clock=ManualClock(2_000_000_000_000))) == "option_invalid"
    assert code_of(lambda: Generator(url, layout="nope")) == "unknown_preset"
    assert within(HANGS_S, lambda: not threads())


def threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("polyflake")]


def test_many_threads_open_and_close(url):
    ids, failed = [], []

    def work():
        try:
            for _ in range(10):
                with Generator(url) as generator:
                    ids.extend(generator.next_ids(20))
        except Exception as error:
            failed.append(error)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed
    assert len(set(ids)) == 8 * 10 * 20
    assert all_given_back(url)
    assert within(HANGS_S, lambda: not threads())


def test_close_leaves_no_thread(server):
    """A subinterpreter that ends while a thread is left ends the whole process."""
    url = f"{server.url}?namespace=close-{secrets.token_hex(4)}"
    init_namespace(url, fresh=True)
    for _ in range(50):
        Generator(url).close()
        assert not threads()


def test_open_in_asyncio_uses_a_thread_for_other_clients(url):
    async def main():
        generator = await Generator.open(url)
        assert len({await generator.next_id_async() for _ in range(100)}) == 100
        generator.close()

    asyncio.run(main())
    assert all_given_back(url)


def test_renew_moves_the_window_on(url):
    with Generator(url) as generator:
        for _ in range(5):
            before = generator.stats()
            time.sleep(0.05)
            renew(generator)
            after = generator.stats()
            assert after.until_ms > before.until_ms
            # Else an answer was late, and the machine is busy.
            if after.store_failures == before.store_failures:
                assert after.renewals == before.renewals + 1
                return
    raise AssertionError("answers were late, each time")


def test_a_closed_generator_renews_nothing(url):
    with Generator(url) as other:
        closed = Generator(url)
        closed.close()
        renewals = other.stats().renewals
        assert code_of(closed.renew) == "generator_closed"
        assert other.stats().renewals == renewals
    assert code_of(other.renew) == "generator_closed"


def test_stats_name_the_namespace(url):
    with Generator(url) as generator:
        assert generator.stats().namespace_uuid == init_namespace(url)
        assert f"namespace_uuid={init_namespace(url)!r})" in repr(generator.stats())
    assert generator.stats().namespace_uuid == init_namespace(url)


# --- forks ------------------------------------------------------------------------------------------


def test_a_child_takes_a_node_id_of_its_own(server, run_script):
    run_script(
        PRELUDE
        + """
generator = Generator(url)
mine = generator.next_ids(100)
def work():
    first = generator.try_next_id()  # does no I/O: it asks for a node id, and has none yet
    grandchild = in_child(lambda: generator.next_ids(10))
    return generator.next_ids(10) + Generator(url).next_ids(10) + grandchild
for _ in range(3):
    ids = in_child(work)
    assert len(set(ids)) == 30
    nodes = {polyflake.decode(id).node for id in ids}
    assert generator.worker not in nodes, nodes  # where the grandchild is done first, its parent may take the one given back
    mine += ids
    # It gave its own back, and left alone what its parent holds.
    assert [held.node for held in leases(url)] == [generator.worker], leases(url)
mine += generator.next_ids(100)
assert len(set(mine)) == len(mine)
before = generator.stats().until_ms
wait_for(lambda: generator.stats().until_ms > before)
""",
        address(server, "children", window_ms=6000),
    )


def test_a_child_that_only_tries_gets_ids(redis_url, run_script):
    run_script(
        PRELUDE
        + """
generator = Generator(url)
def work():
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        id = generator.try_next_id()
        if id is not None:
            return id
        time.sleep(0.01)
assert polyflake.decode(in_child(work)).node != generator.worker
""",
        redis_url,
    )


def test_a_child_that_could_start_no_thread_tries_again(redis_url, run_script):
    out = run_script(
        PRELUDE
        + """
generator = Generator(url)
def work():
    start = threading.Thread.start
    def refuse(thread):
        raise RuntimeError("can't start new thread")
    threading.Thread.start = refuse
    try:
        generator.next_id()
    except RuntimeError as error:
        refused = str(error)
    threading.Thread.start = start
    return refused, generator.next_id() > 0
print(in_child(work))
""",
        redis_url,
    )
    assert out == '["can\'t start new thread", True]\n'


def test_forks_at_any_moment_of_a_command(redis_url, run_script):
    run_script(
        PRELUDE
        + """
generator = Generator(url)
stop = False
def renew():
    while not stop:
        try:
            generator.renew()
        except PolyflakeError as error:  # an answer was late: the machine is busy
            assert error.code == "store_unavailable"
renewing = threading.Thread(target=renew)
renewing.start()
ids = []
for i in range(30):
    ids += in_child(lambda: generator.next_ids(5))
    ids += generator.next_ids(5)
stop = True
renewing.join()
assert len(set(ids)) == 300
""",
        redis_url,
    )


def test_forks_in_threads(redis_url, run_script):
    run_script(
        PRELUDE
        + """
generator = Generator(url)
ids = []
# A thread of a child cannot end it but so.
sys.exit = os._exit
def work():
    for _ in range(5):
        ids.extend(in_child(lambda: generator.next_ids(5) + Generator(url).next_ids(5)))
workers = [threading.Thread(target=work) for _ in range(3)]
for worker in workers: worker.start()
for worker in workers: worker.join()
assert len(set(ids)) == 150
""",
        redis_url,
    )


def test_a_child_ends_with_the_thread_that_forked_it(redis_url, run_script, tmp_path):
    # In the child that thread is the main one, and sys.exit ends no more than it.
    run_script(
        PRELUDE
        + """
generator = Generator(url)
ids = generator.next_ids(5)
def late():
    time.sleep(0.3)
    late_ids.extend(generator.next_ids(5))
    with open(sys.argv[2], "w") as file:
        json.dump(late_ids, file)
late_ids = []
def work():
    threading.Thread(target=late).start()  # is waited for
    return generator.next_ids(5)
def fork():
    ids.extend(in_child(work))
forking = threading.Thread(target=fork)
forking.start()
forking.join(60)
if forking.is_alive():
    print("the child does not end", file=sys.stderr)
    os._exit(1)
with open(sys.argv[2]) as file:
    ids += json.load(file)
assert len(set(ids)) == 15
assert [held.node for held in leases(url)] == [generator.worker], leases(url)
os._exit(0)
""",
        redis_url,
        str(tmp_path / "late"),
    )


def test_a_fork_while_another_thread_opens(own_server, run_script, tmp_path):
    url = address(own_server, window_ms=6000)
    own_server.pause()
    forked = tmp_path / "forked"
    resuming = threading.Thread(target=lambda: within(HANGS_S, forked.exists) and own_server.resume())
    resuming.start()
    run_script(
        PRELUDE
        + """
def five_ids():
    while True:
        try:
            return Generator(url).next_ids(5)
        except PolyflakeError as error:  # an answer was late: the machine is busy
            assert error.code == "store_unavailable", error
opening = threading.Thread(target=lambda: ids.extend(five_ids()))
ids = []
opening.start()
wait_until_a_lease_is_opened()
def work():
    open(sys.argv[2], "w").close()
    return five_ids()
ids += in_child(work)
opening.join()
assert len(set(ids)) == 10, ids
""",
        url,
        str(forked),
    )
    resuming.join()


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_children_of_multiprocessing(redis_url, run_script, method):
    run_script(
        PRELUDE
        + """
def work(count):
    return GENERATOR.next_ids(count)

GENERATOR = Generator(url)
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[2])
    with context.Pool(4) as pool:
        ids = [id for some in pool.map(work, [50] * 16) for id in some]
        pool.close()
        pool.join()
    ids += GENERATOR.next_ids(50)
    assert len(set(ids)) == 17 * 50
    # Children end without exit handlers of C or of atexit, but give back what they held.
    nodes = [held.node for held in leases(url)]
    assert nodes == [GENERATOR.worker], nodes
""",
        redis_url,
        method,
    )


# --- the end of the interpreter ---------------------------------------------------------------------


def test_the_end_of_the_interpreter_gives_leases_back(redis_url, run_script):
    run_script(PRELUDE + "generator = Generator(url)\ngenerator.next_id()", redis_url)
    assert leases(redis_url) == []
    run_script(PRELUDE + "Generator(url).next_id()", redis_url)
    assert leases(redis_url) == []
    run_script(PRELUDE + "polyflake.next_id()", redis_url, POLYFLAKE_WORKER=redis_url)
    assert leases(redis_url) == []


def test_the_end_of_the_interpreter_waits_for_no_store_that_stands_still(own_server):
    # All leases together have 4 s here instead of half a second, so that a busy machine does not look
    # like a slow end. One lease after the other would take 24 s, and waiting for a stuck thread 300 s.
    assert "\nCLOSING_S = 0.5 " in pathlib.Path(_lease.__file__).read_text()
    script = (
        PRELUDE
        + """
for module in (_lease_runners, _lease, _lease_asyncio):
    module.CLOSING_S = 4
urls = [url.replace("orders", f"orders{i}") for i in range(6)]
for one in urls:
    init_namespace(one, fresh=True)
generators = [Generator(one) for one in urls]
print("open", flush=True)
sys.stdin.readline()
for generator in generators:
    threading.Thread(target=generator.renew, daemon=True).start()
time.sleep(0.5)  # a renewal is on its way
_lease.StoreSession.step = lambda session: time.sleep(300)
"""
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, address(own_server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "open\n"
    own_server.pause()
    started = time.monotonic()
    process.stdin.write("\n")
    process.stdin.close()
    assert process.wait(HANGS_S) == 0
    assert time.monotonic() - started < 15
    process.stdout.close()
    own_server.resume()


def test_a_signal_ends_an_opening(own_server):
    url = f"{address(own_server)}&acquire_timeout_ms=600000"
    own_server.pause()
    script = (
        PRELUDE
        + """
signal.signal(signal.SIGALRM, signal.default_int_handler)
def ring():
    wait_until_a_lease_is_opened()
    os.kill(os.getpid(), signal.SIGALRM)
threading.Thread(target=ring).start()
try:
    Generator(url)
except KeyboardInterrupt:
    print("interrupted")
"""
    )
    done = subprocess.run(
        [sys.executable, "-c", script.replace("CLOSING_S = 60", "CLOSING_S = 2"), url],
        capture_output=True,
        text=True,
        timeout=HANGS_S,
        check=False,
    )
    assert done.stdout == "interrupted\n" and done.returncode == 0, done.stderr
    own_server.resume()


def test_signal_handlers_open_and_close_generators_at_any_moment(url):
    script = (
        PRELUDE
        + """
import faulthandler
faulthandler.dump_traceback_later(240, exit=True)
init_namespace(url, fresh=True)
opened = 0
busy = False

def handle(*_):
    global busy, opened
    if not busy:
        busy = True
        with Generator(url) as other:
            other.next_id()
        opened += 1
        busy = False

with Generator(url):
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    while opened < 300:
        with Generator(url) as generator:
            generator.next_id()
    signal.setitimer(signal.ITIMER_REAL, 0)
print("opened")
"""
    )
    done = subprocess.run([sys.executable, "-c", script, url], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "opened\n" and done.returncode == 0, done.stderr


# --- faults -----------------------------------------------------------------------------------------


def test_a_signal_handler_closes_while_its_thread_opens(url, run_script):
    out = run_script(
        PRELUDE
        + """
from polyflake import _lease_runners
init_namespace(url, fresh=True)
first = Generator(url)
signal.signal(signal.SIGUSR1, lambda *_: first.close())
made = _lease_runners._made
def make(*asked):
    signal.raise_signal(signal.SIGUSR1)
    return made(*asked)
_lease_runners._made = make
print(Generator(url + "&label=0").next_id() > 0)
""",
        url,
    )
    assert out == "True\n"


def test_an_address_where_nobody_listens():
    nowhere = "redis://user:S3CRET@127.0.0.1:1/0?namespace=a&acquire_timeout_ms=500"
    started = time.monotonic()
    with pytest.raises(PolyflakeError, match=r"redis://127\.0\.0\.1:1/0") as error:
        Generator(nowhere)
    assert error.value.code == "store_unavailable" and "S3CRET" not in str(error.value)
    assert time.monotonic() - started < 20  # without acquire_timeout_ms it takes 30 s
    assert within(HANGS_S, lambda: not threads())


def test_a_wrong_password():
    with Redis() as server:
        server.ask("CONFIG", "SET", "requirepass", "right")
        with pytest.raises(PolyflakeError) as error:
            Generator(f"redis://:S3CRET@127.0.0.1:{server.port}?namespace=a")
        assert error.value.code == "store_unavailable" and "S3CRET" not in str(error.value)
        assert "Authentication" in str(error.value)
        right = f"redis://:right@127.0.0.1:{server.port}?namespace=a"
        init_namespace(right, fresh=True)
        with Generator(right) as generator:
            generator.next_id()
