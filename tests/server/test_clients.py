"""Clients that others wrote get ids without a line of ours: all that they send by themselves is answered, and ids come exact.

A run ends with a table of the clients, their versions and what each did.
"""

from __future__ import annotations

import os
import pty
import random
import re
import select
import subprocess
import time
from collections.abc import Iterator

import pytest
from chosen_ids import ChosenIds
from client_programs import KINDS, Client, ClientError, Kind
from polyflaked import Polyflaked

PAIRS = [(kind, resp) for kind in KINDS for resp in kind.resp]
NODE = 7
GREATEST = 2**63 - 1
CHOSEN = 100_001
SOME = 5_001  # where each is a request of its own, and all would take long and show nothing else
A_PIPELINE = 5000
KEYS = iter(range(100))
CALLS = {
    "incr": "INCR",
    "next": "NEXT",
    "batch": "NEXT n",
    "incrs": "INCR piped",
    "nexts": "NEXT piped",
    "decode": "DECODE",
}


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[Kind, Client]]:
    """The programs, started when a test needs them."""
    started: dict[Kind, Client] = {}
    yield started
    for client in started.values():
        client.close()


@pytest.fixture(scope="module", params=PAIRS, ids=lambda pair: f"{pair[0].name}{f'-resp{pair[1]}' if pair[1] else ''}")
def pair(request: pytest.FixtureRequest) -> tuple[Kind, int]:
    return request.param


@pytest.fixture
def open_client(pair, clients, record_property):
    """Connects a client to a server, and notes in the table what the test shows."""
    kind, resp = pair

    def open_client(server: Polyflaked, *verbs: str) -> Client:
        missing = set(verbs) - set(kind.verbs)
        if missing:
            pytest.skip(f"{kind.name} has no {' '.join(missing)}")
        if kind not in clients:
            clients[kind] = kind.start()
        clients[kind].open(server, resp)
        record_property("client", f"{kind.name:30}{clients[kind].version:34}{f'RESP {resp}' if resp else 'HTTP':8}")
        record_property("calls", ",".join(CALLS[verb] for verb in verbs))
        return clients[kind]

    return open_client


@pytest.fixture(scope="module")
def chosen() -> Iterator[ChosenIds]:
    numbers = random.Random(63)
    with ChosenIds([GREATEST, *(numbers.getrandbits(63) for _ in range(CHOSEN - 1))]) as server:
        yield server


def expect_rising(words: list[str], count: int) -> None:
    ids = [int(word) for word in words]
    assert len(ids) == count
    assert all(low < high for low, high in zip(ids, ids[1:], strict=False))


def node_of(client: Client, number: str) -> int:
    words = client.ask("decode", number)
    return int(dict(zip(words[::2], words[1::2], strict=True))["node"])


# --- what clients do ---------------------------------------------------------------------------------


def test_incr(open_client, server, pair):
    client = open_client(server, "incr")
    ids = [client.ask("incr", "orders")[0] for _ in range(3)]
    if not pair[0].rounds:
        expect_rising(ids, 3)


def test_next_gives_ids_that_are_exact(open_client, server):
    client = open_client(server, "next", "decode")
    ids = [client.ask("next", "orders")[0] for _ in range(3)]
    expect_rising(ids, 3)
    assert {node_of(client, each) for each in ids} == {NODE}


def test_a_batch(open_client, server):
    client = open_client(server, "batch", "next")
    before = client.ask("next", "orders")
    expect_rising(before + client.ask("batch", "orders", 1000) + client.ask("next", "orders"), 1002)


@pytest.mark.parametrize("verb", ["incrs", "nexts"])
def test_pipelines(open_client, server, pair, verb):
    ids = open_client(server, verb).ask(verb, "orders", 300)
    assert len(ids) == 300
    if verb == "nexts" or not pair[0].rounds:
        expect_rising(ids, 300)


def test_the_parts_of_an_id(open_client, server):
    words = open_client(server, "decode").ask("decode", "912101662074630426")
    parts = dict(zip(words[::2], words[1::2], strict=True))
    assert parts["sequence"] == "282" and parts["node"] == str(NODE)
    assert int(parts["time_ms"]) == 1795298782268


