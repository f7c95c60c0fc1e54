"""The smallest server: what it is sent is what it answers."""

from __future__ import annotations

import contextlib
import socketserver
import threading


class Echo(socketserver.ThreadingTCPServer):
    """Answers each piece with itself in capitals, and knows what it received and how many went."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.received = b""
        self.ended = 0
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class Answering(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Echo)
        with contextlib.suppress(OSError):
            while data := self.request.recv(65536):
                self.server.received += data
                self.request.sendall(data.upper())
        self.server.ended += 1
