"""Certificates of listeners and of clients: who is let in, what SIGHUP does, and which files are refused."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from certificates import VERSIONS, Authority, Certificate, Tls
from load import Load, expect_unique
from polyflaked import PROGRAM, Polyflaked, run_polyflaked
from servers import Redis
from servers.waiting import within
from stepped_clock import Clock
from wire_clients import CLIENTS, REQUESTS, RespClient, connected_to, request_of

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
        "old": lambda: authority.certificate("client", days=-1),
    }[which]()
    with Polyflaked(tls=mutual) as server, server.client("resp") as known:
        mutual.context = mutual.new_context(shown)
        mutual.speak(version)
        for protocol, (request, _) in REQUESTS.items():
            # In TLS 1.3 the client has done its part before the server has seen the certificate.
            with (
                pytest.raises(ssl.SSLError, match=rf"(?i)alert.*({alert})"),
                server.connect_to(protocol) as connection,
            ):
                connection.sendall(request)
                connection.recv(100)
        assert known.take(3)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
def test_a_session_goes_on_in_another_connection(mutual: Tls, version: ssl.TLSVersion) -> None:
    mutual.speak(version)
    with Polyflaked(tls=mutual) as server:
        session = None
        for again in (False, True):
            connection = mutual.context.wrap_socket(
                socket.create_connection((server.host, server.ports["resp"].number)),
                server_hostname="localhost",
                session=session,
            )
            with connection:
                connection.sendall(request_of("INCR", "orders"))
                assert connection.recv(100).startswith(b":")
                session = connection.session
                assert connection.session_reused == again


def test_an_authority_may_be_below_another(tmp_path: Path, authority: Authority, mutual: Tls) -> None:
    """Then those that the other one signs by others are strangers."""
    mutual.keys = mutual.keys.replace(f'client_ca = "{authority.root}"', f'client_ca = "{authority.intermediate}"')
    with Polyflaked(tls=mutual) as server, server.client("resp") as known:
        assert known.take(3)
        mutual.context = mutual.new_context(authority.directly("client"))
        with pytest.raises(ssl.SSLError, match=r"(?i)alert unknown ca"), server.connect_to("resp") as connection:
            connection.sendall(request_of("PING"))
            connection.recv(100)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda one: one.name)
def test_a_session_does_not_outlive_the_certificate(
    mutual: Tls, authority: Authority, clock: Clock, version: ssl.TLSVersion
) -> None:
    """Nor if it is taken up again each hour. In TLS 1.3 it could be for ever."""
    mutual.context = mutual.new_context(authority.certificate("client", days=1))
    mutual.speak(version)
    with Polyflaked(tls=mutual, around=clock.environment) as server:
        port = server.ports["resp"].number
        session = None
        resumed = 0
        for hour in range(30):
            clock.set(hour * 3600)
            try:
                raw = connected_to(port)
                with mutual.context.wrap_socket(raw, server_hostname="localhost", session=session) as connection:
                    connection.sendall(request_of("PING"))
                    assert connection.recv(100) == b"+PONG\r\n"
                    session = connection.session
                    resumed += connection.session_reused
            except ssl.SSLError as error:
                assert "EXPIRED" in str(error)
                break
        assert 23 <= hour <= 25
        assert resumed > 10


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
        with pytest.raises(ssl.SSLError, match=r"(?i)unknown ca"):
            raw = socket.create_connection((server.host, server.ports["resp"].number))
            with mutual.context.wrap_socket(raw, server_hostname="localhost", session=session) as connection:
                connection.sendall(request_of("PING"))
                connection.recv(100)
        mutual.context = mutual.new_context(strangers.certificate("client"))
        expect_unique([ids, server.ids(3)])


def test_nobody_notices_sighup(tls: Tls, authority: Authority, server_certificate: Certificate) -> None:
    """Neither those who are connected nor those who come."""
    certificates = [server_certificate, authority.certificate("next")]
    with Polyflaked(tls=tls, listeners={"resp": ""}) as server:
        load = Load("resp", [server.ports["resp"].number], tls=tls.context)
        for turn in range(20):
            tls.use(certificates[turn % 2])
            hang_up(server, "reread")
            assert load.more(50)
            with server.client("resp") as new:
                load.ids.append(new.take(3))
        load.stop()
        load.expect_good()
        assert load.lost == 0


def test_sighup_while_it_waits_for_a_node_id(tls: Tls, redis: Redis, tmp_path: Path) -> None:
    """It does not end, and reads again what it read before it waited."""
    file = tmp_path / "server.toml"
    with redis.proxy() as proxy:
        url = f"{redis.url_at(proxy.port)}/0?namespace=orders&acquire_timeout_ms=600000"
        proxy.drop()
        listener = f'[[listener]]\nprotocol = "resp"\naddress = "127.0.0.1:0"\n{tls.keys}'
        file.write_text(f'[generator.orders]\nworker = "{url}"\n{listener}')
        with subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.PIPE, text=True) as running:
            try:
                assert within(60, lambda: hears(running.pid, signal.SIGHUP))
                running.send_signal(signal.SIGHUP)
                assert running.stderr is not None
                assert f"event=reread certificate={tls.certificate}" in running.stderr.readline()
                running.terminate()
                assert running.wait(60) == 0
            finally:
                running.kill()


def hears(pid: int, number: int) -> bool:
    """True if the process has a handler of the signal."""
    found = re.search(r"^SigCgt:\s*(\w+)$", Path(f"/proc/{pid}/status").read_text(), re.M)
    return found is not None and bool(int(found[1], 16) >> (number - 1) & 1)


# --- the configuration ---------------------------------------------------------------------------


def refusal(tmp_path: Path, keys: str, address: str = "127.0.0.1:0") -> tuple[int, str]:
    """The exit code of --check-config and what it says."""
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
    tls.use(authority.certificate("old", days=-1))
    status, said = refusal(tmp_path, tls.keys)
    assert status == 0
    assert "event=warning" in said and "expired" in said and str(tls.certificate) in said
    tls.context.check_hostname = False
    tls.context.verify_mode = ssl.CERT_NONE
    with Polyflaked(tls=tls) as server:
        assert "expired" in server.said("warning")[0]
        assert server.ids(3)
