"""Clients that do harm, by intent or not: none takes the ids, the memory or the time of others."""

from __future__ import annotations

import contextlib
import resource
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clients import CLIENTS, STRING, Refused, RespClient, call_of, framed, request_of
from load import Load, expect_unique
from polyflaked import PROGRAM, Polyflaked
from servers.waiting import within

MIB = 1024  # KiB
LARGEST = 2**31 - 1
RESULT = b"\x80\x01\0\x02"  # of a call in Thrift


@pytest.fixture(scope="module", autouse=True)
def many_files() -> Iterator[None]:
    """For clients of this process: the usual limit is 1024."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def raw(server: Polyflaked, protocol: str) -> socket.socket:
    return server.connect_to(protocol)


def all_of(connection: socket.socket) -> bytes:
    """What it sends until it ends the connection."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            data += piece
    return data


# --- memory and turns ----------------------------------------------------------------------------


def test_many_that_never_read_harm_nobody() -> None:
    """50 connections ask for a million ids each, in requests of 10 000."""
    with Polyflaked(head="max_pending_bytes = 16777216\ndrain_ms = 0") as server:
        besides = [server.client(protocol) for protocol in CLIENTS]
        ids: list[list[int]] = [client.take() for client in besides]
        before = server.memory_kib()
        greedy = [raw(server, "resp") for _ in range(50)]
        for connection in greedy:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(request_of("POLYFLAKE.NEXT", "orders", 10_000) * 100)
        for _ in range(100):
            for client, taken in zip(besides, ids):
                taken += client.take(5)  # Refused would fail the test
        assert server.memory_kib() - before < 48 * MIB
        expect_unique(ids)
        for each in (*greedy, *besides):
            each.close()


def test_idle_connections_take_little_memory() -> None:
    with Polyflaked() as server:
        server.ids()
        before = server.memory_kib()
        idle = [server.client("resp") for _ in range(1000)]
        ids = [idle[-1].take()]
        assert server.memory_kib() - before < 16 * MIB
        ids += [client.take() for client in idle]
        assert server.memory_kib() - before < 24 * MIB
        assert len({one for few in ids for one in few}) == 1001
        for client in idle:
            client.close()


def test_memory_comes_back() -> None:
    """Connections that come, ask for much and go leave nothing."""
    with Polyflaked() as server:

        def round_of() -> int:
            connections = [raw(server, "resp") for _ in range(20)]
            for connection in connections:
                connection.sendall(request_of("POLYFLAKE.NEXT", "orders", 10_000) * 4)
            for connection in connections:
                connection.close()
            server.ids()
            return server.memory_kib()

        first = max(round_of() for _ in range(5))
        assert min(round_of() for _ in range(10)) < first + 8 * MIB


# --- slow, half-open and gone --------------------------------------------------------------------

REQUESTS = {
    "resp": (request_of("INCR", "orders"), b":"),
    "http": (b"POST /v1/ids/orders?n=2 HTTP/1.1\r\nHost: a\r\n\r\n", b"HTTP/1.1 200 "),
    "thrift": (framed(call_of(3, 1)), b"\0\0\0"),
}


@pytest.mark.parametrize("protocol", REQUESTS)
def test_a_byte_at_a_time(protocol: str) -> None:
    request, reply = REQUESTS[protocol]
    with Polyflaked() as server, raw(server, protocol) as slow, server.client(protocol) as other:
        slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(request)):
            slow.sendall(request[at : at + 1])
            other.take()  # so the byte was read before the next one comes
        assert slow.recv(1000).startswith(reply)


