"""counters, raise-counter, and init of counters: a real Redis, and the other stores."""

from __future__ import annotations

import json
import os
import re
import uuid

import pytest
from conftest import LIMIT

pytestmark = pytest.mark.with_clients(True)


@pytest.fixture(scope="session")
def with_clients(entry):
    program = entry.with_clients()
    yield program
    program.close()


@pytest.fixture
def store(request, with_clients) -> str:
    """Returns the address of a namespace without counters."""
    import polyflake.stores

    server = os.environ[f"POLYFLAKE_TEST_{getattr(request, 'param', 'redis').upper()}"]
    url = f"{server}?namespace=cli-{with_clients.name}-{uuid.uuid4().hex}&acquire_timeout_ms={LIMIT * 1000}"
    polyflake.stores.init_namespace(url, fresh=True)
    return url


def said(result) -> str:
    assert (result.exit_code, result.err) == (0, "")
    return result.out


def cells_of(text: str) -> list[list[str]]:
    """The cells of each line after the first."""
    return [re.split(r"  +", line) for line in text.splitlines()[1:]]


HEAD = "counter   kind   next   room   topped up   after a failover\n"


def test_counters_are_made_listed_and_set(with_clients, store):
    assert said(with_clients.ask("counters", store)) == HEAD
    made = with_clients.ask("init", "--counter", "orders", "--counter", "invoices", "--after", "41", store)
    assert said(made) == (
        "counter        orders, after 41, or as it was if there was one\n"
        "counter        invoices, after 41, or as it was if there was one\n"
    )
    assert (
        said(with_clients.ask("raise-counter", "orders", "--after", "99", store)) == "counter        orders, after 99\n"
    )
    invoices, orders = cells_of(said(with_clients.ask("counters", store)))
    assert orders[:4] == ["orders", "segment", "100", "10000000"]
    assert orders[4].endswith(" ago")
    assert re.fullmatch(r"jumps to [0-9]+", orders[5])
    assert invoices[:3] == ["invoices", "segment", "42"]


def test_options_of_counters_reach_the_store(with_clients, store):
    few = ("--failover", "stop", "--rate", "5", "--burst", "6", "--top", "700")
    assert said(with_clients.ask("init", "--counter", "few", "--after", "7", *few, "--json", store)) == (
        '{"counter":"few","after":"7"}\n'
    )
    dates = ("--kind", "date", "--period", "yyyy", "--digits", "4", "--zone", "+08:00")
    said(with_clients.ask("init", "--counter", "years", "--after", "0", *dates, store))
    few, years = map(json.loads, said(with_clients.ask("counters", "--json", store)).splitlines())
    assert few.pop("top_up_age_ms") >= 0
    assert few.pop("incarnation")
    assert few == {
        "name": "few",
        "kind": "segment",
        "next": "8",
        "room": "6",
        "top": "700",
        "failover": "stop",
        "incarnation_changed": False,
        "jump_to": None,
        "period": None,
        "digits": None,
        "zone": None,
        "period_label": None,
    }
    assert (years["period"], years["digits"], years["zone"], years["top"]) == ("yyyy", 4, "+08:00", "9999")
    label = years["period_label"]
    set_ = with_clients.ask("raise-counter", "years", "--after", "50", "--period", str(label), "--json", store)
    assert json.loads(said(set_)) == {"counter": "years", "after": "50", "period": str(label)}
    few, years = cells_of(said(with_clients.ask("counters", store)))
    assert few[5] == "stops until raise-counter"
    assert years[:3] == ["years", f"date {label} +08:00", "51"]
    later = with_clients.ask("raise-counter", "years", "--after", "50", "--period", str(label + 1), store)
    assert later.err.startswith("polyflake: option_invalid: ")


@pytest.mark.parametrize("store", ["zookeeper", "etcd", "postgresql", "mysql"], indirect=True)
def test_counters_of_any_store_are_listed(with_clients, store):
    said_nothing = with_clients.ask("counters", store)
    assert (said_nothing.exit_code, said_nothing.out) == (0, HEAD)
    assert with_clients.ask("init", "--counter", "orders", "--after", "41", store).exit_code == 0
    ((name, kind, following, *_, after),) = cells_of(with_clients.ask("counters", store).out)
    assert (name, kind, following) == ("orders", "segment", "42")
    loses = any(kind in store for kind in ("postgresql", "mysql", "mariadb"))
    assert re.fullmatch("jumps to [0-9]+" if loses else "goes on", after)


def test_what_a_store_refuses_is_an_error(with_clients, store):
    elsewhere = store.replace("namespace=cli-", "namespace=none-")
    for command in (
        ["counters", elsewhere],
        ["init", "--counter", "orders", "--after", "0", elsewhere],
        ["raise-counter", "orders", "--after", "0", elsewhere],
        ["raise-counter", "orders", "--after", "0", store],
    ):
        result = with_clients.ask(*command)
        assert (result.exit_code, result.out) == (1, "")
        assert result.err.startswith("polyflake: namespace_not_initialised: ")
    for name in ("Orders", "", "a,b"):
        result = with_clients.ask("init", "--counter", name, "--after", "0", store)
        assert (result.exit_code, result.out) == (1, "")
        assert result.err.startswith("polyflake: option_invalid: ")
    assert said(with_clients.ask("counters", store)) == HEAD
