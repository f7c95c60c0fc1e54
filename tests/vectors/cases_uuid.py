"""Group `uuid`: UUIDs as text, what a version 7 UUID is made of, ranges of time, and ids of 63 or 64 bits as UUIDs."""

from cases_codec import answered
from cases_generator import EPOCH, TINY
from model import PRESETS, case, id_pair, instant_text, layout_of, outcome
from model_kinds import UUID_MS_END, decode_uuid, edge_uuid, id_of_uuid, parse_uuid, uuid7, uuid_of, uuid_text

RFC_MS = 1645557742000  # RFC 9562, appendix A.6
RFC = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
NOW = 1700000000000
LATE = f"timestamp:47 worker:5 sequence:11 tick=1ms epoch={instant_text(2**47)}"
CUSTOM = {
    "a sequence of 18 bits": f"timestamp:45 sequence:18 tick=1ms {EPOCH}",
    "a sequence of 32 bits": f"timestamp:31 sequence:32 tick=1ms {EPOCH}",
    "a sequence of 32 bits before a node field": f"timestamp:20 sequence:32 worker:12 tick=1ms {EPOCH}",
    "a sequence of 12 bits fills the place before the variant": f"timestamp:41 node:2 sequence:12 tick=1ms {EPOCH}",
    "a sequence of 11 bits and one of the node id before the variant": f"timestamp:41 sequence:11 node:2 tick=1ms {EPOCH}",
    "fields of 5 bits leave a tail of 69": TINY,
    "fields of 63 bits leave a tail of 11": f"timestamp:1 sequence:31 a:32 tick=1ms {EPOCH}",
    "node fields on both sides are one node id": f"left:5 timestamp:40 right:3 sequence:10 tick=1ms {EPOCH}",
    "a sequence above the timestamp": f"sequence:10 timestamp:41 worker:12 tick=1ms {EPOCH}",
    "a node id of 32 bits": f"node:32 timestamp:30 sequence:1 tick=1ms {EPOCH}",
    "a layout that ends with the last UUID": LATE,
}
REFUSED = {
    "ticks of 10 ms": "sonyflake",
    "ticks of 1 s": "baidu",
    "ticks of 2 ms": f"timestamp:41 worker:10 sequence:12 tick=2ms {EPOCH}",
    "a timestamp of 51 bits": "yitter",
    "a timestamp of 49 bits": "timestamp:49 sequence:12 tick=1ms epoch=1970-01-01T00:00:00.000Z",
    "a timestamp of 48 bits and an epoch of 1 ms": "timestamp:48 sequence:12 tick=1ms epoch=1970-01-01T00:00:00.001Z",
    "an end 1 ms after the last UUID": LATE.replace(instant_text(2**47), instant_text(2**47 + 1)),
}


def u(op, comment, given, answer, flags=""):
    return case("uuid", comment, flags, {"op": op, **given, **answer})


def parse(comment, text, error=None, flags=""):
    return u("parse", comment, {"text": text}, answered(error, lambda: {"hex": f"{parse_uuid(text):032x}"}), flags)


def decode(comment, number, layout=None, error=None, flags=""):
    answer = answered(error, lambda: decode_uuid(number, layout and layout_of(layout)))
    given = {"layout": layout} if layout else {}
    return u("decode", comment, {**given, "text": uuid_text(number)}, answer, flags)


def edges(time_ms, what, error=None, flags=""):
    for op in ("first_id", "last_id"):
        answer = answered(error, lambda: {"text": uuid_text(edge_uuid(time_ms, op == "last_id"))})
        yield u(op, f"{op} of {what}", {"time_ms": str(time_ms)}, answer, flags)


def to_uuid(comment, layout, number, error=None, flags=""):
    answer = outcome(error, lambda: {"text": uuid_text(uuid_of(layout_of(layout), number))})
    return u("to_uuid", comment, {"layout": layout, "input": id_pair(number)}, answer, flags)


