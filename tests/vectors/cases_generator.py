"""Group `generator`: a manual clock, the calls in order, and the exact ids, waits and errors.

A script is words separated by semicolons:
  next [k]        k single calls                    advance n       move the clock by n ms
  try             one call that never waits         back n          set the clock n ms back
  batch n         one call for n ids                set +n, set -n  set the clock to n ms from its start
  upto s          one batch, so that the last id of the tick it begins in gets sequence s
  set <instant>   set the clock
A call may be followed by `=> code` (the error that is meant), `=> code ms` (whose message also names the missing
milliseconds), `=> nothing` (a try that would have to wait) or `=> any`. The model must agree with what is meant.
"""

from model import PRESETS, Generator, Refused, case, instant_ms, layout_of

EPOCH = "epoch=2020-01-01T00:00:00.000Z"
START = "2026-01-01T00:00:00.123Z"
LISTED = 40  # a longer batch is given by its first and last id and its sum
TINY = f"timestamp:40 worker:3 sequence:2 tick=1ms {EPOCH}"
SHORT = f"timestamp:3 worker:2 sequence:2 tick=1s {EPOCH}"
TENTH = f"timestamp:39 worker:4 sequence:3 tick=100ms {EPOCH}"


def clock_after(words, start_ms, clock_ms):
    if words[0] == "advance":
        return clock_ms + int(words[1]), {"advance": int(words[1])}
    if words[0] == "back":
        return clock_ms - int(words[1]), {"set": str(clock_ms - int(words[1]))}
    to = start_ms + int(words[1]) if words[1][0] in "+-" else instant_ms(words[1])
    return to, {"set": str(to)}


def run_call(generator, verb, count, meant):
    """One step of the test, and whether it is what the script means."""
    step, ids, last, clock = {verb: count}, [], generator.last, generator.clock_ms
    try:
        ids = [generator.next_id(may_wait=verb != "try", batch=verb == "batch") for _ in range(count)]
        ids = [number for number in ids if number is not None]
        result = "nothing" if verb == "try" and not ids else "ids"
        if count <= LISTED:
            step["ids"] = [str(number) for number in ids]
        else:
            step.update(first=str(ids[0]), last=str(ids[-1]), sum=str(sum(ids) % 2**64))
    except Refused as refused:
        step["error"] = result = refused.code
        step[verb] = count if verb == "batch" else 1
        if meant[1:] == ["ms"]:
            step["message_has"] = [str(refused.missing_ms)]
        assert verb == "batch" or generator.last == last
        assert generator.clock_ms == clock, "a failing call that had to wait first is not fixed by the contract"
    assert meant[0] in (result, "any"), f"meant {meant}, the model says {result}"
    step["clock_ms"] = str(generator.clock_ms)
    return step, ids


def run(layout, worker, options, start_ms, script):
    generator = Generator(layout, worker, options, start_ms)
    steps, issued, lost = [], [], False
    for line in script.split(";"):
        call, _, meant = (part.strip() for part in line.partition("=>"))
        words = call.split()
        if words[0] in ("set", "advance", "back"):
            generator.clock_ms, step = clock_after(words, start_ms, generator.clock_ms)
        else:
            assert not lost, "after a batch that failed half-way the contract says nothing"
            verb, count = words[0], int(words[1]) if words[1:] else 1
            if verb == "upto":
                position = generator.candidate(layout.tick_at(generator.clock_ms))
                verb, count = "batch", count - position % layout.capacity + 1
            before = generator.last
            step, ids = run_call(generator, verb, count, meant.split() or ["ids"])
            lost = "error" in step and generator.last != before
            issued += ids
        steps.append(step)
    assert len(set(issued)) == len(issued)
    assert all(layout.decode(number)["node"] == str(generator.node) for number in issued[:100])
    if layout.fields[0][0] != "sequence":
        assert issued == sorted(issued)
    return steps


