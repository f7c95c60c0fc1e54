"""Every scenario of tests/vectors/lease-scenarios.json, through each store over the real server.

The servers are those of tests/servers; their addresses are in the environment.
"""

from __future__ import annotations

import json
import os
import secrets
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from polyflake import _core
from polyflake._lease import Talk
from polyflake.stores import init_namespace, store_of

DOCUMENT = json.loads((Path(__file__).resolve().parents[1] / "vectors" / "lease-scenarios.json").read_text("ascii"))
TIMEOUT_S = 60


def by_address(kind, options=""):
    """A store as its address gives it."""

    def store(namespace):
        return store_of(f"{os.environ[f'POLYFLAKE_TEST_{kind.upper()}']}?namespace={namespace}{options}")

    return store


# What is tested: the kind, and the store of a namespace of this name.
STORES = {
    "redis": ("redis", by_address("redis")),
    "zookeeper": ("zookeeper", by_address("zookeeper")),
    "etcd": ("etcd", by_address("etcd")),
    "postgresql": ("postgresql", by_address("postgresql")),
    "mysql": ("mysql", by_address("mysql")),
}


class Client:
    """One process that talks to the store: its own connection, and what it remembers."""

    def __init__(self, store):
        self._trial = _core.StoreTrial(store.address, store.placeholder)
        self._talk = Talk(self._trial, store, TIMEOUT_S)

    def read(self, nodes):
        self._trial.ask_read([int(node) for node in nodes])
        self._carry_out()
        found = dict.fromkeys(("names", *nodes), "absent")
        for line in self._trial.found:
            of, _, rest = line.partition(".")
            name, _, value = rest.partition("=")
            if found[of] == "absent":
                found[of] = {}
            found[of][name] = value
        return found

    def cas(self, assignments):
        self._trial.ask_cas(list(assignments.keys()), list(assignments.values()))
        self._carry_out()
        return self._trial.outcome

    def _carry_out(self):
        while True:
            what, _ = self._talk.step()
            if what == "done":
                return
            assert what == "command"

    def close(self):
        self._talk.disconnect()


def run(scenario, store):
    """Carries out the steps in a namespace of their own; raises where one finds something else."""
    name = f"s{scenario['id']}-{secrets.token_hex(8)}"
    clients = {}
    try:
        for number, step in enumerate(scenario["steps"], 1):
            namespace = f"{name}-{step['namespace']}" if "namespace" in step else name
            key = (step.get("client"), namespace)
            if key not in clients:
                clients[key] = Client(store(namespace))
            check(clients[key], step, number)
    finally:
        for client in clients.values():
            with suppress(Exception):
                client.close()


def check(client, step, number):
    if "read" in step:
        found, expected = client.read(step["read"]), step["found"]
        known = {key: known_of(record, expected[key]) for key, record in found.items()}
        assert known == expected, f"step {number}"
    elif "cas" in step:
        assert client.cas(step["cas"]) == step["outcome"], f"step {number}"
    else:
        raise AssertionError(f"step {number} is of no known form")


def known_of(record, expected):
    """The record with "*" where that is expected."""
    if "absent" in (record, expected):
        return record
    return {name: "*" if expected.get(name) == "*" else value for name, value in record.items()}


def scenarios_for(kind):
    facts = set(DOCUMENT["kinds"][kind])
    return [scenario for scenario in DOCUMENT["scenarios"] if set(scenario.get("needs", ())) <= facts]


def failure_of(scenario, store):
    try:
        run(scenario, store)
    except Exception as error:
        return f"scenario {scenario['id']} ({scenario['name']}): {error!r}"
    return None


@pytest.mark.parametrize("kind, store", STORES.values(), ids=STORES)
def test_scenarios(kind, store, capsys):
    # Where a store needs tables or folders, making a namespace makes them.
    init_namespace(store(f"tables-{secrets.token_hex(8)}"))
    meant = scenarios_for(kind)
    failures = [failure for failure in (failure_of(scenario, store) for scenario in meant) if failure]
    with capsys.disabled():
        print(f"\nscenarios: {len(meant) - len(failures)} of {len(meant)} passed (python, {kind})")
    assert not failures, "\n".join(failures)


CREATORS = 4
CREATED_BY_EACH = 5


def create_next(client):
    """Asks for a node at used; returns it with its nonce, and what came of it."""
    names = client.read([])["names"]
    nonce = secrets.token_hex(16)
    written = {**names, "nonce": secrets.token_hex(16), "used": str(int(names["used"]) + 1)}
    record = {"nonce": nonce, "owner": secrets.token_hex(16), "layout": names["layout"], "until_ms": "+5000"}
    assignments = {"uuid": names["uuid"], "term": names["term"], "layout": str(int(names["layout"], 16))}
    assignments |= {"names_nonce": names["nonce"], "node": names["used"], "longest_ms": "60000"}
    assignments |= {f"names.{name}": value for name, value in written.items()}
    assignments |= {f"record.{name}": value for name, value in record.items()}
    return names["used"], nonce, client.cas(assignments)


@pytest.mark.parametrize("kind, store", STORES.values(), ids=STORES)
def test_who_creates_at_once_has_a_node_alone(kind, store):
    name = f"creators-{secrets.token_hex(8)}"
    init_namespace(store(name), fresh=True)

    def create(_):
        client, mine = Client(store(name)), {}
        try:
            while len(mine) < CREATED_BY_EACH:
                node, nonce, outcome = create_next(client)
                # A database may end one of two that wait for each other: then it is unknown what came of it.
                assert outcome in ("ok", "conflict") or outcome.startswith("unknown")
                if outcome == "ok":
                    mine[node] = nonce
            return mine
        finally:
            client.close()

    with ThreadPoolExecutor(CREATORS) as pool:
        created = [item for mine in pool.map(create, range(CREATORS)) for item in mine.items()]
    assert len(dict(created)) == CREATORS * CREATED_BY_EACH
    client = Client(store(name))
    found = client.read([node for node, _ in created])
    client.close()
    assert {node: found[node]["nonce"] for node, _ in created} == dict(created)
    assert int(found["names"]["used"]) >= len(created)


def test_every_scenario_is_for_a_kind_of_store():
    assert len(DOCUMENT["scenarios"]) == DOCUMENT["number_of_scenarios"]
    assert set(DOCUMENT["facts"]) == {fact for facts in DOCUMENT["kinds"].values() for fact in facts}
    meant = defaultdict(int)
    for kind in DOCUMENT["kinds"]:
        for scenario in scenarios_for(kind):
            meant[scenario["id"]] += 1
    assert len(meant) == DOCUMENT["number_of_scenarios"]