def from_uuid(comment, layout, number, error=None, flags=""):
    answer = outcome(error, lambda: id_pair(id_of_uuid(layout_of(layout), number)))
    return u("from_uuid", comment, {"layout": layout, "text": uuid_text(number)}, answer, flags)


def both(comment, layout, number, flags=""):
    model = layout_of(layout)
    text = uuid_of(model, number)
    assert id_of_uuid(model, text) == number
    beyond = flags or ("beyond_signed" if number >= 2**63 else "")
    yield to_uuid(f"{comment}: as a UUID", layout, number, None, beyond)
    yield from_uuid(f"{comment}: from a UUID", layout, text, None, beyond)


def parse_cases():
    yield parse("the UUID of RFC 9562, A.6", RFC)
    yield parse("all bits 0", "0" * 8 + "-0000-0000-0000-" + "0" * 12)
    yield parse("all bits 1", "f" * 8 + "-ffff-ffff-ffff-" + "f" * 12)
    yield parse("a version 4 UUID", "919108f7-52d1-4320-9bac-f847db4148a8")
    yield parse("every digit at its place", "01234567-89ab-cdef-fedc-ba9876543210")
    for text, what in (("", "nothing"), (RFC[:-1], "35 characters"), (RFC + "0", "37 characters"), (RFC[:8], "8 digits"),
                       (RFC[:9], "8 digits and a hyphen"), (RFC * 100, "thousands of characters"), (RFC[:18], "18 characters"),
                       (RFC + "\n", "a line feed behind"), (" " + RFC, "a blank before"), (RFC + " ", "a blank behind"),
                       ("-" + RFC[1:], "a hyphen in front"), (RFC[:-1] + "g", "g at the end"), (RFC[:-1] + "-", "a hyphen at the end"),
                       ("+" + RFC[1:], "a sign"), (RFC.replace("7f", "0x", 1), "0x"), (RFC[:20] + "g" + RFC[21:], "g inside"),
                       (RFC[:23] + "/" + RFC[24:], "a slash for a hyphen"), (RFC[:13] + "_" + RFC[14:], "an underscore for a hyphen"),
                       (RFC[:4] + ":" + RFC[5:], "the character after 9"), (RFC[:4] + "`" + RFC[5:], "the character before a")):
        yield parse(f"{what} is no UUID", text, "text_invalid")
    for text, what in ((RFC.upper(), "upper case"), (RFC.replace("-", ""), "32 digits without hyphens"), ("{" + RFC + "}", "braces"),
                       ("urn:uuid:" + RFC, "a URN"), (RFC.replace("-", " "), "blanks for hyphens"),
                       (RFC[:9] + RFC[9:].replace("-", "", 1), "one hyphen missing"),
                       ("-".join(RFC.replace("-", "")[at:at + 4] for at in range(0, 32, 4)), "groups of four"),
                       (RFC[:7] + "-" + RFC[7] + RFC[9:], "the first hyphen one digit early"),
                       *((RFC[:35] + letter, f"one {letter}") for letter in "AF")):
        yield parse(f"{what}: not the one spelling", text, "text_invalid", "non_canonical")
    for text, what in ((RFC[:5] + "\uff11" + RFC[6:], "a full-width digit"), (RFC[:35] + "\u0661", "an Arabic digit"),
                       (RFC[:8] + "\u2010" + RFC[9:], "another hyphen"), (RFC[:8] + "\u2212" + RFC[9:], "a minus sign"),
                       (RFC + "\u200b", "a space of no width"), (RFC[:34] + "\u00e9", "36 bytes"),
                       (RFC[:35] + "\u0430", "a Cyrillic a"), ("\ufeff" + RFC, "a byte order mark")):
        yield parse(f"{what} is no character of a UUID", text, "text_invalid", "unicode")
    yield parse("a NUL behind", RFC + "\0", "text_invalid", "embedded_nul")
    yield parse("a NUL inside", RFC[:10] + "\0" + RFC[11:], "text_invalid", "embedded_nul")


