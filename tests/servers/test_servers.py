"""Every server starts, answers, keeps its data through a kill, stands still when paused, and ends with its starter."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import KINDS, Etcd, MariaDB, PostgreSQL, Redis, Server, ServerError, ZooKeeper, start_all
from .guard import children_of
from .waiting import within

TESTS = Path(__file__).parents[1]
SECRET = "kept-through-a-kill"


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def write(server: Server) -> None:
    """Puts SECRET where read() finds it, over the protocol of the server."""
    match server:
        case Redis():
            assert server.ask("SET", "key", SECRET) == "OK"
        case Etcd():
            server.request("POST", "/v3/kv/put", {"key": base64_of("key"), "value": base64_of(SECRET)})
        case ZooKeeper():
            server.session().create("/key", SECRET.encode())
        case PostgreSQL() | MariaDB():
            server.ask("CREATE TABLE kept (value VARCHAR(40))")
            server.ask(f"INSERT INTO kept VALUES ('{SECRET}')")


def read(server: Server) -> object:
    match server:
        case Redis():
            return server.ask("GET", "key")
        case Etcd():
            found = server.request("POST", "/v3/kv/range", {"key": base64_of("key")})["kvs"]
            return base64.b64decode(found[0]["value"]).decode()
        case ZooKeeper():
            return server.session().data("/key").decode()
        case PostgreSQL() | MariaDB():
            return server.ask("SELECT value FROM kept")
    raise TypeError(server)


def with_descendants(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        found += children_of(each)
    return found


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_server_keeps_its_data_and_port_through_kill_and_stop(kind):
    with kind() as server:
        url, folder = server.url, server.folder
        write(server)
        for end in (server.kill, server.stop):
            processes = with_descendants(server.pid)
            end()
            assert not any(map(runs, processes))
            with pytest.raises(OSError):
                server.connect()
            server.restart()
            assert read(server) == SECRET
        assert server.url == url
    assert not folder.exists()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_paused_server_does_not_answer_until_it_is_resumed(kind):
    with kind() as server:
        server.pause()
        states = [Path(f"/proc/{pid}/stat").read_text().split()[2] for pid in with_descendants(server.pid)]
        assert "T" in states and set(states) <= {"T", "Z"}
        with server.connect() as connection:
            connection.settimeout(0.2)
            connection.sendall(b"srvr" if kind is ZooKeeper else b"PING\r\n\r\n")
            with pytest.raises(TimeoutError):
                connection.recv(1)
        server.resume()
        assert within(10, server.answers)
        server.pause()
        server.kill()
        server.restart()


def test_two_of_each_at_once_do_not_collide():
    servers = [kind() for kind in KINDS.values() for _ in range(2)]
    try:
        start_all(servers)
        for server in servers:
            write(server)
        assert len({server.port for server in servers}) == len(servers)
        assert [read(server) for server in servers] == [SECRET] * len(servers)
    finally:
        for server in servers:
            server.close()


def test_servers_that_may_not_run_as_root_do_not():
    servers = [PostgreSQL(), MariaDB()]
    start_all(servers)
    for server in servers:
        assert Path(f"/proc/{server.pid}").stat().st_uid != 0
        server.close()


def test_a_server_that_does_not_start_says_why_and_leaves_nothing():
    server = Redis("--nonsense", "yes")
    with pytest.raises(ServerError, match="Bad directive"), server:
        pass
    assert not server.folder.exists()


def test_durability_is_that_of_production():
    with PostgreSQL() as postgresql, MariaDB() as mariadb:
        assert postgresql.ask("SHOW fsync") == postgresql.ask("SHOW synchronous_commit") == "on"
        assert mariadb.ask("SELECT @@innodb_flush_log_at_trx_commit") == "1"
        assert mariadb.ask("SELECT @@innodb_flush_method, @@innodb_doublewrite") == "O_DIRECT\t1"


# --- the end of the starter --------------------------------------------------------------------------


def start_by_another(*names: str) -> tuple[subprocess.Popen[str], list[int], list[Path]]:
    """Servers of another process, with all processes and folders below it."""
    command = [sys.executable, "-m", "servers", *names]
    starter = subprocess.Popen(command, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    for _ in range(1 + len(names)):
        assert starter.stdout.readline().startswith("POLYFLAKE_TEST_")
    guards = children_of(starter.pid)
    folders = [Path(Path(f"/proc/{guard}/cmdline").read_text().split("\0")[5]) for guard in guards]
    assert len(guards) == len(names) and all(folder.is_dir() for folder in folders)
    return starter, with_descendants(starter.pid), folders


def nothing_is_left(processes: list[int], folders: list[Path]) -> bool:
    return not any(map(runs, processes)) and not any(folder.exists() for folder in folders)


def test_kill_of_the_starter_leaves_no_process_and_no_folder():
    starter, processes, folders = start_by_another(*KINDS)
    assert len(processes) > 1 + 2 * len(KINDS)
    starter.kill()
    starter.communicate()
    assert within(10, lambda: nothing_is_left(processes, folders))


def test_kill_of_the_guard_ends_its_server():
    with pytest.raises(ServerError, match="guard"), PostgreSQL() as server:
        processes = with_descendants(server.pid)
        guard = int(Path(f"/proc/{server.pid}/stat").read_text().split()[3])
        os.kill(guard, 9)
        assert within(10, lambda: not any(map(runs, processes)))
        server.stop()


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
    assert within(10, lambda: nothing_is_left([int(server)], [Path(folder)]))
    assert runs(int(child))
    os.kill(int(child), 9)
    starter.stdout.close()
