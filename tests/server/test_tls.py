"""Listeners with TLS: what clients get over it, who is let in, and what SIGHUP does."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis as redis_py
from certificates import Authority, Certificate, Tls
from load import expect_unique
from polyflaked import Polyflaked
from servers.waiting import within
from wire_clients import CLIENTS, REQUESTS, RESULT, RespClient, all_of, call_of, connected_to, framed, request_of

HERE = Path(__file__).parent
VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


def of_version(context: ssl.SSLContext, version: ssl.TLSVersion) -> ssl.SSLContext:
    context.minimum_version = context.maximum_version = version
    return context


# --- the protocols -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("protocol", CLIENTS)
def test_ids_of_each_protocol(tls: Tls, protocol: str, version: ssl.TLSVersion) -> None:
    of_version(tls.context, version)
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
    """A write that waits goes on from the same byte, whatever was appended behind it."""
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


def test_a_request_in_the_middle_of_which_keys_change(tls: Tls) -> None:
    """TLS 1.3: the client asks for new keys, and the server answers with its own."""
    with Polyflaked(tls=tls) as server:
        command = [
            "openssl",
            "s_client",
            "-quiet",
            "-no_ign_eof",
            "-connect",
            f"127.0.0.1:{server.ports['resp'].number}",
        ]
        command += ["-tls1_3", "-CAfile", str(tls.authority.root)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, **pipes, bufsize=0) as client:  # type: ignore[call-overload]
            for line in (b"*2\r\n$4\r\nINCR\r\n", b"K\n", b"K\n", b"$6\r\norders\r\n"):
                client.stdin.write(line)
                assert server.ids()  # so that the client reads one line at a time
                assert server.ids()
            assert client.stdout.readline().startswith(b":")
            client.stdin.close()
        assert client.returncode == 0


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


def test_tls_before_1_2_is_refused(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server:
        old = of_version(tls.new_context(), ssl.TLSVersion.TLSv1_1)
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.raises(ssl.SSLError, match="(?i)alert protocol version"):
            connected_to(server.ports["resp"].number, tls=old)
        assert server.ids()


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
        with pytest.raises(ssl.SSLError, match="(?i)alert no application protocol"):
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


# --- certificates of clients ---------------------------------------------------------------------


@pytest.fixture
def mutual(tmp_path: Path, authority: Authority, server_certificate: Certificate) -> Tls:
    """A server whose clients must show a certificate; the context has one."""
    mutual = Tls(tmp_path, server_certificate, authority, client_ca=authority.root)
    mutual.context = mutual.new_context(authority.certificate("client"))
    return mutual


@pytest.fixture(scope="session")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("strangers"), "strangers")


@pytest.mark.parametrize("protocol", CLIENTS)
def test_who_has_a_certificate_is_let_in(mutual: Tls, protocol: str) -> None:
    with Polyflaked(tls=mutual) as server, server.client(protocol) as client:
        expect_unique([[*client.take(3), *client.take(10_000)]])


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
@pytest.mark.parametrize(
    "which, alert", [("none", "certificate required|handshake failure"), ("other", "unknown ca"), ("old", "expired")]
)
def test_who_has_none_is_not(
    mutual: Tls, authority: Authority, strangers: Authority, which: str, alert: str, version: ssl.TLSVersion
) -> None:
    """Nor does it get an id before it is found out, and it is told why."""
    shown = {
        "none": lambda: None,
        "other": lambda: strangers.certificate("client"),
        "old": lambda: authority.certificate("client", expired=True),
    }[which]()
    context = of_version(mutual.new_context(shown), version)
    with Polyflaked(tls=mutual) as server:
        for protocol, (request, _) in REQUESTS.items():
            with pytest.raises(ssl.SSLError, match=f"(?i)alert.*({alert})"):
                # In TLS 1.3 the client has done its part before the server has seen the certificate.
                with connected_to(server.ports[protocol].number, tls=context) as connection:
                    connection.sendall(request)
                    connection.recv(100)
        assert server.ids(3)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
def test_a_session_goes_on_in_another_connection(mutual: Tls, version: ssl.TLSVersion) -> None:
    with Polyflaked(tls=mutual) as server:
        context = of_version(mutual.context, version)
        session = None
        for again in (False, True):
            connection = context.wrap_socket(
                socket.create_connection((server.host, server.ports["resp"].number)),
                server_hostname="localhost",
                session=session,
            )
            with connection:
                connection.sendall(request_of("INCR", "orders"))
                assert connection.recv(100).startswith(b":")
                session = connection.session
                assert connection.session_reused == again


# --- SIGHUP --------------------------------------------------------------------------------------


def hang_up(server: Polyflaked, event: str) -> list[str]:
    """Sends SIGHUP. Returns the lines about it, one a listener."""
    before = len(server.said(event))
    os.kill(server.pid, signal.SIGHUP)
    assert within(60, lambda: len(server.said(event)) == before + len(server.ports))
    return server.said(event)[before:]


def shown_by(server: Polyflaked) -> str:
    """The serial number of the certificate that new clients see."""
    with server.connect_to("resp") as connection:
        assert isinstance(connection, ssl.SSLSocket)
        certificate = connection.getpeercert()
        assert certificate is not None
        return str(certificate["serialNumber"])


def test_sighup_takes_a_new_certificate(tls: Tls, authority: Authority) -> None:
    with Polyflaked(tls=tls) as server, server.client("resp") as known:
        ids = known.take(3)
        before = shown_by(server)
        tls.use(authority.certificate("next"))
        assert shown_by(server) == before
        assert str(tls.certificate) in hang_up(server, "reread")[0]
        assert shown_by(server) != before
        ids += known.take(3)
        expect_unique([ids, server.ids(3)])


BROKEN: dict[str, tuple[Callable[[Tls, Certificate], object], str]] = {
    "no file": (lambda tls, other: tls.certificate.unlink(), "No such file"),
    "no certificate": (lambda tls, other: tls.certificate.write_text("soon\n"), "PEM"),
    "half a certificate": (lambda tls, other: os.truncate(tls.certificate, 200), "PEM"),
    "no key": (lambda tls, other: tls.key.write_text(""), "PEM"),
    "the key of another": (lambda tls, other: tls.key.write_bytes(other.key.read_bytes()), "not the key"),
    "the certificate of another": (
        lambda tls, other: tls.certificate.write_bytes(other.chain.read_bytes()),
        "not the key",
    ),
}


def test_sighup_keeps_the_old_certificate_if_the_new_one_is_broken(
    tls: Tls, authority: Authority, server_certificate: Certificate
) -> None:
    other = authority.certificate("other")
    with Polyflaked(tls=tls) as server, server.client("resp") as known:
        before = shown_by(server)
        for breaks, words in BROKEN.values():
            breaks(tls, other)
            assert words in hang_up(server, "not_reread")[0]
            assert shown_by(server) == before
            assert known.take(3)
            tls.use(server_certificate)
        tls.use(other)
        hang_up(server, "reread")
        assert shown_by(server) != before


def test_sighup_takes_new_authorities_of_clients(
    mutual: Tls, authority: Authority, strangers: Authority, tmp_path: Path
) -> None:
    """Sessions of before do not go around them."""
    authorities = tmp_path / "clients.pem"
    authorities.write_bytes(authority.root.read_bytes())
    mutual.keys = mutual.keys.replace(str(authority.root), str(authorities))
    with Polyflaked(tls=mutual) as server, server.client("resp") as known:
        ids = known.take()
        assert isinstance(known, RespClient) and isinstance(known.socket, ssl.SSLSocket)
        session = known.socket.session
        authorities.write_bytes(strangers.root.read_bytes())
        hang_up(server, "reread")
        ids += known.take()
        with pytest.raises(ssl.SSLError, match="(?i)unknown ca"):
            raw = socket.create_connection((server.host, server.ports["resp"].number))
            with mutual.context.wrap_socket(raw, server_hostname="localhost", session=session) as connection:
                connection.sendall(request_of("PING"))
                connection.recv(100)
        mutual.context = mutual.new_context(strangers.certificate("client"))
        expect_unique([ids, server.ids(3)])


# --- those who do harm ---------------------------------------------------------------------------


def first_flight(tls: Tls) -> bytes:
    """What a client sends first."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.context.wrap_bio(ssl.MemoryBIO(), sent, server_hostname="localhost").do_handshake()
    return sent.read()


