"""The reference model of kinds of ids: texts that name a kind, UUIDs, ids of 12 bytes, and who issues them.

Bits are Python's integers, most significant first, put together and taken apart by shifts that RFC 9562 and the
specification of MongoDB give as figures. Positions are those of the Generator of model.py.
"""

from model import Generator, Layout, layout_of
from model_codec import Fault

REGISTERED = ("orders", "segment", "a", "a_", "a0", "z_9", "e_e", "abcdefghijklmnopqrstuvwxyz_01234")
WITHOUT_STORE = ("snowflake", "uuid4", "uuid7", "objectid")
MOST_OF_NAME, MOST_OF_STORE = 32, 4096
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
HEX = "0123456789abcdef"
NODELESS = Layout([("timestamp", 45), ("sequence", 18)], 1, 0)
SECONDS = Layout([("timestamp", 32), ("sequence", 24)], 1000, 0)
UUID_MS_END = 2**48
VERSION_SHIFT, VARIANT_SHIFT = 76, 62
LONGEST_HELD_MS = 24 * 86_400_000
LONGEST_RISE_MS = 1000


# Texts


def bytes_as_characters(text):
    """One character a byte, so that positions are the same in all languages."""
    return text.encode("utf-8").decode("latin-1")


def expect_each(text, allowed, begin=0):
    """`allowed` says of each position which characters may stand there; as many are due."""
    for position, characters in enumerate(allowed, begin):
        if position >= len(text) or text[position] not in characters:
            raise Fault("text_invalid", position)
    if len(text) > begin + len(allowed):
        raise Fault("text_invalid", begin + len(allowed))


def kind_parts(text):
    """The name, and the store or None."""
    text = bytes_as_characters(text)
    end = text.find(":") if ":" in text else len(text)
    name, size = text[:end], min(max(end, 1), MOST_OF_NAME)
    expect_each(name, ([LETTERS] + [LETTERS + DIGITS + "_"] * MOST_OF_NAME)[:size])
    if end == len(text):
        return name, None
    store = text[end + 1 :]
    printable = "".join(chr(code) for code in range(0x20, 0x7F))
    expect_each(text, [printable] * min(max(len(store), 1), MOST_OF_STORE), end + 1)
    return name, store


def parse_kind(text):
    name, store = kind_parts(text)
    if name not in REGISTERED + WITHOUT_STORE:
        raise Fault("unknown_kind")
    if name in WITHOUT_STORE and store is not None:
        raise Fault("option_invalid")
    return {"kind": name, "store": store}


def edits(a, b):
    """How many characters must be put in, left out or changed to come from one word to the other."""
    row = list(range(len(b) + 1))
    for i, mine in enumerate(a, 1):
        above, row = row, [i]
        for j, other in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (mine != other)))
    return row[-1]


def nearest_kinds(name):
    """The names that are nearest, and how far away."""
    least = min(edits(name, known) for known in REGISTERED + WITHOUT_STORE)
    return [known for known in REGISTERED + WITHOUT_STORE if edits(name, known) == least], least


# UUIDs


def uuid_text(number):
    digits = f"{number:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def parse_uuid(text):
    text = bytes_as_characters(text)
    expect_each(text, ["-" if position in (8, 13, 18, 23) else HEX for position in range(36)])
    return int(text.replace("-", ""), 16)


def uuid7(unix_ms, low):
    """The 74 bits below the time stand in two places: 12 before the variant, 62 behind it."""
    assert 0 <= unix_ms < UUID_MS_END
    assert 0 <= low < 2**74
    high, low = divmod(low, 2**62)
    return unix_ms << 80 | 7 << VERSION_SHIFT | high << 64 | 2 << VARIANT_SHIFT | low


def uuid7_parts(number):
    """The time and the 74 bits."""
    if number >> VERSION_SHIFT & 15 != 7 or number >> VARIANT_SHIFT & 3 != 2:
        raise Fault("id_out_of_range")
    return number >> 80, (number >> 64) % 2**12 << 62 | number % 2**62


def uuid4(number):
    bits = 15 << VERSION_SHIFT | 3 << VARIANT_SHIFT
    return number & ~bits | 4 << VERSION_SHIFT | 2 << VARIANT_SHIFT


def tail_width(layout):
    return 74 - layout.width["sequence"] - layout.node_bits


