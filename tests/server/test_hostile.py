"""Clients that do harm, by intent or not: none takes the ids, the memory or the time of others."""

from __future__ import annotations

import contextlib
import resource
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from certificates import Tls
from load import Load, expect_unique
from polyflaked import PROGRAM, Polyflaked, raw_to
from servers.waiting import within
from wire_clients import CLIENTS, REQUESTS, RESULT, Refused, RespClient, all_of, call_of, framed, request_of

MIB = 1024  # KiB
SELDOM_IDS = "timestamp:41 worker:15 sequence:7 tick=1ms epoch=2020-01-01T00:00:00.000Z"  # 10 000 take 78 ms
Start = Callable[..., Polyflaked]  # the fixture: without TLS, then with


@pytest.fixture(scope="module", autouse=True)
def many_files() -> Iterator[None]:
    """For clients of this process: the usual limit is 1024."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


# --- memory and turns ----------------------------------------------------------------------------


def test_many_that_never_read_harm_nobody(start: Start) -> None:
    """50 connections ask for a million ids each, in requests of 10 000."""
    with start(head="max_pending_bytes = 16777216\ndrain_ms = 0") as server:
        besides = [server.client(protocol) for protocol in CLIENTS]
        ids: list[list[int]] = [client.take() for client in besides]
        before = server.memory_kib()
        greedy = [server.connect_to("resp") for _ in range(50)]
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


def test_idle_connections_with_tls_take_little_memory(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server:
        server.ids()
        before = server.memory_kib()
        idle = [server.client("resp") for _ in range(1000)]
        ids = [client.take() for client in idle]
        taken = server.memory_kib() - before
        print(f"an idle connection with TLS takes {taken / 1000:.1f} KiB")
        assert taken < 24 * MIB
        assert len({one for few in ids for one in few}) == 1000
        for client in idle:
            client.close()
        assert server.ids()


def test_connections_in_a_handshake_take_a_bounded_memory(tls: Tls) -> None:
    """A greeting that says it is as large as one may be, of which the rest does not come. 512 may do so at a time."""
    largest = 131_396
    begin = b"\x16\x03\x01\0\x04\x01" + largest.to_bytes(3, "big")
    with Polyflaked(tls=tls) as server, server.client("resp") as known:
        ids = [known.take()]
        before = server.memory_kib()
        half = [raw_to(server, "resp") for _ in range(1000)]
        for connection in half:
            connection.sendall(begin)
        ids[0] += [one for _ in range(100) for one in known.take()]
        taken = server.memory_kib() - before
        print(f"512 connections in a handshake take {taken} KiB")
        assert taken < 96 * MIB
        for connection in half:
            connection.close()
        ids.append(server.ids())
        expect_unique(ids)


def test_memory_comes_back(start: Start) -> None:
    """Connections that come, ask for much and go leave nothing."""
    with start() as server:

        def round_of() -> int:
            connections = [server.connect_to("resp") for _ in range(20)]
            for connection in connections:
                connection.sendall(request_of("POLYFLAKE.NEXT", "orders", 10_000) * 4)
            for connection in connections:
                connection.close()
            server.ids()
            return server.memory_kib()

        first = max(round_of() for _ in range(5))
        assert min(round_of() for _ in range(10)) < first + 8 * MIB


def test_what_was_begun_and_left_is_not_counted_for_ever() -> None:
    """100 clients send 60 000 bytes of a request and leave. All connections together may hold a mebibyte."""
    with Polyflaked(head="max_pending_bytes = 1048576\ndrain_ms = 0") as server:
        for _ in range(100):
            with server.connect_to("resp") as connection:
                connection.sendall(b"PING " + b"a" * 60_000)
        with server.client("resp") as client:
            ids: list[int] = []

            def are_given() -> bool:  # the server may not have noticed yet that all have gone
                with contextlib.suppress(Refused):
                    ids.extend(client.take(10_000))
                return bool(ids)

            assert within(60, are_given)
            assert len(set(ids)) == 10_000


def test_those_who_wait_hold_no_buffers() -> None:
    """Each has had a large reply, asks again at once, and waits two seconds for ids."""
    with Polyflaked(layout=SELDOM_IDS, head="max_wait_ms = 60000") as server:
        before = server.memory_kib()
        clients = [RespClient(server.ports["resp"].number) for _ in range(32)]
        wanted = request_of("POLYFLAKE.NEXT", "orders", 10_000)
        for client in clients:
            client.send(wanted)
        for _ in range(2):
            for client in clients:
                assert len(client.reply()) == 10_000
                client.send(wanted)
        assert server.memory_kib() - before < 4 * MIB
        for client in clients:
            client.close()


# --- slow, half-open and gone --------------------------------------------------------------------


@pytest.mark.parametrize("protocol", REQUESTS)
def test_a_byte_at_a_time(start: Start, protocol: str) -> None:
    request, reply = REQUESTS[protocol]
    with start() as server, server.connect_to(protocol) as slow, server.client(protocol) as other:
        slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(request)):
            slow.sendall(request[at : at + 1])
            other.take()  # so the byte was read before the next one comes
        assert slow.recv(1000).startswith(reply)


@pytest.mark.parametrize("protocol", REQUESTS)
def test_who_says_that_nothing_follows_gets_all_replies(protocol: str) -> None:
    request, reply = REQUESTS[protocol]
    with Polyflaked() as server, server.connect_to(protocol) as connection:
        connection.sendall(request * 300 + request[: len(request) // 2])
        connection.shutdown(socket.SHUT_WR)
        assert all_of(connection).count(reply) >= 300


def test_peers_that_are_gone_without_a_word(start: Start) -> None:
    with start() as server, server.client("resp") as other, server.proxy_of("resp") as proxy:
        gone = [RespClient(proxy.port, tls=server.context) for _ in range(20)]
        for client in gone:
            client.send(b"*2\r\n$4\r\nINCR\r\n$6\r\nord")
        assert within(60, lambda: proxy.connections == 20)
        proxy.drop()
        for client in gone:
            client.close()
        assert other.take(100)
        server.terminate()
        assert server.ended() == 0


def test_who_closes_in_the_middle_gets_ids_that_nobody_else_gets(start: Start) -> None:
    with start() as server:
        load = Load("resp", [server.ports["resp"].number], threads=2, tls=server.context)
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


# --- too many ------------------------------------------------------------------------------------


def connected(server: Polyflaked, ids: list[int]) -> RespClient:
    """A client that has an id. The server may not have noticed yet that others have gone."""
    clients: list[RespClient] = []

    def is_served() -> bool:
        client = RespClient(server.ports["resp"].number, tls=server.context)
        with contextlib.suppress(OSError, Refused):
            ids.extend(client.take())
            clients.append(client)
            return True
        client.close()
        return False

    assert within(60, is_served)
    return clients[0]


def test_one_connection_too_many_is_told_so(start: Start) -> None:
    with start(head="max_connections = 5\ndrain_ms = 0") as server:
        ids: list[int] = []
        known = [connected(server, ids) for _ in range(5)]
        for protocol, words in (("resp", b"-ERR "), ("http", b"HTTP/1.1 429 ")):
            with server.connect_to(protocol) as connection:
                assert all_of(connection).startswith(words)
        with server.connect_to("thrift") as connection:
            connection.sendall(framed(call_of(1, 1)))
            assert RESULT not in all_of(connection)
        known.pop().close()
        known.append(connected(server, ids))
        for client in known:
            ids += client.take()
            client.close()
        assert len(set(ids)) == len(ids) == 11


def test_those_who_are_turned_away_take_no_place(start: Start) -> None:
    with start(head="max_connections = 2\ndrain_ms = 0") as server:
        ids: list[int] = []
        known = [connected(server, ids) for _ in range(2)]
        turned_away = [server.connect_to("resp") for _ in range(6)]
        for connection in turned_away:  # each knows why, and stays
            assert connection.recv(100).startswith(b"-ERR ")
        for client in known:
            client.close()
        assert within(60, lambda: can_connect(server))
        for connection in turned_away:
            connection.close()


def test_a_thousand_of_those_who_are_turned_away_are_told_why() -> None:
    with Polyflaked(head="max_connections = 1\ndrain_ms = 0") as server:
        ids: list[int] = []
        known = connected(server, ids)
        turned_away = [server.connect_to("resp") for _ in range(1050)]
        words = [told(connection) for connection in turned_away]
        assert [word[:5] for word in words] == [b"-ERR "] * 1000 + [b""] * 50
        ids += known.take()
        assert len(set(ids)) == 2
        for each in (*turned_away, known):
            each.close()


def told(connection: socket.socket) -> bytes:
    with contextlib.suppress(ConnectionResetError):
        return connection.recv(100)
    return b""


def can_connect(server: Polyflaked) -> bool:
    with server.connect_to("resp") as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(100) == b"+PONG\r\n"


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
