"""Group `uuid_generator`: UUIDs and ids of 12 bytes on a manual clock with given entropy, and the exact ids, waits and errors.

Scripts are those of cases_generator.py, and these words:
  skip n          n ids that are thrown away               upto s    a skip, so that the last one gets the counter s
  held            how much is added to the clock at present
"""

from cases_generator import LISTED, TINY, clock_after
from model import PRESETS, Refused, case, outcome
from model_kinds import NODELESS, SECONDS, Entropy, open_source

NOW = 1700000000000
DAY, HOUR = 86_400_000, 3_600_000
KEY = 0x0123456789ABCDEF
PROCESS = 0xFFEEDDBCF86CD799  # the low 40 bits are those of the specification's own example
TAILS = [(index * 0x9E3779B97F4A7C15 + 0xF1E2D3C4B5A69788) % 2**64 for index in range(1, 13)]


def hexadecimal(words):
    return "".join(f"{word:016x}" for word in words)


def many(ids):
    """First and last, and the sum of all as hexadecimal numbers, in as many digits."""
    digits = [text.replace("-", "") for text in ids]
    size = len(digits[0])
    total = sum(int(text, 16) for text in digits) % 16**size
    return {"first": ids[0], "last": ids[-1], "sum": f"{total:0{size}x}"}


def run_call(source, verb, count, meant):
    """One step of the test, and whether it is what the script means."""
    step, ids, before = {verb: count}, [], (source.last, source.clock_ms, source.entropy.used)
    try:
        ids = [source.ids(1, verb != "try") for _ in range(count)] if verb != "batch" else [source.ids(count)]
        ids = [text for some in ids for text in some]
        result = "nothing" if not ids else "ids"
        step.update(many(ids) if count > LISTED else {"ids": ids})
    except Refused as refused:
        assert verb == "batch" or count == 1
        assert (source.last, source.clock_ms, source.entropy.used) == before
        step["error"] = result = refused.code
        if meant[1:] == ["ms"]:
            step["message_has"] = [str(refused.missing_ms)]
    assert meant[0] == result, f"meant {meant}, the model says {result}"
    step["clock_ms"] = str(source.clock_ms)
    return step, ids


def skipped(source, verb, count):
    if verb == "upto":
        generator = source.generator
        now = generator.layout.tick_at(source.clock_ms + source.held_ms)
        count += 1 - generator.candidate(now) % generator.layout.capacity
    source.skip(count)
    return {"skip": count, "clock_ms": str(source.clock_ms)}


def run(source, start_ms, script):
    steps, issued = [], []
    for line in script.split(";"):
        call, _, meant = (part.strip() for part in line.partition("=>"))
        words = call.split()
        if words[0] in ("set", "advance", "back"):
            source.clock_ms, step = clock_after(words, start_ms, source.clock_ms)
        elif words[0] == "held":
            step = {"held_ms": source.held_ms}
        elif words[0] in ("skip", "upto"):
            step = skipped(source, words[0], int(words[1]))
        else:
            step, ids = run_call(source, words[0], int(words[1]) if words[1:] else 1, meant.split() or ["ids"])
            issued += ids
        steps.append(step)
    assert len(set(issued)) == len(issued)
    assert source.last is None or issued == sorted(issued)
    return steps


def given(kind, words, zero_words, options, clock_ms):
    zeros = {"zero_words": zero_words} if zero_words else {}
    clock = {} if clock_ms is None else {"clock_ms": str(clock_ms)}
    return {"kind": kind, "options": options, "entropy": hexadecimal(words), **zeros, **clock}


def s(kind, comment, script, words, at=NOW, zero_words=0, flags="", **options):
    source = open_source(kind, options, Entropy(hexadecimal(words), zero_words), at)
    steps = run(source, at, script)
    return case("uuid_generator", f"{kind}: {comment}", flags, {**given(kind, words, zero_words, options, at), "steps": steps})


def refused(kind, comment, error, words, at=NOW, **options):
    answer = outcome(error, lambda: open_source(kind, options, Entropy(hexadecimal(words), 0), at))
    return case("uuid_generator", f"{kind}: {comment}", "", {**given(kind, words, 0, options, at), **answer})


def u7(comment, script, flags="", key=0, at=NOW, tails=TAILS, **options):
    return s("uuid7", comment, script, [key, *tails], at, flags=flags, **options)


def zeros(comment, script, zero_words, flags="", key=0, at=NOW, **options):
    """Long scripts, with tails of 0."""
    return s("uuid7", comment, script, [key], at, zero_words, flags, **options)


