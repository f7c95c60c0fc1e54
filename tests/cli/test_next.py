"""next: ids that nobody else has."""

from __future__ import annotations

import json
import re


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
    inspected = entry.run("inspect", "--json", "--now", "2026-01-01", *(one["id"] for one in described))
    for one, other in zip(described, map(json.loads, inspected.out.splitlines()), strict=True):
        one["age_ms"] = other["age_ms"]
        assert one == other
