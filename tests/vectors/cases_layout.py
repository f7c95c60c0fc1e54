"""Groups `layout` (encode, decode, first and last id of a tick) and `published` (ids of other systems)."""

import json
import pathlib

from model import PRESETS, Layout, case, id_pair, instant_ms, instant_text, layout_of, outcome

NOW = instant_ms("2026-03-14T15:09:26.535Z")
IN_BAIDU = instant_ms("2021-03-14T15:09:26.535Z")  # the baidu preset ended in 2024
EPOCH = "epoch=2020-01-01T00:00:00.000Z"

CUSTOM = {
    "the worker above the timestamp": f"worker:10 timestamp:41 sequence:12 tick=1ms {EPOCH}",
    "the sequence on top": f"sequence:12 timestamp:41 worker:10 tick=1ms {EPOCH}",
    "the timestamp at the bottom": f"worker:10 sequence:12 timestamp:41 tick=1ms {EPOCH}",
    "node fields on both sides": f"shard:8 timestamp:40 zone:4 sequence:10 rack:2 tick=5ms {EPOCH}",
    "two node fields of 31 bits": f"left:31 timestamp:1 right:31 sequence:1 tick=1ms {EPOCH}",
    "a node field of 32 bits": f"timestamp:31 node:32 sequence:1 tick=7s {EPOCH}",
    "a sequence of 32 bits": f"timestamp:32 sequence:32 tick=1s {EPOCH}",
    "the smallest layout": f"timestamp:1 sequence:1 tick=1ms {EPOCH}",
    "no node field": f"timestamp:41 sequence:22 tick=1ms {EPOCH}",
    "single-bit fields": f"timestamp:34 a:1 b:1 c:1 sequence:1 d:1 tick=1s {EPOCH}",
    "a tick of 100 ms": f"timestamp:36 worker:12 sequence:15 tick=100ms {EPOCH}",
}


def encode(comment, layout, *, tick=None, time_ms=None, sequence=0, fields=None, error=None, flags=""):
    """One encode test. `sequence=None` leaves the sequence out."""
    model = layout_of(layout)
    when = {"tick": str(tick)} if time_ms is None else {"time_ms": str(time_ms)}
    tick = tick if time_ms is None else model.tick_at(time_ms)
    answer = outcome(error, lambda: id_pair(model.encode(tick, sequence or 0, fields)))
    flags += " beyond_signed" if int(answer.get("expect", {}).get("id", 0)) >= 2**63 else ""
    given = {} if sequence is None else {"sequence": sequence}
    return case("layout", comment, flags,
                {"op": "encode", "layout": layout, **when, **given, "fields": fields or {}, **answer})


def decode(comment, layout, number, error=None, flags=""):
    answer = outcome(error, lambda: layout_of(layout).decode(number))
    flags += " beyond_signed" if number >= 2**63 else ""
    if int(answer.get("expect", {}).get("time_ms", 0)) > instant_ms("9999-12-31T23:59:59.999Z"):
        flags += " after_year_9999"
    return case("layout", comment, flags, {"op": "decode", "layout": layout, "input": id_pair(number), **answer})


def edge(op, comment, layout, time_ms, error=None, flags=""):
    answer = outcome(error, lambda: id_pair(layout_of(layout).edge_id(time_ms, op == "last_id")))
    flags += " beyond_signed" if int(answer.get("expect", {}).get("id", 0)) >= 2**63 else ""
    return case("layout", comment, flags, {"op": op, "layout": layout, "time_ms": str(time_ms), **answer})