def decode_cases():
    def fields(unix_ms, counter, tail):
        return uuid7(unix_ms, counter << 56 | tail)

    assert fields(RFC_MS, 209112, 0xC4DC0C0C07398F) == parse_uuid(RFC)
    yield decode("the UUID of RFC 9562, A.6", parse_uuid(RFC))
    for unix_ms, counter, tail, what in (
            (NOW, 1, 0, "counter 1 is below the variant"), (NOW, 0, 1, "tail 1"), (NOW, 0, 2**56 - 1, "the largest tail"),
            (NOW, 0, 2**55, "the top bit of the tail"), (NOW, 2**18 - 1, 0, "the largest counter"),
            (NOW, 2**17, 0, "the top bit of the counter"), (NOW, 63, 0, "6 bits of the counter stand behind the variant"),
            (NOW, 64, 0, "the other 12 behind the version"), (NOW, 2**6 - 1 + 2**12, 2**53, "a tail of 2^53"),
            (NOW, 2**16 + 1, 2**53 + 1, "a tail beyond 2^53"), (0, 0, 0, "nothing but version and variant"),
            (1, 0, 0, "1 ms after 1970"), (2**32, 0, 0, "a time of 33 bits"),
            (2**45 - 1, 2**18 - 1, 2**56 - 1, "the last id that Polyflake issues")):
        flags = "wraparound" if what == "a time of 33 bits" else ""
        yield decode(what, fields(unix_ms, counter, tail), flags=flags)
    for unix_ms in (2**45, 2**47, 2**48 - 1):
        yield decode("a UUID of others may be of any time", fields(unix_ms, 2**18 - 1, 2**56 - 1), flags="after_year_9999"
                     if unix_ms > 2**47 else "")
    for version in (0, 1, 4, 8, 15):
        yield decode(f"version {version} is not 7", parse_uuid(f"{RFC[:14]}{version:x}{RFC[15:]}"), error="id_out_of_range")
    for digit in "07cdef":
        yield decode(f"a variant that begins with {digit}", parse_uuid(RFC[:19] + digit + RFC[20:]), error="id_out_of_range")
    for digit in "8ab":
        yield decode(f"the variant and two bits of the counter: {digit}", parse_uuid(RFC[:19] + digit + RFC[20:]))
    yield decode("all bits 0 is no version 7", 0, error="id_out_of_range")
    yield decode("all bits 1 is no version 7", 2**128 - 1, error="id_out_of_range")


