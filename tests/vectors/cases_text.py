"""Groups `layout_text` (the canonical text and the presets) and `codec` (ids as decimal and as hex text)."""

from cases_layout import CUSTOM, published_facts
from model import PRESETS, case, decode_text, id_pair, outcome, parse_layout, preset

FIELDS = "timestamp:41 worker:10 sequence:12"
TICK = "tick=1ms"
EPOCH = "epoch=2020-01-01T00:00:00.000Z"
REST = f"{TICK} {EPOCH}"
GOOD = f"{FIELDS} {REST}"
ARABIC = "\u0661\u0662"
FULL_WIDTH = "\uff11\uff12"


def described(layout):
    return {"text": layout.text(), "tick_ms": layout.tick_ms, "epoch_ms": str(layout.epoch_ms),
            "fields": [[name, width] for name, width in layout.fields]}


def parse(comment, text, error=None, flags="", has=None):
    answer = outcome(error, lambda: described(parse_layout(text)))
    more = {"message_has": has} if has else {}
    return case("layout_text", comment, flags, {"op": "parse", "text": text, **answer, **more})


def named(comment, name, error=None, flags=""):
    answer = outcome(error, lambda: described(preset(name)))
    return case("layout_text", comment, flags, {"op": "preset", "name": name, **answer})


def of_length(length):
    """A correct layout text of exactly that many characters."""
    names = [f"{index:a>32}" for index in range(10, 38)]
    text = "timestamp:20 " + " ".join(f"{name}:1" for name in names) + f" sequence:4 {REST}"
    return text.replace(names[0], names[0][len(text) - length:], 1)


def good_texts():
    for name, layout in PRESETS.items():
        yield named(f"preset {name}", name)
        yield parse(f"the text of preset {name}", layout.text())
    for what, text in CUSTOM.items():
        yield parse(what, text)
    for tick in ("2ms", "999ms", "1001ms", "1500ms", "60s", "86400s"):
        yield parse(f"a tick of {tick}", f"timestamp:31 worker:10 sequence:12 tick={tick} {EPOCH}")
    for epoch, what in (("1970-01-01T00:00:00.000Z", "the earliest epoch"),
                        ("9999-12-31T23:59:59.999Z", "the latest epoch"),
                        ("2024-02-29T12:34:56.789Z", "a leap day"),
                        ("2000-02-29T00:00:00.001Z", "the leap day of a century divisible by 400")):
        yield parse(what, f"{FIELDS} {TICK} epoch={epoch}")
    yield parse("names may hold digits and underscores after a letter", f"timestamp:41 w_0__9:10 sequence:12 {REST}")
    yield parse("a name of 32 characters", f"timestamp:41 {'w' * 32}:10 sequence:12 {REST}")
    yield parse("widths of 32 bits", f"sequence:32 timestamp:32 {REST}")
    yield parse("widths that sum to 64", f"timestamp:32 worker:20 sequence:12 {REST}")
    yield parse("a timestamp of 62 bits of 1 ms ends before 2^63 ms", f"timestamp:62 sequence:1 {REST}")
    yield parse("an end of 3 * 2^61 ms is below 2^63 ms", f"timestamp:61 sequence:1 tick=3ms {EPOCH}")
    yield parse("62 node fields of one bit", "timestamp:1 sequence:1 " + " ".join(
        f"n{index}:1" for index in range(62)) + f" {REST}")
    assert len(of_length(1024)) == 1024 and len(of_length(1025)) == 1025
    yield parse("1024 characters are allowed", of_length(1024))


