"""A store that cannot be reached, and is there again: how long ids flow, what is raised then, and when they flow again.

The servers are those of tests/servers; their addresses are in the environment.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from servers import Proxy

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace

WINDOW_MS, TOLERANCE_MS = 4000, 200
RENEW_WAIT_S = 1.0  # the usual one
LATE_S = 4.0  # what a busy machine may add
HEALED_S = 10.0
LOGGED = []
CALLS = 100  # after the first one that was refused
KINDS = ("redis", "zookeeper", "etcd", "postgresql", "mysql")


def refused(proxy):
    """As if the server had been killed."""
    proxy.refuse()
    proxy.cut()


def swallowed(proxy):
    """As if a cable had been pulled."""
    proxy.drop()


def unanswered(proxy):
    """Requests arrive, and nobody hears what came of them."""
    proxy.drop("replies")


def timed_call(generator):
    """The id or the code of one call, and how long it took in s."""
    began = time.monotonic()
    try:
        result = generator.next_id()
    except PolyflakeError as error:
        result = error.code
    return result, time.monotonic() - began


def issue_until_refused(generator):
    """The ids, then the code that ended them, when that call began and how long it took."""
    numbers, deadline = [], time.monotonic() + 5 * WINDOW_MS / 1000
    while time.monotonic() < deadline:
        asked_ms = time.time_ns() // 10**6
        result, took_s = timed_call(generator)
        if isinstance(result, str):
            return numbers, result, asked_ms, took_s
        numbers.append(result)
        time.sleep(0.002)
    raise AssertionError("ids flow on")


def outage(kind, fault):
    """What became of a generator on this kind of store when the fault happened, as a line; fails where it should not have."""
    url = os.environ[f"POLYFLAKE_TEST_{kind.upper()}"]
    address = f"?namespace=outage-{secrets.token_hex(8)}"  # commands may take a third of the namespace's window
    init_namespace(f"{url}{address}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}", fresh=True)
    port = urlsplit(url).port
    with Proxy(port) as proxy, Generator(f"{url.replace(f':{port}', f':{proxy.port}')}{address}") as generator:
        generator.next_id()
        fault(proxy)
        before_ms = time.time_ns() // 10**6
        numbers, code, asked_ms, took_s = issue_until_refused(generator)
        until_ms = generator.stats().until_ms
        last_ms = generator.layout.decode(numbers[-1]).time_ms
        assert code == "store_unavailable"
        assert 0.9 * RENEW_WAIT_S < took_s <= RENEW_WAIT_S + LATE_S
        began = time.monotonic()
        assert {timed_call(generator)[0] for _ in range(CALLS)} == {"store_unavailable"}
        assert time.monotonic() - began < CALLS * RENEW_WAIT_S / 2, "after one wait in vain no call waits"
        assert last_ms < until_ms <= asked_ms + 100, "ids flow until the window ends, and not longer"
        for _ in range(3):
            code, again_s = timed_call(generator)
            assert code == "store_unavailable"
            assert again_s <= RENEW_WAIT_S + LATE_S
        proxy.heal()
        healed = time.monotonic()
        while isinstance(back := timed_call(generator)[0], str):
            assert time.monotonic() - healed < HEALED_S, "no id after the store is back"
        back_s = time.monotonic() - healed
    assert len({*numbers, back}) == len(numbers) + 1
    lines = [record for record in LOGGED if address.split("=")[1].split("&")[0] in record.getMessage()]
    assert [record.levelname for record in lines[:1]] == ["WARNING"], "the application's log tells of it"
    assert len(lines) <= 2 and not any("@" in record.getMessage() for record in lines)
    return (
        f"{kind}, {fault.__name__}: ids for {last_ms - before_ms} ms, the last {until_ms - last_ms} ms before the end of the"
        f" window; {code} after {took_s * 1000:.0f} ms; ids again {back_s * 1000:.0f} ms after the store was back"
    )


@pytest.fixture(autouse=True)
def _logged():
    handler = logging.Handler()
    handler.emit = LOGGED.append
    logger = logging.getLogger("polyflake")
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)


@pytest.mark.real_time
@pytest.mark.parametrize("fault", [refused, swallowed, unanswered], ids=lambda fault: fault.__name__)
def test_ids_flow_to_the_end_of_the_window_and_soon_after_the_store_is_back(fault, capsys):
    with ThreadPoolExecutor(len(KINDS)) as pool:
        outages = {kind: pool.submit(outage, kind, fault) for kind in KINDS}
    with capsys.disabled():
        print("", *(future.result() for future in outages.values() if not future.exception()), sep="\n")
    failures = {kind: future.exception() for kind, future in outages.items() if future.exception()}
    assert not failures, failures