@pytest.mark.parametrize("protocol", REQUESTS)
def test_who_says_that_nothing_follows_gets_all_replies(protocol: str) -> None:
    request, reply = REQUESTS[protocol]
    with Polyflaked() as server, raw(server, protocol) as connection:
        connection.sendall(request * 300 + request[: len(request) // 2])
        connection.shutdown(socket.SHUT_WR)
        assert all_of(connection).count(reply) >= 300


def test_peers_that_are_gone_without_a_word() -> None:
    with Polyflaked() as server, server.client("resp") as other, server.proxy_of("resp") as proxy:
        gone = [RespClient(proxy.port) for _ in range(20)]
        for client in gone:
            client.send(b"*2\r\n$4\r\nINCR\r\n$6\r\nord")
        assert within(60, lambda: proxy.connections == 20)
        proxy.drop()
        for client in gone:
            client.close()
        assert other.take(100)
        server.terminate()
        assert server.ended() == 0


def test_who_closes_in_the_middle_gets_ids_that_nobody_else_gets() -> None:
    with Polyflaked() as server:
        load = Load("resp", [server.ports["resp"].number], threads=2)
        seen: list[list[int]] = []
        for turn in range(60):
            client = server.client("resp")
            assert isinstance(client, RespClient)
            client.send(request_of("POLYFLAKE.NEXT", "orders", 5000) * 3 + request_of("INCR", "orders") * 50)
            if turn % 3:
                reply = client.reply()
                assert isinstance(reply, list)
                seen.append([int(str(one)) for one in reply])
            if turn % 2:  # a reset instead of an end
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        assert load.more()
        load.stop()
        load.expect_good()
        expect_unique([*load.ids, *seen])


# --- what is no request --------------------------------------------------------------------------


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
    with raw(unharmed, "resp") as connection:
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
    with raw(unharmed, "thrift") as connection:
        with contextlib.suppress(OSError):
            connection.sendall(wrap(data))
            connection.shutdown(socket.SHUT_WR)
        reply = all_of(connection)
        assert RESULT not in reply


@pytest.mark.parametrize("length", [b"\x7f\xff\xff\xff", b"\x00\x01\x00\x00", b"\x00\x00\x00\x00"])
def test_a_frame_of_another_length(unharmed: Polyflaked, length: bytes) -> None:
    with raw(unharmed, "thrift") as connection:
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
    with raw(unharmed, "http") as connection:
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
                with raw(unharmed, protocol) as connection:
                    connection.sendall(request)
                    connection.shutdown(socket.SHUT_WR)
                    all_of(connection)


# --- too many ------------------------------------------------------------------------------------


def connected(server: Polyflaked, ids: list[int]) -> RespClient:
    """A client that has an id. The server may not have noticed yet that others have gone."""
    clients: list[RespClient] = []

    def is_served() -> bool:
        client = RespClient(server.ports["resp"].number)
        with contextlib.suppress(OSError, Refused):
            ids.extend(client.take())
            clients.append(client)
            return True
        client.close()
        return False

    assert within(60, is_served)
    return clients[0]


def test_one_connection_too_many_is_told_so() -> None:
    with Polyflaked(head="max_connections = 5\ndrain_ms = 0") as server:
        ids: list[int] = []
        known = [connected(server, ids) for _ in range(5)]
        for protocol, words in (("resp", b"-ERR "), ("http", b"HTTP/1.1 429 ")):
            with raw(server, protocol) as connection:
                assert all_of(connection).startswith(words)
        with raw(server, "thrift") as connection:
            connection.sendall(framed(call_of(1, 1)))
            assert RESULT not in all_of(connection)
        known.pop().close()
        known.append(connected(server, ids))
        for client in known:
            ids += client.take()
            client.close()
        assert len(set(ids)) == len(ids) == 11


def limited(folder: Path, limits: str) -> Path:
    """A program that is polyflaked, with so many files that it may open."""
    program = folder / "polyflaked"
    program.write_text(f'#!/bin/sh\nulimit {limits} && exec "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    return program


def test_the_soft_limit_of_open_files_is_raised(tmp_path: Path) -> None:
    with Polyflaked(program=limited(tmp_path, "-Sn 64")) as server:
        ids: list[int] = []
        clients = [connected(server, ids) for _ in range(100)]
        for client in clients:
            client.close()
        assert len(set(ids)) == 100


def test_those_for_whom_no_file_is_left_wait(tmp_path: Path) -> None:
    with Polyflaked(program=limited(tmp_path, "-n 64")) as server:
        clients = [RespClient(server.ports["resp"].number) for _ in range(100)]
        for client in clients:
            client.send(request_of("INCR", "orders"))
        ids = [clients[at].reply() for at in range(30)]
        for client in clients[:30]:
            client.close()
        ids += [clients[at].reply() for at in range(30, 60)]
        for client in clients[30:60]:
            client.close()
        ids += [clients[at].reply() for at in range(60, 100)]
        for client in clients[60:]:
            client.close()
        assert len(set(ids)) == 100
