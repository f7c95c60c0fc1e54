"""next: ids that nobody else has."""

from __future__ import annotations

import json
import re
import uuid

import pytest

import polyflake


def ids_of(result) -> list[int]:
    assert (result.exit_code, result.err) == (0, "")
    return [int(line) for line in result.out.splitlines()]


def test_ids_rise_and_have_the_worker_that_was_chosen(entry):
    ids = ids_of(entry.run("next", "-n", "10000", "--worker", "77"))
    assert len(ids) == 10000
    assert ids == sorted(set(ids))
    assert {id >> 12 & 1023 for id in ids} == {77}


def test_one_id_is_the_default(entry):
    assert len(ids_of(entry.run("next", "--worker", "host"))) == 1


def test_the_worker_may_come_from_the_environment(entry):
    one = '{"datacenter": 3, "worker": 4}'
    ids = ids_of(entry.run("next", "--layout", "twitter", environment={"POLYFLAKE_WORKER": one}))
    assert ids[0] >> 12 & 1023 == 3 * 32 + 4


def test_a_codec_and_json_give_ids_of_that_form(entry):
    result = entry.run("next", "-n", "3", "--worker", "5", "--codec", "base62")
    assert re.fullmatch(r"([0-9A-Za-z]{11}\n){3}", result.out)
    result = entry.run("next", "-n", "3", "--worker", "5", "--json")
    described = [json.loads(line) for line in result.out.splitlines()]
    assert [one["fields"] for one in described] == [{"worker": 5}] * 3
    inspected = entry.run("inspect", "--json", "--now", "2050-01-01", *(one["id"] for one in described))
    for one, other in zip(described, map(json.loads, inspected.out.splitlines()), strict=True):
        one["age_ms"] = other["age_ms"]
        assert one == other


KINDS = {
    "uuid7": r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "uuid4": r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "objectid": "[0-9a-f]{24}",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_gives_ids_of_its_form(entry, kind):
    result = entry.run("next", "--kind", kind, "-n", "1000")
    assert (result.exit_code, result.err) == (0, "")
    ids = result.out.splitlines()
    assert all(re.fullmatch(KINDS[kind], id) for id in ids)
    assert len(set(ids)) == 1000
    assert kind == "uuid4" or ids == sorted(ids)


@pytest.mark.parametrize("kind", KINDS)
def test_inspect_knows_a_kind_by_its_shape(entry, kind):
    described = json.loads(entry.run("next", "--kind", kind, "--json").out)
    assert described["kind"] == kind
    assert ("time" in described) == (kind != "uuid4")
    [inspected] = map(json.loads, entry.run("inspect", "--json", described["id"]).out.splitlines())
    assert inspected.pop("age_ms", 0) >= described.pop("age_ms", 0)
    assert inspected == described


def test_a_uuid7_over_a_worker_has_its_node_id(entry):
    first, second = entry.run("next", "--kind", "uuid7", "--worker", "77", "-n", "2").out.splitlines()
    with polyflake.Uuid7(worker=76) as reader:
        assert [reader.decode(uuid.UUID(text)).node for text in (first, second)] == [77, 77]
    assert first < second
