"""Group `options`: what a generator must refuse before it issues anything, and what it must take.

Only values that every language can pass are here: fractions, booleans, NaN and misspelled names are tested per
language.
"""

from cases_text import GOOD, REST
from model import Generator, case, instant_ms, layout_of, outcome

CLOCK_MS = instant_ms("2026-01-01T00:00:00.000Z")
EPOCH = "epoch=2020-01-01T00:00:00.000Z"
NODE_ON_TOP = f"worker:10 timestamp:42 sequence:12 tick=1ms {EPOCH}"
SMALL = 2**31 - 1


def o(comment, worker=0, error=None, layout=None, flags="", clock_ms=CLOCK_MS, **options):
    def call():
        model = layout_of("polyflake" if layout is None else layout)
        return {"worker": str(Generator(model, worker, options, clock_ms).node)}
    answer = outcome(error, call)
    given = {} if layout is None else {"layout": layout}
    given["worker"] = worker
    if options:
        given["options"] = options
    return case("options", comment, flags, {**given, "clock_ms": str(clock_ms), **answer})


def number_cases():
    out = "field_out_of_range"
    yield o("worker 0, everything else by default", 0)
    yield o("the largest node id of the default layout", 1023)
    yield o("worker -1", -1, out)
    for value in (1024, 1025, 2**16 + 1, SMALL, 2**31, 2**32, 2**32 + 7, 2**53 - 1, -1023, -(2**31), -(2**32) + 7):
        yield o(f"worker {value} is refused, never cut to 10 bits", value, out,
                flags="wraparound" if abs(value) > 2**16 else "")
    yield o("250 is not 26: no bit is dropped", 250, out, "timestamp:41 process:5 sequence:12 " + REST, "peer_failure")
    for name, bits in (("twitter", 10), ("sonyflake", 16), ("instagram", 13), ("game", 20), ("baidu", 22), ("js53", 5)):
        yield o(f"{name}: the largest node id of {bits} bits", 2**bits - 1, layout=name)
        yield o(f"{name}: 2^{bits} does not fit", 2**bits, out, name)
    yield o("a layout without node fields takes node id 0", 0, layout="mastodon")
    yield o("a layout without node fields takes no other", 1, out, "mastodon")
    yield o("a layout without node fields takes no negative one", -1, out, "mastodon")
    wide = f"timestamp:30 node:32 sequence:1 tick=1s {EPOCH}"
    yield o("a node id of 32 bits", 2**32 - 1, layout=wide)
    yield o("2^32 does not fit 32 bits", 2**32, out, wide, "wraparound")


def field_cases():
    out = "field_out_of_range"
    yield o("one number per node field", {"datacenter": 1, "worker": 7}, layout="twitter")
    yield o("the order of the names says nothing", {"worker": 7, "datacenter": 1}, layout="twitter")
    yield o("all fields at their largest", {"datacenter": 31, "worker": 31}, layout="twitter")
    yield o("a single field by name", {"machine": 258}, layout="sonyflake")
    yield o("fields on both sides of the timestamp", {"shard": 3, "zone": 2},
            layout=f"shard:8 timestamp:40 sequence:10 zone:4 tick=1ms {EPOCH}")
    for value in (32, -1, 256, 2**32, 2**32 + 7):
        yield o(f"datacenter {value} does not fit 5 bits", {"datacenter": value, "worker": 7}, out, "twitter",
                "wraparound" if value > 255 else "")
        yield o(f"worker {value} does not fit 5 bits", {"datacenter": 1, "worker": value}, out, "twitter",
                "wraparound" if value > 255 else "")
    for name in ("rack", "Worker", "sequence", "timestamp", "constructor", ""):
        yield o(f"no node field {name!r}", {"datacenter": 1, "worker": 7, name: 0}, "unknown_field", "twitter",
                "name_collision" if name == "constructor" else "")
    yield o("a field of another layout", {"worker": 7, "datacenter": 0}, "unknown_field")
    yield o("worker missing", {"datacenter": 1}, "worker_source_invalid", "twitter")
    yield o("datacenter missing", {"worker": 7}, "worker_source_invalid", "twitter")
    yield o("no field given", {}, "worker_source_invalid")


