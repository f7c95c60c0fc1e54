"""Tokens: who takes which ids, how many a second, and what a changed file means to clients that are connected."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_programs import KINDS, ClientError, Kind
from polyflaked import BUSY, PROGRAM, Polyflaked, run_polyflaked
from servers import Redis
from servers.waiting import within
from wire_clients import Refused, RespClient, all_of, request_of

BILLING, OPS, SLOW = "billing-0123456789", "ops-\"0123456789'abcdef", "slow-0123456789abcdef"
TOKENS = {
    "billing": f'secret = "{BILLING}"\nkeys = "orders"',
    "ops": f"secret = {json.dumps(OPS)}\ninspect = true",
    "slow": f'secret = "{SLOW}"\nrate = 50',
}
# Some clients show the first word of an error, and some what is behind it.
NO_PERMISSION = r"has no permissions|forbidden"
NO_TOKEN = r"Authentication required|HELLO must be called|invalid username-password|token_(missing|wrong)"
USERS = "[generator.users]\nworker = 8"


def write(file: Path, tokens: dict[str, str]) -> None:
    """As editors do: the file is another one, and whole at any time."""
    new = file.with_suffix(".new")
    new.write_text("\n".join(f"[token.{name}]\n{keys}" for name, keys in tokens.items()) + "\n")
    new.chmod(0o600)
    new.rename(file)


class Guarded(Polyflaked):
    """A server whose listeners of RESP and HTTP have the same tokens."""

    def __init__(self, folder: Path, head: str = "") -> None:
        self.tokens = folder / "tokens.toml"
        write(self.tokens, TOKENS)
        key = f'tokens = "{self.tokens}"\n'
        super().__init__(head=head, tail=USERS, listeners={"resp": key, "http": key + "leaf = true"})

    def bearer(self, method: str, path: str, secret: str) -> tuple[int, str]:
        return self.http(path, method, Authorization=f"Bearer {secret}")

    def authenticated(self, secret: str) -> RespClient:
        client = RespClient(self.ports["resp"].number)
        assert client.ask("AUTH", secret) == "OK"
        return client

    def hang_up(self) -> None:
        """SIGHUP. Returns when the server has read its tokens, or kept the old ones."""
        before = self.readings()
        os.kill(self.pid, signal.SIGHUP)
        assert within(60, lambda: self.readings() > before)

    def readings(self) -> int:
        return len(self.said("tokens")) + len(self.said("tokens_kept"))


def take_first(server: Guarded) -> None:
    """Waits until its first window has begun."""
    assert within(60, lambda: server.bearer("POST", "/v1/ids/orders", BILLING)[0] == 200)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with Guarded(tmp_path_factory.mktemp("tokens")) as server:
        take_first(server)
        yield server


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Guarded]:
    with Guarded(tmp_path) as server:
        take_first(server)
        yield server


def refused(client: RespClient, *words: str | int) -> str:
    with pytest.raises(Refused) as found:
        client.ask(*words)
    return found.value.code


def is_given(client: RespClient) -> bool:
    """Returns whether the next reply is an id; else it has to be a refusal by the rate."""
    try:
        return isinstance(client.reply(), int)
    except Refused as refusal:
        assert refusal.code == "busy"
        return False


# --- clients -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "resp"),
    [(kind, resp) for kind in KINDS for resp in kind.resp if "next" in kind.verbs],
    ids=lambda value: value.name if isinstance(value, Kind) else str(value),
)
def test_clients_of_others_send_tokens(guarded: Guarded, kind: Kind, resp: int) -> None:
    client = kind.start()
    try:
        for token in (("billing", BILLING), ("default", OPS)):
            client.open(guarded, resp, token)
            assert int(client.ask("next", "orders")[0]) > 0
            assert len(client.ask("batch", "orders", 3)) == 3
        assert len(client.ask("next", "users")) == 1
        client.open(guarded, resp, ("billing", BILLING))
        with pytest.raises(ClientError, match=NO_PERMISSION):
            client.ask("next", "users")
        with pytest.raises(ClientError, match=NO_PERMISSION):
            client.ask("decode", "912101662074630426")
        assert len(client.ask("nexts", "orders", 20)) == 20
    finally:
        client.close()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "next" in kind.verbs], ids=lambda kind: kind.name)
@pytest.mark.parametrize("token", [(), ("billing", "wrong-0123456789")], ids=["none", "wrong"])
def test_clients_of_others_are_told_that_a_token_is_missing_or_wrong(guarded: Guarded, kind: Kind, token) -> None:
    client = kind.start()
    try:
        with pytest.raises(ClientError, match=NO_TOKEN):
            client.open(guarded, kind.resp[-1], token)
            client.ask("next", "orders")
    finally:
        client.close()


def test_an_answer_of_401_says_how_to_authenticate(guarded: Guarded) -> None:
    url = f"http://127.0.0.1:{guarded.ports['http'].number}/api/snowflake/get/orders"
    for options in ([], ["-H", "Authorization: Bearer wrong"], ["-u", f"billing:{BILLING}"]):
        shown = subprocess.run(["curl", "-si", *options, url], capture_output=True, text=True, check=True).stdout
        assert shown.startswith("HTTP/1.1 401 ") and "\nWWW-Authenticate: Bearer\n" in shown.replace("\r", "")
    assert subprocess.run(
        ["curl", "-sf", "--oauth2-bearer", BILLING, url], check=True, capture_output=True
    ).stdout.isdigit()


# --- rates ---------------------------------------------------------------------------------------


def test_over_the_rate_a_request_is_refused_and_costs_nothing(own: Guarded) -> None:
    client = own.authenticated(SLOW)
    began = time.monotonic()
    client.send(request_of("INCR", "orders") * 400)
    taken = sum(is_given(client) for _ in range(400))
    elapsed = time.monotonic() - began
    assert 50 <= taken <= 51 + 50 * elapsed
    # Those who were refused did not cost: it recovers at its rate.
    assert within(60, lambda: own.bearer("POST", "/v1/ids/orders?n=50", SLOW)[0] == 200)
    assert time.monotonic() - began >= 1.0 * (taken / 50)


def test_the_rate_is_one_for_all_listeners_and_connections(own: Guarded) -> None:
    assert own.bearer("POST", "/v1/ids/orders?n=10000", SLOW)[0] == 200  # more than a second's, of a full bucket
    assert refused(own.authenticated(SLOW), "INCR", "users") == "busy"
    curl = ["curl", "-si", "-XPOST", "-H", f"Authorization: Bearer {SLOW}"]
    shown = subprocess.run(
        [*curl, f"http://127.0.0.1:{own.ports['http'].number}/v1/ids/orders"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.startswith("HTTP/1.1 429 ")
    retry = re.search(r"^Retry-After: (\d+)$", shown, re.M)
    assert retry is not None and 100 < int(retry[1]) <= 200
    assert own.authenticated(BILLING).ask("INCR", "orders")  # others are not concerned


def test_what_the_server_refuses_for_other_reasons_costs_nothing(own: Guarded) -> None:
    client = own.authenticated(SLOW)
    for _ in range(100):
        assert refused(client, "POLYFLAKE.NEXT", "orders", 50, "AFTER", 2**63 - 1) == "clock_behind"
    assert len(client.take(50)) == 50


def test_replies_keep_the_order_of_requests_when_the_rate_ends_among_them(own: Guarded) -> None:
    client = own.authenticated(SLOW)
    for number in range(60):
        client.send(request_of("ECHO", f"before {number}") + request_of("INCR", "orders") + request_of("INCR", "users"))
    client.send(request_of("PING"))
    given = 0
    for number in range(60):
        assert client.reply() == f"before {number}"
        given += is_given(client) + is_given(client)
    assert client.reply() == "PONG"
    assert given >= 50


# --- SIGHUP --------------------------------------------------------------------------------------


def test_tokens_that_go_lose_their_right_on_open_connections_too(own: Guarded) -> None:
    billing, ops = own.authenticated(BILLING), own.authenticated(OPS)
    write(own.tokens, {"ops": TOKENS["ops"], "new": 'secret = "new-0123456789abc"'})
    assert billing.ask("INCR", "orders")
    own.hang_up()
    assert refused(billing, "INCR", "orders") == "NOAUTH"
    assert refused(billing, "AUTH", BILLING) == "WRONGPASS"
    assert ops.ask("INCR", "orders")
    assert billing.ask("AUTH", "new", "new-0123456789abc") == "OK"
    assert billing.ask("INCR", "users")
    assert own.bearer("POST", "/v1/ids/orders", BILLING)[0] == 401


def test_a_bucket_goes_on(own: Guarded) -> None:
    assert own.bearer("POST", "/v1/ids/orders?n=10000", SLOW)[0] == 200
    slow = own.authenticated(SLOW)
    for tokens in ({"slow": TOKENS["slow"]}, {"ops": TOKENS["ops"]}, TOKENS):
        write(own.tokens, tokens)
        own.hang_up()
    assert refused(slow, "INCR", "orders") == "NOAUTH"
    assert slow.ask("AUTH", SLOW) == "OK"
    assert refused(slow, "INCR", "orders") == "busy"
    write(own.tokens, {"slow": TOKENS["slow"].replace("rate = 50", "")})
    own.hang_up()
    assert slow.ask("INCR", "orders")


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda file: file.write_text(""), "there is no token"),
        (lambda file: file.write_text(f'[token.a]\nsecret = "{BILLING}\n'), "closing quote"),
        (lambda file: file.write_text(f'[token.a]\nsecret = "{BILLING}"\nkeys = "order"\n'), "'order'"),
        (
            lambda file: file.write_text(f'[token.a]\nsecret = "{BILLING}"\n[token.b]\nsecret = "{BILLING}"\n'),
            "[token.a]",
        ),
        (lambda file: file.write_bytes(os.urandom(5000)), "tokens.toml:"),
        (lambda file: file.write_text("#" * (2 << 20)), "at most 1 MiB"),
        (lambda file: file.unlink(), "No such file"),
        (lambda file: (file.unlink(), file.mkdir()), "is not a file"),
        (lambda file: (file.unlink(), os.mkfifo(file)), "is not a file"),
        (lambda file: (file.unlink(), file.symlink_to("/dev/zero")), "is not a file"),
        (lambda file: (file.unlink(), file.symlink_to(file)), "symbolic links"),
    ],
)
def test_a_broken_file_leaves_the_old_tokens(own: Guarded, break_it, reason: str) -> None:
    connected = own.authenticated(BILLING)
    break_it(own.tokens)
    own.hang_up()
    (line,) = own.said("tokens_kept")
    assert reason in line and "tokens=3" in line and str(own.tokens) in line
    assert connected.ask("INCR", "orders")
    assert own.bearer("POST", "/v1/ids/orders", OPS)[0] == 200
    assert not any(secret in own.log.read_text() for secret in (BILLING, OPS, SLOW))


def test_many_signals_while_it_serves(own: Guarded) -> None:
    client = own.authenticated(BILLING)
    before, last = own.readings(), 0
    files = own.files()
    for number in range(200):
        os.kill(own.pid, signal.SIGHUP)
        if number % 3 == 0:
            write(own.tokens, TOKENS | {f"n{number}": f'secret = "0123456789-{number:08}"'})
        (taken,) = client.take()
        assert taken > last
        last = taken
    assert within(60, lambda: own.readings() > before)
    own.hang_up()
    assert own.bearer("POST", "/v1/ids/orders", "0123456789-00000198")[0] == 200
    assert own.bearer("POST", "/v1/ids/orders", "0123456789-00000195")[0] == 401
    assert within(60, lambda: own.files() == files)


def test_of_a_file_that_is_too_long_little_is_read(own: Guarded) -> None:
    own.hang_up()
    os.truncate(own.tokens, 256 << 20)
    own.hang_up()
    (line,) = own.said("tokens_kept")
    assert "at most 1 MiB" in line
    assert own.most_memory_kib() < 128 << 10


def test_a_signal_while_it_drains(tmp_path: Path) -> None:
    with Guarded(tmp_path, head="drain_ms = 600000") as server:
        take_first(server)
        client = server.authenticated(BILLING)
        server.terminate()
        assert within(60, lambda: server.ready()[0] == 503)
        write(server.tokens, {"ops": TOKENS["ops"]})
        server.hang_up()
        assert refused(client, "INCR", "orders") == "NOAUTH"
        assert server.authenticated(OPS).ask("INCR", "orders")


def test_a_signal_while_it_waits_for_its_node_id(tmp_path: Path, redis: Redis) -> None:
    write(tmp_path / "tokens.toml", TOKENS)
    with redis.proxy() as proxy, (tmp_path / "log").open("w") as log:
        proxy.drop()
        store = f"{redis.url_at(proxy.port)}/0?namespace=orders&acquire_timeout_ms=600000"
        (file := tmp_path / "server.toml").write_text(
            f'[generator.orders]\nworker = "{store}"\n[generator.users]\nworker = 8\n[[listener]]\nprotocol = "resp"\n'
            f'address = "127.0.0.1:0"\ntokens = "{tmp_path / "tokens.toml"}"\n'
        )
        running = subprocess.Popen([PROGRAM, "--config", file], stderr=log)
        try:
            assert within(60, lambda: proxy.connections > 0)  # from then on it hears signals
            for times in (2, 3):
                running.send_signal(signal.SIGHUP)
                assert within(60, lambda times=times: (tmp_path / "log").read_text().count("event=tokens ") == times)
            assert running.poll() is None
        finally:
            running.kill()
            running.wait()


def test_without_tokens_sighup_changes_nothing(server: Polyflaked) -> None:
    os.kill(server.pid, signal.SIGHUP)
    assert server.ids(3)


def test_each_file_is_one_of_its_own(tmp_path: Path) -> None:
    """The same name in two files is two tokens, with a bucket each."""
    files = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for number, file in enumerate(files):
        write(file, {"slow": f'secret = "slow-0123456789abc{number}"\nrate = 1'})
    listeners = {name: f'tokens = "{file}"' for name, file in zip(("resp", "http"), files, strict=True)}
    with Polyflaked(listeners=listeners) as server:
        path, right = "/v1/ids/orders?n=100", {"Authorization": "Bearer slow-0123456789abc1"}
        assert within(60, lambda: server.http(path, "POST", **right)[0] == 200)  # of a full bucket
        assert server.http(path, "POST", **right)[0] == BUSY
        assert server.http(path, "POST", Authorization="Bearer slow-0123456789abc0")[0] == 401
        client = RespClient(server.ports["resp"].number)
        assert refused(client, "AUTH", "slow-0123456789abc1") == "WRONGPASS"
        assert client.ask("AUTH", "slow-0123456789abc0") == "OK"
        assert len(client.take(100)) == 100
        assert len(server.said("tokens")) == 2


# --- the log, and the start ----------------------------------------------------------------------


def test_a_thousand_wrong_secrets_are_few_lines(own: Guarded) -> None:
    began = time.monotonic()
    client = RespClient(own.ports["resp"].number)
    client.send(
        b"".join(request_of("AUTH", f"guess-{number}") + request_of("INCR", "orders") for number in range(1000))
    )
    for _ in range(1000):
        assert refused_reply(client) == "WRONGPASS"
        assert refused_reply(client) == "NOAUTH"
    for _ in range(20):
        assert own.bearer("POST", "/v1/ids/orders", "guess-in-http")[0] == 401

    def counted(protocol: str) -> list[int]:
        found = []
        for line in own.said("wrong_secrets"):
            match = re.fullmatch(r"event=wrong_secrets address=127\.0\.0\.1:(\d+) requests=(\d+)", line)
            assert match is not None
            if int(match[1]) == own.ports[protocol].number:
                found.append(int(match[2]))
        return found

    assert within(60, lambda: sum(counted("resp")) == 1000 and sum(counted("http")) == 20)
    assert len(counted("resp")) <= 2 + (time.monotonic() - began)
    assert "guess" not in own.log.read_text()
    assert client.ask("AUTH", BILLING) == "OK"
    assert client.ask("INCR", "orders")


def refused_reply(client: RespClient) -> str:
    with pytest.raises(Refused) as found:
        client.reply()
    return found.value.code


def test_a_head_of_8_kib_and_a_connection_that_goes_on(guarded: Guarded) -> None:
    def request(secret: str) -> bytes:
        return f"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()

    with guarded.connect_to("http") as connection:
        connection.sendall(request(BILLING) + request("x" * 8000) + request(BILLING) + request("x" * 8192))
        connection.shutdown(socket.SHUT_WR)
        statuses = re.findall(rb"HTTP/1\.1 (\d+) ", all_of(connection))
    assert statuses == [b"200", b"401", b"200", b"431"]


def test_a_file_that_others_may_read_is_told_and_taken(tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    write(file, TOKENS)
    configuration = tmp_path / "server.toml"
    configuration.write_text(
        f'[generator.orders]\nworker = 7\n[[listener]]\nprotocol = "http"\naddress = "127.0.0.1:0"\ntokens = "{file}"\n'
    )
    for mode, told in ((0o600, False), (0o640, False), (0o644, True)):
        file.chmod(mode)
        done = run_polyflaked("--config", configuration, "--check-config")
        assert (done.returncode, done.stdout) == (0, f"{configuration}: ok\n")
        assert ("event=tokens_exposed" in done.stderr) == told
    file.write_text("")
    for words in (["--check-config"], []):
        done = run_polyflaked("--config", configuration, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "there is no token" in done.stderr and "event=serving" not in done.stderr
    file.unlink()
    assert "No such file" in run_polyflaked("--config", configuration).stderr


def test_who_may_inspect_sees_the_generators(guarded: Guarded) -> None:
    status, body = guarded.bearer("GET", "/v1/generators", OPS)
    assert status == 200 and [one["name"] for one in json.loads(body)["generators"]] == ["orders", "users"]
    assert guarded.bearer("GET", "/v1/generators", BILLING)[0] == 403
    assert guarded.ready()[0] == guarded.http("/livez")[0] == 200
