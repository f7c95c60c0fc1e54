"""Group `objectid`: ids of 12 bytes as text, what they are made of, and ranges of time."""

from cases_codec import answered
from model import case
from model_kinds import decode_object_id, edge_object_id, object_id_text, parse_object_id

PUBLISHED = "507f1f77bcf86cd799439011"  # the example of MongoDB's own pages
SECONDS = 1350508407
END_MS = 2**32 * 1000


def i(op, comment, given, answer, flags=""):
    return case("objectid", comment, flags, {"op": op, **given, **answer})


def parse(comment, text, error=None, flags=""):
    return i("parse", comment, {"text": text}, answered(error, lambda: {"hex": parse_object_id(text)}), flags)


def decode(comment, text, error=None, flags=""):
    return i("decode", comment, {"text": text}, answered(error, lambda: decode_object_id(text)), flags)


def edges(time_ms, what, error=None, flags=""):
    for op in ("first_id", "last_id"):
        answer = answered(error, lambda: {"text": edge_object_id(time_ms, op == "last_id")})
        yield i(op, f"{op} of {what}", {"time_ms": str(time_ms)}, answer, flags)


def parse_cases():
    for text, what in ((PUBLISHED, "the example of MongoDB's own pages"), ("0" * 24, "all bits 0"), ("f" * 24, "all bits 1"),
                       ("0123456789abcdef01234567", "every digit"), ("1" * 24, "decimal digits alone"), ("a" * 24, "letters alone")):
        yield parse(what, text)
    for text, what in (("", "nothing"), ("5", "one digit"), (PUBLISHED[:-1], "23 digits"), (PUBLISHED + "0", "25 digits"),
                       (PUBLISHED[:12], "12 digits"), ("polyflake-id", "12 characters, which a driver takes for 12 bytes"),
                       (PUBLISHED + "00000000", "32 digits"), (PUBLISHED * 200, "thousands of digits"),
                       (PUBLISHED[:-1] + "g", "g at the end"), ("g" + PUBLISHED[1:], "g in front"),
                       (PUBLISHED[:8] + "/" + PUBLISHED[9:], "the character before 0"),
                       (PUBLISHED[:18] + ":" + PUBLISHED[19:], "the character after 9"),
                       (PUBLISHED[:9] + "`" + PUBLISHED[10:], "the character before a"),
                       ("0x" + PUBLISHED[2:], "0x"), ("+" + PUBLISHED[1:], "a sign"), ("-" + PUBLISHED[1:], "a minus sign"),
                       (" " + PUBLISHED, "a blank before"), (PUBLISHED + " ", "a blank behind"), (" " + PUBLISHED[1:], "a blank for a digit"),
                       (PUBLISHED + "\n", "a line feed behind"), (PUBLISHED[:8] + "_" + PUBLISHED[9:], "an underscore"),
                       (PUBLISHED[:8] + "-" + PUBLISHED[8:18] + "-" + PUBLISHED[18:], "hyphens"),
                       ("018bcfe5-6800-7000-8100-000000000000", "a UUID")):
        yield parse(f"{what}: no id of 12 bytes", text, "text_invalid")
    for text, what in ((PUBLISHED.upper(), "upper case"), (f'ObjectId("{PUBLISHED}")', "as the shell prints it"),
                       (f'"{PUBLISHED}"', "quotes"), *((PUBLISHED[:23] + letter, f"one {letter}") for letter in "AF")):
        yield parse(f"{what}: not the one spelling", text, "text_invalid", "non_canonical")
    for text, what in ((PUBLISHED[:5] + "\uff11" + PUBLISHED[6:], "a full-width digit"), (PUBLISHED[:23] + "\u0661", "an Arabic digit"),
                       (PUBLISHED[:23] + "\u0430", "a Cyrillic a"), (PUBLISHED[:22] + "\u00e9", "24 bytes"),
                       ("\ufeff" + PUBLISHED, "a byte order mark"), (PUBLISHED + "\u200b", "a space of no width"),
                       (PUBLISHED[:20] + "\U0001d7d8" * 4, "digits beyond 16 bits")):
        yield parse(f"{what}: no digits of an id", text, "text_invalid", "unicode")
    yield parse("a NUL behind", PUBLISHED + "\0", "text_invalid", "embedded_nul")
    yield parse("a NUL inside", PUBLISHED[:10] + "\0" + PUBLISHED[11:], "text_invalid", "embedded_nul")


def decode_cases():
    assert object_id_text(SECONDS, 0xBCF86CD799, 4427793) == PUBLISHED
    yield decode("the example of MongoDB's own pages", PUBLISHED)
    for seconds, what in ((0, "second 0"), (1, "second 1"), (2**31 - 1, "the last second of 31 bits"), (2**31, "seconds are unsigned"),
                          (2**32 - 1, "the last second of 32 bits"), (256, "seconds are big endian")):
        yield decode(what, object_id_text(seconds, 0xBCF86CD799, 4427793), flags="wraparound" if seconds >= 2**31 else "")
        yield decode(f"{what}, and nothing else", object_id_text(seconds, 0, 0), flags="wraparound" if seconds >= 2**31 else "")
    for process in (1, 255, 2**32, 2**39, 2**40 - 1):
        yield decode(f"process {process:010x}", object_id_text(SECONDS, process, 0))
    for counter in (1, 255, 256, 2**16, 2**23 - 1, 2**23, 2**24 - 1):
        yield decode(f"counter {counter}", object_id_text(SECONDS, 0, counter))
    yield decode("all bits 1", "f" * 24, flags="wraparound")


def edge_cases():
    for time_ms, what in ((0, "1970"), (999, "999 ms after 1970"), (1000, "second 1"), (SECONDS * 1000, "a whole second"),
                          (SECONDS * 1000 + 1, "1 ms after a whole second"), (SECONDS * 1000 + 999, "1 ms before the next"),
                          (2**31 * 1000 - 1, "the last ms of 31 bits"), (2**31 * 1000, "the first second beyond 31 bits"),
                          (END_MS - 1000, "the last second"), (END_MS - 1, "the last ms")):
        yield from edges(time_ms, what, flags="wraparound" if time_ms >= 2**31 * 1000 else "")
    for time_ms, what, flags in ((-1, "the ms before 1970", "rounding"), (-1000, "the second before 1970", ""),
                                 (-END_MS, "long before 1970", "wraparound"), (END_MS, "the ms after the last", "wraparound"),
                                 (END_MS + SECONDS * 1000, "32 bits with more above", "wraparound")):
        yield from edges(time_ms, what, "field_out_of_range", flags)


def objectid_cases():
    for cases in (parse_cases, decode_cases, edge_cases):
        yield from cases()
