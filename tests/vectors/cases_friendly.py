"""Groups `friendly` (ids as text that people read) and `explain` (which preset an id may be from)."""

from cases_layout import CUSTOM, NOW, published_facts
from model import MAX_I64, PRESETS, case, id_pair, instant_ms, layout_of
from model_codec import Fault
from model_friendly import DAY_MS, explained, friendly, from_friendly

SHANGHAI = 8 * 3600
EDGE = 18 * 3600
LAST = "timestamp:40 sequence:1 tick=8388607ms epoch=2004-11-03T19:53:47.775Z"  # its last tick ends at 2^63 ms - 1

# Facts of the time zone database: the offsets that are in force just before and just after a change, and the change.
CHANGES = (
    ("Europe/Berlin", 7200, 3600, "2026-10-25T01:00:00.000Z"),
    ("Europe/Berlin", 3600, 7200, "2026-03-29T01:00:00.000Z"),
    ("America/New_York", -14400, -18000, "2021-11-07T06:00:00.000Z"),
    ("America/New_York", -18000, -14400, "2021-03-14T07:00:00.000Z"),
    ("Australia/Lord_Howe", 39600, 37800, "2022-04-02T15:00:00.000Z"),  # half an hour
    ("Pacific/Apia", -36000, 50400, "2011-12-30T10:00:00.000Z"),  # a whole day is skipped
)


def answered(error, call):
    """`expect`, or `error` and `position`: the model's own answer, which must be of the kind its author meant."""
    try:
        answer = {"expect": call()}
    except Fault as fault:
        answer = {"error": fault.code, "position": fault.position}
    assert answer.get("error") == error, f"meant {error}, the model says {answer}"
    return answer


def in_zone(zone):
    return {"zone": zone} if zone else {}


def write(comment, layout, number, offset=0, zone=None, flags=""):
    text = friendly(layout_of(layout), number, offset)
    return case("friendly", comment, flags,
                {"op": "write", "layout": layout, **in_zone(zone), "utc_offset_s": offset, "input": id_pair(number),
                 "expect": {"text": text}})


def refused_id(comment, layout, number):
    return case("friendly", comment, "",
                {"op": "write", "layout": layout, "utc_offset_s": 0, "input": id_pair(number), "error": "id_out_of_range"})


def read(comment, layout, text, error=None, offset=0, zone=None, offsets=None, flags=""):
    offsets = [offset] if offsets is None else offsets
    answer = answered(error, lambda: id_pair(from_friendly(layout_of(layout), text, offsets)))
    return case("friendly", comment, flags,
                {"op": "read", "layout": layout, **in_zone(zone), "utc_offsets_s": offsets, "text": text, **answer})


def both(comment, layout, number, offset=0, zone=None, flags=""):
    text = friendly(layout_of(layout), number, offset)
    yield write(comment, layout, number, offset, zone, flags)
    yield read(comment + ", read back", layout, text, None, offset, zone, flags=flags)


