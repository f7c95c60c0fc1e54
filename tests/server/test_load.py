"""polyflake_load finds what a server does wrong, and counts what it refuses. The server is made up here."""

from __future__ import annotations

import itertools
import json
import os
import socketserver
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAM = os.environ.get("POLYFLAKE_TEST_LOAD") or Path(__file__).parents[2] / "build/cpp/tests/load/polyflake_load"
THRIFT_I64 = b"\x0a\x00\x00"
THRIFT_STRING = b"\x0b\x00\x01"

# Returns the reply to request n, counted from 1.
Reply = Callable[[int], bytes]


def integer(number: int) -> bytes:
    return b":%d\r\n" % number


@contextmanager
def server(reply: Reply, end_of_request: bytes = b"orders\r\n", apart: bool = False) -> Iterator[str]:
    """Gives a reply for each end of a request that comes. Yields its address. apart: each connection counts by itself."""
    of_all = itertools.count(1)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            count = itertools.count(1) if apart else of_all
            unread = b""
            while data := self.request.recv(65536):
                *requests, unread = (unread + data).split(end_of_request)
                self.request.sendall(b"".join(reply(next(count)) for _ in requests))

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as listener:
        threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{listener.server_address[1]}"
        listener.shutdown()


def run(address: str, *arguments: str, seconds: float = 1, status: int = 0) -> dict:
    done = load("--address", address, "--seconds", str(seconds), *arguments)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def load(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("mode", [["--depth", "16"], ["--rate", "2000", "--connections", "3"]])
def test_good_ids_are_counted(mode):
    with server(integer) as address:
        result = run(address, *mode)
    assert result["requests"] == result["ids"] > 100
    assert result["errors"] == {}
    assert (result["duplicates"], result["not_rising"]) == (0, 0)
    assert result["smallest"] == "1" and result["largest"] == str(result["ids"])
    assert 0 < result["p50_ms"] <= result["p99_ms"] <= result["p99_9_ms"] <= result["most_ms"]


def test_an_id_that_comes_twice_on_other_connections_is_found():
    with server(integer, apart=True) as address:
        result = run(address, "--connections", "2", "--rate", "500", status=1)
    assert result["duplicates"] > 10
    assert result["not_rising"] == 0


def test_one_id_twice_among_many_is_found():
    with server(lambda n: integer(40 if n == 41 else n)) as address:
        result = run(address, status=1)
    assert (result["duplicates"], result["not_rising"]) == (1, 1)


def test_a_broken_order_is_found():
    with server(lambda n: integer({50: 1051, 51: 50}.get(n, 1000 + n))) as address:
        result = run(address, status=1)
    assert (result["duplicates"], result["not_rising"]) == (0, 1)


@pytest.mark.parametrize("mode", [["--depth", "4"], ["--rate", "2000"]])
def test_busy_is_counted_apart(mode):
    with server(lambda n: b"-POLYFLAKE busy try again later\r\n" if n % 4 == 0 else integer(n)) as address:
        result = run(address, *mode)
    assert result["errors"] == {"busy": result["requests"] // 4}
    assert result["ids"] == result["requests"] - result["errors"]["busy"]
    assert result["refused_p99_ms"] > 0


def test_batches_are_read_id_by_id():
    def three(n: int) -> bytes:
        return b"*3\r\n" + b"".join(b"$6\r\n%d\r\n" % (100_000 + 3 * n + i) for i in range(3))

    with server(three, b"$1\r\n3\r\n") as address:
        result = run(address, "--batch", "3", "--depth", "2", seconds=0.01)
    assert result["ids"] == 3 * result["requests"] > 0


def test_too_few_ids_are_an_error():
    with server(lambda _: b"*1\r\n$1\r\n5\r\n", b"$1\r\n3\r\n") as address:
        done = load("--address", address, "--batch", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert "1 ids, but 3 were asked for" in done.stderr


def test_an_end_of_the_connection_is_counted():
    def closes_at_ten(n: int) -> bytes:
        if n == 10:
            raise ConnectionError
        return integer(n)

    with server(closes_at_ten) as address:
        result = run(address, seconds=20)
    assert result["errors"] == {"closed": 1}
    assert result["ids"] == 9


def http(status: int, body: str) -> bytes:
    return f"HTTP/1.1 {status} X\r\ncontent-length: {len(body)}\r\nCache-Control: no-store\r\n\r\n{body}".encode()


def test_http_is_read():
    def reply(n: int) -> bytes:
        return http(200, f'{{"ids":["{n}"]}}') if n % 2 else http(429, '{"code":"busy","message":"try later"}')

    with server(reply, b"\r\n\r\n") as address:
        result = run(address, "--protocol", "http", "--depth", "4")
    assert result["ids"] == result["errors"]["busy"] == result["requests"] / 2


def thrift(kind: int, number: int, fields: bytes) -> bytes:
    return b"\x80\x01\x00" + bytes([kind, 0, 0, 0, 6]) + b"get_id" + number.to_bytes(4, "big") + fields + b"\0"


@pytest.mark.parametrize("framed", [False, True])
def test_thrift_is_read(framed):
    def reply(n: int) -> bytes:
        message = b"busy: try later"
        if n % 2:
            whole = thrift(2, n - 1, THRIFT_I64 + n.to_bytes(8, "big"))
        else:
            whole = thrift(3, n - 1, THRIFT_STRING + len(message).to_bytes(4, "big") + message + b"\x08\0\2\0\0\0\6")
        return (len(whole).to_bytes(4, "big") if framed else b"") + whole

    with server(reply, b"orders\0") as address:
        result = run(address, "--protocol", "thrift", "--depth", "4", *["--framed"] * framed)
    assert result["ids"] == result["errors"]["busy"] == result["requests"] / 2


def test_thrift_replies_in_another_order_are_an_error():
    with server(lambda n: thrift(2, n, THRIFT_I64 + n.to_bytes(8, "big")), b"orders\0") as address:
        done = load("--address", address, "--protocol", "thrift")
    assert done.returncode == 2
    assert "another order" in done.stderr


def test_latency_counts_from_the_plan_while_the_server_stalls():
    def stalls_once(n: int) -> bytes:
        if n == 50:
            time.sleep(0.3)
        return integer(n)

    with server(stalls_once) as address:
        result = run(address, "--rate", "500", "--late-ms", "1000", seconds=0.4)
    assert result["requests"] == 200
    assert result["most_ms"] >= 290
    # 150 were due while it stalled, and half of these waited for more than half of the stall.
    assert result["p50_ms"] >= 50


def test_what_was_sent_late_is_in_no_percentile():
    with server(integer) as address:
        result = run(address, "--rate", "1000", "--late-ms", "0.001")
    assert result["late_sends"] > 100


def test_silent_connections_ask_once_at_the_end():
    with server(integer) as address:
        result = run(address, "--idle", "20", "--pid", str(os.getpid()))
    assert result["ids"] == 20
    assert result["memory_mib"]["most"] >= result["memory_mib"]["before"] > 1
    assert result["cpu_seconds"] > 0


def test_those_that_never_read_report_the_memory():
    with server(integer) as address:
        result = run(address, "--never-read", "--connections", "3", "--depth", "10", "--pid", str(os.getpid()))
    assert set(result) == {"closed", "cpu_seconds", "waited_seconds", "memory_mib"}


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "--address is required"),
        (["--address", "here"], "HOST:PORT"),
        (["--address", "127.0.0.1:70000"], "1 to 65535"),
        (["--address", "127.0.0.1:1"], "Connection refused"),
        (["--address", "127.0.0.1:1", "--rate", "3abc"], "--rate"),
        (["--address", "127.0.0.1:1", "--rate", "5", "--depth", "2"], "--depth"),
        (["--address", "127.0.0.1:1", "--rate", "5", "--idle", "2"], "--idle"),
        (["--address", "127.0.0.1:1", "--framed"], "--protocol thrift"),
        (["--address", "127.0.0.1:1", "--batch", "0"], "--batch"),
        (["--address", "127.0.0.1:1", "--protocol", "grpc"], "--protocol"),
        (["--address", "127.0.0.1:1", "more"], "more"),
    ],
)
def test_wrong_arguments_end_with_2_and_say_why(arguments, words):
    done = load(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_help_tells_the_modes():
    done = load("--help")
    assert done.returncode == 0
    assert "--never-read" in done.stdout and "open loop" in done.stdout