def raw_to(server: Polyflaked, protocol: str) -> socket.socket:
    return connected_to(server.ports[protocol].number)


def test_who_does_not_shake_hands_in_time_is_closed(tls: Tls) -> None:
    """One that says nothing, one that ends in the middle, one that stops after its first flight, and one that sends a
    byte at a time. Others are served meanwhile, and those who shook hands stay."""
    hello = first_flight(tls)
    with Polyflaked(tls=tls) as server, server.client("resp") as known:
        silent, half, first, slow = [raw_to(server, "resp") for _ in range(4)]
        half.sendall(hello[:100])
        first.sendall(hello)
        with server.connect_to("resp") as idle:
            slow.settimeout(0.2)
            for at in range(len(hello)):
                try:
                    slow.sendall(hello[at : at + 1])
                    if slow.recv(100) == b"":
                        break
                except TimeoutError:
                    assert known.take(3)
                except ConnectionError:
                    break
            else:
                raise AssertionError("it was not closed")
            for connection in (silent, half, first):
                all_of(connection)  # ends, or times out after a minute
                connection.close()
            idle.sendall(request_of("INCR", "orders"))
            assert idle.recv(100).startswith(b":")


def test_handshakes_count_as_connections(tls: Tls) -> None:
    with Polyflaked(tls=tls, head="max_connections = 3\ndrain_ms = 0") as server:
        assert server.ids()
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(raw_to(server, "resp"))

            def is_full() -> bool:
                with server.connect_to("resp") as connection:
                    connection.sendall(request_of("PING"))
                    return all_or_pong(connection).startswith(b"-ERR ")

            assert within(60, is_full)
        assert within(60, lambda: not is_full())


