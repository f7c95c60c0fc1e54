"""polyflaked tells a service manager how it is, and takes sockets from one. The tests are the manager."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from polyflaked import PROGRAM
from servers import Redis
from wire_clients import CLIENTS, RespClient

from polyflake.stores import init_namespace

CONFIGURATION = 2
GENERATOR = "drain_ms = 0\n[generator.orders]\nworker = 7\n"
TCP = '[[listener]]\nprotocol = "resp"\naddress = "127.0.0.1:0"\n'
PASSED = '[[listener]]\nprotocol = "resp"\naddress = "systemd:ids"\n'
# Gives a program sockets from descriptor 3 on, and says whom they are for: `python -c LAUNCH fd,fd... program ...`.
LAUNCH = """
import os, sys
passed = [os.dup(os.dup(int(fd))) for fd in sys.argv[1].split(",") if fd]
high = [__import__("fcntl").fcntl(fd, 0, 100) for fd in passed]
for at, fd in enumerate(high):
    os.dup2(fd, 3 + at, inheritable=True)
os.environ.setdefault("LISTEN_PID", str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "server.toml"


class Manager:
    """The socket that a process tells its state."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0", 1))
        self.variable = {"NOTIFY_SOCKET": address}

    def fill(self) -> None:
        """Fills its queue, so that nothing more is taken until it hears."""
        while True:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
                other.setblocking(False)
                try:
                    other.sendto(b"full", self.socket.getsockname())
                except BlockingIOError:
                    return

    def hear(self, within_s: float = 60) -> str:
        """The next message. Errors: TimeoutError."""
        self.socket.settimeout(within_s)
        return self.socket.recv(4096).decode()

    def hear_until(self, word: str) -> list[str]:
        heard = [self.hear()]
        while word not in heard[-1]:
            heard.append(self.hear())
        return heard


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    with closing(made.socket):
        yield made


@contextmanager
def running(
    file: Path, text: str, sockets: tuple[socket.socket, ...] = (), **around: str
) -> Iterator[subprocess.Popen]:
    """A server that a manager starts, which ends with the block. It has the variable LISTEN_FDS if sockets are passed."""
    file.write_text(text)
    if sockets:
        around.setdefault("LISTEN_FDS", str(len(sockets)))
    descriptors = [one.fileno() for one in sockets]
    words = [sys.executable, "-c", LAUNCH, ",".join(map(str, descriptors)), PROGRAM, "--config", file]
    server = subprocess.Popen(
        words, stderr=subprocess.PIPE, text=True, pass_fds=descriptors, env={**os.environ, **around}
    )
    try:
        yield server
    finally:
        server.kill()
        server.communicate()


def refusal(file: Path, text: str, sockets: tuple[socket.socket, ...] = (), **around: str) -> str:
    with running(file, text, sockets, **around) as server:
        log = server.communicate(timeout=60)[1]
        assert server.returncode == CONFIGURATION, log
        return log


# --- what it tells -------------------------------------------------------------------------------


@pytest.mark.parametrize("abstract", [False, True])
def test_it_is_ready_once_it_listens_and_has_a_window(file: Path, tmp_path: Path, abstract: bool) -> None:
    made = Manager(f"@polyflake-test-{os.getpid()}" if abstract else str(tmp_path / "notify"))
    with closing(made.socket), running(file, GENERATOR + TCP, **made.variable) as server:
        assert made.hear() == "STATUS=waits for node ids"
        assert made.hear_until("READY=1")[-1] == "READY=1\nSTATUS=ready"
        server.terminate()
        assert made.hear() == "STOPPING=1"
        assert server.wait(60) == 0


def test_it_is_not_ready_before_its_first_window(redis: Redis, file: Path, manager: Manager) -> None:
    """A new namespace gives no ids for a while; meanwhile the server listens, and says what it waits for."""
    url = f"{redis.url}/0?namespace=notified"
    init_namespace(f"{url}&window_ms=2000")
    listener = '[[listener]]\nprotocol = "http"\naddress = "127.0.0.1:0"\n'
    with running(file, GENERATOR.replace("7", f'"{url}"') + listener, **manager.variable):
        heard = manager.hear_until("READY=1")
        assert any(one.startswith("STATUS=not ready, orders: ") for one in heard[:-1]), heard
        assert heard[-1] == "READY=1\nSTATUS=ready"
        redis.pause()
        assert "store_unavailable" in manager.hear_until("STATUS=not ready")[-1]
        redis.resume()
        assert manager.hear_until("ready")[-1] == "STATUS=ready"


def test_draining_is_told_at_once(file: Path, manager: Manager) -> None:
    with running(file, GENERATOR.replace("drain_ms = 0", "drain_ms = 60000") + TCP, **manager.variable) as server:
        manager.hear_until("READY=1")
        server.terminate()
        assert manager.hear() == "STOPPING=1"
        assert manager.hear() == "STATUS=draining"
        server.terminate()
        assert server.wait(60) == 0


def test_the_watchdog_hears_of_a_loop_that_lives(file: Path, manager: Manager) -> None:
    with running(file, GENERATOR + TCP, WATCHDOG_USEC="100000", **manager.variable) as server:
        heard = [manager.hear() for _ in range(12)]
        assert heard.count("WATCHDOG=1") >= 8
        assert sum("READY=1" in one for one in heard) <= 1
        server.send_signal(signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            while True:
                manager.hear(1)
        server.send_signal(signal.SIGCONT)
        assert manager.hear() == "WATCHDOG=1"


def test_the_watchdog_of_another_process_is_not_its_own(file: Path, manager: Manager) -> None:
    variables = {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": str(os.getpid()), **manager.variable}
    with running(file, GENERATOR + TCP, **variables):
        assert all("WATCHDOG" not in one for one in manager.hear_until("READY=1"))


def test_a_manager_that_is_gone_ends_nothing(file: Path, manager: Manager, tmp_path: Path) -> None:
    with running(file, GENERATOR + TCP, WATCHDOG_USEC="20000", **manager.variable) as server:
        manager.hear_until("READY=1")
        manager.socket.close()
        assert server.stderr is not None
        for line in server.stderr:
            if line.startswith("event=notify"):
                break
        server.terminate()
        assert server.wait(60) == 0
    gone = {"NOTIFY_SOCKET": str(tmp_path / "none")}
    with running(file, GENERATOR + TCP, **gone) as server:
        assert server.stderr is not None
        assert any("event=serving" in line for line in iter(server.stderr.readline, ""))


def test_a_manager_that_does_not_listen_stops_nothing(file: Path, manager: Manager) -> None:
    """Its queue is full before the server begins. READY=1 comes when it listens again."""
    manager.fill()
    with running(file, GENERATOR + TCP, WATCHDOG_USEC="2", **manager.variable) as server:
        assert server.stderr is not None
        assert any("state=open" in line for line in iter(server.stderr.readline, ""))
        time.sleep(0.1)  # that was said just before it tried to tell it
        assert manager.hear_until("READY=1")
        server.terminate()
        assert server.wait(60) == 0


@pytest.mark.parametrize(
    "around, words",
    [
        ({"NOTIFY_SOCKET": "notify"}, "NOTIFY_SOCKET"),
        ({"NOTIFY_SOCKET": "@"}, "NOTIFY_SOCKET"),
        ({"NOTIFY_SOCKET": "/" + "n" * 107}, "NOTIFY_SOCKET"),
        ({"NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "0"}, "WATCHDOG_USEC"),
        ({"NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "1s"}, "WATCHDOG_USEC"),
        ({"NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "x"}, "WATCHDOG_PID"),
        ({"LISTEN_FDS": "x"}, "LISTEN_FDS"),
        ({"LISTEN_FDS": "0"}, "LISTEN_FDS"),
        ({"LISTEN_FDS": "99999999999999999999"}, "LISTEN_FDS"),
        ({"LISTEN_FDS": "1", "LISTEN_PID": "-1"}, "LISTEN_PID"),
        ({"LISTEN_FDS": "1000000"}, "no stream socket"),
        ({"LISTEN_FDS": "2", "LISTEN_FDNAMES": "ids"}, "LISTEN_FDNAMES"),
    ],
)
def test_variables_that_no_manager_writes_are_refused(file: Path, around: dict[str, str], words: str) -> None:
    assert words in refusal(file, GENERATOR + TCP, **around)


# --- sockets that it takes -----------------------------------------------------------------------


@contextmanager
def tcp(host: str = "127.0.0.1") -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family, dualstack_ipv6=host == "::") as made:
        yield made


@pytest.mark.parametrize("protocol", CLIENTS)
def test_a_socket_is_taken_by_its_name(file: Path, protocol: str) -> None:
    text = GENERATOR + PASSED.replace("resp", protocol)
    with tcp() as passed, running(file, text, (passed,), LISTEN_FDNAMES="ids"):
        with CLIENTS[protocol](passed.getsockname()[1]) as client:  # it is there before the server listens
            ids = client.take(100)
        assert ids == sorted(set(ids))


def test_sockets_of_one_name_have_one_listener(file: Path) -> None:
    other = '[[listener]]\nprotocol = "http"\naddress = "systemd:web"\n'
    with (
        tcp() as one,
        tcp("::1") as two,
        tcp() as web,
        running(file, GENERATOR + PASSED + other + TCP, (one, web, two), LISTEN_FDNAMES="ids:web:ids"),
    ):
        for passed in (one, two):
            with (
                socket.create_connection(passed.getsockname()[:2], 60) as client,
                client.makefile("rb") as replies,
            ):
                client.sendall(b"PING\r\n")
                assert replies.readline() == b"+PONG\r\n"
        with CLIENTS["http"](web.getsockname()[1]) as client:
            assert client.take()


def test_a_unix_socket_stays_when_it_ends(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "ids.sock"
    with socket.socket(socket.AF_UNIX) as passed:
        passed.bind(str(path))
        passed.listen()
        path.chmod(0o600)
        for _ in range(2):
            with running(file, GENERATOR + PASSED, (passed,), LISTEN_FDNAMES="ids") as server:
                with socket.socket(socket.AF_UNIX) as client, client.makefile("rb") as replies:
                    client.connect(str(path))
                    client.sendall(b"INCR orders\r\n")
                    assert replies.readline().startswith(b":")
                server.terminate()
                log = server.communicate(timeout=60)[1]
                assert server.returncode == 0
                assert f"event=listening protocol=resp address=unix:{path}\n" in log
            assert path.stat().st_mode & 0o777 == 0o600


def test_clients_wait_while_it_is_restarted(file: Path) -> None:
    """The socket is the manager's, so no client is refused: one that comes between two servers is served by the next."""
    ids: list[int] = []
    with tcp() as passed:
        for _ in range(3):
            client = RespClient(passed.getsockname()[1])
            with client, running(file, GENERATOR + PASSED, (passed,), LISTEN_FDNAMES="ids") as server:
                ids += client.take(1000)
                server.terminate()
                assert server.wait(60) == 0
    assert ids == sorted(set(ids))


@pytest.mark.parametrize(
    "names, text, words",
    [
        ("ids", GENERATOR + TCP, 'write address = \\"systemd:NAME\\"'),
        ("other", GENERATOR + PASSED, "no socket was passed for the listener at systemd:ids. Passed were: 'other'"),
        ("ids:other", GENERATOR + PASSED, "the socket 'other' was passed"),
        (":ids", GENERATOR + PASSED + TCP, "was passed, and no listener takes it"),
        (None, GENERATOR + PASSED, "Passed were: 'unknown'"),
    ],
)
def test_each_socket_has_a_listener_and_each_listener_a_socket(
    file: Path, names: str | None, text: str, words: str
) -> None:
    with tcp() as one, tcp() as two:
        sockets = (one, two) if names and ":" in names else (one,)
        around = {"LISTEN_FDNAMES": names} if names else {}
        assert words in refusal(file, text, sockets, **around)


def test_without_a_manager_there_is_no_socket(file: Path) -> None:
    assert "Passed were: none" in refusal(file, GENERATOR + PASSED)
    with tcp() as passed:
        log = refusal(file, GENERATOR + PASSED, (passed,), LISTEN_FDNAMES="ids", LISTEN_PID=str(os.getpid()))
        assert "Passed were: none" in log


def test_what_is_passed_must_be_a_stream_socket_that_listens(file: Path) -> None:
    with (
        tcp() as listening,
        socket.create_connection(listening.getsockname()) as connected,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_INET) as silent,
    ):
        for wrong in (connected, datagrams, silent):
            log = refusal(file, GENERATOR + PASSED, (wrong,), LISTEN_FDNAMES="ids")
            assert "'ids'" in log and "no stream socket that listens" in log


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_socket_that_others_reach_needs_insecure(file: Path, host: str) -> None:
    with tcp(host) as passed:
        log = refusal(file, GENERATOR + PASSED, (passed,), LISTEN_FDNAMES="ids")
        assert "systemd:ids" in log and "insecure = true" in log
        text = GENERATOR + PASSED + "insecure = true\n"
        with running(file, text, (passed,), LISTEN_FDNAMES="ids"), RespClient(passed.getsockname()[1]) as client:
            assert client.take()


@pytest.mark.parametrize("name", ["", "a:b", "n" * 256])
def test_a_name_that_no_socket_has_is_refused(file: Path, name: str) -> None:
    assert "systemd" in refusal(file, GENERATOR + PASSED.replace("ids", name))


def test_two_listeners_cannot_take_one_socket(file: Path) -> None:
    with tcp() as passed:
        log = refusal(file, GENERATOR + PASSED + PASSED, (passed,), LISTEN_FDNAMES="ids")
        assert "another listener has this address" in log
