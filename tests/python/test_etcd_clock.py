"""The date of etcd's gateway is the store's clock, to the second."""

from __future__ import annotations

import http.client
import threading
import time
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from refusals import refused
from servers import Etcd

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace

YEAR_S = 365 * 86_400


@contextmanager
def dated(server, ahead_s):
    """The address of a gateway before this etcd whose clock is so much ahead; None: it tells no date."""

    class Gateway(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            connection = http.client.HTTPConnection(server.host, server.port)
            connection.request("POST", self.path, body)
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            self.send_response_only(answer.status)
            if ahead_s is not None:
                self.send_header("Date", formatdate(time.time() + ahead_s, usegmt=True))
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Gateway) as gateway:
        gateway.daemon_threads = True
        thread = threading.Thread(target=gateway.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"etcd://127.0.0.1:{gateway.server_address[1]}?namespace=orders"
        finally:
            gateway.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def etcd():
    with Etcd() as server:
        init_namespace(f"{server.url}?namespace=orders", fresh=True)
        yield server


@pytest.mark.parametrize(("ahead_s", "words"), [(-YEAR_S, " ms ahead of"), (YEAR_S, " ms behind")])
def test_a_host_whose_clock_is_a_year_off_writes_nothing(etcd, ahead_s, words):
    with dated(etcd, ahead_s) as url:
        before = etcd.request("POST", "/v3/kv/range", {"key": "eA=="})["header"]["revision"]
        refusal = refused(lambda: Generator(url), PolyflakeError)
        assert refusal.code == "clock_skew"
        assert words in str(refusal)
        assert etcd.request("POST", "/v3/kv/range", {"key": "eA=="})["header"]["revision"] == before


@pytest.mark.parametrize("ahead_s", [0, None])
def test_a_host_whose_clock_is_right_or_is_not_told_of_it_issues(etcd, ahead_s):
    with dated(etcd, ahead_s) as url, Generator(url) as generator:
        assert generator.next_id() > 0