def malformed_texts():
    def fields(text):
        return f"{text} {REST}"

    def epoch(text):
        return f"{FIELDS} {TICK} epoch={text}"

    for comment, text in (
            ("1025 characters are too many", of_length(1025)),
            ("a very long text", GOOD + " " * 5000),
            ("nothing but a colon", ":"),
            ("a blank in front", " " + GOOD),
            ("a blank at the end", GOOD + " "),
            ("a newline at the end", GOOD + "\n"),
            ("two blanks between fields", GOOD.replace(" worker", "  worker")),
            ("a tab between fields", GOOD.replace(" worker", "\tworker")),
            ("a newline between fields", GOOD.replace(" worker", "\nworker")),
            ("a comma between fields", GOOD.replace(" worker", ",worker")),
            ("no tick", f"{FIELDS} {EPOCH}"),
            ("no epoch", f"{FIELDS} {TICK}"),
            ("no tick and no epoch", FIELDS),
            ("no field", f"{TICK} {EPOCH}"),
            ("the epoch before the tick", f"{FIELDS} {EPOCH} {TICK}"),
            ("the tick before the fields", f"{TICK} {FIELDS} {EPOCH}"),
            ("two ticks", f"{FIELDS} {TICK} {REST}"),
            ("two epochs", f"{GOOD} {EPOCH}"),
            ("something after the epoch", GOOD + " worker:1"),
            ("a field after the tick", f"timestamp:41 sequence:12 {TICK} worker:10 {EPOCH}"),
            ("no timestamp", fields("worker:10 sequence:12")),
            ("no sequence", fields("timestamp:41 worker:10")),
            ("two timestamps", fields("timestamp:20 timestamp:21 sequence:12")),
            ("two sequences", fields("timestamp:41 sequence:6 sequence:6")),
            ("a node field twice", fields("timestamp:41 worker:5 worker:5 sequence:12")),
            ("a timestamp of 0 bits", fields("timestamp:0 worker:10 sequence:12")),
            ("a sequence of 0 bits", fields("timestamp:41 worker:10 sequence:0")),
            ("a node field of 0 bits", fields("timestamp:41 worker:0 sequence:12")),
            ("a sequence of 33 bits", fields("timestamp:31 sequence:33")),
            ("a node field of 33 bits", fields("timestamp:20 worker:33 sequence:11")),
            ("a negative width", fields("timestamp:41 worker:-1 sequence:12")),
            ("a width with a sign", fields("timestamp:41 worker:+10 sequence:12")),
            ("a width with a leading zero", fields("timestamp:41 worker:010 sequence:12")),
            ("a fractional width", fields("timestamp:41 worker:10.0 sequence:12")),
            ("a hexadecimal width", fields("timestamp:41 worker:0xa sequence:12")),
            ("an empty width", fields("timestamp:41 worker: sequence:12")),
            ("a width with an underscore", fields("timestamp:4_1 worker:10 sequence:12")),
            ("a blank before a width", fields("timestamp:41 worker: 10 sequence:12")),
            ("a field without a width", fields("timestamp:41 worker sequence:12")),
            ("a field with two widths", fields("timestamp:41 worker:5:5 sequence:12")),
            ("an equals sign for the colon", fields("timestamp:41 worker=10 sequence:12")),
            ("an empty name", fields("timestamp:41 :10 sequence:12")),
            ("an upper-case name", fields("timestamp:41 Worker:10 sequence:12")),
            ("an upper-case timestamp", fields("TIMESTAMP:41 worker:10 sequence:12")),
            ("a name that begins with a digit", fields("timestamp:41 1worker:10 sequence:12")),
            ("a name that begins with an underscore", fields("timestamp:41 _worker:10 sequence:12")),
            ("a hyphen in a name", fields("timestamp:41 data-center:10 sequence:12")),
            ("a name of 33 characters", fields(f"timestamp:41 {'w' * 33}:10 sequence:12")),
            ("a node field called tick", fields("timestamp:41 tick:10 sequence:12")),
            ("a node field called epoch", fields("timestamp:41 epoch:10 sequence:12")),
            ("a node field called time", fields("timestamp:41 time:10 sequence:12")),
            ("a node field called time_ms", fields("timestamp:41 time_ms:10 sequence:12")),
            ("an upper-case tick", f"{FIELDS} TICK=1ms {EPOCH}"),
            ("a word more after the Z", GOOD + "Z")):
        yield parse(comment, text, "layout_invalid")
    for tick in ("0ms", "0s", "-1ms", "+1ms", "01ms", "1.5ms", "1", "ms", "", "1us", "1m", "1S", "1MS", "1sec", "1 ms"):
        yield parse(f"tick={tick} is refused", f"{FIELDS} tick={tick} {EPOCH}", "layout_invalid")
    for tick in ("1000ms", "7000ms"):
        yield parse(f"tick={tick} is not canonical: whole seconds are written in seconds",
                    f"{FIELDS} tick={tick} {EPOCH}", "layout_invalid", "non_canonical")
    for date in ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.00Z", "2020-01-01T00:00:00.0000Z", "2020-01-01",
                 "2020-01-01T00:00:00.000", "2020-01-01T00:00:00.000+00:00", "2020-01-01t00:00:00.000z",
                 "2020-01-01 00:00:00.000Z", "2020-1-1T00:00:00.000Z", "20200101T000000.000Z",
                 "2020-01-01T00:00:00,000Z", "1577836800000", "", "+2020-01-01T00:00:00.000Z"):
        yield parse(f"epoch={date} is not canonical", epoch(date), "layout_invalid", "non_canonical")
    for date in ("2023-02-29", "2100-02-29", "2020-04-31", "2020-00-01", "2020-13-01", "2020-01-00", "2020-01-32"):
        yield parse(f"{date} is no calendar date", epoch(f"{date}T00:00:00.000Z"), "layout_invalid")
    for time in ("24:00:00.000", "23:60:00.000", "23:59:60.000"):
        yield parse(f"{time} is no time of day", epoch(f"2016-12-31T{time}Z"), "layout_invalid")
    for date in ("1969-12-31T23:59:59.999Z", "0000-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"):
        yield parse("an epoch before 1970", epoch(date), "layout_invalid")
    yield parse("an epoch after the year 9999", epoch("10000-01-01T00:00:00.000Z"), "layout_invalid")
    for comment, text in (("Arabic digits in a width", GOOD.replace("12", ARABIC)),
                          ("full-width digits in a width", GOOD.replace("12", FULL_WIDTH)),
                          ("an Arabic digit in the epoch", GOOD.replace("2020", "202\u0660")),
                          ("a Cyrillic letter in a name", GOOD.replace("worker", "w\u043erker")),
                          ("a no-break space between fields", GOOD.replace(" worker", "\u00a0worker")),
                          ("a byte order mark in front", "\ufeff" + GOOD)):
        yield parse(comment, text, "layout_invalid", "unicode")
    yield parse("an embedded NUL does not end the text", GOOD + "\0", "layout_invalid", "embedded_nul")
    yield parse("an embedded NUL between fields", GOOD.replace(" worker", "\0worker"), "layout_invalid", "embedded_nul")


