"""Servers that never come to an end: what is opened there is given up in time, with its socket and its thread."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from patience import HANGS_S
from refusals import code_of
from servers.waiting import within

from polyflake import Generator, _store_session
from polyflake._carrier import opens

OPENINGS = 5
MOST_BYTES = 64 << 20  # of a server that sends as fast as it can, for one opening
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
# By address: the beginning of an answer, and the byte that follows for ever.
REPLIES = {
    "etcd://127.0.0.1:{}": (HTTP + b"\r\n", b" "),
    "etcd://reader:secret@127.0.0.1:{}": (HTTP + b"X-Long: ", b"x"),
    "redis://127.0.0.1:{}": (b"$2000000000\r\n", b"x"),
    "redis://:secret@127.0.0.1:{}": (b"$2000000000\r\n", b"x"),
}


class Hostile:
    """Answers each connection with a beginning, and then with pieces that never end."""

    def __init__(self, beginning, piece, pause_s):
        self.connections, self.sent = 0, 0
        self._beginning, self._piece, self._pause_s = beginning, piece, pause_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with self._lock:
                    self.connections += 1
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with suppress(OSError), connection:
            connection.recv(1)
            connection.sendall(self._beginning)
            while True:
                connection.sendall(self._piece)
                self.sent += len(self._piece)
                time.sleep(self._pause_s)
        with self._lock:
            self.connections -= 1

    def close(self):
        self._listener.close()


@contextmanager
def hostile(url, size, pause_s):
    beginning, byte = REPLIES[url]
    server = Hostile(beginning, byte * size, pause_s)
    try:
        yield server, url.format(server.port) + "?namespace=orders&window_ms=900&tolerance_ms=100"
    finally:
        server.close()


def carriers():
    return sum(thread.name == "polyflake-carrier" for thread in threading.enumerate())


@pytest.mark.parametrize("url", REPLIES)
def test_a_server_that_drips_keeps_neither_sockets_nor_threads(url):
    before = carriers()
    with hostile(url, 1, 0.02) as (server, address):
        for _ in range(OPENINGS):
            assert code_of(lambda: Generator(address)) == "store_unavailable"
        assert within(HANGS_S, lambda: server.connections == 0), f"{server.connections} connections are left"
        assert within(HANGS_S, lambda: carriers() == before), f"{carriers() - before} threads are left"


class Slow:
    """A store whose client has nothing to close until it is asked a second time, as while it connects."""

    def __init__(self):
        self.ended = threading.Event()

    def connect(self, _setup, _timeout_s):
        asked = threading.Semaphore(0)
        opens(asked.release)
        asked.acquire()
        asked.acquire()
        self.ended.set()
        raise OSError

    failure_of = staticmethod(lambda error: ("", str(error)))


class Asking:
    """The core's side of a session: it always wants the next command."""

    def step(self):
        return "command", 1, "read", [], 0

    def setup(self):
        return []

    def fail(self, *_):
        pass


@pytest.mark.parametrize("then", ["step", "disconnect"])
def test_a_connection_that_could_not_be_closed_when_it_was_given_up_is_closed_later(then):
    store = Slow()
    before = carriers()
    session = _store_session.StoreSession(Asking(), store, 0.05)
    session.step()
    getattr(session, then)()
    assert store.ended.wait(HANGS_S)
    session.disconnect()  # "step" has given up a second connection
    assert within(HANGS_S, lambda: carriers() == before)


@pytest.mark.parametrize("url", [url for url in REPLIES if url.startswith("etcd")])
def test_a_server_that_pours_is_given_up_after_a_few_megabytes(url):
    with hostile(url, 1 << 16, 0) as (server, address):
        assert code_of(lambda: Generator(address)) == "store_unavailable"
        assert within(HANGS_S, lambda: server.connections == 0)
        assert server.sent < MOST_BYTES