def all_or_pong(connection: socket.socket) -> bytes:
    return connection.recv(1000)


@pytest.mark.parametrize("protocol", REQUESTS)
def test_a_request_without_tls(tls: Tls, protocol: str) -> None:
    request, reply = REQUESTS[protocol]
    with Polyflaked(tls=tls) as server, server.client(protocol) as known:
        with raw_to(server, protocol) as connection:
            connection.sendall(request * 10)
            connection.shutdown(socket.SHUT_WR)
            data = all_of(connection)
            assert reply not in data and RESULT not in data
        assert known.take(3)


@pytest.mark.parametrize("protocol", REQUESTS)
def test_tls_to_a_listener_without(tls: Tls, protocol: str) -> None:
    with Polyflaked() as server, server.client(protocol) as known:
        with pytest.raises(OSError):
            with connected_to(server.ports[protocol].number, 5, tls.context):
                pass
        assert known.take(3)


def test_1000_idle_connections(tls: Tls) -> None:
    with Polyflaked(tls=tls) as server:
        server.ids()
        before = server.memory_kib()
        idle = [server.client("resp") for _ in range(1000)]
        ids = [client.take() for client in idle]
        taken = server.memory_kib() - before
        print(f"an idle connection with TLS takes {taken / 1000:.1f} KiB")
        assert taken < 32 * 1024
        assert len({one for few in ids for one in few}) == 1000
        for client in idle:
            client.close()
        assert server.ids()


def test_1000_connections_in_a_handshake(tls: Tls) -> None:
    """A greeting that says it is as large as one may be, of which the rest does not come."""
    largest = 131_396
    begin = b"\x16\x03\x01\x40\x00\x01" + largest.to_bytes(3, "big")
    with Polyflaked(tls=tls) as server:
        server.ids()
        before = server.memory_kib()
        half = [raw_to(server, "resp") for _ in range(1000)]
        for connection in half:
            connection.sendall(begin)
        server.ids()
        taken = server.memory_kib() - before
        print(f"a connection in its handshake takes up to {taken / 1000:.1f} KiB")
        assert taken < 180 * 1024
        for connection in half:
            all_of(connection)
            connection.close()
        assert server.ids()


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\xff\xff",
        b"\x16\x03\x01\0\0" * 1000,
        b"\x15\x03\x01\0\x02\x02\x28",
        b"\x80\x2e\x01\x03\x01" * 9,
        bytes(range(256)) * 400,
    ],
)
def test_garbage(tls: Tls, data: bytes) -> None:
    with Polyflaked(tls=tls) as server:
        with raw_to(server, "http") as connection, contextlib.suppress(OSError):
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            assert b"HTTP/1.1" not in all_of(connection)
        assert server.ids(3)