def pattern(model):
    """Distinct values: the sequence about a third, the node fields about two thirds of their range."""
    return model.capacity // 3, {
        name: (2**width * 2 // 3 - index) % 2**width for index, (name, width) in enumerate(model.nodes)}


def preset_cases():
    for name, model in PRESETS.items():
        sequence, fields = pattern(model)
        instant = IN_BAIDU if name == "baidu" else NOW
        number = model.encode(model.tick_at(instant), sequence, fields)
        last_tick = model.ticks - 1
        yield encode(f"{name}: every field at its own place", name, time_ms=instant, sequence=sequence, fields=fields)
        yield decode(f"{name}: every field read from its own place", name, number)
        yield decode(f"{name}: the largest id has every field at its largest value", name, 2**model.bits - 1)
        yield encode(f"{name}: the last tick encodes", name, tick=last_tick)
        yield encode(f"{name}: one past the last tick is refused", name, tick=last_tick + 1, error="field_out_of_range")
        yield edge("first_id", f"{name}: the first id of a tick has all other bits 0", name, instant)
        yield edge("last_id", f"{name}: the last id of a tick has all other bits 1", name, instant)
        if model.bits < 64:
            yield decode(f"{name}: an id with a bit above the layout is refused", name, 2**model.bits,
                         "id_out_of_range")


def custom_cases():
    for what, text in CUSTOM.items():
        model = layout_of(text)
        sequence, fields = pattern(model)
        tick = (model.ticks - 1) * 5 // 7
        yield encode(f"{what}: encode", text, tick=tick, sequence=sequence, fields=fields)
        yield decode(f"{what}: decode", text, model.encode(tick, sequence, fields))
        yield decode(f"{what}: the largest id", text, 2**model.bits - 1)
        yield edge("last_id", f"{what}: the last id of tick 1", text, model.begin_ms(1))
    wide = f"timestamp:62 sequence:1 tick=1ms {EPOCH}"
    yield encode("a tick beyond 2^53 keeps every bit", wide, tick=2**53 + 1, sequence=1)
    yield encode("the last tick of 62 bits", wide, tick=2**62 - 1, sequence=1)
    named = f"timestamp:41 self:5 constructor:5 sequence:12 tick=1ms {EPOCH}"
    number = layout_of(named).encode(7, 3, {"self": 1, "constructor": 2})
    yield encode("a node field may have the name of a word of the host language", named, tick=7, sequence=3,
                 fields={"self": 1, "constructor": 2}, flags="name_collision")
    yield decode("such names come back as they are", named, number, flags="name_collision")


def single_field_cases():
    for layout in ("twitter", "sonyflake", CUSTOM["node fields on both sides"]):
        model = layout_of(layout)
        for name, width in model.fields:
            values = {"tick": 0, "sequence": 0, "fields": {n: 0 for n, _ in model.nodes}}
            largest = 2**width - 1
            values.update({"timestamp": {"tick": largest}, "sequence": {"sequence": largest}}.get(
                name, {"fields": {**values["fields"], name: largest}}))
            yield encode(f"{name} alone at its largest value touches no neighbour", layout, **values)
    yield encode("everything 0 is id 0", "polyflake", tick=0, fields={"worker": 0})
    yield decode("id 0 is the epoch", "polyflake", 0)
    yield decode("id 1 is sequence 1 of the epoch", "polyflake", 1)
    yield encode("an omitted node field is 0", "twitter", tick=5, sequence=6, fields={"worker": 7})
    yield encode("no node field given: all are 0", "twitter", tick=5, sequence=6)
    yield encode("an omitted sequence is 0", "polyflake", tick=5, sequence=None, fields={"worker": 7})
    yield encode("only the instant given", "polyflake", time_ms=NOW, sequence=None)
    yield decode("2^63 decodes where the layout has 64 bits", "discord", 2**63)
    yield decode("2^63 - 1 decodes", "tsid", 2**63 - 1)
    yield decode("the largest 64-bit value is above a 63-bit layout", "twitter", 2**64 - 1, "id_out_of_range")
    yield decode("the largest 64-bit value is above a 53-bit layout", "js53", 2**64 - 1, "id_out_of_range")


def time_cases():
    sony, epoch = "sonyflake", PRESETS["sonyflake"].epoch_ms
    for offset in (1, 9, 10, 19, 20):
        yield encode(f"{offset} ms after the epoch with a tick of 10 ms: the tick that contains the instant", sony,
                     time_ms=epoch + offset)
    for offset in (999, 1000, 1999):
        yield encode(f"{offset} ms after the epoch with a tick of 1 s", "game",
                     time_ms=PRESETS["game"].epoch_ms + offset)
    yield edge("first_id", "an instant inside a tick of 10 ms: first id of that tick", sony, epoch + 12345)
    yield edge("last_id", "an instant inside a tick of 10 ms: last id of that tick", sony, epoch + 12345)
    for name in ("polyflake", "sonyflake", "baidu", "mastodon"):
        model, before = PRESETS[name], PRESETS[name].epoch_ms - 1
        end = model.begin_ms(model.ticks)
        yield encode(f"{name}: the epoch itself is tick 0", name, time_ms=model.epoch_ms)
        yield encode(f"{name}: 1 ms before the epoch is refused, not rounded to tick 0", name, time_ms=before,
                     error="field_out_of_range", flags="rounding")
        yield encode(f"{name}: the last millisecond of the layout", name, time_ms=end - 1)
        yield encode(f"{name}: 1 ms beyond the last tick is refused", name, time_ms=end, error="field_out_of_range")
    for op in ("first_id", "last_id"):
        model = PRESETS["sonyflake"]
        yield edge(op, f"{op} of the epoch", sony, epoch)
        yield edge(op, f"{op} 1 ms before the epoch is refused", sony, epoch - 1, "field_out_of_range", "rounding")
        yield edge(op, f"{op} in the last tick", sony, model.begin_ms(model.ticks) - 1)
        yield edge(op, f"{op} beyond the last tick is refused", sony, model.begin_ms(model.ticks), "field_out_of_range")
        yield edge(op, f"{op} may pass 2^63 where the layout has 64 bits", "instagram",
                   instant_ms("2060-01-01T00:00:00.000Z"))
        yield edge(op, f"{op} of an instant before 1970 is refused", "mastodon", -1, "field_out_of_range")


def refusal_cases():
    out = {"error": "field_out_of_range"}
    for layout, field, width in (("polyflake", "worker", 10), ("twitter", "datacenter", 5), ("twitter", "worker", 5),
                                 ("instagram", "shard", 13), ("sonyflake", "machine", 16), ("baidu", "worker", 22)):
        yield encode(f"{field} 2^{width} does not fit {width} bits", layout, tick=1, fields={field: 2**width}, **out)
        yield encode(f"{field} -1 is refused", layout, tick=1, fields={field: -1}, **out)
    for value in (2**16 + 1, 2**31, 2**32 - 1, 2**32, 2**32 + 7, 2**53 - 1, -(2**31), -(2**32) + 7):
        yield encode(f"worker {value} is refused, never cut to its low bits", "polyflake", tick=1,
                     fields={"worker": value}, flags="wraparound", **out)
    node = CUSTOM["a node field of 32 bits"]
    yield encode("a node field of 32 bits takes 2^32 - 1", node, tick=1, fields={"node": 2**32 - 1})
    yield encode("a node field of 32 bits refuses 2^32", node, tick=1, fields={"node": 2**32},
                 flags="wraparound", **out)
    for layout, width in (("polyflake", 12), ("sonyflake", 8), ("mastodon", 16), ("yitter", 6)):
        yield encode(f"sequence 2^{width} does not fit {width} bits", layout, tick=1, sequence=2**width, **out)
    for value in (-1, 2**31, 2**32, 2**32 + 1):
        yield encode(f"sequence {value} is refused, never cut", "polyflake", tick=1, sequence=value,
                     flags="wraparound", **out)
    for tick in (-1, -(2**41), 2**53, 2**62, 2**63 - 1):
        yield encode(f"tick {tick} is refused", "polyflake", tick=tick, flags="wraparound", **out)
    for time_ms in (0, -1, 2**53 - 1):
        yield encode(f"time_ms {time_ms} is outside the layout", "polyflake", time_ms=time_ms, **out)
    for layout, name in (("polyflake", "machine"), ("polyflake", "datacenter"), ("twitter", "Worker"),
                         ("mastodon", "worker"), ("sonyflake", "worker"), ("polyflake", "timestamp")):
        yield encode(f"{layout} has no node field {name}", layout, tick=1, fields={name: 0}, error="unknown_field")
    for name in ("constructor", "toString", "self", "worker_", "w" * 1000):
        yield encode("an unknown name is refused whatever the host language thinks of it", "polyflake", tick=1,
                     fields={name: 0}, error="unknown_field", flags="name_collision")


def scattered_cases():
    state = 20200101
    for index in range(24):
        name = list(PRESETS)[index % len(PRESETS)]
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        number = (state ^ state >> 29) % 2**PRESETS[name].bits
        yield decode(f"{name}: an arbitrary id, number {index + 1}", name, number)


def layout_cases():
    for cases in (preset_cases, custom_cases, single_field_cases, time_cases, refusal_cases, scattered_cases):
        yield from cases()


# Published ids

def published_facts():
    path = pathlib.Path(__file__).with_name("published-ids.json")
    return json.loads(path.read_text(encoding="utf-8"))


def published(name, fact, op, layout, body, note=None):
    text = layout.text()
    equal = next(({"preset": key} for key, model in PRESETS.items() if model.text() == text), {})
    note = {"note": fact["note"]} if "note" in fact else {}
    return case("published", name, "", {"name": fact["name"], "source": fact["source"], **note, "op": op,
                                        "layout": text, **equal, **body})


def published_decode(fact):
    """The model's decode, which must agree with every published field."""
    rename = {"increment": "sequence", "counter": "sequence"}
    fields = [(rename.get(name, name), width) for name, width in fact["bits_msb_first"]]
    layout = Layout(fields, fact["tick_ms"], fact["epoch_ms"])
    number = int(fact["id"])
    decoded = layout.decode(number)
    decoded["utc"] = instant_text(int(decoded["time_ms"]))
    found = {**decoded["fields"], "sequence": decoded["sequence"], "timestamp_ticks": int(decoded["tick"]),
             "unix_ms": int(decoded["time_ms"]), "utc": decoded["utc"]}
    for name, _ in fact["bits_msb_first"][1:]:
        assert fact["expected"][name] == found[rename.get(name, name)], fact["name"]
    assert all(fact["expected"][key] == found[key] for key in ("timestamp_ticks", "unix_ms", "utc")), fact["name"]
    assert fact["id_hex"] == id_pair(number)["hex"], fact["name"]
    return published(fact["name"], fact, "decode", layout, {"input": id_pair(number), "expect": decoded})


def published_cases():
    for fact in published_facts()["vectors"]:
        if "bits_msb_first" in fact:
            yield published_decode(fact)
        elif fact["name"] == "uid-generator PR 52 overflow":
            # The report says 30/18/5; the id it shows comes out with a sequence of 15 bits. The refusal holds for both.
            for width, what in ((5, "the widths of the report"), (15, "the widths that give the reported id")):
                fields = [("timestamp", 30), ("worker", 18), ("sequence", width)]
                layout = Layout(fields, fact["tick_ms"], fact["epoch_ms"])
                given = {"tick": str(1590229777 - 1586275200), "sequence": 0, "fields": {"worker": 462146}}
                answer = outcome("field_out_of_range", lambda: layout.encode(int(given["tick"]), 0, given["fields"]))
                masked = int(given["tick"]) << 18 + width | given["fields"]["worker"] << width
                assert (masked == int(fact["id"])) == (width == 15)
                yield published(f"{fact['name']}: {what}", fact, "encode", layout, {**given, **answer})
