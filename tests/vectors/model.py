"""A second, independent description of Polyflake in plain Python: layouts, their text, ids as text, the generator.

It is written from the contract and shares nothing with the library, so that an error would have to be made twice to
pass the tests. Numbers are Python's own unbounded integers: nothing here can wrap, mask or overflow. Speed is no aim.
"""

import datetime
import re

MAX_I64 = 2**63 - 1
UNIX_ZERO = datetime.datetime(1970, 1, 1)
RESERVED_NAMES = ("tick", "epoch", "time", "time_ms")
DEFAULT_MAX_WAIT_MS = 10
HOST_WINDOW_MS = 2000


class Refused(Exception):
    """An error of the contract; `missing_ms` says how far the clock is behind, where that is the reason."""

    def __init__(self, code, missing_ms=None):
        super().__init__(code)
        self.code = code
        self.missing_ms = missing_ms


# Instants


def instant_ms(text):
    """Unix milliseconds of the canonical spelling YYYY-MM-DDTHH:MM:SS.mmmZ, or None."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text):
        return None
    try:
        instant = datetime.datetime(*(int(part) for part in re.findall("[0-9]+", text)[:6]))
    except ValueError:
        return None
    ms = (instant - UNIX_ZERO) // datetime.timedelta(milliseconds=1) + int(text[20:23])
    return ms if ms >= 0 else None


def instant_text(ms):
    return (UNIX_ZERO + datetime.timedelta(milliseconds=ms)).isoformat(timespec="milliseconds") + "Z"


# Layouts


class Layout:
    def __init__(self, fields, tick_ms, epoch_ms):
        self.fields, self.tick_ms, self.epoch_ms = fields, tick_ms, epoch_ms
        self.width = dict(fields)
        self.bits = sum(width for _, width in fields)
        self.nodes = [(name, width) for name, width in fields if name not in ("timestamp", "sequence")]
        self.node_bits = sum(width for _, width in self.nodes)
        self.ticks = 2 ** self.width["timestamp"]
        self.capacity = 2 ** self.width["sequence"]

    def text(self):
        fields = " ".join(f"{name}:{width}" for name, width in self.fields)
        seconds, rest = divmod(self.tick_ms, 1000)
        tick = f"{self.tick_ms}ms" if rest else f"{seconds}s"
        return f"{fields} tick={tick} epoch={instant_text(self.epoch_ms)}"

    def tick_at(self, time_ms):
        return (time_ms - self.epoch_ms) // self.tick_ms  # floor: one ms before the epoch is tick -1

    def begin_ms(self, tick):
        return self.epoch_ms + tick * self.tick_ms

    def encode(self, tick, sequence=0, fields=None):
        values = dict(fields or {})
        if any(name not in dict(self.nodes) for name in values):
            raise Refused("unknown_field")
        values.update(timestamp=tick, sequence=sequence)
        number = 0
        for name, width in self.fields:
            value = values.get(name, 0)
            if not 0 <= value < 2**width:
                raise Refused("field_out_of_range")
            number = number * 2**width + value
        return number

    def decode(self, number):
        if not 0 <= number < 2**self.bits:
            raise Refused("id_out_of_range")
        values, rest = {}, number
        for name, width in reversed(self.fields):
            rest, values[name] = divmod(rest, 2**width)
        node = 0
        for name, width in self.nodes:
            node = node * 2**width + values[name]
        return {
            "time_ms": str(self.begin_ms(values["timestamp"])),
            "tick": str(values["timestamp"]),
            "sequence": values["sequence"],
            "node": str(node),
            "fields": {name: values[name] for name, _ in self.nodes},
        }

    def edge_id(self, time_ms, all_ones):
        """The smallest or largest id of the tick that contains the instant."""
        ones = {name: 2**width - 1 if all_ones else 0 for name, width in self.fields}
        return self.encode(self.tick_at(time_ms), ones["sequence"], {name: ones[name] for name, _ in self.nodes})

    def split_node(self, node):
        fields = {}
        for name, width in reversed(self.nodes):
            node, fields[name] = divmod(node, 2**width)
        return fields


def parse_layout(text):
    def need(condition, code="layout_invalid"):
        if not condition:
            raise Refused(code)

    need(len(text) <= 1024)
    *fields, tick, epoch = ["", "", *text.split(" ")]
    fields = [re.fullmatch(r"([a-z][a-z0-9_]*):(0|[1-9][0-9]*)", field) for field in fields[2:]]
    tick = re.fullmatch(r"tick=([1-9][0-9]*)(ms|s)", tick)
    need(all(fields) and tick and re.match("epoch=", epoch))
    fields = [(field[1], int(field[2])) for field in fields]
    names = [name for name, _ in fields]
    need(len(set(names)) == len(names) and "timestamp" in names and "sequence" in names)
    need(all(len(name) <= 32 and name not in RESERVED_NAMES for name in names))
    need(sum(width for _, width in fields) <= 64, "layout_too_wide")
    need(all(width >= 1 and (width <= 32 or name == "timestamp") for name, width in fields))
    tick_ms = int(tick[1]) * (1000 if tick[2] == "s" else 1)
    need(tick[2] == "s" or tick_ms % 1000 != 0)
    epoch_ms = instant_ms(epoch[len("epoch=") :])
    need(epoch_ms is not None)
    layout = Layout(fields, tick_ms, epoch_ms)
    need(layout.begin_ms(layout.ticks) <= MAX_I64, "layout_too_wide")
    assert layout.text() == text
    return layout


def _preset(fields, tick_ms, epoch_ms):
    return Layout([(name, int(width)) for name, width in (f.split(":") for f in fields.split())], tick_ms, epoch_ms)


PRESETS = {
    "polyflake": _preset("timestamp:41 worker:10 sequence:12", 1, 1577836800000),
    "twitter": _preset("timestamp:41 datacenter:5 worker:5 sequence:12", 1, 1288834974657),
    "leaf": _preset("timestamp:41 worker:10 sequence:12", 1, 1288834974657),
    "shardingsphere": _preset("timestamp:41 worker:10 sequence:12", 1, 1477929600000),
    "beyondfengyu": _preset("timestamp:41 datacenter:5 machine:5 sequence:12", 1, 1480166465631),
    "discord": _preset("timestamp:42 worker:5 process:5 sequence:12", 1, 1420070400000),
    "instagram": _preset("timestamp:41 shard:13 sequence:10", 1, 1314220021721),
    "mastodon": _preset("timestamp:48 sequence:16", 1, 0),
    "sonyflake": _preset("timestamp:39 sequence:8 machine:16", 10, 1735689600000),
    "baidu": _preset("timestamp:28 worker:22 sequence:13", 1000, 1463673600000),
    "tsid": _preset("timestamp:42 node:10 sequence:12", 1, 1577836800000),
    "yitter": _preset("timestamp:51 worker:6 sequence:6", 1, 1582136402000),
    "cosid": _preset("timestamp:41 machine:10 sequence:12", 1, 1577203200000),
    "game": _preset("timestamp:31 server:20 sequence:12", 1000, 1577836800000),
    "js53": _preset("timestamp:41 worker:5 sequence:7", 1, 1577836800000),
}


def preset(name):
    if name not in PRESETS:
        raise Refused("unknown_preset")
    return PRESETS[name]


def layout_of(text_or_preset):
    return parse_layout(text_or_preset) if ":" in text_or_preset else preset(text_or_preset)


# Ids as text


def id_pair(number):
    assert 0 <= number < 2**64
    return {"id": str(number), "hex": f"{number:016x}"}


CODECS = {"decimal": (r"0|[1-9][0-9]{0,19}", 10), "hex": (r"[0-9a-f]{16}", 16)}


def decode_text(codec, text):
    pattern, base = CODECS[codec]
    if not re.fullmatch(pattern, text):
        raise Refused("text_invalid")
    if int(text, base) >= 2**64:
        raise Refused("id_out_of_range")
    return int(text, base)


# The generator


def resolve_worker(layout, worker):
    """The node id a worker value names, and whether it comes from the host registry."""
    host = False
    if isinstance(worker, dict):
        if any(name not in dict(layout.nodes) for name in worker):
            raise Refused("unknown_field")
        if len(worker) != len(layout.nodes):
            raise Refused("worker_source_invalid")
        node = int(layout.decode(layout.encode(0, 0, worker))["node"])
    elif isinstance(worker, str):
        if not re.fullmatch("host:(0|[1-9][0-9]*)", worker):
            raise Refused("worker_source_invalid")
        host, node = True, int(worker[5:])
    else:
        node = worker
    if not 0 <= node < 2**layout.node_bits:
        raise Refused("field_out_of_range")
    return node, host


class Generator:
    """One generator on a manual clock: waiting moves the clock. Its state is `last`, the last position taken."""

    def __init__(self, layout, worker, options, clock_ms):
        wait_ms = options.get("max_wait_ms", DEFAULT_MAX_WAIT_MS)
        lead_ms = options.get("max_lead_ms", 0)
        most = max(1, layout.capacity // 8)
        self.layout, self.clock_ms = layout, clock_ms
        self.spread = options.get("sequence_spread", most)
        ordering = options.get("ordering", "strict")
        if ordering not in ("strict", "per_thread"):
            raise Refused("option_invalid")
        self.longest_run = 1 if ordering == "strict" else 256
        self.run = range(0)  # positions the thread took before it needs them
        self.called = False  # a thread takes runs from its second call on
        if not (0 <= wait_ms < 2**31 and 0 <= lead_ms < 2**31 and 1 <= self.spread <= most):
            raise Refused("option_invalid")
        self.lead = lead_ms // layout.tick_ms
        self.limit = self.lead + max(wait_ms // layout.tick_ms, 1)
        self.node, host = resolve_worker(layout, worker)
        self.fields, self.until = layout.split_node(self.node), layout.ticks
        top, width = layout.fields[0]
        if layout.bits == 64 and top == "timestamp":
            self.until = layout.ticks // 2
        elif layout.bits == 64 and top == "sequence":
            raise Refused("layout_too_wide")
        elif layout.bits == 64 and self.fields[top] >= 2 ** (width - 1):
            raise Refused("field_out_of_range")
        start = 0
        if host:  # a node id never used before rests for one window, then begins with a whole tick
            start = -((layout.epoch_ms - clock_ms - HOST_WINDOW_MS) // layout.tick_ms)
            self.clock_ms = layout.begin_ms(start)
        self.last = start * layout.capacity

    def candidate(self, now):
        tick, sequence = divmod(self.last, self.layout.capacity)
        if now <= tick:
            return self.last + 1
        if tick == now - 1 and sequence >= self.layout.capacity // 2:
            return now * self.layout.capacity
        start = ((now * 0x9E3779B97F4A7C15 % 2**64 >> 32) * self.spread) >> 32
        return now * self.layout.capacity + start

    def next_id(self, may_wait=True, batch=False):
        """One id; without `may_wait` None, and nothing changed, where it would have had to wait.

        In a batch a thread uses up what it has, but takes no more than it needs.
        """
        if self.run and self.layout.begin_ms(
            self.run[0] // self.layout.capacity
        ) <= self.clock_ms < self.layout.begin_ms(self.run[0] // self.layout.capacity + 1):
            position, self.run = self.run[0], self.run[1:]
            return self.layout.encode(*divmod(position, self.layout.capacity), self.fields)
        self.run = range(0)
        longest = self.longest_run if self.called else 1
        self.called = self.called or not batch
        if self.clock_ms < self.layout.epoch_ms:
            raise Refused("clock_before_epoch")
        now = self.layout.tick_at(self.clock_ms)
        position = self.candidate(now)
        tick, sequence = divmod(position, self.layout.capacity)
        if tick >= self.until:
            raise Refused("time_exhausted")
        due_ms = self.layout.begin_ms(tick - self.lead)
        if tick - now > self.limit:
            raise Refused("clock_behind", due_ms - self.clock_ms)
        if tick - now > self.lead:
            if not may_wait:
                return None
            self.clock_ms = due_ms
        self.last = position
        if tick == now and not batch:
            self.last += max(1, min(longest, (self.layout.capacity - sequence) // 64)) - 1
            self.run = range(position + 1, self.last + 1)
        number = self.layout.encode(tick, sequence, self.fields)
        assert number < 2**63
        return number


# What a case says


def outcome(code, call):
    """`expect` or `error` of a test: the model's own answer, which must be of the kind its author meant."""
    try:
        answer = {"expect": call()}
    except Refused as refused:
        answer = {"error": refused.code}
    assert answer.get("error") == code, f"meant {code}, the model says {answer}"
    return answer


def case(group, comment, flags, body):
    """One test without its number."""
    return group, {"comment": comment, **({"flags": flags.split()} if flags else {}), **body}
