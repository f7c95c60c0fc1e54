"""Servers end with whoever started them, whichever process is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import KINDS, PostgreSQL, ServerError, ZooKeeper
from .guarded import Guarded
from .processes import TESTS, nothing_is_left, runs, start_by_another, with_descendants
from .waiting import within


def test_the_end_of_the_statement_leaves_no_process_and_no_folder():
    with ZooKeeper() as server:
        processes, folder = with_descendants(server.pid), server.folder
    assert nothing_is_left(processes, [folder])


@pytest.mark.parametrize("end", ["close", "end of the command"])
def test_what_a_command_left_to_itself_ends_as_well(end):
    guarded = Guarded("left", unprivileged=False)
    script = "setsid sleep 60 & echo $! >pid; " + ("sleep 60" if end == "close" else "true")
    guarded.start(["sh", "-c", script], {})
    assert within(60, lambda: (guarded.folder / "pid").exists() and (guarded.folder / "pid").read_text().endswith("\n"))
    left = int((guarded.folder / "pid").read_text())
    if end != "close":
        assert guarded.ended(10)
        assert not runs(left)
    guarded.close()
    assert nothing_is_left([left], [guarded.folder])


def test_kill_of_the_starter_leaves_no_process_and_no_folder():
    starter, processes, folders = start_by_another(*KINDS)
    assert len(processes) > 1 + 2 * len(KINDS)
    starter.kill()
    starter.communicate()
    assert within(60, lambda: nothing_is_left(processes, folders))


def test_kill_of_the_guard_ends_its_server():
    with pytest.raises(ServerError, match="guard"), PostgreSQL() as server:
        processes = with_descendants(server.pid)
        guard = int(Path(f"/proc/{server.pid}/stat").read_text().split()[3])
        os.kill(guard, 9)
        assert within(60, lambda: not any(map(runs, processes)))
        server.stop()
    assert not server.folder.exists()


FORKING = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from servers import Redis
redis = Redis()
redis.start()
child = os.fork()
if child == 0:
    time.sleep(60)
print(redis.pid, child, redis.folder, flush=True)
time.sleep(60)
"""


def test_a_forked_child_of_the_starter_keeps_no_server():
    starter = subprocess.Popen([sys.executable, "-c", FORKING, TESTS], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    server, child, folder = starter.stdout.readline().split()
    starter.kill()
    starter.wait()
    assert within(60, lambda: nothing_is_left([int(server)], [Path(folder)]))
    assert runs(int(child))
    os.kill(int(child), 9)
    starter.stdout.close()
