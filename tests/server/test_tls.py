"""Listeners with TLS: what clients get over it."""

from __future__ import annotations

import contextlib
import importlib
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis as redis_py
from certificates import VERSIONS, Authority, Tls
from load import expect_unique
from polyflaked import PROGRAM, Polyflaked, cpu_seconds, raw_to
from servers.waiting import within
from wire_clients import CLIENTS, REQUESTS, Records, RespClient, connected_to, request_of

HERE = Path(__file__).parent


# --- the protocols -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("protocol", CLIENTS)
def test_ids_of_each_protocol(tls: Tls, protocol: str, version: ssl.TLSVersion) -> None:
    tls.speak(version)
    with Polyflaked(tls=tls) as server, server.client(protocol) as client, server.client(protocol) as other:
        mine = [*client.take(), *client.take(1000), *client.take(10_000), *client.take()]
        expect_unique([mine, [*other.take(3), *other.take()]])
        assert len(mine) == 11_002


@pytest.mark.parametrize("protocol", REQUESTS)
def test_requests_of_several_records(tls: Tls, protocol: str) -> None:
    """A record has at most 16 KiB."""
    request, reply = REQUESTS[protocol]
    count = 100_000 // len(request)
    with Polyflaked(tls=tls) as server, server.connect_to(protocol) as connection:
        connection.sendall(request * count)
        data = b""
        while data.count(reply) < count:
            data += connection.recv(65536)
        if protocol == "resp":
            ids = [int(line[1:]) for line in data.splitlines()]
            assert ids == sorted(set(ids)) and len(ids) == count


def test_large_replies_to_slow_readers(tls: Tls) -> None:
    """A write that waited goes on at the same byte, though replies were added behind it."""
    with Polyflaked(tls=tls) as server, server.client("resp") as other:
        slow = [RespClient(server.ports["resp"].number, tls=tls.context) for _ in range(4)]
        for client in slow:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
            client.send((request_of("INCR", "orders") * 3 + request_of("POLYFLAKE.NEXT", "orders", 10_000)) * 20)
        ids: list[list[int]] = [other.take(100), *([] for _ in slow)]
        for _ in range(20):
            for client, mine in zip(slow, ids[1:]):
                mine += [int(str(client.reply())) for _ in range(3)]
                batch = client.reply()
                assert isinstance(batch, list) and len(batch) == 10_000
                mine += map(int, batch)
        for client in slow:
            client.close()
        expect_unique(ids)


def test_keys_change_in_the_middle_of_a_request(tls: Tls) -> None:
    """TLS 1.3: the client takes new ones, and the server does so, too."""
    with Polyflaked(tls=tls) as server:
        address = f"127.0.0.1:{server.ports['resp'].number}"
        command = ["openssl", "s_client", "-tls1_3", "-CAfile", str(tls.authority.root), "-connect", address]
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen([*command, "-quiet", "-no_ign_eof"], **pipes, bufsize=0) as client:
            # It takes a K at the beginning of what it reads as a command, so it must have read what was before.
            for line, answer in (
                (b"INCR orders\r\n*2\r\n$4\r\nINCR\r\n", b":"),
                (b"K\n", b"KEYUPDATE"),
                (b"K\n", b"KEYUPDATE"),
                (b"$6\r\norders\r\n", b":"),
            ):
                client.stdin.write(line)
                while not client.stdout.readline().startswith(answer):
                    assert client.poll() is None
            client.stdin.close()
        assert client.returncode == 0


def test_a_unix_socket(tls: Tls, tmp_path: Path) -> None:
    path, file = tmp_path / "ids.sock", tmp_path / "server.toml"
    listener = f'[[listener]]\nprotocol = "resp"\naddress = "unix:{path}"\n{tls.keys}'
    file.write_text(f"drain_ms = 0\n[generator.orders]\nworker = 7\n{listener}")
    with subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.DEVNULL) as running:
        try:
            assert within(60, path.exists)
            with socket.socket(socket.AF_UNIX) as raw:
                assert within(60, lambda: raw.connect_ex(str(path)) == 0)
                with tls.context.wrap_socket(raw, server_hostname="localhost") as connection:
                    connection.sendall(request_of("PING"))
                    assert connection.recv(100) == b"+PONG\r\n"
            # It went without a word, and the loop has nothing to do.
            before = cpu_seconds(running.pid)
            time.sleep(1)
            assert cpu_seconds(running.pid) - before < 0.3
            running.terminate()
            assert running.wait(60) == 0
        finally:
            running.kill()


