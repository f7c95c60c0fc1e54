"""Stand-ins for the servers whose users move in: Meituan's Leaf and Twitter's Snowflake of 2010.

Their ids have 41 bits of time since 2010-11-04, 10 of the node and 12 of the sequence.
"""

from __future__ import annotations

import contextlib
import random
import socketserver
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from servers import MariaDB
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TFramedTransport, TTransportException

TWEPOCH_MS = 1288834974657
HOST = "127.0.0.1"
ORDERS = "biz_tag = 'orders'"


class OldIds:
    """Ids as both count them. ahead_s: so much is the clock ahead."""

    def __init__(self, node: int, ahead_s: float = 0) -> None:
        self.node, self.ahead_ms = node, int(ahead_s * 1000)
        self._lock = threading.Lock()
        self._last_ms = self._sequence = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead_ms

    def next_id(self) -> int:
        with self._lock:
            now_ms = self.now_ms()
            self._sequence = self._sequence + 1 & 0xFFF if now_ms == self._last_ms else random.randrange(100)
            while now_ms == self._last_ms and self._sequence == 0:
                now_ms = self.now_ms()
            self._last_ms = now_ms
            return (now_ms - TWEPOCH_MS) << 22 | self.node << 12 | self._sequence


class Segments:
    """Numbers of Leaf's segment mode, in its table: a segment ends below max_id."""

    def __init__(self, database: MariaDB) -> None:
        self._database = database
        self._next = self._end = 0
        database.ask(
            "CREATE TABLE IF NOT EXISTS leaf_alloc (biz_tag varchar(128) PRIMARY KEY, max_id bigint NOT NULL, step int NOT NULL);"
            "INSERT IGNORE INTO leaf_alloc VALUES ('orders', 1, 20)"
        )

    def next_number(self) -> int:
        if self._next == self._end:
            row = self._database.ask(
                f"BEGIN; UPDATE leaf_alloc SET max_id = max_id + step WHERE {ORDERS};"
                f"SELECT max_id, step FROM leaf_alloc WHERE {ORDERS}; COMMIT"
            )
            self._end, step = map(int, row.split())
            self._next = self._end - step
        self._next += 1
        return self._next - 1


class Served:
    """A server in threads. Use it in a `with` statement."""

    def __init__(self, server: socketserver.ThreadingTCPServer) -> None:
        server.daemon_threads, server.block_on_close = True, False
        self._server = server

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Leaf(Served):
    """Leaf's two paths; any key has the same ids."""

    def __init__(self, port: int, ids: OldIds, segments: Segments | None = None) -> None:
        answers = {"snowflake": ids.next_id, "segment": segments.next_number if segments else None}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = str(answers[self.path.split("/")[2]]()).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(ThreadingHTTPServer((HOST, port), Handler))


class Snowflake(Served):
    """The stubs that Thrift makes of the published definition, framed."""

    def __init__(self, port: int, ids: OldIds, stubs: Any) -> None:
        class Handler:
            def get_id(self, useragent: str) -> int:
                return ids.next_id()

            def get_timestamp(self) -> int:
                return ids.now_ms()

            def get_worker_id(self) -> int:
                return ids.node & 31

            def get_datacenter_id(self) -> int:
                return ids.node >> 5

        processor = stubs.Processor(Handler())

        class Connection(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                socket = TSocket()
                socket.setHandle(self.request)
                protocol = TBinaryProtocol(TFramedTransport(socket))
                with contextlib.suppress(TTransportException):
                    while True:
                        processor.process(protocol, protocol)

        super().__init__(socketserver.ThreadingTCPServer((HOST, port), Connection))