def g(comment, script, layout="polyflake", worker=1, at=START, flags="", **options):
    start_ms = instant_ms(at) if isinstance(at, str) else at
    return case("generator", comment, flags, {
        "layout": layout, "worker": worker, "options": options, "clock_ms": str(start_ms),
        "steps": run(layout_of(layout), worker, options, start_ms, script)})


def preset_cases():
    for name, layout in PRESETS.items():
        if name != "baidu":
            yield g(f"{name}: ids at one instant", "next 3; advance 1000; next 2", name,
                    worker=min(5, 2**layout.node_bits - 1))
    yield g("baidu: its 28 bits of seconds ended in 2024", "next => time_exhausted; try => time_exhausted;"
            "batch 3 => time_exhausted", "baidu", at="2026-01-01T00:00:00.000Z", flags="peer_failure")
    yield g("baidu: generates up to its last second", "next 2; advance 1000; next => time_exhausted", "baidu",
            at=PRESETS["baidu"].begin_ms(2**28 - 1), flags="end_of_time")


def worker_cases():
    for layout, worker, what in (
            ("polyflake", 0, "node id 0"), ("polyflake", 1023, "the largest node id"),
            ("mastodon", 0, "a layout without node fields has node id 0"),
            ("twitter", 39, "a node id spreads over the node fields, most significant first"),
            ("twitter", {"datacenter": 1, "worker": 7}, "one number per node field: the same node id"),
            ("twitter", {"worker": 31, "datacenter": 31}, "the order of the names does not matter"),
            ("discord", {"worker": 16, "process": 1}, "two node fields in a layout of 64 bits"),
            ("sonyflake", {"machine": 65535}, "the largest machine below the sequence"),
            (f"timestamp:41 node:21 sequence:1 tick=1ms {EPOCH}", 2**21 - 1, "a sequence of one bit"),
            (f"timestamp:30 node:32 sequence:1 tick=1s {EPOCH}", 2**32 - 1, "a node id of 32 bits"),
            (f"left:20 timestamp:31 right:2 sequence:10 tick=1s {EPOCH}", 2**22 - 2, "node fields on both sides"),
            (f"worker:10 timestamp:42 sequence:12 tick=1ms {EPOCH}", 511, "64 bits, the node field's top bit 0")):
        yield g(what, "next 2; advance 1; next", layout, worker)
    yield g("a sequence above the timestamp: ordered by position, not by value", "next 3; advance 1; next 2",
            f"sequence:10 timestamp:41 worker:12 tick=1ms {EPOCH}", 9, sequence_spread=1)


