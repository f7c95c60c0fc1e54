"""Servers and proxies switched by lines of text over TCP, for tests in other languages.

A line is a request, and a line answers it: "ok", with a URL where one is asked for, or "error WHY".

    start NAME | stop NAME | kill NAME | restart NAME | pause NAME | resume NAME
    replicate NAME PRIMARY | promote NAME      Redis alone
    proxy NAME                                 answers "ok URL": the server behind a new proxy
    fault URL FAULT...                         what Proxy.command() takes, for that proxy
    port                                       answers "ok NUMBER": a port that no other test takes
"""

from __future__ import annotations

import socketserver
import threading
from typing import Self

from .port import Port
from .proxy import Proxy
from .redis import Redis
from .server import HOST, Server

VERBS = ("start", "stop", "kill", "restart", "pause", "resume")


class Control:
    """Obeys lines on a port of its own, one after the other, whichever connection they come on."""

    def __init__(self, servers: dict[str, Server]) -> None:
        self._servers = servers
        self._proxies: dict[str, Proxy] = {}
        self._ports: list[Port] = []
        self._one_at_a_time = threading.Lock()
        self._listener = Listener((HOST, 0), Lines)
        self._listener.control = self
        self.address = f"{HOST}:{self._listener.server_address[1]}"
        threading.Thread(target=self._listener.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, line: str) -> str:
        with self._one_at_a_time:
            try:
                return f"ok {self._obey(*line.split())}".strip()
            except Exception as error:  # whatever it is, the test at the other end has to hear of it
                return f"error {type(error).__name__}: {' '.join(str(error).split())}"

    def close(self) -> None:
        self._listener.shutdown()
        self._listener.server_close()
        for proxy in self._proxies.values():
            proxy.close()
        for port in self._ports:
            port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _obey(self, verb: str, name: str = "", *words: str) -> str:
        if verb == "port":
            self._ports.append(Port())
            return str(self._ports[-1].number)
        if verb == "fault":
            self._proxies[name].command(" ".join(words))
            return ""
        server = self._servers[name]
        if verb == "proxy":
            proxy = server.proxy()
            url = server.url_at(proxy.port)
            self._proxies[url] = proxy
            return url
        if verb in VERBS:
            getattr(server, verb)()
        elif verb == "replicate" and isinstance(server, Redis):
            primary = self._servers[words[0]]
            if not isinstance(primary, Redis):
                raise ValueError(f"{primary.name} has no replicas")
            server.replica_of(primary)
        elif verb == "promote" and isinstance(server, Redis):
            server.promote()
        else:
            raise ValueError(f"{name} cannot {verb}")
        return ""


class Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    control: Control


class Lines(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Listener)
        for line in self.rfile:
            self.wfile.write(f"{self.server.control.answer(line.decode())}\n".encode())
