"""Every test of tests/vectors/vectors.json and untyped.json, through the public API."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import polyflake
from polyflake import Generator, Layout, ManualClock, PolyflakeError, _core
from polyflake._zones import check_zone

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
DOCUMENT = json.loads((VECTORS / "vectors.json").read_text("ascii"))
UNTYPED = json.loads((VECTORS / "untyped.json").read_text("ascii"))


def check_layout(test):
    if test["op"] == "encode":
        when = {key: int(test[key]) for key in ("tick", "time_ms") if key in test}
        sequence = {"sequence": test["sequence"]} if "sequence" in test else {}
        check_id(Layout(test["layout"]).encode(**when, **sequence, **test["fields"]), test["expect"])
    elif test["op"] == "decode":
        layout = Layout(test["layout"])
        check_parts(layout.decode(int(test["input"]["id"])), test["expect"])
        check_parts(layout.decode(test["input"]["id"]), test["expect"])
        check_parts(polyflake.decode(int(test["input"]["hex"], 16), test["layout"]), test["expect"])
        assert layout.encode(
            tick=int(test["expect"]["tick"]), sequence=test["expect"]["sequence"], **test["expect"]["fields"]
        ) == int(test["input"]["id"])
    elif test["op"] == "first_id":
        check_id(Layout(test["layout"]).first_id(int(test["time_ms"])), test["expect"])
    elif test["op"] == "last_id":
        check_id(Layout(test["layout"]).last_id(int(test["time_ms"])), test["expect"])
    else:
        raise AssertionError(f"unknown operation {test['op']}")


def check_layout_text(test):
    layout = Layout({"parse": test.get("text"), "preset": test.get("name")}[test["op"]])
    expect = test["expect"]
    assert str(layout) == expect["text"]
    assert layout.tick_ms == expect["tick_ms"]
    assert layout.epoch_ms == int(expect["epoch_ms"])
    assert layout.fields == tuple((name, width) for name, width in expect["fields"])
    assert Layout(str(layout)) == layout


def check_codec(test):
    codec = polyflake.Codec(test["codec"], **test.get("options", {}))
    plain = "options" not in test  # then the functions for a single id do the same
    if test["op"] == "encode":
        id = int(test["input"]["id"])
        assert codec.encode(id) == test["expect"]["text"]
        assert codec.encode_many([id]) == [test["expect"]["text"]]
        assert not plain or polyflake.to_text(id, codec.name) == test["expect"]["text"]
    elif test["op"] == "decode":
        expecting(test, lambda: check_id(codec.decode_many([test["text"]])[0], test["expect"]))
        if plain:
            expecting(test, lambda: check_id(polyflake.from_text(test["text"], codec.name), test["expect"]))
        check_id(codec.decode(test["text"]), test["expect"])
    else:
        assert test["op"] == "make"
        assert {name: getattr(codec, name) for name in ("digits", "width", "check")} == test["expect"]


def check_id_text(test):
    check_id(polyflake.id_from_text(test["text"]), test["expect"])


def check_ticket(test):
    rules = _core.TicketRules(test["servers"])
    if test["op"] == "replies":
        assert [rules.answered(test["server"], reply) for reply in test["replies"]] == test["results"]
        return
    assert test["op"] == "calls"
    for call in test["calls"]:
        assert ticket_of(rules, call) == call.get("number", call.get("error"))


def ticket_of(rules, call):
    """Returns the number, or the code, of a call for one."""
    now_ms, server, set_again = int(call["now_ms"]), 0, False
    for ask in call["asks"]:
        server = server or rules.next(now_ms)
        assert (server, set_again) == (ask["server"], ask.get("set_again", False))
        set_again = False
        if ask["reply"] == "failed":
            rules.failed(server, now_ms)
            server = 0
        elif ask["reply"] not in ("deadlock", "lock_wait"):
            result = rules.answered(server, ask["reply"])
            if result != "again":
                return result
            set_again = True
    assert rules.next(now_ms) == 0
    return "store_unavailable"


def check_friendly(test):
    layout = Layout(test["layout"])
    if test["op"] == "write":
        for zone in zones_of(test, test["utc_offset_s"]):
            assert layout.friendly(int(test["input"]["id"]), zone) == test["expect"]["text"]
            assert layout.friendly(test["input"]["id"], zone) == test["expect"]["text"]
        return
    assert test["op"] == "read"
    offsets = test["utc_offsets_s"]
    zones = zones_of(test, *offsets) if len(offsets) == 1 else [ZoneInfo(test["zone"])]
    for zone in zones:
        expecting(test, lambda zone=zone: check_id(layout.from_friendly(test["text"], zone), test["expect"]))
    check_id(layout.from_friendly(test["text"], zones[0]), test["expect"])


def zones_of(test, offset):
    """The ways to say where the local time is: the zone, if there is one, and always the offset."""
    zones = [ZoneInfo(test["zone"])] if "zone" in test else []
    if offset == 0:
        zones.append(None)
    return [*zones, timezone(timedelta(seconds=offset))]


def check_explain(test):
    id, now = (
        int(test["input"]["id"]),
        datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=int(test["now_ms"])),
    )
    explanations = polyflake.explain(id, now=now)
    assert polyflake.explain(test["input"]["id"], now=now) == explanations
    assert len(explanations) == len(test["expect"])
    for explanation, expect in zip(explanations, test["expect"]):
        assert (explanation.preset, explanation.why_not) == (expect["preset"], expect["why_not"])
        assert explanation.plausible == (expect["why_not"] is None)
        if expect["parts"] is None:
            assert explanation.parts is None
        else:
            check_parts(explanation.parts, expect["parts"])


def check_sqids(test):
    if test["op"] == "default_blocklist":
        assert polyflake.Sqids.default_blocklist() == test["expect"]["words"]
    else:
        check_texts(test, polyflake.Sqids(**test.get("options", {})))


def check_hashids(test):
    check_texts(test, polyflake.Hashids(**test.get("options", {})))


def check_texts(test, texts):
    if test["op"] == "encode":
        ids = [int(number) for number in test["ids"]]
        text = texts.encode(ids)
        assert text == test["expect"]["text"]
        assert len(ids) != 1 or texts.encode(ids[0]) == text
        assert texts.decode(text) == ids
    elif test["op"] == "decode":
        ids = texts.decode(test["text"])
        assert ids == [int(number) for number in test["expect"]["ids"]]
    else:
        assert test["op"] == "make"
        assert {"alphabet": texts.alphabet, "min_length": texts.min_length} == test["expect"]


def sealing_of(test):
    if "ring" in test:
        return polyflake.SealRing([seal_of(given) for given in test["ring"]])
    return seal_of(test["seal"])


def seal_of(given):
    options = {name: value for name, value in given.items() if name not in ("key", "tweak_hex")}
    if "tweak_hex" in given:
        options["tweak"] = bytes.fromhex(given["tweak_hex"])
    return polyflake.Seal(bytes.fromhex(given["key"]), **options)


def check_seal(test):
    sealing = sealing_of(test)
    codec = {"codec": test["codec"]} if "codec" in test else {}
    if test["op"] == "seal":
        check_id(sealing.seal(int(test["input"]["id"])), test["expect"])
    elif test["op"] == "unseal":
        key_id = [test["key_id"]] if "ring" in test else []
        check_id(sealing.unseal(int(test["input"]["id"]), *key_id), test["expect"])
    elif test["op"] == "encode":
        ids = [int(test["input"]["id"])]
        expecting(test, lambda: check_text(sealing.encode_many(ids, **codec)[0], test))
        check_text(sealing.encode(*ids, **codec), test)
    else:
        assert test["op"] == "decode"
        expecting(test, lambda: check_id(sealing.decode_many([test["text"]], **codec)[0], test["expect"]))
        check_id(sealing.decode(test["text"], **codec), test["expect"])


def check_text(text, test):
    assert text == test["expect"]["text"]


def check_options(test):
    generator = opened(test, ManualClock(int(test["clock_ms"])))
    assert generator.worker == int(test["expect"]["worker"])
    generator.close()


def check_generator(test):
    clock = ManualClock(int(test["clock_ms"]))
    generator = opened(test, clock)
    for step in test["steps"]:
        if "set" in step:
            clock.set(int(step["set"]))
        elif "advance" in step:
            clock.advance(step["advance"])
        else:
            expecting(step, lambda: check_calls(generator, step))
            assert clock.time_ms == int(step["clock_ms"])


def issued_by(source, step):
    if "next" in step:
        return [source.next_id() for _ in range(step["next"])]
    if "try" in step:
        issued = source.try_next_id()
        return [] if issued is None else [issued]
    return source.next_ids(step["batch"])


def check_calls(generator, step):
    ids = issued_by(generator, step)
    if "ids" in step:
        assert ids == [int(number) for number in step["ids"]]
    elif "first" in step:
        assert len(ids) == step["batch"]
        assert (ids[0], ids[-1], sum(ids) % 2**64) == (int(step["first"]), int(step["last"]), int(step["sum"]))
    else:
        raise AssertionError("a call without an expectation")


class OwnSource:
    """Of a registered kind, which says what it was opened with."""

    def __init__(self, kind, options):
        self.kind, self.store = kind, options.pop("store", None)


OWN_KINDS = ("orders", "a", "a_", "a0", "z_9", "e_e", "abcdefghijklmnopqrstuvwxyz_01234")
for _name in set(OWN_KINDS) - set(polyflake.kinds()):
    polyflake.register(_name, lambda options, kind=_name: OwnSource(kind, options))


def check_kind_text(test):
    if test.get("expect", {}).get("kind") == "segment":  # opening it would take a store
        kind, store = _core.parse_kind(test["text"], [])
        assert {"kind": kind, "store": store} == test["expect"]
        return
    worker = {"worker": 1} if test["text"].startswith("snowflake") else {}
    source = polyflake.open(test["text"], **worker)
    assert {"kind": source.kind, "store": getattr(source, "store", None)} == test["expect"]


def check_uuid(test):
    if test["op"] == "parse":
        check_read(test, polyflake.Uuid7())
        assert uuid.UUID(test["text"]).bytes.hex() == test["expect"]["hex"]
    elif test["op"] in ("first_id", "last_id"):
        check_edge(test, polyflake.Uuid7(), uuid.UUID)
    elif test["op"] == "to_uuid":
        made = Layout(test["layout"]).to_uuid(int(test["input"]["id"]))
        assert (type(made), str(made)) == (uuid.UUID, test["expect"]["text"])
    elif test["op"] == "from_uuid":
        expecting(test, lambda: check_id(Layout(test["layout"]).from_uuid(uuid.UUID(test["text"])), test["expect"]))
        check_id(Layout(test["layout"]).from_uuid(test["text"]), test["expect"])
    else:
        assert test["op"] == "decode"
        source = polyflake.Uuid7(**worker_at_its_epoch(test["layout"]) if "layout" in test else {})
        expecting(test, lambda: check_parts(source.decode(uuid.UUID(test["text"])), test["expect"]))
        check_parts(source.decode(test["text"]), test["expect"])


def worker_at_its_epoch(layout):
    """Options of a source of this layout, which may be short."""
    return {"worker": 0, "layout": layout, "clock": ManualClock(Layout(layout).epoch_ms)}


def check_date(test):
    options = {"period": "yyyyMMdd", "digits": 6, "prefix": "", "zone": "+00:00", **test["options"]}
    period, digits, prefix, zone = (options[name] for name in ("period", "digits", "prefix", "zone"))
    assert set(options) == {"period", "digits", "prefix", "zone"}
    numbers = polyflake.DateNumbers(period, digits=digits, prefix=prefix)
    check_zone(zone)
    if test["op"] == "make":
        made = {"period": numbers.period, "digits": numbers.digits, "prefix": numbers.prefix, "zone": zone}
        assert made == test["expect"]
    elif test["op"] == "period":
        found = zip(("label", "start_ms", "end_ms"), _core.period_at(period, zone, int(test["time_ms"])))
        assert {name: str(value) for name, value in found} == test["expect"]
    elif test["op"] == "write":
        number = numbers.number(int(test["label"]), int(test["n"]))
        assert {"number": str(number), "text": numbers.text(number)} == test["expect"]
    else:
        assert test["op"] == "read"
        number = numbers.parse(test["text"])
        parts = numbers.parts(number)
        found = {"label": parts.label, "n": parts.count, "number": number}
        assert {name: str(value) for name, value in found.items()} == test["expect"]


def check_read(test, source):
    """That the text is read, whatever it then says: there is no function that only reads."""
    try:
        source.decode(test["text"])
    except PolyflakeError as error:
        if error.code == "text_invalid":
            raise
        assert test["text"] in str(error)


def check_edge(test, source, type_of_ids):
    made = getattr(source, test["op"])(int(test["time_ms"]))
    assert (type(made), str(made)) == (type_of_ids, test["expect"]["text"])


def check_object_id(test):
    if test["op"] == "parse":
        check_read(test, polyflake.ObjectIds())
        assert test["text"] == test["expect"]["hex"]
    elif test["op"] in ("first_id", "last_id"):
        check_edge(test, polyflake.ObjectIds(), str)
    else:
        assert test["op"] == "decode"
        parts = polyflake.ObjectIds().decode(test["text"])
        check_parts(parts, {**test["expect"], "process": int(test["expect"]["process"], 16)})


SOURCES = {"uuid4": polyflake.Uuid4, "uuid7": polyflake.Uuid7, "objectid": polyflake.ObjectIds}


def check_uuid_generator(test):
    clock = ManualClock(int(test["clock_ms"])) if "clock_ms" in test else None
    entropy = bytes.fromhex(test["entropy"]) + bytes(8 * test.get("zero_words", 0))
    source = SOURCES[test["kind"]](clock=clock, entropy=entropy, **test["options"])
    for step in [] if "error" in test else test["steps"]:
        if "set" in step:
            clock.set(int(step["set"]))
        elif "advance" in step:
            clock.advance(step["advance"])
        elif "held_ms" in step:
            assert source.stats().held_ms == step["held_ms"]
        else:
            expecting(step, lambda: check_calls_of_kind(source, step))
            assert clock.time_ms == int(step["clock_ms"])


def skip(source, count, size):
    """Issues so many ids, of so many bytes each, and makes no object of them."""
    memory = memoryview(bytearray(min(count, 1 << 16) * size))
    for left in range(count, 0, -(1 << 16)):
        source.fill(memory[: left * size])


def check_calls_of_kind(source, step):
    size = 12 if source.kind == "objectid" else 16
    if "skip" in step:
        skip(source, step["skip"], size)
        return
    ids = issued_by(source, step)
    bits = 8 * size
    if "ids" in step:
        assert [str(id) for id in ids] == step["ids"]
    else:
        total = sum(int(str(id).replace("-", ""), 16) for id in ids) % 2**bits
        assert (len(ids), str(ids[0]), str(ids[-1])) == (step["batch"], step["first"], step["last"])
        assert f"{total:0{bits // 4}x}" == step["sum"]


def check_published(test):
    check_layout(test)
    if test["op"] == "decode":
        time = Layout(test["layout"]).decode(int(test["input"]["id"])).time
        assert time == datetime.strptime(test["expect"]["utc"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    if "preset" in test:
        assert str(Layout(test["preset"])) == test["layout"]


def opened(test, clock):
    layout = {"layout": test["layout"]} if "layout" in test else {}
    return Generator(test["worker"], clock=clock, **layout, **test.get("options", {}))


def check_id(number, expect):
    assert number == int(expect["id"]) == int(expect["hex"], 16)


def check_parts(parts, expect):
    expect = {key: value if key == "fields" else int(value) for key, value in expect.items() if key != "utc"}
    assert {key: getattr(parts, key) for key in expect} == expect


def expecting(test, call):
    if "error" not in test:
        return call()
    with pytest.raises(PolyflakeError) as raised:
        call()
    assert raised.value.code == test["error"]
    for words in test.get("message_has", ()):
        assert words in str(raised.value)
    assert "position" not in test or raised.value.position == test["position"]
    return None


def failure_of(test, check):
    """Why the test failed, for a list of failures; None where it passed."""
    try:
        expecting(test, lambda: check(test))
    except Exception as error:
        return f"test {test['id']} ({test['comment']}): {error!r}"
    except pytest.fail.Exception as error:
        return f"test {test['id']} ({test['comment']}): {error.msg}"
    return None


RUNNERS = {
    "layout": check_layout,
    "layout_text": check_layout_text,
    "codec": check_codec,
    "generator": check_generator,
    "options": check_options,
    "published": check_published,
    "friendly": check_friendly,
    "explain": check_explain,
    "seal": check_seal,
    "sqids": check_sqids,
    "hashids": check_hashids,
    "kind_text": check_kind_text,
    "uuid": check_uuid,
    "uuid_generator": check_uuid_generator,
    "objectid": check_object_id,
    "id_text": check_id_text,
    "date": check_date,
    "ticket": check_ticket,
}
NOT_IN_PYTHON = {
    "counter": "a rule of the core, which tests/core runs",
    "step": "a rule of the core, which tests/core runs",
}
KNOWN_KEYS = {"about", "number_of_tests", "flags", "groups"}
ALL_GROUPS = {group["name"]: group["tests"] for group in DOCUMENT["groups"]}
GROUPS = {name: tests for name, tests in ALL_GROUPS.items() if name not in NOT_IN_PYTHON}
passed = set()


@pytest.mark.parametrize("group", GROUPS)
def test_group(group, tmp_path, monkeypatch):
    check = RUNNERS[group]
    failures = []
    for test in GROUPS[group]:
        if "fresh_registry" in test.get("flags", ()):
            monkeypatch.setenv("POLYFLAKE_HOME", str(tmp_path / str(test["id"])))
        failure = failure_of(test, check)
        if failure is None:
            passed.add(test["id"])
        else:
            failures.append(failure)
    assert not failures, "\n".join(failures)


def test_all_vectors_ran(capsys):
    here = sum(map(len, GROUPS.values()))
    with capsys.disabled():
        print(f"\nvectors: {len(passed)} of {here} passed (python)")
    assert len(passed) == here
    assert sum(map(len, ALL_GROUPS.values())) == DOCUMENT["number_of_tests"]
    assert set(DOCUMENT) == KNOWN_KEYS


def test_the_groups_that_are_left_out_are_in_the_vectors_and_cannot_run():
    assert NOT_IN_PYTHON.keys() <= ALL_GROUPS.keys()
    assert RUNNERS.keys() == GROUPS.keys()


START_MS = 1767225600000


def opened_with(**options):
    return Generator(**{"worker": 1, "clock": ManualClock(START_MS), **options})


def encoded_with(**parts):
    when = {} if parts.keys() & {"tick", "time_ms", "time"} else {"tick": 1}
    return Layout("polyflake").encode(**when, **parts)


KEY = bytes(range(32))


def sealed_with(**options):
    return polyflake.Seal(**{"key": KEY, "tweak": "order", **options})


# What a test does not give is right.
UNTYPED_CALLS = {
    "generator": opened_with,
    "layout": lambda layout: Layout(layout),
    "decode": lambda id="1", layout="polyflake": polyflake.decode(id, layout),
    "encode": encoded_with,
    "first_id": lambda time: Layout("polyflake").first_id(time),
    "last_id": lambda time: Layout("polyflake").last_id(time),
    "to_text": lambda id=1, codec="decimal": polyflake.to_text(id, codec),
    "from_text": lambda text="1", codec="decimal": polyflake.from_text(text, codec),
    "id_from_text": lambda text: polyflake.id_from_text(text),
    "next_ids": lambda count: opened_with().next_ids(count),
    "fill": lambda buffer: opened_with().fill(buffer),
    "manual_clock": lambda time_ms: ManualClock(time_ms),
    "clock_set": lambda time_ms: ManualClock(START_MS).set(time_ms),
    "clock_advance": lambda ms: ManualClock(START_MS).advance(ms),
    "set_default": lambda generator: polyflake.set_default(generator),
    "friendly": lambda id: Layout("polyflake").friendly(id),
    "from_friendly": lambda text: Layout("polyflake").from_friendly(text),
    "explain": lambda id=1, **options: polyflake.explain(id, **options),
    "new_seal": sealed_with,
    "seal_file": lambda path: polyflake.Seal.from_file(path),
    "seal": lambda id: sealed_with().seal(id),
    "unseal": lambda id: sealed_with().unseal(id),
    "seal_encode": lambda id=1, codec="base62": sealed_with().encode(id, codec),
    "seal_decode": lambda text="0" * 11, codec="base62": sealed_with().decode(text, codec),
    "new_ring": lambda seals: polyflake.SealRing(seals),
    "ring_unseal": lambda id=1, key_id=None: polyflake.SealRing([sealed_with()]).unseal(id, key_id),
    "ring_decode": lambda text: polyflake.SealRing([sealed_with()]).decode(text),
    "encode_many": lambda ids: polyflake.Codec("base62").encode_many(ids),
    "decode_many": lambda texts: polyflake.Codec("decimal").decode_many(texts),
    "seal_encode_many": lambda ids: sealed_with().encode_many(ids),
    "seal_decode_many": lambda texts: sealed_with().decode_many(texts),
    "sqids": polyflake.Sqids,
    "sqids_encode": lambda ids: polyflake.Sqids().encode(ids),
    "sqids_decode": lambda text: polyflake.Sqids().decode(text),
    "hashids": polyflake.Hashids,
    "hashids_encode": lambda ids: polyflake.Hashids().encode(ids),
    "hashids_decode": lambda text: polyflake.Hashids().decode(text),
}


def test_values_of_a_wrong_type(capsys):
    results = [failure_of(test, lambda test: UNTYPED_CALLS[test["op"]](**test["given"])) for test in UNTYPED["tests"]]
    with capsys.disabled():
        print(f"\nuntyped vectors: {results.count(None)} of {UNTYPED['number_of_tests']} passed (python)")
    failures = [failure for failure in results if failure]
    assert not failures, "\n".join(failures)
    assert len(results) == UNTYPED["number_of_tests"]