def spread_cases():
    yield g("tick after tick begins at its own place", "next; " + "advance 1; next; " * 15 + "advance 1; next",
            flags="spread")
    yield g("far ticks", "; advance 86400001; ".join(["next"] * 12), flags="spread")
    for width in (1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 20):
        yield g(f"the default spread of a sequence of {width} bits", "; advance 1; ".join(["next 2"] * 6),
                f"timestamp:41 worker:2 sequence:{width} tick=1ms {EPOCH}", flags="spread")
    yield g("the default spread of a sequence of 32 bits", "; advance 1000; ".join(["next 2"] * 6),
            f"timestamp:30 worker:1 sequence:32 tick=1s {EPOCH}", flags="spread")
    yield g("late ticks and a wide spread: every bit of the multiplier matters", "; advance 1; ".join(["next"] * 60),
            f"timestamp:32 sequence:31 tick=1ms {EPOCH}", 0, "2020-02-19T17:02:47.000Z", flags="spread wraparound")
    for spread in (1, 2, 3, 100, 511, 512):
        yield g(f"a spread of {spread}", "; advance 1; ".join(["next"] * 8), sequence_spread=spread, flags="spread")
    yield g("a spread of 32, all that 8 bits allow", "; advance 10; ".join(["next"] * 8), "sonyflake",
            sequence_spread=32,
            flags="spread")
    yield g("a spread of 2, all that 4 bits allow", "; advance 1; ".join(["next"] * 12),
            f"timestamp:41 worker:2 sequence:4 tick=1ms {EPOCH}", sequence_spread=2, flags="spread")
    for name in ("twitter", "sonyflake", "game"):
        yield g(f"{name}: tick 0 begins after the initial position, tick 1 at its own place",
                f"next 2; advance {PRESETS[name].tick_ms}; next 2", name, at=PRESETS[name].epoch_ms, flags="spread")
    yield g("a first id in tick 1 is spread", "next", at=PRESETS["polyflake"].epoch_ms + 1, flags="spread")
    yield g("a tick of 42 bits: the product is taken modulo 2^64", "; advance 1; ".join(["next"] * 5), "tsid",
            at="2089-05-06T07:08:09.010Z", flags="spread wraparound")
    yield g("a tick of 51 bits", "; advance 1; ".join(["next"] * 5), "yitter", at="9000-05-06T07:08:09.010Z",
            flags="spread wraparound")
    for at, what in ((2047, "one less than half used: the next tick is spread"),
                     (2048, "half used: the next tick begins at 0"),
                     (2049, "more than half used"), (4095, "full: the next tick begins at 0")):
        yield g(what, f"upto {at}; advance 1; next 2", flags="spread half_used")
        yield g(f"{what}, unless a tick lies between", f"upto {at}; advance 2; next 2", flags="spread half_used")
    for layout, tick in (("sonyflake", 10), (TENTH, 100), (TINY, 1), ("game", 1000)):
        half = layout_of(layout).capacity // 2
        yield g(f"one less than half of {2 * half} used", f"upto {half - 1}; advance {tick}; next 2", layout,
                flags="spread half_used")
        yield g(f"half of {2 * half} used", f"upto {half}; advance {tick}; next 2", layout, flags="spread half_used")
    yield g("a spread of 1 begins at 0 either way", "upto 2047; advance 1; next; advance 1; next", sequence_spread=1,
            flags="spread half_used")
    yield g("the exception holds for one tick: the one after is spread again",
            "upto 2048; advance 1; next; advance 1; next",
            flags="spread half_used")
    yield g("a full tick carried into the next, little used there: spread",
            "batch 5000; advance 1; next; advance 1; next",
            sequence_spread=1, flags="spread half_used carry")
    yield g("a carry fills the next tick by half: the one after begins at 0", "upto 4095; batch 2049; advance 1; next",
            flags="spread half_used carry")
    yield g("ids ahead of the clock count: its tick is just before now", "upto 4095; upto 2048; advance 2; next 2",
            max_lead_ms=1, flags="spread half_used lead")


def carry_cases():
    yield g("one tick: the sequence counts up", "next 20", flags="carry", sequence_spread=1)
    yield g("a full sequence carries and waits for the next tick", "next 4; next; next 3; next 9", TINY, flags="carry")
    yield g("a sequence of one bit", "next 7", f"timestamp:41 worker:2 sequence:1 tick=1ms {EPOCH}", flags="carry")
    yield g("after a carry the tick begins at 0, not spread", "upto 4095; next 2", flags="carry")
    yield g("the clock moved on by itself: no wait", "next 4; advance 1; next 4; advance 1; next", TINY, flags="carry")
    yield g("a carry waits even with max_wait_ms 0", "next 9", TINY, flags="carry", max_wait_ms=0)
    yield g("the wait ends where the tick begins, not a whole tick later", "next 9", TENTH, flags="carry")
    yield g("10 ms ticks: a call in the middle of a tick", "upto 255; next; next", "sonyflake", flags="carry")
    yield g("1 s ticks: a call in the middle of a tick", "upto 4095; next 2", "game", flags="carry")
    yield g("exhaustion again and again", "next 30; advance 1; next 30", TINY, flags="carry")
    yield g("tick 0 has one id less: its position 0 is the initial state", "next 8", TINY,
            at="2020-01-01T00:00:00.000Z", flags="carry")
    yield g("a sequence above the machine carries into the timestamp, never into the machine",
            "upto 255; next 3; batch 600; next", "sonyflake", 65535, flags="carry peer_failure")
    yield g("no node field between", "upto 65535; next 2", "mastodon", 0, flags="carry")