@pytest.mark.parametrize("verb", ["incr", "next", "batch", "incrs", "nexts"])
def test_an_error_is_thrown_and_the_connection_stays(open_client, server, verb):
    client = open_client(server, verb)
    words = [2] if verb in ("batch", "incrs", "nexts") else []
    with pytest.raises(ClientError, match=r"unknown_key.*nobody"):
        client.ask(verb, "nobody", *words)
    assert len(client.ask(verb, "orders", *words)) == (2 if words else 1)


def test_a_batch_that_is_too_large_is_refused(open_client, server):
    client = open_client(server, "batch")
    with pytest.raises(ClientError, match="10000"):
        client.ask("batch", "orders", 10_001)


def test_a_client_connects_again_after_a_restart(open_client, restarted):
    client = open_client(restarted, "incr")
    before = client.ask("incr", "orders")[0]
    restarted.stop()
    restarted.start()
    deadline = time.monotonic() + 30
    while True:
        try:
            after = client.ask("incr", "orders")[0]
            break
        except ClientError:  # of the connection that broke
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert int(after) > int(before)


@pytest.fixture(scope="module")
def restarted() -> Iterator[Polyflaked]:
    with Polyflaked() as server:
        yield server


# --- exact -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["batch", "nexts"])
def test_text_of_any_id_is_exact(open_client, chosen, verb):
    client = open_client(chosen, verb)
    count = CHOSEN if verb == "batch" else SOME
    assert fetched(client, verb, count) == chosen.ids[:count]


def test_integers_of_any_id_are_exact(open_client, chosen, pair, record_property):
    kind, resp = pair
    client = open_client(chosen, "incrs")
    count = SOME if kind.slow or kind.rounds or resp != kind.resp[-1] else CHOSEN
    ids = fetched(client, "incrs", count)
    wanted = chosen.ids[:count]
    if not kind.rounds:
        assert ids == wanted
        return
    errors = [abs(found - each) for found, each in zip(ids, wanted, strict=True)]
    assert max(errors) < 10_000  # they are these ids, rounded
    wrong = sum(error > 0 for error in errors)
    assert wrong > 0.9 * count
    record_property("rounds", True)


def fetched(client: Client, verb: str, count: int) -> list[int]:
    """Ids of a key that was not asked before, from its first on."""
    key = next(KEYS)
    ids: list[int] = []
    while len(ids) < count:
        ids += map(int, client.ask(verb, key, min(A_PIPELINE, count - len(ids))))
    return ids


# --- tools -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["-3"], ["-P", "16"]])
def test_redis_benchmark(server, options):
    port = str(server.ports["resp"].number)
    command = ["redis-benchmark", "-p", port, "-n", "2000", "-c", "10", "--csv", *options, "POLYFLAKE.NEXT", "orders"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "WARNING" not in done.stdout + done.stderr and "Error" not in done.stdout + done.stderr
    assert re.search(r'^"POLYFLAKE.NEXT orders","[0-9.]+"', done.stdout, re.MULTILINE)


@pytest.mark.parametrize("options", [[], ["-3"]])
def test_a_person_types_into_redis_cli(server, options):
    """It asks for COMMAND DOCS by itself, for its hints."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp("redis-cli", ["redis-cli", "-p", str(server.ports["resp"].number), *options])
    try:
        assert "> " in typed(terminal, "", "> ")
        assert re.search(r"\(integer\) \d{18}\r", typed(terminal, "INCR orders\n", "> "))
        assert re.search(r'"\d{18}"\r', typed(terminal, "polyflake.next orders\n", "> "))
        assert "(error) POLYFLAKE unknown_key" in typed(terminal, "INCR nobody\n", "> ")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


def typed(terminal: int, text: str, end: str) -> str:
    """Types, and returns what is shown up to the next prompt."""
    os.write(terminal, text.encode())
    shown = ""
    while not (shown.endswith(end) and (not text or shown.count("\n") >= 2)):
        assert select.select([terminal], [], [], 30)[0], shown
        shown += os.read(terminal, 65536).decode()
    return shown
