"""Input that cannot be read as a request: an error and an end. Other clients lose neither memory nor ids."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Callable, Iterator

import pytest
from polyflaked import Polyflaked
from wire_clients import CLIENTS, REQUESTS, RESULT, STRING, all_of, framed

MIB = 1024  # KiB
LARGEST = 2**31 - 1


@pytest.fixture(scope="module")
def victim() -> Iterator[Polyflaked]:
    with Polyflaked() as server:
        yield server


@pytest.fixture
def unharmed(victim: Polyflaked) -> Iterator[Polyflaked]:
    """The server, which has to have its memory and serve afterwards."""
    victim.ids()
    before = victim.memory_kib()
    yield victim
    for protocol in victim.ports:
        with victim.client(protocol) as client:
            assert client.take(3)
    assert victim.memory_kib() - before < 8 * MIB


@pytest.mark.parametrize(
    "data",
    [
        b"*1\r\n$2147483647\r\n",
        b"*2147483647\r\n",
        b"*99999999999999999999\r\n",
        b"*17\r\n",
        b"*2\r\n$4\r\nINCR\r\n$-5\r\n",
        b"*1\r\n:5\r\n",
        b"*1\r\n$70000\r\n" + b"a" * 70000,
        b"a" * 100_000,
        b"*" + b"1" * 100_000,
        bytes(range(256)) * 400,
    ],
    ids=lambda data: repr(data[:24]),
)
def test_resp(unharmed: Polyflaked, data: bytes) -> None:
    with unharmed.connect_to("resp") as connection:
        with contextlib.suppress(OSError):
            connection.sendall(data)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        replies = all_of(connection)
        assert not replies or replies.startswith(b"-ERR ")


def message(fields: bytes, name: bytes = b"get_id") -> bytes:
    return b"\x80\x01\0\1" + struct.pack(">I", len(name)) + name + b"\0\0\0\1" + fields


@pytest.mark.parametrize("wrap", [framed, bytes], ids=["framed", "unframed"])
@pytest.mark.parametrize(
    "data",
    [
        message(bytes((STRING, 0, 1)) + struct.pack(">I", LARGEST)),
        message(bytes((STRING, 0, 1)) + b"\xff\xff\xff\xff"),
        message(bytes((15, 0, 9, 11)) + struct.pack(">I", LARGEST)),
        message(bytes((15, 0, 9, 2)) + struct.pack(">I", LARGEST)),
        message(bytes((13, 0, 9, 11, 11)) + struct.pack(">I", LARGEST)),
        message(bytes((12, 0, 9)) * 21_000),
        message(bytes((15, 0, 9)) + b"\x0f\0\0\0\1" * 12_000),
        b"\x80\x01\0\1\x7f\xff\xff\xff",
        b"\x80\x01\0\1\xff\xff\xff\xff",
        b"\xff" * 1000,
    ],
    ids=["string", "negative string", "list", "list of bool", "map", "structs", "lists", "name", "negative name", "ff"],
)
def test_thrift(unharmed: Polyflaked, data: bytes, wrap: Callable[[bytes], bytes]) -> None:
    with unharmed.connect_to("thrift") as connection:
        with contextlib.suppress(OSError):
            connection.sendall(wrap(data))
            connection.shutdown(socket.SHUT_WR)
        reply = all_of(connection)
        assert RESULT not in reply


@pytest.mark.parametrize("length", [b"\x7f\xff\xff\xff", b"\x00\x01\x00\x00", b"\x00\x00\x00\x00"])
def test_a_frame_of_another_length(unharmed: Polyflaked, length: bytes) -> None:
    with unharmed.connect_to("thrift") as connection:
        connection.sendall(length)
        connection.shutdown(socket.SHUT_WR)
        assert RESULT not in all_of(connection)


@pytest.mark.parametrize(
    "begin, more, statuses",
    [
        (b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\n", b"X-More: " + b"a" * 1000 + b"\r\n", (431,)),
        (b"POST /v1/ids/orders HTTP/1.1\r\nX: ", b"a" * 1000, (431,)),
        (b"POST /", b"a" * 1000, (414, 431)),
        (b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n", b"a" * 1000, (413,)),
        (
            b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"3e8\r\n" + b"a" * 1000 + b"\r\n",
            (413,),
        ),
        (b"", b"\r\n" * 500, (400, 431)),
    ],
)
def test_http_that_never_ends(unharmed: Polyflaked, begin: bytes, more: bytes, statuses: tuple[int, ...]) -> None:
    with unharmed.connect_to("http") as connection:
        sent = 0
        with contextlib.suppress(OSError):
            connection.sendall(begin)
            connection.settimeout(0.2)
            while sent < 50_000_000:
                connection.sendall(more)
                sent += len(more)
        connection.settimeout(60)
        reply = all_of(connection)
        assert sent < 50_000_000 or reply
        if reply:
            assert int(reply[9:12]) in statuses, reply[:200]


def test_garbage_to_each(unharmed: Polyflaked) -> None:
    """The request of each protocol to the ports of the others."""
    for protocol in CLIENTS:
        for other, (request, _) in REQUESTS.items():
            if other != protocol:
                with unharmed.connect_to(protocol) as connection:
                    connection.sendall(request)
                    connection.shutdown(socket.SHUT_WR)
                    all_of(connection)