def clock_back_cases():
    for back, rest in ((1, ""), (5, ""), (10, ""), (11, " => clock_behind ms"), (4321, " => clock_behind ms"),
                       (3600000, " => clock_behind ms"), (157680000000, " => clock_behind ms")):
        yield g(f"the clock goes back by {back} ms", f"next 2; set -{back}; next{rest}; set +0; next",
                flags="clock_back")
    for back, meant in ((1, ""), (2, " => clock_behind"), (3456, " => clock_behind ms")):
        yield g(f"max_wait_ms 0: {back} ms back", f"next; set -{back}; next{meant}; set +1; next", "twitter", 33,
                max_wait_ms=0, flags="clock_back")
    yield g("9 ms back with a full sequence: the next position is 10 ms ahead",
            "upto 4095; set -9; try => nothing; next",
            flags="clock_back carry")
    yield g("10 ms back with a full sequence: the next position is 11 ms ahead",
            "upto 4095; set -10; try => clock_behind;"
            "next => clock_behind; set +0; next", flags="clock_back carry")
    for wait, back, meant in ((1, 1, ""), (1, 2, " => clock_behind"), (1000, 1000, ""),
                              (1000, 1001, " => clock_behind ms"),
                              (2**31 - 1, 2**31 - 1, ""), (2**31 - 1, 2**31, " => clock_behind ms")):
        yield g(f"max_wait_ms {wait}: {back} ms back", f"next; set -{back}; next{meant}; set +0; next",
                max_wait_ms=wait,
                flags="clock_back")
    yield g("a refused call claims nothing: the sequence goes on without a gap",
            "next 2; set -500; next => clock_behind; next => clock_behind; try => clock_behind;"
            "batch 3 => clock_behind; set +0; next 2", sequence_spread=1, flags="clock_back")
    yield g("a step back never resets the sequence", "next 3; set -5; next 3; set -5; next 3", sequence_spread=1,
            flags="clock_back peer_failure")
    yield g("the same tick comes again: no id is repeated",
            "next 2; advance 1; next 2; set +0; next 2; advance 1; next 2",
            flags="clock_back peer_failure")
    yield g("five steps back in a row", "next; " + "back 7; next; advance 3; next; " * 5 + "next",
            flags="clock_back peer_failure")
    yield g("the clock catches up: new ticks begin as ever", "next; set -9; next; set +1; next; set +2; next",
            flags="clock_back")
    yield g("a step far ahead and back again is refused",
            "next; advance 3600000; next; set +5; next => clock_behind ms;"
            "set +3600000; next", flags="clock_back")
    yield g("a leap second: one second back with max_wait_ms 1000", "next 2; advance 999; next 2; set -1; next 2",
            max_wait_ms=1000, at="2016-12-31T23:59:59.500Z", layout="twitter", flags="clock_back")
    yield g("a frozen clock hands out one tick after the other", "next 3; set +0; next 3; set +0; next 3", TINY,
            flags="clock_back")
    yield g("before the epoch", "next => clock_before_epoch; try => clock_before_epoch; batch 2 => clock_before_epoch",
            at=PRESETS["polyflake"].epoch_ms - 1, flags="before_epoch")
    yield g("a clock at 1970", "next => clock_before_epoch; set 2026-01-01T00:00:00.000Z; next", at=0,
            flags="before_epoch")
    yield g("before the epoch by less than a tick", "next => clock_before_epoch; advance 1; next", "sonyflake",
            at=PRESETS["sonyflake"].epoch_ms - 1, flags="before_epoch rounding")
    yield g("back before the epoch while running", "next; set 2019-12-31T23:59:59.999Z; next => clock_before_epoch;"
            "set +0; next", flags="before_epoch clock_back")
    yield g("before the epoch comes before every other reason",
            "next 2; set -10; next => clock_before_epoch; set +0; next",
            at=PRESETS["polyflake"].epoch_ms + 5, flags="before_epoch clock_back")


