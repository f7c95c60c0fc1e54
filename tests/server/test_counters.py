"""Numbers of a counter: servers take those that clients ask for, and no others."""

from __future__ import annotations

import json

from outages import PATIENT
from polyflaked import Polyflaked
from servers import Redis

from polyflake.stores import init_counter, init_namespace


def number_of(server: Polyflaked) -> int:
    status, body = server.http("/v1/ids/invoices", "POST")
    assert status == 200, body
    (number,) = json.loads(body)["ids"]
    return int(number)


def test_with_a_step_of_1_numbers_are_in_the_order_of_calls_without_a_gap() -> None:
    """Also while the state of both servers is looked at, and after a server ended."""
    with Redis() as redis:
        store = f"{redis.url}/0?namespace=orders"
        init_namespace(store)
        init_counter(store, "invoices", after=41)
        tail = f'[counter.invoices]\nstore = "{store}"\nstep = 1\ntimeout_ms = 60000'
        numbers = []
        with Polyflaked(head=PATIENT, tail=tail) as first:
            with Polyflaked(head=PATIENT, tail=tail) as second:
                for turn in range(12):
                    for server in (first, second):
                        assert server.ready()[0] == 200
                        assert server.resp("POLYFLAKE.INFO")
                    numbers.append(number_of(first if turn % 3 else second))
                second.terminate()
                assert second.ended() == 0
            numbers.append(number_of(first))
        assert numbers == list(range(42, 42 + 13))