def forms():
    yield from both("the example of CosId", "cosid", 266300479548424192, SHANGHAI)
    yield from both("the same in UTC", "cosid", 266300479548424192)
    for name, model in PRESETS.items():
        fields = {field: 2**width * 2 // 3 for field, width in model.nodes}
        number = model.encode(model.tick_at(NOW if name != "baidu" else NOW - 5 * 365 * DAY_MS), model.capacity // 3, fields)
        yield from both(f"{name}: every number at its place", name, number)
        yield from both(f"{name}: id 0 is the epoch", name, 0)
        ends = model.begin_ms(model.ticks) > instant_ms("9999-12-31T23:59:59.999Z")
        yield from both(f"{name}: the largest id", name, 2**model.bits - 1, flags="after_year_9999" if ends else "")
    for what, text in CUSTOM.items():
        model = layout_of(text)
        yield from both(f"{what}: an id", text, model.encode(model.ticks * 5 // 7, model.capacity // 3,
                                                              {name: 2**width // 2 for name, width in model.nodes}))
    for offset in (-1, 1, 59, -3599, 19800, 20700, EDGE, -EDGE):
        yield from both(f"at {offset} s from UTC", "polyflake", PRESETS["polyflake"].edge_id(NOW, True), offset)
    yield from both("a day before 1970 on the clocks west of Greenwich", "mastodon", 5 << 16 | 5, -EDGE)
    mastodon = PRESETS["mastodon"]
    for text in ("1972-02-29T12:00:00.000Z", "2000-02-29T23:59:59.999Z", "2100-02-28T23:59:59.999Z", "2100-03-01T00:00:00.000Z",
                 "2000-12-31T23:59:59.999Z", "1999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"):
        yield from both(f"the instant {text}", "mastodon", mastodon.edge_id(instant_ms(text), False))
    beyond = instant_ms("9999-12-31T23:59:59.999Z") + 1
    yield from both("the year 10000 has five digits", "mastodon", mastodon.edge_id(beyond, False), flags="after_year_9999")
    yield from both("the year 10000 begins earlier in the east", "mastodon", mastodon.edge_id(beyond - 1, False), 1,
                    flags="after_year_9999")
    yield from both("29 February 12000", "yitter", PRESETS["yitter"].edge_id(316514044800000, False), flags="after_year_9999")
    assert layout_of(LAST).begin_ms(2**40) == MAX_I64
    for offset in (0, EDGE, -EDGE):
        yield from both(f"the last tick of 2^63 ms at {offset} s from UTC", LAST, 2**41 - 1, offset, flags="wraparound")
    yield refused_id("an id with a bit above the layout has no friendly form", "polyflake", 2**63)
    yield refused_id("nor has one with a bit above 53", "js53", 2**53)


def refusals():
    good = "20220320133617924-5-0"
    for comment, text, flags in (
            ("empty", "", ""), ("a blank in front", " " + good, ""), ("a blank at the end", good + " ", ""),
            ("a line end", good + "\n", ""), ("a sign", "+" + good, ""), ("the time alone", "20220320133617924", ""),
            ("no sequence", "20220320133617924-5", ""), ("one number more", good + "-0", ""),
            ("an empty number", "20220320133617924--0", ""), ("an empty sequence", "20220320133617924-5-", ""),
            ("a negative number", "20220320133617924--5-0", ""), ("a leading zero", "20220320133617924-05-0", "non_canonical"),
            ("a leading zero of the sequence", "20220320133617924-5-00", "non_canonical"),
            ("a zero in front of the year", "0" + good, "non_canonical"), ("no milliseconds", "20220320133617-5-0", ""),
            ("16 digits", "2022032013361792-5-0", ""), ("another separator", "20220320133617924_5-0", ""),
            ("a hexadecimal digit", "20220320133617924-a-0", ""), ("an ISO time", "2022-03-20T13:36:17.924Z-5-0", ""),
            ("a NUL at the end", good + "\0", "embedded_nul"), ("Arabic digits", "\u0662" + good[1:], "unicode"),
            ("a wide digit", "20220320133617924-\uff15-0", "unicode"), ("a minus of typography", good.replace("-", "\u2212"), "unicode"),
            ("month 0", "20220020133617924-5-0", ""), ("month 13", "20221320133617924-5-0", ""),
            ("day 0", "20220300133617924-5-0", ""), ("day 32", "20220332133617924-5-0", ""),
            ("31 April", "20220431133617924-5-0", ""), ("29 February of no leap year", "20220229133617924-5-0", ""),
            ("29 February of 2100", "21000229133617924-5-0", ""), ("hour 24", "20220320243617924-5-0", ""),
            ("minute 60", "20220320136017924-5-0", ""), ("a leap second", "20161231235960000-5-0", "")):
        yield read(comment, "polyflake", text, "text_invalid", flags=flags)
    for comment, text in (("before the epoch", "20191231235959999-5-0"), ("a year before 1970", "19690101000000000-5-0"),
                          ("the year 0", "00000101000000000-5-0"), ("after the last tick", "20890906154735552-5-0"),
                          ("a year of 9 digits", "9999999990101000000000-5-0"), ("a year of 40 digits", "9" * 40 + "0101000000000-5-0"),
                          ("a worker of 1024", "20220320133617924-1024-0"), ("a sequence of 4096", "20220320133617924-5-4096"),
                          ("a worker of 2^64 + 5", f"20220320133617924-{2**64 + 5}-0"),
                          ("a sequence of 2^32", f"20220320133617924-5-{2**32}"), ("a worker of 50 digits", f"20220320133617924-{'7' * 50}-0")):
        yield read(comment, "polyflake", text, "field_out_of_range", flags="wraparound" if "2^" in comment else "")
    yield read("one ms before the epoch is another second in the east", "polyflake", "20200101000000999-0-0", "field_out_of_range",
               offset=1)
    yield read("the wrong time is told before a wrong number", "polyflake", "20191231235959999-1024-0", "field_out_of_range")
    yield read("a wrong shape is told before a wrong time", "polyflake", "20191331235959999-5-x", "text_invalid")
    yield read("a wrong date is told before a wrong number", "polyflake", "20221320133617924-5-4096", "text_invalid")
    for digit in "123456789":
        yield read(f"a tick of 10 ms does not begin {digit} ms later", "sonyflake", f"2025070500000001{digit}-258-7", "text_invalid")
    yield read("a tick of 1 s does not begin at 1 ms", "baidu", "20200101000000001-5-0", "text_invalid")
    yield read("nor at 999 ms", "baidu", "20200101000000999-5-0", "text_invalid")
    yield read("a tick of 7 s does not begin a second later", CUSTOM["a node field of 32 bits"], "20200101000008000-5-0", "text_invalid")
    yield read("in the last tick, but not at its begin", LAST, "2922789940817071255806-1", "text_invalid")
    yield read("one ms after 2^63 - 1 ms", LAST, "2922789940817071255807-1", "field_out_of_range", flags="wraparound")
    yield read("mastodon has no node field", "mastodon", good, "text_invalid")
    yield read("discord has two", "discord", good, "text_invalid")
    yield read("sonyflake's numbers stand as node fields before the sequence", "sonyflake", "20250705000000000-65535-255")
    yield read("though its sequence is above its machine", "sonyflake", "20250705000000000-255-65535", "field_out_of_range")


def zones():
    polyflake = PRESETS["polyflake"]
    shanghai = polyflake.encode(polyflake.tick_at(NOW), 7, {"worker": 5})
    yield from both("in Shanghai", "polyflake", shanghai, SHANGHAI, "Asia/Shanghai")
    yield from both("in Kathmandu", "polyflake", shanghai, 20700, "Asia/Kathmandu")
    yield from both("in UTC by its name", "polyflake", shanghai, 0, "UTC")
    monrovia = PRESETS["mastodon"].edge_id(instant_ms("1971-06-01T12:00:00.000Z"), False)
    yield from both("a zone with seconds", "mastodon", monrovia, -2670, "Africa/Monrovia")
    for zone, before, after, change in CHANGES:
        layout, change = ("mastodon", instant_ms(change)) if change < "2020" else ("polyflake", instant_ms(change))
        model = layout_of(layout)
        for moment, ms, offset in (("just before", -1, before), ("just after", 0, after)):
            number = model.edge_id(change + ms, True)
            text = friendly(model, number, offset)
            yield write(f"{zone} {moment} the clocks go from {before} to {after} s", layout, number, offset, zone)
            if before > after:
                yield read(f"{zone} has this time twice", layout, text, "text_invalid", zone=zone, offsets=[before, after])
            else:
                yield read(f"{zone}, beside the time that is skipped", layout, text, None, zone=zone, offsets=[offset])
        for ms, offset in ((-1, after), (0, before)):
            text = friendly(model, model.edge_id(change + ms, True), offset)
            if before < after:
                yield read(f"{zone} skips this time", layout, text, "text_invalid", zone=zone, offsets=[])
            else:
                text = friendly(model, model.edge_id(change + (before - after) * 1000 * (1 if ms == 0 else -1) + ms, True),
                                after if ms == 0 else before)
                yield read(f"{zone}, beside the time that it has twice", layout, text, None, zone=zone,
                           offsets=[after if ms == 0 else before])
    yield read("a wrong date is told before a wrong time of the zone", "polyflake", "20260329025960000-5-0", "text_invalid",
               zone="Europe/Berlin", offsets=[])
    yield read("a time before the layout in a zone", "polyflake", "20191231120000000-5-0", "field_out_of_range", zone="Asia/Shanghai",
               offset=SHANGHAI)
    yield read("a time far before every layout in a zone", "polyflake", "00010101000000000-5-0", "field_out_of_range",
               zone="Asia/Shanghai", offset=SHANGHAI)
    yield read("a wrong spelling in a zone", "polyflake", "20260329025900000-05-0", "text_invalid", zone="Europe/Berlin", offsets=[])


def friendly_cases():
    yield from forms()
    yield from refusals()
    yield from zones()


def explain(comment, number, now_ms, flags=""):
    flags += " beyond_signed" if number >= 2**63 else ""
    return case("explain", comment, flags,
                {"input": id_pair(number), "now_ms": str(now_ms), "expect": explained(number, now_ms)})


def explain_cases():
    for fact in published_facts()["vectors"]:
        if "unix_ms" in fact["expected"]:
            yield explain(f"{fact['name']}, a month later", int(fact["id"]), fact["expected"]["unix_ms"] + 30 * DAY_MS)
    polyflake, now = PRESETS["polyflake"], NOW
    for comment, time_ms in (("now", now), ("a day from now", now + DAY_MS), ("a day and a ms from now", now + DAY_MS + 1),
                             ("a day after the epoch", polyflake.epoch_ms + DAY_MS),
                             ("a ms less than a day after the epoch", polyflake.epoch_ms + DAY_MS - 1)):
        yield explain(f"an id of polyflake of {comment}", polyflake.edge_id(time_ms, False), now)
    for number, what in ((0, "0"), (1, "1"), (2**53 - 1, "2^53 - 1"), (2**53, "2^53"), (2**63 - 1, "2^63 - 1"), (2**63, "2^63"),
                         (2**64 - 1, "2^64 - 1")):
        yield explain(f"the id {what}", number, now)
    yield explain("a present of 1970", polyflake.edge_id(now, False), 0)
    yield explain("a present before all epochs but one", polyflake.edge_id(now, False), instant_ms("2005-01-01T00:00:00.000Z"))
    for sequence, worker in ((15, 0), (16, 0), (15, 15), (0, 1023), (4095, 1023)):
        yield explain(f"a sequence of {sequence} and a worker of {worker}",
                      polyflake.encode(polyflake.tick_at(now), sequence, {"worker": worker}), now)