def lead_cases():
    for back, meant in ((5, ""), (6, ""), (15, ""), (16, " => clock_behind")):
        yield g(f"max_lead_ms 5: {back} ms back", f"next; set -{back}; next{meant}; try => any; set +0; next",
                max_lead_ms=5,
                flags="clock_back lead")
    yield g("ahead without waiting as far as the lead goes, then tick by tick", "next 12; next 4; next 4", TINY,
            max_lead_ms=2,
            flags="lead")
    yield g("a lead of 0 waits at once", "next 4; try => nothing", TINY, max_lead_ms=0, flags="lead")
    yield g("a batch within the lead leaves the clock", "batch 4096; batch 40000; next", max_lead_ms=12, flags="lead",
            sequence_spread=1)
    yield g("a batch beyond the lead waits for the rest", "batch 100000", max_lead_ms=12,
            flags="lead", sequence_spread=1)
    yield g("the clock catches up inside the lead: no spread, the count goes on",
            "batch 20; advance 3; next 2; advance 9; next",
            TINY, max_lead_ms=10, flags="lead")
    yield g("a try inside the lead does not wait", "upto 4095; try; try", max_lead_ms=1, flags="lead")
    yield g("a try beyond the lead returns nothing", "upto 4095; upto 4095; try => nothing; next", max_lead_ms=1,
            flags="lead")
    yield g("lead without wait: one tick is still waited out", "next; set -6; next; set -7; next => clock_behind",
            max_lead_ms=5, max_wait_ms=0, flags="lead clock_back")
    yield g("the largest wait and lead together",
            f"next; set -{2**32 - 2}; next; set -{2**32 - 1}; next => clock_behind",
            max_lead_ms=2**31 - 1, max_wait_ms=2**31 - 1, at="2026-06-01T00:00:00.000Z",
                flags="lead clock_back wraparound")
    yield g("game: a burst of ten seconds of ids", "batch 40960; next; advance 11000; next", "game", max_lead_ms=10000,
            flags="lead")


def whole_tick_cases():
    for wait, back, meant in ((9, 10, ""), (9, 20, " => clock_behind"), (25, 20, ""), (25, 30, " => clock_behind"),
                              (29, 20, ""), (29, 30, " => clock_behind"), (30, 30, ""),
                              (0, 10, ""), (0, 20, " => clock_behind")):
        yield g(f"10 ms ticks: max_wait_ms {wait} is {max(wait // 10, 1)} of them, {back} ms back",
                f"next; set -{back}; next{meant}", "sonyflake", max_wait_ms=wait, flags="clock_back whole_ticks")
    for lead, left in ((9, 0), (10, 1), (19, 1), (20, 2)):
        yield g(f"10 ms ticks: max_lead_ms {lead} is {left} of them",
                "upto 255; try => any; batch 255; try => any; next",
                "sonyflake", max_lead_ms=lead, flags="lead whole_ticks", sequence_spread=1)
    for wait, back, meant in ((999, 1000, ""), (1999, 2000, " => clock_behind"), (2000, 2000, "")):
        yield g(f"1 s ticks: max_wait_ms {wait}, {back} ms back", f"next; set -{back}; next{meant}", "game",
                max_wait_ms=wait,
                flags="clock_back whole_ticks")
    yield g("1 s ticks: max_lead_ms 1999 is one of them", "upto 4095; try; batch 4095; try => nothing; next", "game",
            max_lead_ms=1999, flags="lead whole_ticks")
    yield g("a step back inside one tick is no step back", "next; set -3; next; try", "sonyflake",
            flags="clock_back whole_ticks",
            at="2026-01-01T00:00:00.009Z")
    yield g("ticks count from the epoch, which need not be a whole second",
            "upto 255; next; advance 9; next; advance 1; next",
            "timestamp:39 sequence:8 machine:16 tick=10ms epoch=2025-01-01T00:00:00.007Z", flags="carry whole_ticks")
    yield g("a step back across a tick of 10 ms waits to where the tick begins", "next; set -1; next", "sonyflake",
            at="2026-01-01T00:00:00.010Z", flags="clock_back whole_ticks")


