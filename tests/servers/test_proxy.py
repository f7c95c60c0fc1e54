"""Every fault of the proxy does what it says, before a server that answers each piece with itself."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from . import Proxy
from .echo import Echo
from .waiting import within

SOON_S = 0.15  # what does not come in this time was kept back


@pytest.fixture
def echo():
    with Echo() as server:
        yield server
        server.shutdown()


@pytest.fixture
def proxy(echo):
    with Proxy(echo.server_address[1]) as between:
        yield between


@pytest.fixture
def connect(proxy):
    connections = []

    def connected() -> socket.socket:
        connections.append(socket.create_connection(("127.0.0.1", proxy.port), 60))
        return connections[-1]

    yield connected
    for connection in connections:
        connection.close()


def ask(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    return connection.recv(65536)


def is_silent(connection: socket.socket) -> bool:
    connection.settimeout(SOON_S)
    try:
        connection.recv(1)
    except TimeoutError:
        return True
    finally:
        connection.settimeout(60)
    return False


def heal_what_is_held_back(proxy: Proxy, connection: socket.socket) -> None:
    connection.sendall(b"one")
    assert is_silent(connection)
    proxy.heal()
    assert connection.recv(3) == b"ONE"


def test_without_a_fault_bytes_and_ends_pass(connect, proxy, echo):
    connection = connect()
    assert ask(connection, b"one") == b"ONE"
    connection.shutdown(socket.SHUT_WR)
    assert connection.recv(1) == b""
    assert echo.ended == proxy.connections == 1


def test_large_data_pass_whole(connect):
    connection = connect()
    data = bytes(range(97, 123)) * 100_000
    threading.Thread(target=connection.sendall, args=(data,)).start()
    with connection.makefile("rb") as replies:
        assert replies.read(len(data)) == data.upper()


def test_dropped_bytes_are_lost_and_the_connection_stays(connect, proxy, echo):
    connection = connect()
    assert ask(connection, b"one") == b"ONE"
    proxy.drop()
    connection.sendall(b"two")
    assert is_silent(connection)
    proxy.heal()
    assert ask(connection, b"three") == b"THREE"
    assert echo.received == b"onethree"


def test_dropped_replies_leave_the_request_done(connect, proxy, echo):
    connection = connect()
    proxy.drop("replies")
    connection.sendall(b"one")
    assert is_silent(connection)
    assert within(60, lambda: echo.received == b"one")


def test_a_half_open_connection_hides_the_end_of_one_side(connect, proxy, echo):
    connection = connect()
    assert ask(connection, b"one") == b"ONE"
    proxy.drop("requests")
    connection.sendall(b"two")
    connection.shutdown(socket.SHUT_WR)
    time.sleep(SOON_S)
    assert (echo.received, echo.ended) == (b"one", 0)
    proxy.heal()
    assert within(60, lambda: echo.ended == 1)


def test_refused_is_who_comes_and_not_who_is_there(connect, proxy):
    connection = connect()
    assert ask(connection, b"one") == b"ONE"
    proxy.refuse()
    with pytest.raises(ConnectionRefusedError):
        connect()
    assert ask(connection, b"two") == b"TWO"
    proxy.heal()
    assert ask(connect(), b"three") == b"THREE"


def test_cut_resets_who_is_there_and_not_who_comes(connect, proxy, echo):
    connection = connect()
    assert ask(connection, b"one") == b"ONE"
    proxy.cut()
    with pytest.raises(ConnectionResetError):
        connection.recv(1)
    assert within(60, lambda: echo.ended == 1)
    assert ask(connect(), b"two") == b"TWO"


def test_without_a_server_connections_are_reset(connect, proxy, echo):
    echo.shutdown()
    echo.server_close()
    with pytest.raises(ConnectionResetError):
        connect().recv(1)


@pytest.mark.parametrize(("direction", "least"), [("requests", 0.2), ("replies", 0.2), (None, 0.4)])
def test_a_delay_is_that_of_each_direction(connect, proxy, direction, least):
    connection = connect()
    proxy.delay(200, direction)
    began = time.monotonic()
    assert ask(connection, b"one") == b"ONE"
    assert least <= time.monotonic() - began < least + 30


def test_a_delayed_request_comes_though_its_sender_has_gone(connect, proxy, echo):
    connection = connect()
    proxy.delay(60_000, "requests")
    connection.sendall(b"one")
    time.sleep(SOON_S)
    connection.close()
    time.sleep(SOON_S)
    assert echo.received == b""
    proxy.heal()
    assert within(60, lambda: echo.received == b"one" and echo.ended == 1)


def test_a_delay_beyond_a_minute_is_refused(proxy):
    for ms in (-1, 60_001, float("nan")):
        with pytest.raises(ValueError, match="delay"):
            proxy.delay(ms)


def test_held_bytes_come_when_it_is_healed(connect, proxy):
    connection = connect()
    proxy.hold()
    heal_what_is_held_back(proxy, connection)


def test_a_duplicated_request_is_done_twice(connect, proxy, echo):
    connection = connect()
    assert ask(connection, b"one") == b"ONE"
    proxy.duplicate()
    connection.sendall(b"two")
    with connection.makefile("rb") as replies:
        assert replies.read(6) == b"TWOTWO"
    assert ask(connection, b"three") == b"THREE"
    assert echo.received == b"onetwotwothree"


def test_swapped_replies_go_to_each_other_s_connections(connect, proxy):
    first, second = connect(), connect()
    proxy.swap()
    first.sendall(b"one")
    assert is_silent(first)
    assert ask(second, b"two") == b"ONE"
    assert first.recv(3) == b"TWO"
    assert ask(first, b"three") == b"THREE"


def test_swapped_replies_of_one_connection_come_in_the_other_order(connect, proxy):
    connection = connect()
    proxy.swap()
    connection.sendall(b"one")
    assert is_silent(connection)
    connection.sendall(b"two")
    with connection.makefile("rb") as replies:
        assert replies.read(6) == b"TWOONE"


def test_a_reply_that_waits_for_its_swap_comes_when_it_is_healed(connect, proxy):
    connection = connect()
    proxy.swap()
    heal_what_is_held_back(proxy, connection)


def test_faults_are_switched_by_text(connect, proxy):
    connection = connect()
    for line in ("drop replies", "pass", "delay 50 requests", "delay 20", "hold requests", "duplicate", "swap", "pass"):
        proxy.command(line)
    assert ask(connection, b"one") == b"ONE"
    for line in ("", "heal", "close", "delay", "delay x", "delay 1 both", "drop requests replies", "cut 1"):
        with pytest.raises(ValueError):
            proxy.command(line)
