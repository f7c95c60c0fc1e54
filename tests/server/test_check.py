"""`polyflaked --check`: what a server says of itself, for containers that have no client of HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from certificates import Tls
from polyflaked import PROGRAM, Polyflaked, run_polyflaked
from servers.port import Port
from servers.waiting import within

GENERATOR = "drain_ms = 0\n[generator.orders]\nworker = 7\n"
READY, NOT_READY, NO_SUCH_LISTENER = 0, 1, 2


def listener(address: str, protocol: str = "http", more: str = "") -> str:
    return f'[[listener]]\nprotocol = "{protocol}"\naddress = "{address}"\n{more}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "server.toml"


def check(file: Path) -> tuple[int, str]:
    done = run_polyflaked("--check", "--config", file)
    assert done.stderr == ""
    return done.returncode, done.stdout


@contextmanager
def running(file: Path, text: str) -> Iterator[subprocess.Popen[bytes]]:
    file.write_text(text)
    server = subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.DEVNULL)
    try:
        yield server
    finally:
        server.kill()
        server.wait()


def test_it_prints_what_readyz_answers() -> None:
    with Polyflaked(head="drain_ms = 60000") as server:
        configuration = server.folder / "server.toml"
        assert within(60, lambda: server.ready()[0] == 200)
        status, said = check(configuration)
        assert status == READY
        assert json.loads(said) == {
            "ready": True,
            "draining": False,
            "keys": {"orders": {"ready": True, "code": None}},
        }
        server.terminate()
        assert within(60, lambda: server.said("draining"))
        status, said = check(configuration)
        assert status == NOT_READY
        assert json.loads(said)["draining"] is True
        server.kill()
        assert check(configuration) == (NOT_READY, "no answer: Connection refused\n")


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "[::1]"])
def test_an_address_of_all_interfaces_is_asked_on_loopback(file: Path, host: str) -> None:
    port = Port()
    with running(file, GENERATOR + listener(f"{host}:{port.number}", more="insecure = true")):
        assert within(60, lambda: check(file)[0] == READY)
    port.close()


def test_a_unix_socket_is_asked(file: Path) -> None:
    """It asks the first listener that speaks HTTP at an address that is known."""
    path = file.parent / "ids.sock"
    first = listener("127.0.0.1:0", "resp") + listener("127.0.0.1:0")
    with running(file, GENERATOR + first + listener(f"unix:{path}")):
        assert within(60, lambda: check(file)[0] == READY)


@pytest.mark.parametrize("listeners", [listener("127.0.0.1:1", "resp"), listener("127.0.0.1:0")])
def test_without_a_listener_to_ask_it_is_an_error(file: Path, listeners: str) -> None:
    file.write_text(GENERATOR + listeners)
    done = run_polyflaked("--check", "--config", file)
    assert (done.returncode, done.stdout) == (NO_SUCH_LISTENER, "")
    assert 'protocol = \\"http\\"' in done.stderr


def test_a_listener_with_tls_is_not_asked(file: Path, tls: Tls) -> None:
    file.write_text(GENERATOR + listener("127.0.0.1:1", more=tls.keys))
    assert run_polyflaked("--check", "--config", file).returncode == NO_SUCH_LISTENER


def test_a_wrong_configuration_is_an_error(file: Path) -> None:
    file.write_text("worker = 7")
    assert run_polyflaked("--check", "--config", file).returncode == NO_SUCH_LISTENER
    assert run_polyflaked("--check", "--check-config", "--config", file).returncode == NO_SUCH_LISTENER


@contextmanager
def answering(file: Path, answer: bytes, closes: bool = True) -> Iterator[None]:
    """Something else at the address, which says this to the first request."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        file.write_text(GENERATOR + listener(f"127.0.0.1:{other.getsockname()[1]}"))

        def say() -> None:
            connection, _ = other.accept()
            with connection:
                connection.recv(1000)
                with suppress(OSError):  # one that has had enough
                    connection.sendall(answer)
                if not closes:
                    with suppress(OSError):
                        connection.recv(1000)

        thread = threading.Thread(target=say)
        thread.start()
        yield
        thread.join()


@pytest.mark.parametrize(
    "answer, expected",
    [
        (b"HTTP/1.1 200 OK\r\n\r\nyes", (READY, "yes\n")),
        (b"HTTP/1.1 500 No\r\n\r\nHTTP/1.1 200 ", (NOT_READY, "HTTP/1.1 200 \n")),
        (b"HTTP/1.1 503 No\r\n\r\n\x1b[2J\n\xff", (NOT_READY, "?[2J??\n")),
        (b"+OK 200 \r\n\r\n", (NOT_READY, "no answer in HTTP\n")),
        (b"HTTP/1.1 200 OK\r\n", (NOT_READY, "no answer in HTTP\n")),
        (b"HTTP/", (NOT_READY, "no answer in HTTP\n")),
        (b"", (NOT_READY, "no answer in HTTP\n")),
    ],
)
def test_only_a_whole_answer_of_http_is_one(file: Path, answer: bytes, expected: tuple[int, str]) -> None:
    with answering(file, answer):
        assert check(file) == expected


def test_an_answer_that_does_not_end_is_none(file: Path) -> None:
    """The program shows nothing of it, and keeps at most a mebibyte."""
    with answering(file, b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * (2 << 20), closes=False):
        assert check(file) == (NOT_READY, "no answer: it is longer than 1 MiB\n")


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_it_waits_three_seconds(file: Path, answer: bytes) -> None:
    with answering(file, answer, closes=False):
        begin = time.monotonic()
        assert check(file) == (NOT_READY, "no answer within 3 s\n")
        assert time.monotonic() - begin >= 2.9
