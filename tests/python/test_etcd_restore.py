"""An etcd that is restored from a snapshot under its holders, with the commands of docs/leases.md and without."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
import threading
import time
from base64 import b64decode, b64encode
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from patience import HANGS_S, patiently
from refusals import code_of
from servers import Etcd
from servers.probe import Probe
from servers.waiting import within

from polyflake import Generator, PolyflakeError, decode
from polyflake.stores import init_namespace
from polyflake.stores._url import store_of

PAGE = Path(__file__).parents[2] / "docs/leases.md"
WINDOW_MS, TOLERANCE_MS = 10_000, 500
IDS = 20_000  # of the second holder


def commands_of_the_page():
    """The two blocks of the page, as a list of commands each."""
    blocks = re.findall(r"```sh\n(etcdctl snapshot restore.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 2
    return [block.replace("\\\n", "").strip().splitlines() for block in blocks]


def restored(server, command):
    """Restores the snapshot as the page says, at the addresses of this server."""
    server.restore(re.sub(r"http://127\.0\.0\.1:2380", server.peer, command))


def polyflake(server, command):
    words = command.replace("etcd://127.0.0.1:12379", server.url).replace(
        "polyflake ", f"{sys.executable} -m polyflake ", 1
    )
    subprocess.run(["sh", "-c", words], check=True, capture_output=True)


class Issuing:
    """Ids of a generator in nearly each of its ticks, until the store or the test says no."""

    def __init__(self, generator):
        self.ids = []
        self._generator = generator
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        while not self._ended.is_set():
            with suppress(PolyflakeError):  # refusals are what is waited for
                self.ids += self._generator.next_ids(20)
            time.sleep(0.001)

    def end(self):
        self._ended.set()
        self._thread.join(HANGS_S)


@contextmanager
def holder_newer_than_its_snapshot(after_the_snapshot=lambda server: None):
    """A server, the address of a namespace in it, and a holder of node id 0 that the snapshot knows nothing of."""
    with Etcd() as server:
        url = f"{server.url}?namespace=orders"
        init_namespace(f"{url}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}", fresh=True)
        server.snapshot()
        after_the_snapshot(server)
        with Generator(f"{url}&renew_wait_ms=0") as holder:
            assert within(HANGS_S, lambda: not refusal_of(holder.next_id))
            for _ in range(20):  # what else is written there
                server.request("POST", "/v3/kv/put", {"key": "eA==", "value": "eA=="})
            patiently(holder.renew)
            yield server, url, holder


def refusal_of(call):
    """Returns the code and message of the refusal, or ""."""
    try:
        call()
    except PolyflakeError as error:
        return f"{error.code}: {error}"
    return ""


def ids_of_a_second_holder(url):
    with Generator(url) as second:
        second.next_id()  # waits for its window to begin
        return [second.next_id() for _ in range(IDS)]


def test_a_restore_with_a_token_of_its_own_repeats_no_id():
    (with_token,), _ = commands_of_the_page()
    with holder_newer_than_its_snapshot() as (server, url, holder):
        issuing = Issuing(holder)
        restored(server, with_token)
        until_ms = holder.stats().until_ms
        second = ids_of_a_second_holder(url)
        issuing.end()
        assert decode(second[0]).time_ms >= until_ms
        assert not set(second) & set(issuing.ids)


def test_a_restore_with_a_floor_raised_before_clients_are_let_in_repeats_no_id():
    _, (without_token, _, raise_floor) = commands_of_the_page()
    with holder_newer_than_its_snapshot() as (server, url, holder):
        issuing = Issuing(holder)
        restored(server, without_token)
        polyflake(server, raise_floor)
        until_ms = holder.stats().until_ms
        second = ids_of_a_second_holder(url)
        issuing.end()
        assert decode(second[0]).time_ms >= until_ms
        assert not set(second) & set(issuing.ids)


@pytest.mark.parametrize("raised_before", [False, True], ids=["", "though_it_was_raised_after_the_snapshot"])
def test_a_holder_that_sees_the_revision_fall_stops_until_the_floor_was_raised(raised_before):
    _, (without_token, _, raise_floor) = commands_of_the_page()
    raised = (lambda server: polyflake(server, raise_floor)) if raised_before else (lambda server: None)
    with holder_newer_than_its_snapshot(raised) as (server, _, holder):
        last = holder.next_id()
        restored(server, without_token)
        assert within(HANGS_S, lambda: "revision fell" in refusal_of(holder.renew))
        assert "restored from a snapshot" in refusal_of(holder.next_id)
        assert code_of(holder.next_id) == "store_unavailable"
        polyflake(server, raise_floor)
        until_ms = holder.stats().until_ms
        assert within(HANGS_S, lambda: not refusal_of(holder.next_id))
        assert decode(holder.next_id()).time_ms >= until_ms
        assert holder.next_id() > last


def revision_and_record(server):
    """The mod_revision and the text of the record of node id 0."""
    key = b64encode(b"polyflake/orders/node/0").decode()
    (found,) = server.request("POST", "/v3/kv/range", {"key": key})["kvs"]
    return found["mod_revision"], b64decode(found["value"]).decode()


def renew(probe, times):
    """Writes the record of node id 0 so often, each time over the one that the probe wrote before; returns the last nonce."""
    found = probe.ask(namespace="orders", read=["0"])
    nonce = found["0"]["nonce"]
    for _ in range(times):
        cas, nonce = renewal(found, nonce)
        assert probe.ask(namespace="orders", cas=cas) == "ok"
    return found, nonce


def renewal(found, nonce):
    space, record = found["names"], {**found["0"], "nonce": secrets.token_hex(16), "owner": nonce}
    cas = {
        "uuid": space["uuid"],
        "term": space["term"],
        "layout": str(int(space["layout"], 16)),
        "incarnation": "present",
    }
    cas |= {"node": "0", "node_nonce": nonce, **{f"record.{name}": value for name, value in record.items()}}
    return cas, record["nonce"]


def test_a_holder_of_before_writes_nothing_over_a_record_that_came_after_a_restore_with_a_token_of_its_own():
    """Two clusters of one snapshot count revisions on from the same one: equal revisions say nothing."""
    (with_token,), _ = commands_of_the_page()
    with Etcd() as server:
        url = f"{server.url}?namespace=orders"
        init_namespace(url, fresh=True)
        with Generator(url) as first:
            first.next_id()
        server.snapshot()
        before, after = Probe(store_of(url), HANGS_S), Probe(store_of(url), HANGS_S)
        found, nonce = renew(before, 3)
        revision, _ = revision_and_record(server)
        restored(server, with_token)
        renew(after, 3)
        assert revision_and_record(server)[0] == revision
        theirs = revision_and_record(server)
        cas = renewal(found, nonce)[0]
        outcomes = [
            before.ask(namespace="orders", cas=cas) for _ in range(3)
        ]  # the first one finds its connection closed
        assert outcomes[-1] == "incarnation"
        assert revision_and_record(server) == theirs
        before.close()
        after.close()


@pytest.fixture(autouse=True)
def _patience(patient_close):
    """The store may be down when generators close."""
