"""Group `counter`: records through what stores and processes do with them, step by step.

`run` makes the steps of a test. A step is an operation with what it is given, and what its author means: a code, or some
of what is expected. Words that are not given are those of the record, so that only what differs is written down.
"""

import model_counters as model
from model import Refused, case

NOW = 1700000000000
MIDNIGHT, DAY_MS, HOUR_MS = 1699920000000, 86_400_000, 3_600_000
HERE, THERE = "i1", "i2"
TODAY = {"label": "20231114", "start_ms": str(MIDNIGHT), "end_ms": str(MIDNIGHT + DAY_MS)}
TOMORROW = {"label": "20231115", "start_ms": TODAY["end_ms"], "end_ms": str(MIDNIGHT + 2 * DAY_MS)}


# One operation: its name, what it is given, what is meant


def init(now, meant=None, within=None, incarnation=HERE, **options):
    return "init", {"now_ms": now, "incarnation": incarnation, "within": within, "options": options}, meant


def add(now, n, meant=None, incarnation=HERE, **asks):
    return "add", {"now_ms": now, "incarnation": incarnation, "asks": {"n": n, **asks}}, meant


def back(n, meant=None, incarnation=HERE, **asks):
    return "back", {"incarnation": incarnation, "asks": {"n": n, **asks}}, meant


def head(writes, meant=None, incarnation=HERE, **asks):
    return "head", {"incarnation": incarnation, "asks": asks, "writes": writes}, meant


def asked(operation, incarnation):
    """The same, by a process that names another incarnation than the store's."""
    op, given, meant = operation
    return op, {**given, "asks": {**given["asks"], "incarnation": incarnation}}, meant


def take(now, meant, wall=None, step=100, waiting=1, within=None, incarnation=HERE):
    wall = now if wall is None else now + wall
    given = {"now_ms": now, "wall_ms": wall, "incarnation": incarnation, "step": step, "waiting": waiting, "within": within}
    return "take", given, meant


def top_up(now, meant=None):
    return "top_up", {"now_ms": now}, meant


def jump(now, meant=None, tolerance=500, incarnation=THERE):
    return "jump", {"now_ms": now, "incarnation": incarnation, "tolerance_ms": tolerance}, meant


def new_period(now, within, meant=None, tolerance=500, incarnation=HERE):
    return "new_period", {"now_ms": now, "incarnation": incarnation, "tolerance_ms": tolerance, "within": within}, meant


def raise_(now, after, meant=None, within=None, incarnation=HERE):
    return "raise", {"now_ms": now, "incarnation": incarnation, "after": after, "within": within}, meant


def rest(ranges, n):
    return "rest", {"ranges": ranges}, {"n": n}


def keep(first, last, meant=None):
    return "keep", {"first": first, "last": last}, meant


CALLS = {
    "init": model.init, "add": model.add, "back": model.back, "head": model.head, "take": model.take, "top_up": model.top_up,
    "jump": model.jump, "new_period": model.new_period, "raise": model.raise_counter, "rest": model.rest, "keep": model.keep,
}
ASKS = {"add": ("incarnation", "until_ms", "term"), "back": ("incarnation", "term", "nonce"),
        "head": ("incarnation", "term", "head_nonce")}
WRITES = ("init", "add", "back", "head", "top_up", "jump", "new_period", "raise")
NUMBERS = {"now_ms": "now", "wall_ms": "wall", "tolerance_ms": "tolerance"}


def in_order(record):
    return {name: record[name] for name in model.FIELDS if name in record}