def source_cases():
    bad = "worker_source_invalid"
    for text in ("7", "0", "-1", "", " ", "banana", "banana:7", "worker-7", "HOST", "Host", " host", "host ", "host\n",
                 "hosts", "localhost", "host:", "host:07", "host:00", "host:-1", "host:+1", "host: 7", "host:7 ",
                 "host :7", "host:7\n", "host:7:8", "host:7.0", "host:0x7", "host:1_0", "host:seven", "HOST:7",
                 "host=7", "ORDINAL", " ordinal", "null", "undefined", "None"):
        yield o(f"{text!r} names no worker source", text, bad)
    yield o("a very long worker source", "h" * 5000, bad)
    yield o("an Arabic digit", "host:\u0667", bad, flags="unicode")
    yield o("a full-width digit", "host:\uff17", bad, flags="unicode")
    yield o("full-width letters", "\uff48\uff4f\uff53\uff54", bad, flags="unicode")
    yield o("an embedded NUL does not end the text", "host\0", bad, flags="embedded_nul")
    yield o("an embedded NUL does not end the number", "host:7\0", bad, flags="embedded_nul")
    for text in ("host:1024", "host:1025", f"host:{2**31}", f"host:{2**32 + 7}"):
        yield o(f"{text} is outside 10 bits", text, "field_out_of_range", flags="wraparound" if len(text) > 9 else "")
    yield o("a node id of this host: the smallest", "host:0", flags="fresh_registry")
    yield o("a node id of this host: the largest", "host:1023", flags="fresh_registry")


def option_cases():
    bad = "option_invalid"
    for name in ("max_wait_ms", "max_lead_ms"):
        for value in (-1, -SMALL, 2**31, 2**32, 2**32 + 10, 2**53 - 1):
            yield o(f"{name} {value} is refused", 1, bad, flags="wraparound" if value > 2**31 else "", **{name: value})
        for value in (0, 1, SMALL):
            yield o(f"{name} {value} is allowed", 1, **{name: value})
    for layout, width in (("polyflake", 12), ("sonyflake", 8), ("instagram", 10), ("mastodon", 16), ("yitter", 6),
                          (f"timestamp:41 worker:2 sequence:4 tick=1ms {EPOCH}", 4)):
        eighth = 2**width // 8
        yield o(f"sequence_spread {eighth}: an eighth of {width} bits is allowed", 0, layout=layout,
                sequence_spread=eighth)
        yield o(f"sequence_spread {eighth + 1}: more than an eighth of {width} bits", 0, bad, layout,
                sequence_spread=eighth + 1)
    for width in (1, 2, 3):
        layout = f"timestamp:41 worker:2 sequence:{width} tick=1ms {EPOCH}"
        yield o(f"a sequence of {width} bits takes a spread of 1", 0, layout=layout, sequence_spread=1)
        yield o(f"a sequence of {width} bits takes no spread of 2", 0, bad, layout, sequence_spread=2)
    yield o("a sequence of 32 bits: the most allowed", 0, layout=f"timestamp:30 sequence:32 tick=1s {EPOCH}",
            sequence_spread=2**29)
    for value in (0, -1, -512, 4096, SMALL):
        yield o(f"sequence_spread {value} is refused", 1, bad, sequence_spread=value)
    yield o("sequence_spread 1 is allowed", 1, sequence_spread=1)
    yield o("all options together", 1, max_wait_ms=0, max_lead_ms=60000, sequence_spread=512)


def layout_cases():
    for name in ("nope", "", "Polyflake", "twitter "):
        yield o(f"no preset {name!r}", 0, "unknown_preset", name)
    yield o("73 bits", 0, "layout_too_wide", f"timestamp:37 server:20 sequence:16 tick=1ms {EPOCH}")
    yield o("65 bits", 0, "layout_too_wide", f"timestamp:42 worker:11 sequence:12 tick=1ms {EPOCH}")
    yield o("a layout text with a blank at the end", 0, "layout_invalid", GOOD + " ")
    yield o("a layout without a sequence", 0, "layout_invalid", f"timestamp:41 worker:10 {REST}")
    yield o("a layout text is taken as well as a preset", 1023, layout=GOOD)
    yield o("64 bits with the sequence on top: ids would pass 2^63", 0, "layout_too_wide",
            f"sequence:12 timestamp:42 worker:10 tick=1ms {EPOCH}")
    yield o("63 bits with the sequence on top", 0, layout=f"sequence:12 timestamp:41 worker:10 tick=1ms {EPOCH}")
    yield o("64 bits with a node field on top: its lower half", 511, layout=NODE_ON_TOP)
    yield o("64 bits with a node field on top: the top bit would pass 2^63", 512, "field_out_of_range", NODE_ON_TOP)
    yield o("the same, given by name", {"worker": 1023}, "field_out_of_range", NODE_ON_TOP)
    yield o("two node fields: only the upper one is limited", {"left": 7, "right": 7},
            layout=f"left:4 timestamp:45 right:3 sequence:12 tick=1ms {EPOCH}")
    yield o("two node fields: the upper one with its top bit", {"left": 8, "right": 0}, "field_out_of_range",
            f"left:4 timestamp:45 right:3 sequence:12 tick=1ms {EPOCH}")
    yield o("64 bits with the timestamp on top: every node id", 1023, layout="tsid")
    yield o("a clock before the epoch is no error yet", 1, clock_ms=0)
    yield o("a clock after the end is no error yet", 1, layout="baidu")


def options_cases():
    for cases in (number_cases, field_cases, source_cases, option_cases, layout_cases):
        yield from cases()