def check_uuid_layout(layout):
    if layout.tick_ms != 1 or layout.begin_ms(layout.ticks) > UUID_MS_END:
        raise Fault("layout_invalid")


def uuid_of(layout, number, tail=0):
    """The id with its sequence and node id first and then the tail."""
    check_uuid_layout(layout)
    parts = layout.decode(number)
    ahead = parts["sequence"] << layout.node_bits | int(parts["node"])
    return uuid7(int(parts["time_ms"]), ahead << tail_width(layout) | tail)


def split_uuid(layout, number):
    """Time, sequence, node id, tail."""
    check_uuid_layout(layout)
    unix_ms, low = uuid7_parts(number)
    ahead, tail = divmod(low, 2 ** tail_width(layout))
    return unix_ms, *divmod(ahead, 2**layout.node_bits), tail


def tick_of_uuid(layout, unix_ms):
    tick = layout.tick_at(unix_ms)
    if not 0 <= tick < layout.ticks:
        raise Fault("field_out_of_range")
    return tick


def id_of_uuid(layout, number):
    unix_ms, sequence, node, tail = split_uuid(layout, number)
    if tail:
        raise Fault("id_out_of_range")
    return layout.encode(tick_of_uuid(layout, unix_ms), sequence, layout.split_node(node))


def decode_uuid(number, layout=None):
    """Without a layout of a worker every time that a UUID can have is its tick."""
    unix_ms, sequence, node, tail = split_uuid(layout or NODELESS, number)
    tick = tick_of_uuid(layout, unix_ms) if layout else unix_ms
    return {"time_ms": str(unix_ms), "tick": str(tick), "sequence": sequence, "node": str(node), "tail": str(tail)}


def edge_uuid(time_ms, all_ones):
    if not 0 <= time_ms < UUID_MS_END:
        raise Fault("field_out_of_range")
    return uuid7(time_ms, 2**74 - 1 if all_ones else 0)


# Ids of 12 bytes


def object_id_text(seconds, process, counter):
    return f"{seconds:08x}{process:010x}{counter:06x}"


def parse_object_id(text):
    text = bytes_as_characters(text)
    expect_each(text, [HEX] * 24)
    return text


def decode_object_id(text):
    digits = parse_object_id(text)
    return {"time_ms": str(int(digits[:8], 16) * 1000), "process": digits[8:18], "counter": int(digits[18:], 16)}


def edge_object_id(time_ms, all_ones):
    seconds = time_ms // 1000
    if not 0 <= seconds < 2**32:
        raise Fault("field_out_of_range")
    return object_id_text(seconds, *((2**40 - 1, 2**24 - 1) if all_ones else (0, 0)))


# Who issues them


class Entropy:
    """Words of 8 bytes, used in order."""

    def __init__(self, text, zero_words):
        self.words = [int(text[at : at + 16], 16) for at in range(0, len(text), 16)] + [0] * zero_words
        self.used = 0

    def need(self, count):
        if self.used + count > len(self.words):
            raise Fault("option_invalid")

    def take(self, count=1):
        self.need(count)
        self.used += count
        return self.words[self.used - count : self.used]


class HeldClock:
    """Steps back are added to the readings until the clock has come to the highest of them by itself."""

    def __init__(self):
        self.offset, self.seen, self.highest = 0, None, None

    def reading(self, real):
        if self.seen is None or real >= self.highest:
            self.offset = 0
        else:
            behind = self.highest - real
            if behind > LONGEST_HELD_MS:
                raise Fault("clock_before_epoch" if real < 0 else "clock_behind")
            if real < self.seen or 2 * behind <= self.offset:
                self.offset = behind
            self.offset = min(self.offset, behind + LONGEST_RISE_MS)
        self.seen, self.highest = real, real + self.offset
        return self.highest

    def waited(self, real, reading):
        """Waiting looks at the clock so often that it is always within the longest rise."""
        self.seen, self.highest = real, reading


class KeyedGenerator(Generator):
    """The places where ticks begin differ from process to process by the key."""

    def __init__(self, layout, options, key):
        super().__init__(layout, 0, options, 0)
        self.key = key

    def candidate(self, now):
        tick, sequence = divmod(self.last, self.layout.capacity)
        half_used = tick == now - 1 and sequence >= self.layout.capacity // 2
        if now <= tick or half_used:
            return super().candidate(now)
        start = (((now ^ self.key) * 0x9E3779B97F4A7C15 % 2**64 >> 32) * self.spread) >> 32
        return now * self.layout.capacity + start


