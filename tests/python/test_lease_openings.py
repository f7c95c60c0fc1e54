"""Counts the work until a lease issues: of one process on a namespace in use, and of twenty at once.

The servers are those of tests/servers; their addresses are in the environment.
"""

from __future__ import annotations

import itertools
import os
import secrets
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
import redis
from servers import Redis

import polyflake
from polyflake import Generator, _lease
from polyflake.stores import init_namespace
from polyflake.stores._url import store_of

# The namespace, candidates and the write are one command each; ZooKeeper asks for the time with a write of its own and looks before
# it writes, MySQL ends its transaction.
COMMANDS = {"redis": 3, "zookeeper": 5, "etcd": 3, "postgresql": 3, "mysql": 4}
ATTEMPTS = 8


@pytest.fixture(params=COMMANDS)
def url(request):
    return f"{os.environ[f'POLYFLAKE_TEST_{request.param.upper()}']}?namespace=opening-{secrets.token_hex(8)}"


# --- one process ------------------------------------------------------------------------------------


class Counted:
    """A store whose commands are counted."""

    def __init__(self, url):
        self.store = store_of(url)
        self.connections, self.commands = 0, []
        connect, self.store.connect = self.store.connect, self.connect
        self._connect = connect

    def connect(self, *arguments):
        self.connections += 1
        connection = self._connect(*arguments)
        run = connection.run

        def counted(name, *others):
            self.commands.append(name)
            return run(name, *others)

        connection.run = counted
        return connection


def test_opening_on_a_namespace_in_use_is_one_exchange_a_question_and_no_pause(url, capsys, monkeypatch):
    pauses, sleep = [], _lease.LeaseRunner._sleep

    def noted_sleep(runner, s):
        if not runner.lease.granted:
            pauses.append(s)
        sleep(runner, s)

    monkeypatch.setattr(_lease.LeaseRunner, "_sleep", noted_sleep)
    kind = url.partition(":")[0]
    init_namespace(f"{url}&window_ms=600000", fresh=True)
    took_ms, asked = [], 0
    with ExitStack() as stack:
        stack.enter_context(Generator(url)).next_id()
        for _ in range(ATTEMPTS):
            counted = Counted(url)
            began = time.perf_counter()
            generator = stack.enter_context(Generator(counted.store))
            generator.next_id()
            took_ms.append((time.perf_counter() - began) * 1000)
            if generator.stats().store_failures > 0:
                pauses.clear()  # an answer was late: the machine is busy
                continue
            asked += 1
            assert counted.connections == 1
            assert len(counted.commands) == COMMANDS[kind], counted.commands
            assert pauses == [] and generator.stats().waits == 0
    assert asked > 0
    took_ms.sort()
    with capsys.disabled():
        print(f"\n{kind}: open and issue in {took_ms[0]:.1f} ms at best, {took_ms[ATTEMPTS // 2]:.1f} ms in the middle")


def test_redis_sees_three_scripts_of_an_opening():
    with Redis() as server:  # which no other test asks for anything
        url = f"{server.url}?namespace=opening"
        init_namespace(f"{url}&window_ms=600000", fresh=True)  # none is renewed meanwhile
        with Generator(url) as first, redis.Redis(port=server.port) as client, client.monitor() as monitor:
            first.next_id()
            late = True
            while late:
                with Generator(store_of(url)) as second:
                    second.next_id()
                    client.echo("over")
                    seen = sent_until_over(monitor)
                    late = second.stats().store_failures > 0  # the machine is busy
                client.echo("over")
                sent_until_over(monitor)
    assert seen.count("EVAL") == 3, seen
    assert set(seen) <= {"EVAL", "HELLO", "CLIENT"}, seen  # the others say who redis-py is, once a connection


def sent_until_over(monitor):
    """The names of the commands, without those of scripts."""
    sent = iter(monitor.next_command, None)
    before = itertools.takewhile(lambda one: not one["command"].startswith("ECHO"), sent)
    return [one["command"].split()[0].upper() for one in before if one["client_type"] != "lua"]


# --- twenty processes -------------------------------------------------------------------------------

PROCESSES = 20
LIMIT_MS = 8000  # with a node id that has to be waited for it takes a window of 10 s
STARTING = """
import os, sys, time
import polyflake
from polyflake.stores._url import store_of
store_of(sys.argv[1])  # imports the client of the store
print("ready", flush=True)
sys.stdin.read()  # all of them go on at the same moment
generator = polyflake.Generator(sys.argv[1])
print(generator.next_id(), time.monotonic(), flush=True)
os.read(int(sys.argv[2]), 1)  # nobody takes the node id of one that is gone
"""


def started_at_once(url):
    """The ids of twenty processes, and how long after the start the last of them was issued, in ms."""
    (start, starter), (end, ender) = os.pipe(), os.pipe()
    command = [sys.executable, "-c", STARTING, url, str(end)]
    processes = [
        subprocess.Popen(command, stdin=start, stdout=subprocess.PIPE, text=True, pass_fds=[end])
        for _ in range(PROCESSES)
    ]
    os.close(start)
    os.close(end)
    try:
        assert all(process.stdout.readline() == "ready\n" for process in processes)
        began = time.monotonic()
        os.close(starter)
        said = [process.stdout.readline().split() for process in processes]
        os.close(ender)
        assert [process.wait(60) for process in processes] == [0] * PROCESSES
    finally:
        for process in processes:
            process.kill()
            process.wait()
            process.stdout.close()
    return [int(id) for id, _ in said], (max(float(issued) for _, issued in said) - began) * 1000


@pytest.mark.real_time
def test_twenty_starting_processes_wait_for_no_window(url, capsys):
    # What stands for a minute of age: nothing is waited for in a namespace that was made as fresh, as in one that was made
    # longer than W + 2S ago. W and S are the usual ones, as pauses between attempts depend on them.
    init_namespace(url, fresh=True)  # no node id was ever handed out: all go for the same ones
    # The first command is given up after a third of window_ms, and the machine may be busy.
    ids, slowest_ms = started_at_once(f"{url}&window_ms=600000")
    assert len({polyflake.decode(id).node for id in ids}) == len(set(ids)) == PROCESSES
    with capsys.disabled():
        print(f"\n{url.partition(':')[0]}: the last of {PROCESSES} processes issues after {slowest_ms:.0f} ms")
    assert slowest_ms <= LIMIT_MS
