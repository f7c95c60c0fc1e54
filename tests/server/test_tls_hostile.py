"""Clients of listeners with TLS that do harm: in the handshake, without TLS, with records of garbage."""

from __future__ import annotations

import contextlib
import socket
import ssl

import pytest
from certificates import Tls
from polyflaked import Polyflaked, raw_to
from servers.waiting import within
from wire_clients import REQUESTS, RESULT, Records, all_of, connected_to, request_of


def first_flight(tls: Tls) -> bytes:
    """The first message of a client."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.context.wrap_bio(ssl.MemoryBIO(), sent, server_hostname="localhost").do_handshake()
    return sent.read()


def test_who_does_not_shake_hands_in_time_is_closed(tls: Tls) -> None:
    """One that says nothing, one that ends in the middle, one that stops after its first flight, and one that sends a
    byte at a time. Others are served meanwhile, and those who shook hands stay."""
    hello = first_flight(tls)
    with Polyflaked(tls=tls) as server, server.client("resp") as known:
        silent, half, first, slow = [raw_to(server, "resp") for _ in range(4)]
        half.sendall(hello[:100])
        first.sendall(hello)
        with server.connect_to("resp") as idle:
            slow.settimeout(0.2)
            for at in range(len(hello)):
                try:
                    slow.sendall(hello[at : at + 1])
                    if slow.recv(100) == b"":
                        break
                except TimeoutError:
                    assert known.take(3)
                except ConnectionError:
                    break
            else:
                raise AssertionError("it was not closed")
            for connection in (silent, half, first):
                all_of(connection)  # ends, or times out after a minute
                connection.close()
            idle.sendall(request_of("INCR", "orders"))
            assert idle.recv(100).startswith(b":")


def test_a_record_that_does_not_go_on_is_not_waited_for(tls: Tls) -> None:
    """Nor a request of which the rest does not come. It takes half a minute. An idle connection may be idle."""
    with Polyflaked(tls=tls) as server, server.connect_to("resp") as idle:
        ways = [raw_to(server, "resp") for _ in range(3)]
        clients = [Records(tls.context, way) for way in ways]
        for way, client, length in zip(ways, clients, (3, 5, 20)):
            way.sendall(client.written(request_of("INCR", "orders"))[:length])
        with raw_to(server, "resp") as unfinished:
            client = Records(tls.context, unfinished)
            unfinished.sendall(client.written(request_of("INCR", "orders")[:-1]))
            for way in (*ways, unfinished):
                all_of(way)  # ends, or times out after a minute
                way.close()
        idle.sendall(request_of("INCR", "orders"))
        assert idle.recv(100).startswith(b":")


def test_handshakes_count_as_connections(tls: Tls) -> None:
    with Polyflaked(tls=tls, head="max_connections = 3\ndrain_ms = 0") as server:
        assert server.ids()
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(raw_to(server, "resp"))

            def is_full() -> bool:
                with server.connect_to("resp") as connection:
                    connection.sendall(request_of("PING"))
                    return connection.recv(1000).startswith(b"-ERR ")

            assert within(60, is_full)
        assert within(60, lambda: not is_full())


@pytest.mark.parametrize("protocol", REQUESTS)
def test_a_request_without_tls(tls: Tls, protocol: str) -> None:
    request, reply = REQUESTS[protocol]
    with Polyflaked(tls=tls) as server, server.client(protocol) as known:
        with raw_to(server, protocol) as connection:
            connection.sendall(request * 10)
            connection.shutdown(socket.SHUT_WR)
            data = all_of(connection)
            assert reply not in data and RESULT not in data
        assert known.take(3)


@pytest.mark.parametrize("protocol", REQUESTS)
def test_tls_to_a_listener_without(tls: Tls, protocol: str) -> None:
    with Polyflaked() as server, server.client(protocol) as known:
        with pytest.raises(OSError), connected_to(server.ports[protocol].number, 5, tls.context):
            pass
        assert known.take(3)


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\xff\xff",
        b"\x16\x03\x01\0\0" * 1000,
        b"\x15\x03\x01\0\x02\x02\x28",
        b"\x80\x2e\x01\x03\x01" * 9,
        bytes(range(256)) * 400,
    ],
)
def test_garbage(tls: Tls, data: bytes) -> None:
    with Polyflaked(tls=tls) as server:
        with raw_to(server, "http") as connection, contextlib.suppress(OSError):
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            assert b"HTTP/1.1" not in all_of(connection)
        assert server.ids(3)


def test_a_record_that_was_changed_on_its_way(tls: Tls) -> None:
    """It is not a request, and ends the connection."""
    with Polyflaked(tls=tls) as server, raw_to(server, "resp") as connection:
        client = Records(tls.context, connection)
        record = bytearray(client.written(request_of("INCR", "orders")))
        record[-1] ^= 1
        connection.sendall(record)
        with pytest.raises(ssl.SSLError, match=r"(?i)alert bad record mac"):
            client.rest()
        assert server.ids(3)
