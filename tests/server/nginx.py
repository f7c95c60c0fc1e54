"""nginx before several servers, as docs/server.md has it."""

from __future__ import annotations

from typing import ClassVar

from servers.server import Server

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream ids {{
{servers}
    keepalive 16;
  }}
  server {{
    listen {host}:{port};
    keepalive_requests 1000000;
    location / {{
      proxy_pass http://ids;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      # An id that was lost with its answer is a gap, so every request may be repeated.
      proxy_next_upstream error timeout http_503 non_idempotent;
    }}
  }}
}}
"""


class Nginx(Server):
    """One process before servers at these ports.

    max_fails=0: none is left out for a while because it failed. Else both would be when one is restarted soon after the other.
    """

    name: ClassVar[str] = "nginx"
    scheme: ClassVar[str] = "http"

    def __init__(self, ports: list[int]) -> None:
        super().__init__()
        self.ports = ports

    def prepare(self) -> None:
        servers = "\n".join(f"    server {self.host}:{port} max_fails=0;" for port in self.ports)
        text = CONFIGURATION.format(folder=self.folder, host=self.host, port=self.port, servers=servers)
        (self.folder / "nginx.conf").write_text(text)

    def command(self) -> list[str]:
        return ["/usr/sbin/nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def answers(self) -> bool:
        with self.connect():
            return True