def as_texts(value):
    """Numbers as decimals, also within lists and objects; digits are the only plain number of an option."""
    if isinstance(value, dict):
        return {name: inner if name == "digits" else as_texts(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [as_texts(inner) for inner in value]
    return value if isinstance(value, bool) else str(value)


def with_asks(op, given, record):
    if op not in ASKS:
        return given
    known = {**(record or {"until_ms": "0", "term": "w0"}), "incarnation": given["incarnation"]}
    return {**given, "asks": {**{name: known[name] for name in ASKS[op]}, **given["asks"]}}


def called(op, given, record, fresh):
    """The new record, and what else is expected."""
    arguments = {NUMBERS.get(name, name): value for name, value in given.items() if value is not None}
    if op in ("rest", "keep"):
        return record, CALLS[op](**arguments)
    for name in ("asks", "writes"):
        if name in arguments:
            arguments[name] = as_texts(arguments[name])
    return CALLS[op](record, **arguments, **({"fresh": fresh} if op in WRITES else {}))


def run(record, script):
    steps = []
    for index, (op, given, meant) in enumerate(script, 1):
        fresh = f"w{index}"
        given = with_asks(op, given, record)
        step = {"op": op, **as_texts(given), **({"fresh": fresh} if op in WRITES else {})}
        try:
            after, expect = called(op, given, record, fresh)
            changed = {name: value for name, value in (after or {}).items() if (record or {}).get(name) != value}
            step["expect"] = {**expect, **({"record": in_order(changed)} if changed else {})}
            record = after
        except Refused as refused:
            step["error"] = refused.code
        check_meant(step, meant, record)
        steps.append(step)
    return steps


def check_meant(step, meant, record):
    if isinstance(meant, str) or "error" in step:
        assert step.get("error") == meant, f"meant {meant}, the model says {step}"
        return
    known = {**(record or {}), **step["expect"]}
    for name, value in (meant or {}).items():
        assert known.get(name) == (None if value is None else str(value)), f"meant {name} {value}, the model says {step}"


def counter(comment, record, *script, flags=""):
    given = {} if record is None else {"record": in_order(record)}
    return case("counter", comment, flags, {**given, "steps": run(record, script)})


def made(now, within=None, **options):
    """A record as `init` makes it, with some fields changed if they are given as texts."""
    changes = {name: options.pop(name) for name in list(options) if isinstance(options[name], str) and name in CHANGED}
    record, _ = model.init(None, options, now, HERE, "w0", within)
    return {**record, **changes}


CHANGED = ("next", "room", "base", "topped_up_ms", "incarnation", "until_ms")
SMALL = {"after": 0, "rate": 1000, "burst": 50}


def dated(now=MIDNIGHT, **changes):
    return made(now, TODAY, kind="date", after=0, **changes)


# Worked examples


def worked_examples():
    yield counter("made at 1000, with takes until it is empty, topped up, and a jump", None,
                  init(1000, {"next": 1, "room": 50, "base": -949}, **SMALL), add(1000, 20, {"first": 1, "next": 21}),
                  add(1000, 31, {"why": "room"}), add(1000, 30, {"first": 21, "next": 51}), top_up(1000, {"wait_ms": 1}),
                  top_up(1010, {"room": 10}))
    yield counter("a jump goes to the ceiling of 2S later", made(1000, **SMALL), add(1000, 20, {"next": 21}),
                  jump(1030, {"next": 91, "room": 0, "wait_ms": 11}, tolerance=5))
    yield counter("a counter with the options that are not given", None,
                  init(NOW, {"base": -1699999989999999, "room": 10_000_000}, after=0),
                  add(NOW, 1000, {"next": 1001, "room": 9999000}),
                  jump(NOW + 60_000, {"next": 71000001, "room": 0, "wait_ms": 1001}))


# Making and raising


def makings():
    least = 10_000_000 + 86_400 * 1_000_000
    yield counter("after 0 the first number is 1", None, init(NOW, {"next": 1, "until_ms": 2**53}, after=0))
    yield counter("it begins behind the number of a table", None, init(NOW, {"next": 4711001}, after=4711000))
    yield counter("after a number beyond 2^53", None, init(NOW, {"next": 2**53 + 2}, after=2**53 + 1))
    yield counter("a top that a day and the burst just reach", None, init(NOW, {"room": 10_000_000}, after=0, top=least))
    yield counter("a top that a day and the burst do not reach", None, init(NOW, "option_invalid", after=0, top=least - 1))
    yield counter("what counts is the distance from `after` to `top`", None, init(NOW, "option_invalid", after=1, top=least))
    yield counter("the distance with a rate and a burst", None,
                  init(1000, "option_invalid", after=9, rate=1, burst=1, top=86_409),
                  init(1000, {"room": 1}, after=9, rate=1, burst=1, top=86_410))
    yield counter("with stop the distance does not count", None, init(NOW, {"room": 10}, after=0, top=10, failover="stop"))
    yield counter("with trust there is no ceiling: all numbers up to `top` are room", None,
                  init(NOW, {"room": 10, "base": None}, after=0, top=10, failover="trust"), add(NOW, 10, {"first": 1}),
                  top_up(NOW + DAY_MS, "range_exhausted"))
    yield counter("with trust and all that is given by default", None, init(NOW, {"room": 2**63 - 3}, after=1, failover="trust"))
    yield counter("after `top` nothing is left", None, init(NOW, {"next": 11, "room": 0}, after=10, top=10, failover="stop"))
    for what, options in (
        ("no `after`, which has no default", {}), ("a negative `after`", {"after": -1}),
        ("`after` beyond `top`", {"after": 11, "top": 10, "failover": "stop"}),
        ("`after` beyond the default `top`", {"after": 2**63 - 1, "failover": "trust"}),
        ("a `top` of 2^63 - 1", {"after": 0, "top": 2**63 - 1}), ("a rate of 0", {"after": 0, "rate": 0}),
        ("a negative rate", {"after": 0, "rate": -1}), ("a burst of 0", {"after": 0, "burst": 0}),
        ("a negative burst", {"after": 0, "burst": -50}), ("a negative `top`", {"after": 0, "top": -1, "failover": "stop"}),
        ("another failover", {"after": 0, "failover": "wait"}), ("a failover in upper case", {"after": 0, "failover": "JUMP"}),
        ("an empty failover", {"after": 0, "failover": ""}), ("a kind without a counter", {"after": 0, "kind": "uuid7"}),
        ("a kind in upper case", {"after": 0, "kind": "Segment"}), ("digits of a segment", {"after": 0, "digits": 6}),
        ("a period of a segment", {"after": 0, "period": "yyyy"}), ("a zone of a segment", {"after": 0, "zone": "+00:00"}),
    ):
        yield counter(f"no counter with {what}", None, init(NOW, "option_invalid", **options))
    segment, date = made(NOW, after=4711), dated()
    yield counter("a counter of the same shape is left as it is", segment,
                  init(NOW + 1, {"next": 4712}, after=10**6, rate=5, burst=5, failover="trust"))
    yield counter("a date of the same shape is left as it is", date, init(MIDNIGHT + 1, within=TODAY, kind="date", after=7))
    yield counter("a date where a segment is", segment, init(NOW, "layout_mismatch", within=TODAY, kind="date", after=0))
    yield counter("a segment where a date is", date, init(NOW, "layout_mismatch", after=0))
    month = {"label": "202311", "start_ms": "1698796800000", "end_ms": "1701388800000"}
    for what, within, options in (("other digits", TODAY, {"digits": 7}), ("another period", month, {"period": "yyyyMM"}),
                                  ("another zone", TODAY, {"zone": "+01:00"})):
        yield counter(f"a date with {what}", date, init(NOW, "layout_mismatch", within, kind="date", after=0, **options))


def raises():
    used = made(1000, next="171", room="30", **SMALL)
    yield counter("an operator raises a counter, and the base may rise", used,
                  raise_(5000, 9000, {"next": 9001, "room": 50, "base": 4051}), add(5000, 50, {"first": 9001}))
    yield counter("an operator lowers a counter", used, raise_(5000, 10, {"next": 11, "room": 50, "base": -4939}))
    yield counter("adds, returns and heads of before name another term", used, add(1000, 5, {"first": 171}),
                  raise_(1000, 900, {"term": "w2", "head_nonce": "w2", "nonce": "w2"}),
                  add(1000, 5, {"why": "term"}, term="w0"), back(5, {"why": "term"}, term="w0", nonce="w1"),
                  head({"room_by": 10}, {"why": "term"}, term="w0", head_nonce="w0"), add(1000, 5, {"first": 901}))
    yield counter("a return of before with the new term finds another nonce", used, add(1000, 5), raise_(1000, 900),
                  back(5, {"why": "nonce"}, nonce="w1"))
    yield counter("a raised counter takes the incarnation of the store", used,
                  raise_(1000, 900, {"incarnation": THERE}, incarnation=THERE), add(1000, 1, {"first": 901}, incarnation=THERE))
    yield counter("near `top` less than the burst is room", made(1000, top=86_400_050, **SMALL),
                  raise_(1000, 86_400_040, {"next": 86_400_041, "room": 10}), raise_(1000, 86_400_050, {"room": 0}),
                  top_up(1000, "range_exhausted"))
    yield counter("an exhausted counter is lowered", made(1000, next=str(2**63 - 1), room="0", **SMALL),
                  top_up(1000, "range_exhausted"), raise_(1000, 0, {"next": 1, "room": 50}))
    yield counter("raised to a negative number", used, raise_(1000, -1, "option_invalid"))
    yield counter("raised beyond `top`", made(1000, top=86_400_050, **SMALL), raise_(1000, 86_400_051, "option_invalid"))
    yield counter("with trust all up to `top` is room", made(1000, after=0, top=100, failover="trust"),
                  raise_(1000, 40, {"room": 60}))
    yield counter("a date is raised in the period of the store's time", dated(),
                  raise_(MIDNIGHT + DAY_MS + HOUR_MS, 500, {"next": 501, "room": 100_000, "base": 63_001, "label": "20231115"},
                         within=TOMORROW))


# A store


def stores():
    record = made(1000, **SMALL)
    yield counter("room that is used exactly", record, add(1000, 50, {"first": 1, "room": 0}), add(1000, 1, {"why": "room"}))
    yield counter("one number more than room", record, add(1000, 51, {"why": "room"}), add(1000, 1, {"first": 1}))
    yield counter("no record", None, add(1000, 1, {"why": "absent"}))
    yield counter("an add beyond 2^53", made(1000, next="9007199254740990", room="40", **SMALL),
                  add(1000, 3, {"first": 9007199254740990}), add(1000, 3, {"first": 9007199254740993, "next": 9007199254740996}))
    yield counter("a room beyond 2^53 is compared to the last digit", made(1000, room="9007199254740992", **SMALL),
                  add(1000, 9007199254740993, {"why": "room"}), add(1000, 9007199254740992, {"next": 9007199254740993}))
    yield counter("the last numbers", made(1000, next=str(2**63 - 6), room="5", **SMALL),
                  add(1000, 5, {"first": 2**63 - 6, "next": 2**63 - 1}), top_up(10**6, "range_exhausted"))
    yield counter("the store is another one than the record says", record, add(1000, 1, {"why": "incarnation"}, incarnation=THERE))
    yield counter("the process names another store than the present one", record,
                  asked(add(1000, 1, {"why": "incarnation"}), THERE))
    yield counter("a process of before, where the store is another one", record,
                  asked(add(1000, 1, {"why": "incarnation"}, THERE), HERE))
    yield counter("another term", record, add(1000, 1, {"why": "term"}, term="w9"))
    end = int(TODAY["end_ms"])
    yield counter("the last ms of a period", dated(), add(end - 1, 1, {"first": 1}), add(end, 1, {"why": "until"}))
    yield counter("an add that names the end of yesterday", dated(), add(MIDNIGHT, 1, {"why": "until"}, until_ms=MIDNIGHT))
    yield counter("an add that names the end of tomorrow", dated(), add(MIDNIGHT, 1, {"why": "until"}, until_ms=end + DAY_MS))
    yield counter("beyond the end of the period, room does not matter", dated(), add(end, 100_001, {"why": "until"}))
    yield counter("the clock of the store is back over midnight: adds go on", dated(), add(MIDNIGHT - 300_000, 1, {"first": 1}))


def returns():
    record = made(1000, **SMALL)
    yield counter("a range is given back, and taken again", record, add(1000, 20, {"first": 1}),
                  back(15, {"next": 6, "room": 45, "nonce": "w2"}, nonce="w1"), add(1000, 5, {"first": 6}))
    yield counter("a second copy of a return finds another nonce", record, add(1000, 20), back(15, {"next": 6}, nonce="w1"),
                  back(15, {"why": "nonce"}, nonce="w1"))
    yield counter("a copy that comes after the next add", record, add(1000, 20), back(20, {"next": 1}, nonce="w1"),
                  add(1000, 20, {"first": 1}), back(20, {"why": "nonce"}, nonce="w1"))
    yield counter("only the last add is given back", record, add(1000, 20), add(1000, 10), back(20, {"why": "nonce"}, nonce="w1"),
                  back(10, {"next": 21}, nonce="w2"))
    yield counter("two ranges in one piece, by the nonce of the second", record, add(1000, 20), add(1000, 10),
                  back(25, {"next": 6, "room": 45}, nonce="w2"))
    yield counter("after a jump nothing of before is given back", record, add(1000, 20), jump(1000, {"nonce": "w2"}, tolerance=5),
                  back(20, {"why": "incarnation"}, nonce="w1"), back(20, {"why": "nonce"}, incarnation=THERE, nonce="w1"))
    yield counter("a return to a store that is another one", record, add(1000, 20), back(20, {"why": "incarnation"}, THERE, nonce="w1"))
    yield counter("a top-up leaves the nonce, and a return after it counts", record, add(1000, 20), top_up(1015, {"nonce": "w1"}),
                  back(20, {"next": 1, "room": 65}, nonce="w1"))
    yield counter("yesterday's range comes after midnight", dated(), add(MIDNIGHT, 100, {"first": 1}),
                  new_period(MIDNIGHT + DAY_MS, TOMORROW, {"next": 1, "nonce": "w2"}), back(100, {"why": "nonce"}, nonce="w1"))
    yield counter("numbers beyond 2^53 are given back", made(1000, next="9007199254740993", room="0", **SMALL),
                  back(2, {"next": 9007199254740991}, nonce="w0"))
    for what, ranges, n in (
        ("a range that was not used", [(1, 101, 1)], 100), ("a range of which some is left", [(1, 101, 51)], 50),
        ("a range that is used up", [(1, 101, 101)], 0), ("nothing was taken", [], 0),
        ("the range before ends where the last one begins", [(1, 101, 51), (101, 201, 101)], 150),
        ("the range before is used up", [(1, 101, 101), (101, 201, 101)], 100),
        ("another process took a range between", [(1, 101, 51), (201, 301, 201)], 100),
        ("the last range was begun, and some of the one before is left", [(1, 101, 51), (101, 201, 111)], 90),
        ("the last range is used up, and some of the one before is left", [(1, 101, 51), (101, 201, 201)], 0),
        ("ranges beyond 2^53", [(2**53, 2**53 + 3, 2**53 + 1), (2**53 + 3, 2**53 + 6, 2**53 + 3)], 5),
    ):
        yield counter(f"what is given back: {what}", None, rest(ranges, n))


def heads():
    record = made(1000, **SMALL)
    yield counter("an add that slips in leaves next + room as it is", record, add(1000, 20, {"next": 21, "room": 30}),
                  head({"topped_up_ms": 1010, "room_by": 10}, {"next": 21, "room": 40, "head_nonce": "w2", "nonce": "w1"},
                       head_nonce="w0"), add(1000, 40, {"first": 21, "room": 0}))
    yield counter("a head that meets another one's writes nothing", record,
                  head({"topped_up_ms": 1010, "room_by": 10}, {"room": 60}),
                  head({"topped_up_ms": 1010, "room_by": 10}, {"why": "head"}, head_nonce="w0"))
    yield counter("a head that sets `next` writes a fresh nonce, too", record,
                  head({"next": 91, "room_by": -50}, {"next": 91, "room": 0, "nonce": "w1", "head_nonce": "w1"}))
    yield counter("a head gives the record the incarnation that it names", record,
                  head({"next": 91, "room_by": -50}, {"incarnation": THERE}, THERE), add(1000, 1, {"why": "room"}, THERE))
    yield counter("a head for a store that is another one by now", record,
                  asked(head({"room_by": 10}, {"why": "incarnation"}, THERE), HERE))
    yield counter("a head with another term", record, head({"room_by": 10}, {"why": "term"}, term="w9"))


def counter_cases():
    for cases in (worked_examples, makings, raises, stores, returns, heads):
        yield from cases()
