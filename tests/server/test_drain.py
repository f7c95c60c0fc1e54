"""The end of polyflaked: it says so, serves for a while, finishes what was asked and gives its node id back."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from load import Load
from nginx import Nginx
from pages import block_with
from polyflaked import PROGRAM, Polyflaked
from servers import Redis
from servers.waiting import within
from wire_clients import CLIENTS, RespClient, request_of

from polyflake.stores import init_namespace

LONG = "drain_ms = 600000"  # the test ends the wait by a second signal, long before
TWO_NODES = "timestamp:41 worker:1 sequence:21 tick=1ms epoch=2020-01-01T00:00:00.000Z"


def test_load_balancers_are_told_first_and_clients_served() -> None:
    with Polyflaked(head=LONG) as server, server.client("resp") as known, server.client("thrift") as known_too:
        ids = [*known.take(3), *known_too.take()]
        assert server.ready()[0] == 200
        server.terminate()
        assert within(60, lambda: server.said("draining"))
        assert server.ready()[0] == 503
        assert server.http("/livez")[0] == 200
        ids += [*known.take(1000), *known_too.take(2)]
        for protocol in server.ports:  # clients that do not know yet connect again
            with server.client(protocol) as new:
                ids += new.take(2)
        assert len(set(ids)) == len(ids) == 1012
        server.terminate()
        assert server.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_0(number: int) -> None:
    with Polyflaked() as server, server.client("resp") as idle, server.client("http") as used:
        used.take()
        os.kill(server.pid, number)
        assert server.ended() == 0
        for client in (idle, used):
            with pytest.raises(OSError):
                client.take()
        for protocol in server.ports:
            with pytest.raises(ConnectionRefusedError):
                server.client(protocol)


def test_what_was_asked_is_answered() -> None:
    """1 000 requests that are on their way when it ends: all have their replies, then the connection ends."""
    with Polyflaked() as server, server.client("resp") as client:
        assert isinstance(client, RespClient)
        client.take()
        server.pause()
        client.send(request_of("INCR", "orders") * 1000)
        server.terminate()
        server.resume()
        ids = [client.reply() for _ in range(1000)]
        assert ids == sorted(set(ids))
        with pytest.raises(OSError):
            client.reply()
        assert server.ended() == 0


def test_who_waited_to_be_let_in_is_answered() -> None:
    """The connections and the signal come while it is stopped."""
    with Polyflaked() as server:
        server.ids()
        server.pause()
        clients = [server.client("resp") for _ in range(20)]
        for client in clients:
            assert isinstance(client, RespClient)
            client.send(request_of("INCR", "orders"))
        server.terminate()
        server.resume()
        ids = [client.reply() for client in clients if isinstance(client, RespClient)]
        assert len(set(ids)) == 20
        for client in clients:
            client.close()
        assert server.ended() == 0


def test_who_has_the_last_reply_and_does_not_close_is_not_waited_for() -> None:
    with Polyflaked(head="max_wait_ms = 60000\ndrain_ms = 0") as server, server.client("resp") as client:
        assert isinstance(client, RespClient)
        assert client.ask("QUIT") == "OK"
        server.terminate()
        assert server.ended(15) == 0  # others than that client would be closed after 25 s


def test_what_arrived_while_it_waited_for_ids_is_answered() -> None:
    with (
        Polyflaked(head="max_wait_ms = 60000\ndrain_ms = 0") as server,
        server.client("resp") as client,
        server.client("resp") as crowd,
    ):
        assert isinstance(client, RespClient)
        assert isinstance(crowd, RespClient)
        client.take()
        crowd.send(request_of("POLYFLAKE.NEXT", "orders", "10000") * 5)  # so that the other one waits
        client.send(request_of("POLYFLAKE.NEXT", "orders", "5000"))
        client.send(request_of("PING"))
        server.terminate()
        assert len(client.reply()) == 5000
        assert client.reply() == "PONG"
        assert server.ended() == 0


def test_what_a_request_waits_for_at_the_end_is_waited_for() -> None:
    """An id that is three seconds ahead of the clock."""
    with Polyflaked(head="max_wait_ms = 8000\ndrain_ms = 0") as server, server.client("resp") as client:
        assert isinstance(client, RespClient)
        ahead = client.take()[0] + (3000 << 22)
        client.send(request_of("POLYFLAKE.NEXT", "orders", "AFTER", str(ahead)))
        server.terminate()
        assert int(client.reply()) > ahead
        assert server.ended() == 0


def test_neither_a_log_that_nobody_reads_nor_sighup_ends_it(tmp_path: Path) -> None:
    with Polyflaked() as server:
        os.kill(server.pid, signal.SIGHUP)
        assert server.ids()
    file = tmp_path / "server.toml"
    file.write_text(
        'drain_ms = 0\n[generator.orders]\nworker = 1\n[[listener]]\nprotocol = "resp"\naddress = "127.0.0.1:0"\n'
    )
    with subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        while b"event=serving" not in running.stderr.readline():
            pass
        running.stderr.close()
        running.terminate()
        assert running.wait(60) == 0


def test_a_large_reply_is_finished() -> None:
    """Its ids last for some ticks, and it does not fit into the buffers of the system."""
    with (
        Polyflaked(head="max_batch = 100000\nmax_wait_ms = 60000\ndrain_ms = 0") as server,
        server.client("resp") as client,
    ):
        assert isinstance(client, RespClient)
        client.send(request_of("POLYFLAKE.NEXT", "orders", 100_000))
        assert client.replies.read(1) == b"*"  # it is being sent
        server.terminate()
        assert client.replies.readline() == b"100000\r\n"
        ids = [int(str(client.reply())) for _ in range(100_000)]
        assert ids == sorted(set(ids))
        assert server.ended() == 0


@pytest.mark.real_time
def test_a_client_that_never_reads_is_not_waited_for() -> None:
    with Polyflaked() as server, server.client("resp") as client:
        assert isinstance(client, RespClient)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.send(request_of("POLYFLAKE.NEXT", "orders", 10_000) * 50)
        with server.client("resp") as other:
            other.take()  # so those before it are being answered
        server.terminate()
        assert server.ended(5) == 0


def test_a_node_id_of_this_host_is_free_at_once(registry: Path) -> None:
    """Who asks for it while another has it is refused."""
    head = f'registry = "{registry}"\ndrain_ms = 0'
    ids: list[int] = []
    for _ in range(2):
        with Polyflaked('"host:7"', head=head) as server:
            ids += server.ids(100)
            server.terminate()
            assert server.ended() == 0
    assert ids == sorted(set(ids))


def test_a_lease_is_given_back(redis: Redis) -> None:
    """A namespace of two node ids, of a window that the test does not live to see the end of."""
    url = f"{redis.url}/0?namespace=released"
    init_namespace(f"{url}&window_ms=600000", layout=TWO_NODES, fresh=True)
    worker = f'"{url}&acquire_timeout_ms=5000"'
    ids: list[int] = []
    with Polyflaked(worker, layout=TWO_NODES) as stays:
        for _ in range(3):
            with Polyflaked(worker, layout=TWO_NODES) as server:
                ids += server.ids(100) + stays.ids(100)
                server.terminate()
                assert server.ended() == 0
    assert len(set(ids)) == len(ids)


# --- restarts, one after the other ---------------------------------------------------------------


def restart_in_turn(one: Polyflaked, two: Polyflaked, load: Load) -> None:
    for server in (one, two, one, two):
        assert load.more()
        server.terminate()
        assert server.ended() == 0
        assert load.more()
        server.start()
    assert load.more()
    load.stop()


@pytest.mark.parametrize("protocol", CLIENTS)
def test_servers_are_restarted_one_after_the_other(redis: Redis, protocol: str) -> None:
    url = f"{redis.url}/0?namespace=rolling-{protocol}"
    init_namespace(url, fresh=True)
    with Polyflaked(f'"{url}"', head="drain_ms = 100") as one, Polyflaked(f'"{url}"', head="drain_ms = 100") as two:
        load = Load(protocol, [one.ports[protocol].number, two.ports[protocol].number])
        restart_in_turn(one, two, load)
        load.expect_good()
        assert load.lost


def test_behind_nginx_no_request_fails(redis: Redis) -> None:
    url = f"{redis.url}/0?namespace=nginx"
    init_namespace(url, fresh=True)
    with Polyflaked(f'"{url}"', head="drain_ms = 100") as one, Polyflaked(f'"{url}"', head="drain_ms = 100") as two:
        ports = {f"10.0.0.{host}:7601": server.ports["http"].number for host, server in ((1, one), (2, two))}
        with Nginx(block_with("server.md", "max_fails"), "7601", ports) as nginx:
            load = Load("http", [nginx.port], threads=4)
            restart_in_turn(one, two, load)
        load.expect_good()
        assert load.lost == 0