def too_wide_texts():
    wide = "layout_too_wide"
    yield parse("37 + 20 + 16 are 73 bits, and 37 bits of milliseconds are 4.4 years",
                f"timestamp:37 server:20 sequence:16 {REST}", wide, has=["73", "years"])
    for fields, what in (("timestamp:42 worker:11 sequence:12", "65 bits"),
                         ("timestamp:999 sequence:12", "a timestamp of 999 bits"),
                         ("timestamp:41 sequence:70", "a sequence of 70 bits: the sum is checked first"),
                         ("timestamp:64 sequence:1", "64 bits of time and a sequence"),
                         ("timestamp:32 a:32 b:32 c:32 d:32 sequence:32", "192 bits")):
        yield parse(f"{what}: the widths pass 64", f"{fields} {REST}", wide)
    for width, power in ((2**8 + 41, 8), (2**32 + 41, 32), (2**64 + 41, 64)):
        yield parse(f"a width of 2^{power} + 41 is too wide, never cut to 41",
                    f"timestamp:{width} worker:10 sequence:12 {REST}", wide, "wraparound")
    for text, what in ((f"timestamp:63 sequence:1 {REST}", "63 bits of 1 ms"),
                       (f"timestamp:62 sequence:1 tick=2ms {EPOCH}", "62 bits of 2 ms"),
                       (f"timestamp:54 sequence:10 tick=1s {EPOCH}", "54 bits of 1 s"),
                       ("timestamp:63 sequence:1 tick=1ms epoch=1970-01-01T00:00:00.000Z", "2^63 ms exactly")):
        yield parse(f"{what}: the end of the layout passes 2^63 - 1 ms", text, wide)
    for tick in (f"{2**63 - 1}ms", f"{2**64 + 1}ms", f"{2**64 // 1000 + 1}s"):
        yield parse(f"tick={tick}: the end passes 2^63 - 1 ms, and nothing is cut to 64 bits",
                    f"{FIELDS} tick={tick} {EPOCH}", wide, "wraparound")


