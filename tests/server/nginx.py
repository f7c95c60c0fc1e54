"""nginx with a part of its configuration that a page shows."""

from __future__ import annotations

from typing import ClassVar

from pages import moved
from servers.server import Server

FRAME = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr;
{modules}
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{text}
}}
"""
LUA = ("ndk_http_module", "ngx_http_lua_module")


class Nginx(Server):
    """One process.

    text: what is in its section http. listens: the address there at which it listens. servers: the ports that other addresses become.
    """

    name: ClassVar[str] = "nginx"
    scheme: ClassVar[str] = "http"

    def __init__(self, text: str, listens: str, servers: dict[str, int], modules: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.text = moved(text, {listens: self.port, **servers})
        self.modules = "\n".join(f"load_module /usr/lib/nginx/modules/{module}.so;" for module in modules)

    def prepare(self) -> None:
        text = FRAME.format(folder=self.folder, modules=self.modules, text=self.text)
        (self.folder / "nginx.conf").write_text(text)

    def command(self) -> list[str]:
        return ["/usr/sbin/nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def answers(self) -> bool:
        with self.connect():
            return True
