"""Every server starts, answers, keeps its data through a kill, and stands still when paused."""

from __future__ import annotations

import base64
import os
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from . import KINDS, Etcd, MariaDB, PostgreSQL, Redis, Server, ServerError, ZooKeeper, start_all
from .port import Port
from .processes import runs, with_descendants
from .waiting import within

SECRET = "kept-through-a-kill"


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def write(server: Server) -> None:
    """Puts SECRET where read() finds it, over the protocol of the server."""
    if isinstance(server, Redis):
        assert server.ask("SET", "key", SECRET) == "OK"
    elif isinstance(server, Etcd):
        server.request("POST", "/v3/kv/put", {"key": base64_of("key"), "value": base64_of(SECRET)})
    elif isinstance(server, ZooKeeper):
        with closing(server.session()) as session:
            session.create("/key", SECRET.encode())
    else:
        assert isinstance(server, (PostgreSQL, MariaDB))
        server.ask("CREATE TABLE kept (value VARCHAR(40))")
        server.ask(f"INSERT INTO kept VALUES ('{SECRET}')")


def read(server: Server) -> object:
    if isinstance(server, Redis):
        return server.ask("GET", "key")
    if isinstance(server, Etcd):
        found = server.request("POST", "/v3/kv/range", {"key": base64_of("key")})["kvs"]
        return base64.b64decode(found[0]["value"]).decode()
    if isinstance(server, ZooKeeper):
        with closing(server.session()) as session:
            return session.data("/key").decode()
    assert isinstance(server, (PostgreSQL, MariaDB))
    return server.ask("SELECT value FROM kept")


@pytest.fixture(scope="module", params=KINDS.values(), ids=list(KINDS))
def server(request):
    with request.param() as one:
        yield one


def test_a_server_keeps_its_data_and_port_through_kill_and_stop(server):
    url = server.url
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


def test_a_paused_server_does_not_answer_until_it_is_resumed(server):
    server.pause()
    states = [Path(f"/proc/{pid}/stat").read_text().split()[2] for pid in with_descendants(server.pid)]
    assert "T" in states and set(states) <= {"T", "Z"}
    with server.connect() as connection:
        connection.settimeout(0.2)
        connection.sendall(b"srvr" if isinstance(server, ZooKeeper) else b"PING\r\n\r\n")
        with pytest.raises(TimeoutError):
            connection.recv(1)
    server.resume()
    assert within(60, server.answers)


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_paused_server_can_be_ended(server, end):
    server.pause()
    getattr(server, end)()
    server.restart()


def test_a_server_that_may_not_run_as_root_does_not(server):
    as_root = os.geteuid() == 0 and not server.unprivileged
    assert (Path(f"/proc/{server.pid}").stat().st_uid == 0) == as_root


def test_a_server_is_as_durable_as_in_production(server):
    if isinstance(server, PostgreSQL):
        assert server.ask("SHOW fsync") == server.ask("SHOW synchronous_commit") == "on"
    elif isinstance(server, MariaDB):
        assert server.ask("SELECT @@innodb_flush_log_at_trx_commit") == "1"
        assert server.ask("SELECT @@innodb_flush_method, @@innodb_doublewrite") == "O_DIRECT\t1"
    elif isinstance(server, Redis):
        assert server.ask("CONFIG", "GET", "appendfsync") == ["appendfsync", "everysec"]
    else:
        assert "sync" not in " ".join(server.command()).lower()


SLOW_DISK = """
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int fdatasync(int file) {
  nanosleep(&(struct timespec){1, 500000000}, 0);
  return syscall(SYS_fdatasync, file);
}
"""


def test_what_redis_answered_survives_a_kill_while_its_disk_is_slow(tmp_path):
    (tmp_path / "slow_disk.c").write_text(SLOW_DISK)
    preload = tmp_path / "slow_disk.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", preload, tmp_path / "slow_disk.c"], check=True)

    class OnSlowDisk(Redis):
        def environment(self) -> dict[str, str]:
            return {"LD_PRELOAD": str(preload)}

    with OnSlowDisk() as server:
        answered = 0

        def waits_for_the_disk() -> bool:
            nonlocal answered
            answered += 1
            assert server.ask("SET", "number", answered) == "OK"
            return server.info("persistence")["aof_buffer_length"] != "0"

        assert within(20, waits_for_the_disk)
        server.kill()
        server.start()
        assert server.ask("GET", "number") == str(answered)


def test_a_port_is_not_given_twice_though_nothing_listens_there(monkeypatch):
    port = Port()
    monkeypatch.setattr("random.randrange", lambda *_: port.number)
    with pytest.raises(OSError, match="no port is free"):
        Port()
    port.close()
    Port().close()


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


def test_a_server_that_does_not_start_says_why_and_leaves_nothing():
    server = Redis("--nonsense", "yes")
    with pytest.raises(ServerError, match="Bad directive"), server:
        pass
    assert not server.folder.exists()