def skip(generator, count):
    """What as many single calls do; the rest of a tick needs no clock after its first id."""
    while count:
        generator.next_id(batch=True)
        rest = min(count - 1, -(generator.last + 1) % generator.layout.capacity)
        generator.last += rest
        count -= 1 + rest


class Source:
    """`clock_ms` is the manual clock. A call that is refused, and a try that gives nothing, uses up no word."""

    words_per_id = 0
    last = None
    held_ms = 0

    def __init__(self, options, entropy, clock_ms):
        self.options, self.entropy, self.clock_ms = options, entropy, clock_ms

    def ids(self, count, may_wait=True):
        """The ids, or as many as come without waiting."""
        self.entropy.need(count * self.words_per_id)
        issued = []
        for _ in range(count):
            number = self.next_position(may_wait, count > 1)
            if number is not None:
                issued.append(self.spelled(number))
        return issued


class Uuid4(Source):
    words_per_id = 2

    def next_position(self, may_wait, batch):
        return 0

    def spelled(self, position):
        first, second = self.entropy.take(2)
        return uuid_text(uuid4(first << 64 | second))


class Held(Source):
    """Positions of a process, which go on when the clock goes back."""

    def __init__(self, options, entropy, clock_ms, layout):
        super().__init__(options, entropy, clock_ms)
        (key,) = entropy.take()
        self.generator, self.clock = KeyedGenerator(layout, options, key), HeldClock()

    @property
    def last(self):
        return self.generator.last

    @property
    def held_ms(self):
        return self.clock.offset

    def on_the_clock(self, call):
        """What waiting adds to the reading it adds to the clock."""
        before = self.generator.clock_ms = self.clock.reading(self.clock_ms)
        answer = call()
        self.clock_ms += self.generator.clock_ms - before
        self.clock.waited(self.clock_ms, self.generator.clock_ms)
        return answer

    def next_position(self, may_wait, batch):
        return self.on_the_clock(lambda: self.generator.next_id(may_wait, batch))

    def skip(self, count):
        self.entropy.take(count * self.words_per_id)
        self.on_the_clock(lambda: skip(self.generator, count))


class Uuid7(Held):
    words_per_id = 1

    def __init__(self, options, entropy, clock_ms):
        super().__init__(options, entropy, clock_ms, NODELESS)

    def spelled(self, position):
        (word,) = self.entropy.take()
        return uuid_text(uuid_of(NODELESS, position, word % 2 ** tail_width(NODELESS)))


class ObjectIds(Held):
    def __init__(self, options, entropy, clock_ms):
        super().__init__(options, entropy, clock_ms, SECONDS)
        self.process = entropy.take()[0] % 2**40

    def spelled(self, position):
        return object_id_text(position >> 24, self.process, position % 2**24)


class WorkerUuid7(Source):
    """A Generator with its own rules of the clock, and a tail for each of its ids."""

    words_per_id = 1

    def __init__(self, options, entropy, clock_ms, layout):
        check_uuid_layout(layout)
        own = {name: value for name, value in options.items() if name not in ("worker", "layout")}
        self.generator = Generator(layout, options["worker"], own, clock_ms)
        super().__init__(options, entropy, clock_ms)

    @property
    def clock_ms(self):
        return self.generator.clock_ms

    @clock_ms.setter
    def clock_ms(self, clock_ms):
        self.generator.clock_ms = clock_ms

    @property
    def last(self):
        return self.generator.last

    def next_position(self, may_wait, batch):
        return self.generator.next_id(may_wait, batch)

    def spelled(self, number):
        (word,) = self.entropy.take()
        layout = self.generator.layout
        return uuid_text(uuid_of(layout, number, word % 2 ** min(64, tail_width(layout))))


def open_source(kind, options, entropy, clock_ms):
    if clock_ms is None:
        raise Fault("option_invalid")  # entropy is for manual clocks
    if "worker" in options:
        return WorkerUuid7(options, entropy, clock_ms, layout_of(options.get("layout", "polyflake")))
    return {"uuid4": Uuid4, "uuid7": Uuid7, "objectid": ObjectIds}[kind](options, entropy, clock_ms)