def unknown_presets():
    for name in ("nope", "", " ", "Polyflake", "TWITTER", "twitter ", " twitter", "twitter\n", "snowflake", "default",
                 "constructor", "p" * 2000):
        yield named("an unknown preset", name, "unknown_preset")
    yield named("an embedded NUL does not end the name", "twitter\0", "unknown_preset", "embedded_nul")
    yield named("a full-width letter", "\uff54witter", "unknown_preset", "unicode")


def layout_text_cases():
    for cases in (good_texts, malformed_texts, too_wide_texts, unknown_presets):
        yield from cases()


# Codecs

def write(comment, codec, number):
    flags = "beyond_signed" if number >= 2**63 else ""
    pair = id_pair(number)
    text = pair["id" if codec == "decimal" else "hex"]
    return case("codec", comment, flags, {"op": "encode", "codec": codec, "input": pair, "expect": {"text": text}})


def read(comment, codec, text, error=None, flags=""):
    answer = outcome(error, lambda: id_pair(decode_text(codec, text)))
    flags += " beyond_signed" if int(answer.get("expect", {}).get("id", 0)) >= 2**63 else ""
    return case("codec", comment, flags, {"op": "decode", "codec": codec, "text": text, **answer})


def valid_ids():
    numbers = {"ten": 10, "2^32": 2**32, "2^53 - 1": 2**53 - 1, "2^53": 2**53, "2^53 + 1": 2**53 + 1,
               "10^18": 10**18, "2^63": 2**63, "10^19": 10**19, "2^64 - 2": 2**64 - 2}
    for name, number in numbers.items():
        for codec in ("decimal", "hex"):
            yield write(f"{name} as {codec}", codec, number)
            yield read(f"{name} from {codec}", codec, id_pair(number)["id" if codec == "decimal" else "hex"])
    yield write("2^64 - 1 as hex", "hex", 2**64 - 1)
    yield read("2^64 - 1 from hex", "hex", "f" * 16)


def published_texts():
    facts = published_facts()
    for fact in facts["vectors"]:
        number, known = int(fact["id"]), fact["expected"]
        for codec, key in (("decimal", "decimal"), ("hex", "big_endian_hex"), ("decimal", "decimal_unsigned")):
            if key in known:
                yield write(f"published: {fact['name']}, {codec}", codec, number)
                yield read(f"published: {fact['name']}, {codec}", codec, known[key])
        if "decimal_pad20" in known:
            yield read(f"published: {fact['name']}: padded with a leading zero, so not canonical", "decimal",
                       known["decimal_pad20"], "text_invalid", "non_canonical")
            yield read(f"published: {fact['name']}: without the zero", "decimal", known["decimal_pad20"].lstrip("0"))
        if "hex" in known:
            yield read(f"published: {fact['name']}: upper case is not canonical", "hex", known["hex"], "text_invalid",
                       "non_canonical")
    for fact in facts["invalid_text"]:
        if fact["codec"].startswith("decimal"):
            code = "text_invalid" if len(fact["input"]) > 20 else "id_out_of_range"
            yield read(f"published: {fact['must']}", "decimal", fact["input"], code)


