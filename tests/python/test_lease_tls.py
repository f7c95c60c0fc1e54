"""TLS to stores: the server must be known and be the one that was asked for, and nobody learns a password where it is not."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from certificates import HOST, OTHER_HOST, Certificates
from servers import Etcd, MariaDB, PostgreSQL, Redis
from servers.port import Port

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases
from polyflake.stores.redis import RedisStore

SECRET = "S3CRET"


@pytest.fixture(scope="module")
def files():
    folder = Path(tempfile.mkdtemp(prefix="polyflake-test-"))  # one that other users may enter
    folder.chmod(0o755)
    try:
        yield Certificates(folder)
    finally:
        shutil.rmtree(folder)


@contextmanager
def tls_redis(files):
    port = Port()
    words = {
        "tls-port": port.number,
        "tls-cert-file": files.certificate,
        "tls-key-file": files.key,
        "tls-ca-cert-file": files.authority,
        "tls-auth-clients": "no",
    }
    port.close()
    with Redis(*(str(word) for name, value in words.items() for word in (f"--{name}", value))) as server:
        server.tls_port = port.number
        server.ask("CONFIG", "SET", "requirepass", SECRET)
        yield server


@pytest.fixture(scope="module")
def redis_server(files):
    with tls_redis(files) as server:
        yield server


def check_issues(store):
    init_namespace(store, fresh=True)
    with Generator(store) as generator:
        assert len(set(generator.next_ids(100))) == 100
        assert [held.node for held in leases(store)] == [generator.worker]


def check_refused(store, code="store_unavailable"):
    with pytest.raises(PolyflakeError) as refused:
        Generator(store)
    assert refused.value.code == code
    error = refused.value
    assert SECRET not in f"{error!s} {error!r} {error.__cause__!r} {error.__context__!r}"
    return str(error)


def redis_url(server, host, **options):
    query = "".join(f"&{name}={value}" for name, value in options.items())
    return f"rediss://:{SECRET}@{host}:{server.tls_port}?namespace=tls&acquire_timeout_ms=30000{query}"


def test_rediss_issues_where_authority_and_host_are_right(redis_server, files):
    check_issues(redis_url(redis_server, HOST, ssl_ca_certs=files.authority))


def test_rediss_takes_the_authorities_of_the_system(redis_server, files, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(files.authority))
    check_issues(redis_url(redis_server, HOST))


def test_rediss_refuses_another_host(redis_server, files):
    said = check_refused(redis_url(redis_server, OTHER_HOST, ssl_ca_certs=files.authority))
    assert f"rediss://{OTHER_HOST}:{redis_server.tls_port}" in said
    assert "certificate" in said.lower(), said


def test_rediss_refuses_an_unknown_authority(redis_server):
    said = check_refused(redis_url(redis_server, HOST))
    assert "certificate" in said.lower(), said


def test_rediss_where_nobody_speaks_tls(redis_server, files):
    plain = redis_url(redis_server, HOST, ssl_ca_certs=files.authority)
    check_refused(plain.replace(f":{redis_server.tls_port}", f":{redis_server.port}"))


def test_a_redis_client_with_tls_of_its_own(redis_server, files):
    for host in (HOST, OTHER_HOST):
        client = redis.Redis(
            host=host, port=redis_server.tls_port, password=SECRET, ssl=True, ssl_ca_certs=str(files.authority)
        )
        store = RedisStore(client, namespace="tls", acquire_timeout_ms=30000)
        if host == HOST:
            check_issues(store)
        else:
            check_refused(store)


# --- others -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgresql_server(files):
    files.give_key_to("nobody")
    settings = ("ssl=on", f"ssl_cert_file={files.certificate}", f"ssl_key_file={files.key}")
    with PostgreSQL(*(word for setting in settings for word in ("-c", setting))) as server:
        yield server


def test_postgresql_verifies_as_sslmode_says(postgresql_server, files):
    def url(host, **options):
        query = "".join(f"&{name}={value}" for name, value in options.items())
        place = postgresql_server.url.replace(f"@{OTHER_HOST}:", f"@{host}:")
        return f"{place}?namespace=tls&acquire_timeout_ms=30000{query}"

    full = {"sslmode": "verify-full"}
    check_issues(url(HOST, **full, sslrootcert=files.authority))
    for refused in (url(OTHER_HOST, **full, sslrootcert=files.authority), url(HOST, **full, sslrootcert="system")):
        assert postgresql_server.password not in check_refused(refused)


@pytest.fixture(scope="module")
def mysql_server(files):
    files.give_key_to("nobody")
    with MariaDB(f"--ssl-cert={files.certificate}", f"--ssl-key={files.key}", "--require-secure-transport") as server:
        yield server


def test_mysql_verifies_with_ssl(mysql_server, files):
    def url(host, **options):
        query = "".join(f"&{name}={value}" for name, value in options.items())
        place = mysql_server.url.replace(f"@{OTHER_HOST}:", f"@{host}:")
        return f"{place}?namespace=tls&acquire_timeout_ms=30000{query}"

    check_issues(url(HOST, ssl=1, ssl_ca=files.authority))
    for refused in (url(OTHER_HOST, ssl=1, ssl_ca=files.authority), url(HOST, ssl=1)):
        said = check_refused(refused)
        assert mysql_server.password not in said
        assert "certificate verify failed" in said


@pytest.fixture(scope="module")
def etcd_server(files):
    server, port = Etcd(), Port()
    server.tls_port = port.number
    port.close()
    places = f"http://127.0.0.1:{server.port},https://127.0.0.1:{server.tls_port}"
    server.options = (
        f"--listen-client-urls={places}",
        f"--advertise-client-urls={places}",
        f"--cert-file={files.certificate}",
        f"--key-file={files.key}",
    )
    with server:
        yield server


def test_etcds_verifies(etcd_server, files):
    def url(host, cacert=""):
        query = f"?namespace=tls&acquire_timeout_ms=30000{cacert}"
        return f"etcds://somebody:{SECRET}@{host}:{etcd_server.tls_port}{query}"

    authority = f"&cacert={files.authority}"
    check_issues(url(HOST, authority).replace(f"somebody:{SECRET}@", ""))
    for refused in (url(OTHER_HOST, authority), url(HOST)):
        assert "certificate verify failed" in check_refused(refused)