def end_cases():
    last = {name: model.begin_ms((model.ticks // 2 if model.bits == 64 else model.ticks) - 1)
            for name, model in PRESETS.items()}
    for name in ("polyflake", "discord", "instagram", "mastodon", "sonyflake", "js53"):
        sequence = PRESETS[name].capacity - 1
        yield g(f"{name}: the last tick to its last id, then the end",
                f"next 2; upto {sequence}; next => time_exhausted;"
                f"try => time_exhausted; advance {PRESETS[name].tick_ms}; next => time_exhausted", name, 0,
                at=last[name], flags="end_of_time")
    yield g("64 bits: half of the timestamps stay unused, so that ids stay below 2^63",
            "next => time_exhausted", "tsid",
            at=last["tsid"] + 1, flags="end_of_time")
    yield g("long after the end", "next => time_exhausted; try => time_exhausted; set 2026-01-01T00:00:00.000Z; next",
            at="9999-12-31T23:59:59.999Z", flags="end_of_time")
    yield g("the whole life of a layout of 8 ticks", "next 31; next => time_exhausted", SHORT, 3,
            at="2020-01-01T00:00:00.000Z", flags="end_of_time carry")
    yield g("the whole life in one batch",
            "batch 31; batch 1 => time_exhausted", SHORT, 3, at="2020-01-01T00:00:00.000Z",
            flags="end_of_time carry")
    yield g("a batch that passes the end is refused", "next; batch 4 => time_exhausted", SHORT, 0,
            at="2020-01-01T00:00:07.500Z", flags="end_of_time")
    yield g("running ahead ends with the layout too",
            "batch 12; next => time_exhausted; advance 2000; next => time_exhausted",
            SHORT, 0, at="2020-01-01T00:00:05.000Z", max_lead_ms=60000, flags="end_of_time lead")
    yield g("the end comes before a clock that went back",
            "batch 4; set -6000; next => time_exhausted; try => time_exhausted",
            SHORT, 0, at="2020-01-01T00:00:07.000Z", flags="end_of_time clock_back")
    yield g("a timestamp of one bit on top of 64 bits: one tick", "next 3; advance 1; next => time_exhausted",
            f"timestamp:1 a:31 b:30 sequence:2 tick=1ms {EPOCH}", 5, at="2020-01-01T00:00:00.000Z", flags="end_of_time")
    yield g("64 bits with a node field on top: every tick is used", "next 2; advance 1; next => time_exhausted",
            f"worker:10 timestamp:42 sequence:12 tick=1ms {EPOCH}", 511,
            at=instant_ms("2020-01-01T00:00:00.000Z") + 2**42 - 1, flags="end_of_time")


def batch_cases():
    yield g("a batch of 0 gives nothing and changes nothing", "next; batch 0; next", flags="batch")
    yield g("a batch of 1 is a single call", "next; batch 1; next", flags="batch")
    yield g("a batch inside a tick", "batch 30; next; batch 9", flags="batch")
    yield g("a batch across ticks of 4 ids", "batch 10; next; batch 10", TINY, flags="batch carry")
    yield g("a batch begins where its tick begins", "next; advance 1; batch 5; advance 1; batch 5",
            flags="batch spread")
    yield g("a batch after a half used tick begins at 0", "upto 2048; advance 1; batch 5", flags="batch half_used")
    yield g("a batch across many ticks waits as long as its size needs", "batch 100000; next", flags="batch carry")
    yield g("a batch waits longer than max_wait_ms allows one call", "batch 200; next", TINY, max_wait_ms=0,
            flags="batch carry")
    yield g("a batch across 10 ms ticks", "batch 1000; advance 3; batch 1000", "sonyflake", 258, flags="batch carry")
    yield g("a batch across 1 s ticks", "batch 20000; next", "game", 1048575, flags="batch carry")
    yield g("a batch that ends with its tick does not wait for the next", "upto 4095; try => nothing",
            flags="batch carry")
    yield g("a batch right after a small step back", "next; set -8; batch 5; next", flags="batch clock_back")
    yield g("a batch beyond max_wait_ms is refused whole", "next; set -789; batch 5 => clock_behind ms; set +0; next",
            flags="batch clock_back")
    yield g("a batch at the largest node id of a layout of 64 bits", "batch 50000", "tsid", 1023, flags="batch carry")
    yield g("batches and single calls mixed", "batch 3; next 2; batch 7; try => any; advance 1; batch 2; next", TENTH,
            flags="batch carry")


def try_cases():
    yield g("a try that need not wait is a single call", "try; try; next; try", flags="try")
    yield g("a full sequence: nothing until the tick comes",
            "upto 4095; try => nothing; try => nothing; advance 1; try; next",
            flags="try carry")
    yield g("a clock that went back: nothing, and nothing claimed",
            "next; set -4; try => nothing; try => nothing; next; try",
            flags="try clock_back", sequence_spread=1)
    yield g("max_wait_ms is the limit of a try too", "next; set -10; try => nothing; set -2345; try => clock_behind ms;"
            "set +0; try", flags="try clock_back")
    yield g("a try in a new tick is spread", "try; advance 1; try; advance 1; try", flags="try spread")
    yield g("10 ms ticks: nothing until the tick comes",
            "upto 255; advance 6; try => nothing; advance 1; try", "sonyflake",
            at="2026-01-01T00:00:00.003Z", flags="try carry")
    yield g("a try between waits", "next 5; try; try; try; try => nothing; next; try", TINY, flags="try carry")


def host_cases():
    script = "next 2; advance 1; next; advance 5000; next 2; advance {0}; next"
    yield g("host: a node id never used before rests 2000 ms, then goes on across windows",
            script.format(1), "polyflake",
            "host:7", flags="fresh_registry")
    yield g("host: 10 ms ticks: the rest ends where a tick begins", script.format(10), "sonyflake", "host:513",
            flags="fresh_registry")
    yield g("host: 1 s ticks: a window of two ticks, and a batch across several", "next; batch 20000; next", "game",
            "host:99", flags="fresh_registry")


def scripted_cases():
    """Long arbitrary scripts: every rule against every other."""
    state = 1
    for index, (layout, unit) in enumerate((("polyflake", 1), (TINY, 1), ("sonyflake", 10), (TENTH, 100),
                                            ("game", 1000),
                                            ("twitter", 1), ("yitter", 1), ("discord", 1)) * 2):
        script = []
        for _ in range(30):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            pick, size = (state >> 33) % 10, (state >> 40) % 1000
            script.append(("next => any", f"next {size % 5 + 1} => any", "try => any", f"batch {size % 30} => any",
                           f"batch {size * 9} => any", f"advance {unit}", f"advance {size % 7 * unit // 2}",
                           f"advance {size * unit}", f"back {size % 15 * unit}", "try => any")[pick])
        options = [{}, {"max_wait_ms": 0}, {"max_lead_ms": 7 * unit}, {"max_wait_ms": 25 * unit, "sequence_spread": 1}]
        yield g(f"an arbitrary script on {layout}" if ":" not in layout else "an arbitrary script on a small layout",
                "; ".join(script), layout, index % 8, flags="scripted", **options[index % 4])


def generator_cases():
    for cases in (preset_cases, worker_cases, spread_cases, carry_cases, clock_back_cases, lead_cases, whole_tick_cases,
                  end_cases, batch_cases, try_cases, host_cases, scripted_cases):
        yield from cases()