def worker_decode_cases():
    for what, layout, tail in (("sequence, node id, tail", "polyflake", 2**51 + 5), ("the largest tail", "polyflake", 2**52 - 1),
                               ("two node fields", "twitter", 12345), ("no node field", "mastodon", 2**58 - 1),
                               ("the node id before the sequence in the layout", "instagram", 2**50 + 1),
                               ("a tail of 64 bits where more would fit", TINY, 2**64 - 1),
                               ("a layout of 64 bits", "tsid", 2**52 - 2), ("a tail of 11 bits", CUSTOM[
                                   "fields of 63 bits leave a tail of 11"], 2**11 - 1),
                               ("a layout of 5 node bits", "js53", 2**61 + 7)):
        model = layout_of(layout)
        number = model.encode(model.ticks // 2 - 1, model.capacity - 2, model.split_node(2**model.node_bits // 3))
        yield decode(f"with a worker: {what}", uuid_of(model, number, tail), layout)
    for unix_ms, what in ((PRESETS["polyflake"].epoch_ms - 1, "1 ms before the epoch"), (0, "at 1970"),
                          (PRESETS["polyflake"].begin_ms(2**41), "1 ms after the last tick"), (2**48 - 1, "the last UUID")):
        yield decode(f"a time outside the layout: {what}", uuid7(unix_ms, 0), "polyflake", "field_out_of_range")
    yield decode("a worker's UUID has the version too", parse_uuid(RFC[:14] + "4" + RFC[15:]), "polyflake", "id_out_of_range")


def edge_cases():
    yield from edges(RFC_MS, "the instant of RFC 9562")
    for time_ms, flags in ((0, ""), (1, ""), (NOW, ""), (2**32, ""), (2**45 - 1, ""), (2**45, ""), (UUID_MS_END - 1, "after_year_9999")):
        yield from edges(time_ms, f"{time_ms} ms", flags=flags)
    yield from edges(-1, "the ms before 1970", "field_out_of_range", "rounding")
    yield from edges(-UUID_MS_END, "long before 1970", "field_out_of_range")
    yield from edges(UUID_MS_END, "the ms after the last UUID", "field_out_of_range", "wraparound")
    yield from edges(UUID_MS_END + NOW, "48 bits with more above", "field_out_of_range", "wraparound")


def id_cases():
    yield from both("the figure of the pages", "polyflake", 7301861534949376)
    for name in ("polyflake", "twitter", "discord", "instagram", "mastodon", "tsid", "js53"):
        model = PRESETS[name]
        mixed = model.encode(model.ticks // 3, model.capacity // 3, model.split_node(2**model.node_bits * 2 // 3))
        yield from both(name, name, mixed)
    for name in ("polyflake", "discord", "mastodon", "tsid"):
        largest = 2**PRESETS[name].bits - 1
        yield from both(f"{name}: the largest id", name, largest)
    yield from both("polyflake: id 0", "polyflake", 0)
    yield from both("tsid: 2^63", "tsid", 2**63)
    for what, layout in CUSTOM.items():
        model = layout_of(layout)
        yield from both(what, layout, model.encode(
            model.ticks - 1, model.capacity - 2 if model.capacity > 2 else 1, model.split_node(2**model.node_bits * 5 // 7)))


def refusal_cases():
    yield to_uuid("an id with a bit above the layout", "polyflake", 2**63, "id_out_of_range", "beyond_signed")
    yield to_uuid("an id with a bit above 58", "js53", 2**53, "id_out_of_range")
    for what, layout in REFUSED.items():
        yield to_uuid(f"{what}: no UUIDs of it", layout, 1, "layout_invalid")
        yield from_uuid(f"{what}: nothing from a UUID", layout, uuid7(NOW, 0), "layout_invalid")
    good = uuid_of(PRESETS["polyflake"], 7301861534949376)
    for version in (0, 4, 8, 15):
        yield from_uuid(f"version {version} is not 7", "polyflake", good ^ (version ^ 7) << 76, "id_out_of_range")
    for digit in (0x1, 0x7, 0xC, 0xF):
        yield from_uuid(f"a variant that begins with {digit:x}", "polyflake",
                        parse_uuid(f"{uuid_text(good)[:19]}{digit:x}{uuid_text(good)[20:]}"), "id_out_of_range")
    for bit in (0, 1, 31, 32, 51):
        yield from_uuid(f"bit {bit} of the tail", "polyflake", good | 1 << bit, "id_out_of_range")
    tiny = uuid_of(layout_of(TINY), 1 << 40)
    for bit in (0, 61, 64, 70):
        yield from_uuid(f"bit {bit} of the two places of a tail of 69 bits", TINY, tiny | 1 << bit, "id_out_of_range")
    epoch, end = PRESETS["polyflake"].epoch_ms, PRESETS["polyflake"].begin_ms(2**41)
    for unix_ms, what in ((epoch - 1, "1 ms before the epoch"), (0, "at 1970"), (end, "1 ms after the last tick"),
                          (2**48 - 1, "the last UUID")):
        yield from_uuid(f"a time outside the layout: {what}", "polyflake", uuid7(unix_ms, 0), "field_out_of_range")
    yield from_uuid("a time that would fit if only 41 bits were looked at", "polyflake", uuid7(epoch + 2**41 + 5, 0),
                    "field_out_of_range", "wraparound")


def uuid_cases():
    for cases in (parse_cases, decode_cases, worker_decode_cases, edge_cases, id_cases, refusal_cases):
        yield from cases()
