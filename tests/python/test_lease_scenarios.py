"""Every scenario of tests/vectors/lease-scenarios.json, through the adapter of each store over the real server.

The servers are those of tests/servers; their addresses are in the environment.
"""

from __future__ import annotations

import json
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from servers.probe import Probe

from polyflake.stores import init_namespace
from polyflake.stores._url import store_of

FILE = Path(__file__).resolve().parents[1] / "vectors" / "lease-scenarios.json"
TIMEOUT_S = 60


def store_in(kind, namespace):
    return store_of(f"{os.environ[f'POLYFLAKE_TEST_{kind.upper()}']}?namespace={namespace}")


KINDS = ("redis", "zookeeper", "etcd", "postgresql", "mysql")


@pytest.mark.parametrize("kind", KINDS)
def test_scenarios(kind, capsys):
    store = store_in(kind, f"tables-{secrets.token_hex(8)}")
    # Where a store needs tables or folders, making a namespace makes them.
    init_namespace(store)
    with Probe(store, TIMEOUT_S) as probe:
        passed = probe.ask(scenarios=str(FILE))
    meant, failures = passed["meant"], passed["failures"]
    with capsys.disabled():
        print(f"\nscenarios: {meant - len(failures)} of {meant} passed (python, {kind})")
    assert meant
    assert not failures, "\n".join(failures)


CREATORS = 4
CREATED_BY_EACH = 5


@pytest.mark.parametrize("kind", KINDS)
def test_who_creates_at_once_has_a_node_alone(kind):
    name = f"creators-{secrets.token_hex(8)}"
    store = store_in(kind, name)
    init_namespace(store, fresh=True)

    def create(_):
        with Probe(store, TIMEOUT_S) as probe:
            return probe.ask(namespace=name, create=CREATED_BY_EACH)

    with ThreadPoolExecutor(CREATORS) as pool:
        created = [item for mine in pool.map(create, range(CREATORS)) for item in mine.items()]
    assert len(dict(created)) == CREATORS * CREATED_BY_EACH
    with Probe(store, TIMEOUT_S) as probe:
        found = probe.ask(namespace=name, read=[node for node, _ in created])
    assert {node: found[node]["nonce"] for node, _ in created} == dict(created)
    assert int(found["names"]["used"]) >= len(created)


def test_every_scenario_is_for_a_kind_of_store():
    document = json.loads(FILE.read_text("ascii"))
    assert len(document["scenarios"]) == document["number_of_scenarios"]
    facts_of_kinds = [set(facts) for facts in document["kinds"].values()]
    assert set(document["facts"]) == set().union(*facts_of_kinds)
    for scenario in document["scenarios"]:
        assert any(set(scenario.get("needs", ())) <= facts for facts in facts_of_kinds), scenario["id"]
