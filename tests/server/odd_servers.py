"""Servers that do not give ids: what a client of the id server may meet instead."""

from __future__ import annotations

import re
import socketserver
import threading
from typing import BinaryIO, Self

# The answers to requests for ids over HTTP and over RESP. None: none, and the connection stays open.
Answer = tuple[bytes, bytes] | None


def refusal(status: int, code: str) -> Answer:
    body = f'{{"code":"{code}","message":"made up"}}'
    http = f"HTTP/1.1 {status} No\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    return http.encode(), f"-POLYFLAKE {code} made up\r\n".encode()


ANSWERS: dict[str, Answer] = {
    "silent": None,
    "closes": (b"", b""),
    "breaks off": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n12345678\n1234",
        b"*100\r\n$8\r\n12345678\r\n$18\r\n1234",
    ),
    "unready": refusal(503, "store_unavailable"),
    "busy": refusal(429, "busy"),
    "unknown_key": refusal(404, "unknown_key"),
}


class OddServer(socketserver.ThreadingTCPServer):
    """Gives each request the same answer, at a port of its own, and ends the connection. Use it in a `with` statement."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, name: str) -> None:
        self.answer = ANSWERS[name]
        self.requests = 0
        self.ending = threading.Event()
        super().__init__(("127.0.0.1", 0), Connection)
        self.port = self.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.set()
        self.shutdown()
        self.server_close()


class Connection(socketserver.StreamRequestHandler):
    server: OddServer

    def handle(self) -> None:
        if protocol := request_on(self.rfile):
            self.server.requests += 1
            if self.server.answer is None:
                self.server.ending.wait()
            else:
                self.wfile.write(self.server.answer[protocol == "resp"])


def request_on(lines: BinaryIO) -> str | None:
    """Reads a request, and says of which protocol it is. None: the client has gone."""
    try:
        first = lines.readline()
        if first.startswith(b"POST "):
            return "http" if all_of_head(lines) else None
        if first.startswith(b"*"):
            words = [lines.readline() for _ in range(2 * int(first[1:]))]
            return "resp" if words[-1] else None
        return "resp" if first else None
    except ConnectionError:
        return None


def all_of_head(lines: BinaryIO) -> bool:
    head = b""
    while (line := lines.readline()) not in (b"\r\n", b""):
        head += line
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    lines.read(int(length[1]) if length else 0)
    return bool(line)
