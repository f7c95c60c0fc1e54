"""HAProxy with the configuration of docs/server.md."""

from __future__ import annotations

import csv
import socket
from typing import ClassVar

from pages import block_with, moved
from servers.port import Port
from servers.server import Server

PAGE_SERVERS = ("10.0.0.1", "10.0.0.2")


class HAProxy(Server):
    """Before servers of the page's two protocols: http and resp name the ports of each server."""

    name: ClassVar[str] = "haproxy"
    scheme: ClassVar[str] = "http"

    def __init__(self, http: list[int], resp: list[int]) -> None:
        super().__init__()
        self.resp = Port()
        self.addresses = {
            "127.0.0.1:7601": self.port,
            "127.0.0.1:7602": self.resp.number,
            **{f"{host}:7601": port for host, port in zip(PAGE_SERVERS, http, strict=True)},
            **{f"{host}:7602": port for host, port in zip(PAGE_SERVERS, resp, strict=True)},
        }

    def prepare(self) -> None:
        text = moved(block_with("server.md", "option httpchk"), self.addresses)
        (self.folder / "haproxy.cfg").write_text(f"global\n  stats socket {self.folder}/admin\n{text}")

    def command(self) -> list[str]:
        return ["/usr/sbin/haproxy", "-db", "-f", str(self.folder / "haproxy.cfg")]

    def answers(self) -> bool:
        with self.connect():
            return True

    def up(self) -> int:
        """Returns the number of servers that it takes to be up, over both protocols."""
        with socket.socket(socket.AF_UNIX) as admin, admin.makefile("r") as lines:
            admin.connect(str(self.folder / "admin"))
            admin.sendall(b"show stat\n")
            rows = list(csv.DictReader(lines))
        return sum(row["svname"] in ("one", "two") and row["status"] == "UP" for row in rows)

    def close(self) -> None:
        super().close()
        self.resp.close()
