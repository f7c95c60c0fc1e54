"""What an address is refused for, and what the error says to do: never a password."""

from __future__ import annotations

import secrets

import pytest
import redis
from kazoo.client import KazooClient
from servers import PostgreSQL

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases, raise_floor


@pytest.mark.parametrize(
    "worker", ["postgres://u:S3CRET@h/d", "mysql+pymysql://u:S3CRET@h/d", "rdis://:S3CRET@h/0", "jdbc:x://S3CRET"]
)
def test_an_address_of_another_scheme_is_told_which_there_are_and_shows_no_password(worker, monkeypatch):
    monkeypatch.setenv("POLYFLAKE_WORKER", worker)
    for call in (lambda: Generator(f"{worker}?namespace=a"), Generator, lambda: leases(worker)):
        with pytest.raises(PolyflakeError, match=r"mysql:// or memory://") as refused:
            call()
        assert refused.value.code == "worker_source_invalid" and "S3C" not in str(refused.value)


@pytest.mark.parametrize("name", ["windowMs", "window-ms", "autoInit", "Namespace", "acquireTimeoutMs"])
def test_an_option_in_another_spelling_is_refused_in_an_address(name):
    with pytest.raises(PolyflakeError, match="did you mean") as refused:
        Generator(f"postgresql://127.0.0.1:1/d?namespace=a&x=1&{name}=5")
    assert refused.value.code == "option_invalid"


def test_a_parameter_that_redis_does_not_know_is_the_address_s_fault():
    with pytest.raises(PolyflakeError, match="does not know the parameter 'windows'") as refused:
        Generator("redis://127.0.0.1:1/0?namespace=a&windows=S3CRET")
    assert refused.value.code == "worker_source_invalid" and "S3CRET" not in str(refused.value)


def test_a_client_without_its_store_is_told_which_store_takes_it():
    for client, store in ((redis.Redis(), "redis.RedisStore"), (KazooClient(), "zookeeper.ZooKeeperStore")):
        with pytest.raises(PolyflakeError, match=rf"polyflake\.stores\.{store}\(client, namespace=") as refused:
            Generator(client)
        assert refused.value.code == "worker_source_invalid"


def test_what_postgresql_refuses_is_said():
    with PostgreSQL() as server:
        wrong = server.url.replace(f":{server.password}@", ":S3CRET@")
        for url, said in (
            (wrong, "password authentication failed.*; the server refused this user and password"),
            (f"{server.url}x", "does not exist.*; there is no database of this name"),
            ("postgresql://127.0.0.1:1/d", "Connection refused.*; no server listens at this address"),
        ):
            with pytest.raises(PolyflakeError, match=said) as refused:
                Generator(f"{url}?namespace=a")
            assert refused.value.code == "store_unavailable" and "S3CRET" not in str(refused.value)


def test_a_host_that_has_no_address_is_said():
    with pytest.raises(PolyflakeError, match=r"invalid/0\?namespace=a: ConnectionError \([^)]+\)"):
        Generator("redis://no-such-host.invalid/0?namespace=a")


@pytest.mark.parametrize("time_ms", [0, 1_790_000_000, 1_790_000_000_000_000])
def test_a_floor_that_is_no_time_of_the_layout_in_ms_is_refused(time_ms):
    url = f"memory://{secrets.token_hex(8)}?namespace=a"
    init_namespace(url, fresh=True)
    with pytest.raises(PolyflakeError) as refused:
        raise_floor(url, time_ms=time_ms)
    assert refused.value.code == "field_out_of_range"
    with Generator(url) as generator:
        generator.next_id()