def test_a_record_that_was_changed_on_its_way(tls: Tls) -> None:
    """It is not a request, and ends the connection."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = tls.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with Polyflaked(tls=tls) as server, raw_to(server, "resp") as connection:
        shake_hands(client, incoming, outgoing, connection)
        client.write(request_of("INCR", "orders"))
        record = bytearray(outgoing.read())
        record[-1] ^= 1
        connection.sendall(record)
        incoming.write(all_of(connection))
        with pytest.raises(ssl.SSLError, match="(?i)alert bad record mac"):
            client.read(100)
        assert server.ids(3)


def shake_hands(client: ssl.SSLObject, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, way: socket.socket) -> None:
    while True:
        try:
            client.do_handshake()
            way.sendall(outgoing.read())
            return
        except ssl.SSLWantReadError:
            way.sendall(outgoing.read())
            incoming.write(way.recv(65536))


# --- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("protocol", REQUESTS)
def test_who_says_that_nothing_follows_gets_all_replies(tls: Tls, protocol: str, version: ssl.TLSVersion) -> None:
    """And is told in return that no more will come, which no one on the way can say."""
    request, reply = REQUESTS[protocol]
    of_version(tls.context, version)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = tls.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with Polyflaked(tls=tls) as server, raw_to(server, protocol) as connection:
        shake_hands(client, incoming, outgoing, connection)
        client.write(request * 300 + request[: len(request) // 2])
        with contextlib.suppress(ssl.SSLError):
            client.unwrap()  # sends that, and would wait for the server's
        connection.sendall(outgoing.read())
        incoming.write(all_of(connection))
        data = b""
        while True:
            try:
                piece = client.read(65536)
            except ssl.SSLZeroReturnError:
                break
            if not piece:
                break
            data += piece
        assert data.count(reply) >= 300


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


def test_one_connection_too_many_is_told_so(tls: Tls) -> None:
    with Polyflaked(tls=tls, head="max_connections = 1\ndrain_ms = 0") as server:
        known: list[RespClient] = []

        def is_served() -> bool:
            client = RespClient(server.ports["resp"].number, tls=tls.context)
            with contextlib.suppress(Exception):
                client.take()
                known.append(client)
                return True
            client.close()
            return False

        assert within(60, is_served)
        for protocol, words in (("resp", b"-ERR "), ("http", b"HTTP/1.1 429 ")):
            with server.connect_to(protocol) as connection:
                assert all_of(connection).startswith(words)
        with server.connect_to("thrift") as connection:
            connection.sendall(framed(call_of(1, 1)))
            assert RESULT not in all_of(connection)
        assert known[0].take(3)
        known[0].close()


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


# --- the configuration ---------------------------------------------------------------------------


def refusal(tmp_path: Path, keys: str, address: str = "127.0.0.1:0") -> tuple[int, str]:
    """The exit code of --check-config and what it says."""
    from polyflaked import run_polyflaked

    file = tmp_path / "server.toml"
    file.write_text(f'[generator.orders]\nworker = 7\n[[listener]]\nprotocol = "resp"\naddress = "{address}"\n{keys}')
    done = run_polyflaked("--check-config", "--config", file)
    return done.returncode, done.stderr


def test_tls_may_be_reached_by_other_hosts(tls: Tls, tmp_path: Path) -> None:
    assert refusal(tmp_path, tls.keys, "0.0.0.0:0") == (0, "")
    assert refusal(tmp_path, "", "0.0.0.0:0")[0] == 2


@pytest.mark.parametrize(
    "left_out, word",
    [("certificate", "certificate of [[listener]] is missing"), ("key", "key of [[listener]] is missing")],
)
def test_a_certificate_needs_a_key_and_the_reverse(tls: Tls, tmp_path: Path, left_out: str, word: str) -> None:
    status, said = refusal(tmp_path, re.sub(rf"^{left_out} = .*\n", "", tls.keys, flags=re.M))
    assert status == 2 and word in said


def test_authorities_of_clients_need_a_certificate(tls: Tls, tmp_path: Path) -> None:
    status, said = refusal(tmp_path, f'client_ca = "{tls.authority.root}"\n')
    assert status == 2 and "certificate of [[listener]] is missing" in said


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused(tls: Tls, authority: Authority, tmp_path: Path, name: str) -> None:
    breaks, words = BROKEN[name]
    breaks(tls, authority.certificate("other"))
    status, said = refusal(tmp_path, tls.keys)
    assert status == 2
    assert words in said and str(tmp_path) in said and "server.toml:" in said


def test_other_files_are_refused(tls: Tls, authority: Authority, tmp_path: Path) -> None:
    rsa, encrypted = tmp_path / "rsa.pem", tmp_path / "encrypted.pem"
    subprocess.run(["openssl", "genrsa", "-out", rsa, "2048"], capture_output=True, check=True)
    options = ["-aes256", "-passout", "pass:secretly"]
    subprocess.run(["openssl", "pkey", "-in", tls.key, "-out", encrypted, *options], capture_output=True, check=True)
    for keys, words in (
        (tls.keys.replace(str(tls.key), str(rsa)), "not the key"),
        (tls.keys.replace(str(tls.key), str(encrypted)), "without a passphrase"),
        (tls.keys.replace(str(tls.key), str(tmp_path)), "cannot use"),
        (tls.keys.replace(str(tls.key), "key.pem"), "absolute path"),
        (tls.keys + 'client_ca = "/no/such/file"\n', "No such file"),
        (tls.keys + f'client_ca = "{tls.key}"\n', "authorities"),
    ):
        status, said = refusal(tmp_path, keys)
        assert status == 2 and words in said, (keys, said)


def test_an_expired_certificate_is_a_warning(tls: Tls, authority: Authority, tmp_path: Path) -> None:
    tls.use(authority.certificate("old", expired=True))
    status, said = refusal(tmp_path, tls.keys)
    assert status == 0
    assert "event=warning" in said and "expired" in said and str(tls.certificate) in said
    tls.context.check_hostname = False
    tls.context.verify_mode = ssl.CERT_NONE
    with Polyflaked(tls=tls) as server:
        assert "expired" in server.said("warning")[0]
        assert server.ids(3)