def bad_decimals():
    for text in ("", " ", "\n", " 12", "12 ", "1 2", "12\n", "\n12", "12\r\n", "\t12", "+5", "-0", "-1", "- 1", "--1",
                 "1_000", "1,000", "1.0", "1.", ".5", "1e3", "1E3", "10n", "12L", "12u", "0x10", "0X10", "0b1", "0o7",
                 "ff", "NaN", "Infinity", "null", "ten", "'12'"):
        yield read(f"{text!r} is no canonical decimal", "decimal", text, "text_invalid")
    for text in ("00", "01", "007", "-01", "0" * 20, "0" * 19 + "1", "0" * 21):
        yield read("a leading zero", "decimal", text, "text_invalid", "non_canonical")
    for text, what in ((ARABIC, "Arabic digits"), (FULL_WIDTH, "full-width digits"),
                       ("\u0967\u0968", "Devanagari digits"),
                       ("\U0001d7d9\U0001d7da", "mathematical digits"), ("1\u00b2", "a superscript digit"),
                       ("\u221212", "a minus sign of Unicode"), ("\ufeff12", "a byte order mark"),
                       ("\u00a012", "a no-break space"), ("12\u2028", "a line separator"),
                       ("1\u200b2", "a zero-width space"),
                       ("\u0661" * 20, "20 Arabic digits")):
        yield read(what, "decimal", text, "text_invalid", "unicode")
    for text in ("12\0", "\x0012", "1\x002", "\0"):
        yield read("a NUL is a character like any other", "decimal", text, "text_invalid", "embedded_nul")
    for length in (21, 40, 1000, 5000):
        yield read(f"{length} digits are too long", "decimal", "1" * length, "text_invalid")
    for number, what in ((2**64 + 1, "2^64 + 1"), (2**64 + 9, "the largest with the digits of 2^64 / 10"),
                         (2**65, "2^65, 0 when cut to 64 bits"), (10 * 2**63, "10 * 2^63, 0 when cut to 64 bits"),
                         (2**64 + 2**32, "2^64 + 2^32"), (10**20 - 1, "the largest of 20 digits")):
        yield read(f"{what} is out of range", "decimal", str(number), "id_out_of_range", "wraparound")


def bad_hex():
    good = "00ab0000000cd0ef"
    for comment, text, flags in (
            ("empty", "", ""), ("one digit", "0", ""), ("15 digits", good[1:], ""), ("17 digits", "0" + good, ""),
            ("32 digits", good * 2, ""), ("a very long text", "0" * 5000, ""),
            ("upper case", good.upper(), "non_canonical"), ("one upper-case digit", good[:-1] + "F", "non_canonical"),
            ("a prefix of 0x and 16 digits", "0x" + good, "non_canonical"),
            ("a prefix of 0x within 16 characters", "0x" + good[2:], "non_canonical"),
            ("a minus sign", "-" + good[1:], ""), ("a plus sign", "+" + good[1:], ""),
            ("a blank in front", " " + good[1:], ""), ("a blank at the end", good[:-1] + " ", ""),
            ("a newline at the end", good[:-1] + "\n", ""), ("a newline after 16 digits", good + "\n", ""),
            ("16 blanks", " " * 16, ""), ("an underscore", good[:8] + "_" + good[9:], ""),
            ("a hyphen", good[:8] + "-" + good[9:], ""), ("the letter g", good[:-1] + "g", ""),
            ("the character after 9", good[:-1] + ":", ""), ("the character before 0", good[:-1] + "/", ""),
            ("the character before a", good[:-1] + "`", ""),
            ("16 decimal digits and a suffix", "1234567890123456n", ""),
            ("16 full-width digits", "\uff10" * 16, "unicode"), ("16 Arabic digits", "\u0660" * 16, "unicode"),
            ("8 Arabic digits, 16 bytes of UTF-8", "\u0660" * 8, "unicode"),
            ("a full-width letter", good[:-1] + "\uff46", "unicode"),
            ("a NUL at the end", good[:-1] + "\0", "embedded_nul"),
            ("a NUL after 16 digits", good + "\0", "embedded_nul"),
            ("16 NULs", "\0" * 16, "embedded_nul")):
        yield read(f"{comment}: not 16 lower-case hex digits", "hex", text, "text_invalid", flags)


def codec_cases():
    for cases in (valid_ids, published_texts, bad_decimals, bad_hex):
        yield from cases()