def w7(comment, script, flags="", worker=5, at=NOW, tails=TAILS, zero_words=0, **options):
    return s("uuid7", f"worker: {comment}", script, tails, at, zero_words, flags, worker=worker, **options)


def oid(comment, script, flags="", key=0, process=PROCESS, at=NOW, **options):
    return s("objectid", comment, script, [key, process], at, flags=flags, **options)


def key_cases():
    ticks = "next 2; advance 1; next; advance 1; next; advance 86400001; next"
    for key in (0, 1, KEY, 2**63, 2**64 - 1):
        yield u7(f"key {key:016x}", ticks, "spread", key)
        yield oid(f"key {key:016x}", ticks.replace("advance 1;", "advance 1000;"), "spread", key)
    yield u7("a key that is the tick: the product is 0", "next; advance 1; next", "spread", NOW)
    yield oid("a key that is the tick: the product is 0", "next; advance 1000; next", "spread", NOW // 1000)
    yield u7("only the low 56 bits of a word are the tail", "next 5", tails=[0xFF << 56, 2**64 - 1, 1 << 55, 1 << 56, 1])
    for process in (0, 2**40 - 1, 2**64 - 2**40):
        yield oid(f"process bytes of the word {process:016x}", "next 2", process=process)
    for comment, at in (("tick 0", 0), ("tick 1", 1), ("a tick of 45 bits", 2**44 + 12345)):
        yield u7(f"{comment}, and a key of 64 bits", "next 2; advance 1; next", "spread wraparound", 2**64 - KEY, at)


def carry_cases():
    full = "upto 262143"
    yield zeros("a full tick carries into the next and waits for it", "upto 262142; next; next 2; advance 1; next", 235240, "carry")
    yield zeros("a full tick of another key", f"{full}; next 2; advance 2; next", 247760, "carry", key=1)
    yield zeros("a full tick: a try gives nothing and uses up no word",
                f"{full}; try => nothing; try => nothing; advance 1; try; next => option_invalid", 235235, "carry try")
    yield zeros("a call waits one tick though max_wait_ms is 0", f"{full}; next", 235240, "carry", max_wait_ms=0)
    yield zeros("one less than half of the tick just before", "upto 131071; advance 1; next", 104170, "spread half_used")
    yield zeros("half of the tick just before: the next begins at 0", "upto 131072; advance 1; next", 104170, "spread half_used")
    yield zeros("half used begins at 0 whatever the key", "upto 131072; advance 1; next; advance 1; next", 131100,
                "spread half_used", key=KEY)
    yield zeros("half used, and a tick between", "upto 131072; advance 2; next", 104170, "spread half_used")
    yield u7("a batch has the ids that single calls have", "batch 5; advance 1; batch 4; next", "batch")
    yield u7("a batch has the ids that single calls have, with a key", "batch 5; advance 1; batch 4; next", "batch", KEY)
    yield zeros("a batch of 100", "batch 100; next", 101, "batch")
    yield zeros("a batch over two ticks", "batch 240000; next", 240010, "batch carry")
    yield zeros("ids over four ticks wait as long as their number needs", "skip 800000; next", 800001, "carry")
    yield zeros("what ends with its tick does not wait", "skip 235234; try => nothing", 235240, "carry try")
    yield zeros("ahead by the lead without waiting, then tick by tick", f"{full}; next; try; upto 262143; try => nothing; next",
                500000, "lead", max_lead_ms=1)
    yield zeros("ids within the lead leave the clock", "skip 700000; next", 700001, "lead", max_lead_ms=3)
    yield zeros("the clock catches up inside the lead: the count goes on", f"{full}; next; advance 1; next; advance 1; next",
                235240, "lead", max_lead_ms=5)


def held_cases():
    yield u7("an hour back: still rising", f"next 2; back {HOUR}; next 2; held; advance 1; next; held; try", "clock_back try")
    yield u7("an hour back, and forward beyond", f"next; back {HOUR}; next; held; set +1; next; held; advance 1; next", "clock_back")
    yield u7("an hour back, and to where it was", f"next; back {HOUR}; next; set +0; next; held", "clock_back")
    yield u7("an hour back, and forward, but not so far", f"next; back {HOUR}; next; advance 60000; next; held; advance 1; next",
             "clock_back")
    yield u7("an hour back, and forward but for 5 ms: the rest alone is held",
             f"next; back {HOUR}; next; advance {HOUR - 5}; next; held; advance 2; next; held; advance 2; next; held; advance 1; next; held", "clock_back")
    yield u7("an hour back, and forward by half of it", f"next; back {HOUR}; next; advance {HOUR // 2}; next; held; advance 1; next; held", "clock_back")
    yield u7("an hour back, and forward by 1 ms less than half of it",
             f"next; back {HOUR}; next; advance {HOUR // 2 - 1}; next; held; advance 1; next; held", "clock_back")
    yield u7("a step back in a held time is added", f"next; back {HOUR}; next; held; advance 5; next; back 1000; next; held; advance 1; next",
             "clock_back")
    yield u7("1 ms back, and on", "next; back 1; next; held; advance 1; next; held; advance 1; next; held", "clock_back")
    yield u7("the held time ends where the clock has come to the highest reading", "next; back 5; next; advance 2; next; held;"
             "advance 4; next; held; advance 1; next; held; advance 5; next; held; advance 13; next; held", "clock_back")
    yield u7("a clock that stands still is no step back", "next; held; next; set +0; next; held", "clock_back")
    yield u7("held, with a key", f"next; back {HOUR}; next; advance 3; next; held", "clock_back", KEY)
    yield u7("a batch in a held time", f"next; back {HOUR}; batch 3; advance 1; batch 3; held", "clock_back batch")
    yield u7("max_wait_ms 0 is no limit of what is held", f"next; back {HOUR}; next; held", "clock_back", max_wait_ms=0)
    yield zeros("a full tick in a held time waits on the clock", f"next; back {HOUR}; upto 262143; try => nothing; next; held;"
                "advance 1; next; held", 235240, "clock_back carry try")
    yield zeros("ids over ticks in a held time", f"next; back {HOUR}; skip 500000; next; held", 500010, "clock_back carry")
    yield zeros("ahead, and an hour back", f"upto 262143; next; back {HOUR}; next; held; advance 1; next; held", 235240, "clock_back lead",
                max_lead_ms=1)
    for make in (u7, oid):
        yield make("24 days back are held", f"next; back {24 * DAY}; next; held; advance 1; next", "clock_back")
        yield make("24 days and 1 ms are not: nothing is issued until the clock is back",
                   f"next; back {24 * DAY + 1}; next => clock_behind; try => clock_behind; batch 2 => clock_behind; set +0; next; held",
                   "clock_back try")
        yield make("25 days back, and forward to 24", f"next; back {25 * DAY}; next => clock_behind; advance {DAY}; next; held",
                   "clock_back")
        yield make("24 days by and by", f"next; back {20 * DAY}; next; back {4 * DAY}; next; held; back 1; next => clock_behind;"
                   "advance 1; next; held", "clock_back")
        yield make("the clock is before 1970", "next => clock_before_epoch; try => clock_before_epoch; batch 2 => clock_before_epoch;"
                   "advance 1; next", "before_epoch try", at=-1)
        yield make("the clock is set to before 1970, and back", f"next; set -{NOW + 1}; next => clock_before_epoch; set +0; next; held",
                   "before_epoch clock_back")


def end_cases():
    at = NODELESS.begin_ms(2**45 - 1)
    yield u7("the last tick", "next 2; advance 1; next => time_exhausted; try => time_exhausted", "end_of_time", at=at)
    yield zeros("the last tick to its last id", "upto 262143; next => time_exhausted; try => time_exhausted", 262144, "end_of_time",
                at=at)
    yield oid("the last second", "next 2; advance 999; next; advance 1; next => time_exhausted; try => time_exhausted", "end_of_time",
              at=SECONDS.begin_ms(2**32 - 1))
    yield oid("the last second to its last id", "upto 16777214; next; next => time_exhausted; try => time_exhausted", "end_of_time",
              at=SECONDS.begin_ms(2**32 - 1))


def used_up_cases():
    three = TAILS[:3]
    yield u7("no word is left", "next 3; next => option_invalid; try => option_invalid", "try", tails=three)
    yield u7("a key and nothing more", "next => option_invalid", tails=())
    yield u7("too few words for a batch: nothing is issued, and the position is as before",
             "next; batch 3 => option_invalid; next 2; batch 1 => option_invalid", "batch", tails=three)
    yield u7("the last words in a batch", "batch 3; next => option_invalid", "batch", KEY, tails=three)
    yield w7("no word is left", "next 3; next => option_invalid", tails=three)
    yield w7("too few words for a batch", "next; batch 3 => option_invalid; next 2", "batch", tails=three)
    yield s("uuid4", "half an id is none", "next => option_invalid; try => option_invalid", TAILS[:1], flags="try")
    yield s("uuid4", "too few words for a batch", "next; batch 2 => option_invalid; next; next => option_invalid", TAILS[:5], flags="batch")
    yield s("uuid4", "the last words in a batch", "batch 2; try => option_invalid", TAILS[:4], flags="batch try")
    yield oid("ids take no words", "batch 1000; next", "batch")


def uuid4_cases():
    yield s("uuid4", "the bits of RFC 9562, A.3", "next", [0x919108F752D13320, 0x5BACF847DB4148A8])
    for word, what in ((0, "all bits 0"), (2**64 - 1, "all bits 1"), (KEY, "words that are the same")):
        yield s("uuid4", what, "next", [word, word])
    for bit in (0, 11, 12, 63):
        yield s("uuid4", f"bit {bit} of the first word", "next", [1 << bit, 0])
    for bit in (0, 61, 62):
        yield s("uuid4", f"bit {bit} of the second word", "next", [0, 1 << bit])
    yield s("uuid4", "words in order", "next 2; try; batch 3", TAILS, flags="batch try")
    yield s("uuid4", "no clock is looked at", f"next; back {HOUR}; next; set -{NOW + 1}; next; set +0; batch 3", TAILS, flags="clock_back batch")


def worker_cases():
    tick = "next 3; advance 1; next 2"
    yield w7("sequence, node id, tail", tick)
    yield w7("the first word is a tail, not a key", "next", tails=[1])
    for layout, worker, what in (("polyflake", 1023, "the largest node id"), ("twitter", 39, "a node id over two fields"), ("discord", 513, "64 bits, two node fields"),
                                 ("instagram", 8191, "the node id before the sequence in the layout"),
                                 ("mastodon", 0, "no node field"), ("tsid", 1000, "a layout of 64 bits"),
                                 ("js53", 31, "a tail of 62 bits"), (TINY, 6, "64 bits of tail where 69 would fit"),
                                 ("sequence:10 timestamp:41 worker:12 tick=1ms epoch=2020-01-01T00:00:00.000Z", 9,
                                  "a sequence above the timestamp")):
        yield w7(what, tick, worker=worker, layout=layout)
    yield w7("all bits of the tail, and no more", "next 2; advance 1; next", tails=[2**64 - 1] * 3, layout="js53", worker=0)
    yield w7("a full sequence carries and waits", "next 4; next; next 3", "carry", layout=TINY)
    yield w7("a try gives nothing where it would have to wait, and uses up no word", "next; next 2; try; try => nothing;"
             "advance 1; try; try", "carry try", layout=TINY)
    yield w7("a batch over ticks", "batch 9; next", "batch carry", layout=TINY)
    yield w7("a long batch", "batch 9000; next", "batch carry", tails=(), zero_words=9001)
    yield w7("a small step back: the tick goes on, after a wait", "next; back 10; next; next", "clock_back")
    yield w7("a step back beyond max_wait_ms is refused, and uses up no word",
             "next; back 11; next => clock_behind ms; try => clock_behind ms; batch 2 => clock_behind; set +0; next 2", "clock_back try")
    yield w7("an hour back is not held", f"next; back {HOUR}; next => clock_behind ms; set +1; next; held", "clock_back")
    yield w7("max_wait_ms 0", "next; back 1; next; back 2; next => clock_behind; set +0; next", "clock_back", max_wait_ms=0)
    yield w7("ahead by the lead", "next 12; next 4; try => nothing; next", "lead try", layout=TINY, max_lead_ms=2, tails=(), zero_words=20)
    yield w7("half of the tick just before: the next begins at 0", "batch 1992; advance 1; next", "half_used", tails=(), zero_words=2000)
    yield w7("before the epoch of the layout", "next => clock_before_epoch; advance 1; next", "before_epoch",
             at=PRESETS["polyflake"].epoch_ms - 1)
    yield w7("the last tick of the layout", "next 2; advance 1; next => time_exhausted", "end_of_time",
             at=PRESETS["polyflake"].begin_ms(2**41 - 1))
    yield w7("64 bits: half of the ticks stay unused", "next; advance 1; next => time_exhausted", "end_of_time",
             at=PRESETS["tsid"].begin_ms(2**41 - 1), layout="tsid")


def object_id_cases():
    yield oid("ids of one second", "next 4; advance 999; next; try", "try")
    yield oid("each second begins at its own place", "next; advance 1000; next; advance 1000; next; advance 59000; next", "spread", KEY)
    yield oid("a clock inside a second", "next; advance 1; next; advance 1; next", at=NOW + 998)
    yield oid("a full counter carries into the next second and waits for it", "upto 16777214; next 3; advance 1000; next", "carry")
    yield oid("a full counter of another key, in the midst of a second", "upto 16777215; try => nothing; next 2; advance 999; next",
              "carry try", KEY, at=NOW + 345)
    yield oid("ids over a second", "skip 20000000; next", "carry")
    yield oid("one less than half of the second just before", "upto 8388607; advance 1000; next", "spread half_used")
    yield oid("half of the second just before: the next begins at 0", "upto 8388608; advance 1000; next", "spread half_used", KEY)
    yield oid("a call waits a second though max_wait_ms is 0", "upto 16777215; next", "carry", max_wait_ms=0)
    yield oid("max_lead_ms 1999 is one second", "upto 16777215; next; upto 16777215; try => nothing; next", "lead whole_ticks try",
              max_lead_ms=1999)
    yield oid("a batch has the ids that single calls have", "batch 5; advance 1000; batch 41; next", "batch", KEY)
    yield oid("an hour back: still rising", f"next 2; back {HOUR}; next; held; advance 1000; next; held", "clock_back")
    yield oid("an hour back, and forward beyond", f"next; back {HOUR}; next; set +1; next; held; advance 1000; next", "clock_back")
    yield oid("a step back inside a second", "next; back 300; next; held; advance 299; next; held; advance 1; next; held", "clock_back",
              at=NOW + 500)
    yield oid("a held second ends with the held clock", "next; back 5000; next; held; advance 500; next; advance 500; next; held",
              "clock_back")
    yield oid("a step back in a held time is added", f"next; back {HOUR}; next; advance 1500; next; back {HOUR}; next; held", "clock_back")
    yield oid("a full counter in a held time waits on the clock", f"next; back {HOUR}; upto 16777215; next; held", "clock_back carry",
              at=NOW + 250)


def refused_cases():
    yield refused("uuid7", "entropy is for manual clocks", "option_invalid", [0, *TAILS], None)
    yield refused("uuid7", "entropy is for manual clocks, with a worker too", "option_invalid", TAILS, None, worker=5)
    yield refused("uuid4", "entropy is for manual clocks", "option_invalid", TAILS, None)
    yield refused("objectid", "entropy is for manual clocks", "option_invalid", [0, PROCESS], None)
    for layout, worker, what in (("sonyflake", 5, "ticks of 10 ms"), ("game", 5, "ticks of 1 s"),
                                 ("yitter", 5, "ticks beyond those of a UUID")):
        yield refused("uuid7", f"worker: {what}", "layout_invalid", TAILS, worker=worker, layout=layout)
    for worker in (-1, 1024):
        yield refused("uuid7", f"worker: {worker} is no node id", "field_out_of_range", TAILS, worker=worker)
    yield refused("uuid7", "worker: a preset that is not known", "unknown_preset", TAILS, worker=5, layout="polyflak")
    for name in ("max_wait_ms", "max_lead_ms"):
        for kind, words in (("uuid7", [0, *TAILS]), ("objectid", [0, PROCESS])):
            yield refused(kind, f"a negative {name}", "option_invalid", words, **{name: -1})


def uuid_generator_cases():
    for cases in (key_cases, carry_cases, held_cases, end_cases, used_up_cases, uuid4_cases, worker_cases, object_id_cases,
                  refused_cases):
        yield from cases()


def rises_while_held_cases():
    yield u7("held, and on by a second at once", f"next; back {HOUR}; next; advance 1000; next; held; advance 1; next; held", "clock_back")
    yield u7("held, and on by a second and 1 ms at once", f"next; back {HOUR}; next; advance 1001; next; held; advance 1; next; held", "clock_back")
    yield u7("held, and the clock goes to and fro", f"next; back {HOUR}; next; back 3000000; next; held; set -{HOUR}; next; held; back 3000000;"
             f" next; held; set -{HOUR}; next; held", "clock_back")
    yield oid("held, and the clock goes to and fro", f"next; back {HOUR}; next; back 3000000; next; held; set -{HOUR}; next; held", "clock_back")
    yield oid("ids over seconds in a held time", f"next; back {HOUR}; skip 20000000; skip 20000000; next; held", "clock_back carry")
