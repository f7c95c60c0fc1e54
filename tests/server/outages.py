"""Clients of a server whose store stops answering, and what they see."""

from __future__ import annotations

import json
import time

import pytest
from polyflaked import Polyflaked
from wire_clients import Client, Refused

# A server that waited before it refuses would wait a minute, which no busy machine takes to answer.
PATIENT = "max_wait_ms = 60000\ndrain_ms = 0"
AT_ONCE_S = 20


def until_ms(server: Polyflaked) -> int:
    """The end of the window that it knows of."""
    (generator,) = json.loads(server.http("/v1/generators")[1])["generators"]
    return int(generator["until_ms"] or 0)


def take_until_refused(server: Polyflaked, clients: list[Client], ids: list[list[int]]) -> int:
    """Returns the latest end of a window that the server told of. No request is refused before that."""
    end_ms, refused = 0, False
    while not refused:
        end_ms = max(end_ms, until_ms(server))
        for client, taken in zip(clients, ids):
            if not take_if_it_can(client, taken):
                assert time.time_ns() // 1_000_000 >= end_ms, "refused within the window"
                refused = True
        time.sleep(0.01)
    return end_ms


def take_if_it_can(client: Client, ids: list[int], key: str = "orders", n: int = 1) -> bool:
    try:
        ids += client.take_of(key, n)
    except Refused as refusal:
        assert refusal.code in ("store_unavailable", "lease_lost")
        return False
    return True


def expect_refusals(server: Polyflaked, clients: list[Client]) -> None:
    """Every path says why, at once, and none gives a number."""
    began = time.monotonic()
    for client in clients:
        for n in (1, 10, 1000):
            with pytest.raises(Refused) as refusal:
                client.take(n)
            assert refusal.value.code == "store_unavailable"
    status, body = server.ready()
    assert status == 503
    assert json.loads(body)["keys"]["orders"] == {"ready": False, "code": "store_unavailable"}
    assert server.http("/livez")[0] == 200
    status, body = server.http("/api/snowflake/get/orders")
    assert status == 500
    assert not body.strip().isdigit() and "store_unavailable" in body
    assert time.monotonic() - began < AT_ONCE_S