def test_who_shakes_hands_while_it_drains_is_served(tls: Tls) -> None:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = tls.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with Polyflaked(tls=tls, head="drain_ms = 0") as server, raw_to(server, "resp") as connection:

        def finished(step: Callable[[], object]) -> object:
            """Returns what the step does, once the server has sent what it needs."""
            for _ in range(20):
                with contextlib.suppress(ssl.SSLWantReadError):
                    return step()
                connection.sendall(outgoing.read())
                incoming.write(connection.recv(65536))
            raise AssertionError("the server sends nothing more")

        with contextlib.suppress(ssl.SSLWantReadError):
            client.do_handshake()
        connection.sendall(outgoing.read())
        server.terminate()
        finished(client.do_handshake)
        client.write(request_of("PING"))  # in one piece with the end of the handshake
        connection.sendall(outgoing.read())
        assert finished(lambda: client.read(100)) == b"+PONG\r\n"
        assert server.ended() == 0


# --- clients that others wrote -------------------------------------------------------------------


def said(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def test_curl(tls: Tls) -> None:
    """It offers HTTP/2 first, and takes what the server speaks. Two requests share a connection."""
    with Polyflaked(tls=tls) as server:
        url = f"https://localhost:{server.ports['http'].number}/v1/ids/orders"
        form = "%{http_version} %{num_connects} %{ssl_verify_result}\n"
        curl = ("curl", "-sS", "--cacert", tls.authority.root, "-X", "POST", "-H", "Accept: text/plain", "-w", form)
        lines = said(*curl, f"{url}?n=3#[1-2]").splitlines()
        assert [line for line in lines if " " in line] == ["1.1 1 0", "1.1 0 0"]
        assert len({line for line in lines if line.isdigit()}) == 6


def test_redis_cli(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server:
        command = ["redis-cli", "--tls", "--cacert", str(tls.authority.root), "-p", str(server.ports["resp"].number)]
        ids = said(*command, "POLYFLAKE.NEXT", "orders", "10000").split()
        assert len(set(ids)) == 10_000


@pytest.mark.parametrize("version", [2, 3])
def test_redis_py(tls: Tls, authority: Authority, version: int) -> None:
    with Polyflaked(tls=tls) as server:
        port = server.ports["resp"].number
        with redis_py.Redis("localhost", port, ssl=True, ssl_ca_certs=str(authority.root), protocol=version) as client:
            with client.pipeline(transaction=False) as pipeline:
                for _ in range(1000):
                    pipeline.incr("orders")
                ids = pipeline.execute()
            ids += map(int, client.execute_command("POLYFLAKE.NEXT", "orders", 10_000))
            assert len(set(ids)) == 11_000


def test_thrift_by_its_own_stubs(tls: Tls, tmp_path: Path) -> None:
    from thrift.protocol.TBinaryProtocol import TBinaryProtocol
    from thrift.transport.TSSLSocket import TSSLSocket
    from thrift.transport.TTransport import TFramedTransport

    subprocess.run(["thrift", "-out", tmp_path, "-gen", "py", HERE / "snowflake.thrift"], check=True)
    sys.path.insert(0, str(tmp_path))
    try:
        batches: Any = importlib.import_module("snowflake.Batches")
    finally:
        sys.path.remove(str(tmp_path))
    worker = "{datacenter = 1, worker = 7}"
    with Polyflaked(worker, layout="twitter", tls=tls, listeners={"thrift": ""}) as server:
        way = TSSLSocket("localhost", server.ports["thrift"].number, ca_certs=str(tls.authority.root))
        transport = TFramedTransport(way)
        transport.open()
        client = batches.Client(TBinaryProtocol(transport))
        ids = [client.get_id("tests"), *client.get_ids("tests", 10_000)]
        assert len(set(ids)) == 10_001
        transport.close()


# --- versions, protocols within ------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_tls_before_1_2_is_refused(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server, server.client("resp") as known:
        tls.speak(ssl.TLSVersion.TLSv1_1)
        tls.context.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.raises(ssl.SSLError, match=r"(?i)alert protocol version"):
            connected_to(server.ports["resp"].number, tls=tls.context)
        assert known.take(3)


@pytest.mark.parametrize(
    "protocol, offered, chosen",
    [
        ("http", ["h2", "http/1.1"], "http/1.1"),
        ("http", ["http/1.1"], "http/1.1"),
        ("http", [], None),
        ("resp", ["redis", "h2"], None),
    ],
)
def test_what_is_spoken_within(tls: Tls, protocol: str, offered: list[str], chosen: str | None) -> None:
    if offered:
        tls.context.set_alpn_protocols(offered)
    with Polyflaked(tls=tls, listeners={protocol: ""}) as server, server.client(protocol) as client:
        assert client.take(3)
        with server.connect_to(protocol) as connection:
            assert isinstance(connection, ssl.SSLSocket)
            assert connection.selected_alpn_protocol() == chosen


def test_http_2_alone_is_refused(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server:
        context = tls.new_context()
        context.set_alpn_protocols(["h2"])
        with pytest.raises(ssl.SSLError, match=r"(?i)alert no application protocol"):
            connected_to(server.ports["http"].number, tls=context)
        assert server.ids()


def test_renegotiation_is_refused(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server:
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{server.ports['resp'].number}", "-tls1_2"]
        command += ["-CAfile", str(tls.authority.root)]
        done = subprocess.run(command, input="R\n", capture_output=True, text=True, timeout=60, check=False)
        assert "RENEGOTIATING" in done.stdout + done.stderr
        assert "no renegotiation" in done.stdout + done.stderr
        assert server.ids()


# --- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("protocol", REQUESTS)
def test_who_says_that_nothing_follows_gets_all_replies(tls: Tls, protocol: str, version: ssl.TLSVersion) -> None:
    """And is told in return that no more will come, which no one on the way can say."""
    request, reply = REQUESTS[protocol]
    tls.speak(version)
    with Polyflaked(tls=tls) as server, raw_to(server, protocol) as connection:
        client = Records(tls.context, connection)
        half = request[: len(request) // 2]
        connection.sendall(client.written(request * 300 + half) + client.last_word())
        assert client.rest().count(reply) >= 300


def test_who_ends_without_a_word_leaves_its_place(tls: Tls) -> None:
    with Polyflaked(tls=tls, head="max_connections = 1\ndrain_ms = 0", listeners={"resp": ""}) as server:
        for _ in range(5):
            clients: list[RespClient] = []

            def is_served() -> bool:
                client = RespClient(server.ports["resp"].number, tls=tls.context)
                client.send(request_of("PING"))
                with contextlib.suppress(Exception):
                    if client.reply() == "PONG":
                        clients.append(client)
                        return True
                client.close()
                return False

            assert within(60, is_served)
            socket.socket(fileno=clients[0].socket.detach()).close()


def test_a_drain_ends_all_connections_in_order(tls: Tls) -> None:
    """Replies first, then a word that nothing follows: SSLEOFError would say that it was cut off."""
    with Polyflaked(tls=tls) as server, server.client("resp") as client, server.client("http") as used:
        assert isinstance(client, RespClient)
        idle = [server.connect_to(protocol) for protocol in CLIENTS]
        silent = raw_to(server, "resp")
        client.take()
        used.take()
        server.pause()
        client.send(request_of("INCR", "orders") * 1000)
        server.terminate()
        server.resume()
        ids = [client.reply() for _ in range(1000)]
        assert ids == sorted(set(ids))
        for connection in (client.socket, *idle, silent):
            assert connection.recv(100) == b""
            connection.close()
        assert server.ended() == 0
