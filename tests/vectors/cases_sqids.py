"""Groups `sqids` and `hashids`: published texts first, then all 64 bits, options, and the positions of what is refused."""

import functools
import json

from cases_codec import answered
from model import case
from model_codec import GREATEST, Fault, digits_of
from model_sqids import (
    DEFAULT_BLOCKLIST,
    FACTS,
    HASHIDS_ALPHABET,
    MOST_IDS,
    PRINTABLE,
    SQIDS_ALPHABET,
    ModelHashids,
    ModelSqids,
)

MODELS = {"sqids": ModelSqids, "hashids": ModelHashids}
ALL = "".join(PRINTABLE)
SALTED = {"salt": "this is my salt"}
LISTS = {
    "0": [0], "2^32": [2**32], "2^53 - 1": [2**53 - 1], "2^53": [2**53], "2^53 + 1": [2**53 + 1], "2^63 - 1": [2**63 - 1],
    "2^63": [2**63], "2^64 - 2": [2**64 - 2], "2^64 - 1": [GREATEST], "a tweet of 2022": [1541815603606036480],
    "three of the greatest": [GREATEST] * 3, "five zeros": [0] * 5, "the greatest between zeros": [0, GREATEST, 0],
    "every second bit, and the others": [0x5555555555555555, 0xAAAAAAAAAAAAAAAA],
    "twelve ids around 2^63": list(range(2**63 - 6, 2**63 + 6)),
}
BLOCKED = (79296, 130208, 630374, 1013546, 2488144, 4572721)  # of their first texts, each has a word of the default blocklist
BEYOND_ASCII = ("\u00e9", "\u0661", "\uff21", "\U0001f600", "\ufeff", "\u0430")


def once(cases):
    """A function with the same cases, but of those that say the same only the first."""

    @functools.wraps(cases)
    def distinct():
        seen = set()
        for group, test in cases():
            said = json.dumps({key: value for key, value in test.items() if key not in ("comment", "flags")})
            if said not in seen:
                seen.add(said)
                yield group, test

    return distinct


@functools.cache
def model_by(kind, options):
    return MODELS[kind](**json.loads(options))


def model_of(kind, options):
    return model_by(kind, json.dumps(options))


def ids_of(ids):
    return {"ids": [str(number) for number in ids]}


def given(options):
    return {"options": options} if options else {}


def write(kind, comment, ids, error=None, flags="", **options):
    answer = answered(error, lambda: {"text": model_of(kind, options).encode(ids)})
    flags = (flags + (" beyond_signed" if any(number >= 2**63 for number in ids) else "")).strip()
    return case(kind, comment, flags, {"op": "encode", **given(options), **ids_of(ids), **answer})


def read(kind, comment, text, error=None, flags="", **options):
    answer = answered(error, lambda: ids_of(model_of(kind, options).decode(text)))
    return case(kind, comment, flags, {"op": "decode", **given(options), "text": text, **answer})


def made(kind, comment, error=None, flags="", **options):
    def described():
        model = model_of(kind, options)
        return {"alphabet": options.get("alphabet", {"sqids": SQIDS_ALPHABET, "hashids": HASHIDS_ALPHABET}[kind]),
                "min_length": model.min_length}

    return case(kind, comment, flags, {"op": "make", **given(options), **answered(error, described)})


def published(kind):
    for fact in FACTS[kind]:
        ids, options, source = [int(number) for number in fact["ids"]], fact["options"], f"published: {fact['test']}"
        model = model_of(kind, options)
        assert model.decode(fact["text"]) == ids, fact
        yield read(kind, f"{source}: {fact['text']!r}", fact["text"], **options)
        if not fact.get("only_read"):
            assert model.encode(ids) == fact["text"], fact
            yield write(kind, f"{source}: {fact['ids']}", ids, **options)


def makings(kind, fewest, most):
    yield made(kind, "all as it is by default")
    yield made(kind, "as short an alphabet as there is", alphabet=ALL[33:33 + fewest])
    yield made(kind, "every printable character", alphabet=ALL)
    for length in (1, 255, most):
        yield made(kind, f"texts of at least {length}", min_length=length)
    for length in (-1, most + 1, 2**31, 2**32, 2**53 - 1, -(2**53) + 1):
        yield made(kind, f"no texts of at least {length}", "option_invalid", min_length=length)
    for comment, alphabet, flags in (
            ("empty", "", ""), ("one character too short", ALL[33:32 + fewest], ""),
            ("the first character again at the end", SQIDS_ALPHABET + "a", "non_canonical"),
            ("a character twice in a row", "aab" + SQIDS_ALPHABET[3:], "non_canonical"),
            ("long enough, but not without what is repeated", ALL[33:32 + fewest] + "A", "non_canonical"),
            ("a NUL", SQIDS_ALPHABET + "\0", "embedded_nul"), ("a newline", "\n" + SQIDS_ALPHABET, ""),
            ("the character 127", SQIDS_ALPHABET + "\x7f", "")):
        yield made(kind, f"alphabet: {comment}", "option_invalid", flags, alphabet=alphabet)
    for character in BEYOND_ASCII:
        yield made(kind, f"alphabet: {character!r} is not ASCII", "option_invalid", "unicode", alphabet=character + SQIDS_ALPHABET)


def all_bits(kind, *choices):
    for options in choices:
        for comment, ids in LISTS.items():
            yield write(kind, f"{comment}, with {options}", ids, **options)
            yield read(kind, f"{comment} again, with {options}", model_of(kind, options).encode(ids),
                       flags="beyond_signed" if max(ids) >= 2**63 else "", **options)


def counts(kind, **options):
    most = [1] * MOST_IDS
    yield write(kind, f"{MOST_IDS} ids", most, **options)
    yield write(kind, "one id too many", [*most, 1], "option_invalid", **options)


def foreign(kind, good, outside, **options):
    for character in (outside, " ", "\n", "\0", *BEYOND_ASCII):
        flags = {"\0": "embedded_nul"}.get(character, "" if character.isascii() else "unicode")
        for at in (0, 1, len(good) // 2, len(good)):
            yield read(kind, f"{character!r} at {at} is not of the alphabet", good[:at] + character + good[at:], "text_invalid",
                       flags, **options)
    for text in (outside, " ", "\0", " " + good, good + " ", "+" + good, "-1"):
        yield read(kind, f"{text!r} is no text", text, "text_invalid", **options)
    yield read(kind, "a long text of another alphabet", outside * 3000, "text_invalid", **options)
    yield read(kind, "the first of two faults counts", good[:2] + outside + good[2:] + "\u00e9", "text_invalid", "unicode", **options)


def code_of_refusal(model, text):
    try:
        model.decode(text)
    except Fault as fault:
        return fault.code
    return None


def mistakes(kind, good, alphabet, **options):
    """One character wrong, missing, too many or in the place of its neighbour: nearly each is found."""
    model = model_of(kind, options)
    for at in range(len(good)):
        other = alphabet[(alphabet.index(good[at]) + 1) % len(alphabet)]
        for comment, text in (("another character", good[:at] + other + good[at + 1:]), ("no character", good[:at] + good[at + 1:]),
                              ("a character twice", good[:at] + good[at] + good[at:]),
                              ("neighbours changed", good[:at] + good[at + 1:at + 2] + good[at] + good[at + 2:])):
            if code := code_of_refusal(model, text):
                yield read(kind, f"{comment} at {at}: {text!r}", text, code, **options)


def swapped_case(kind, good, **options):
    yield read(kind, "letters of the other case", good.swapcase(), "text_invalid", **options)


def with_number(digits, offset=0):
    """A Sqids text of one number, given by its value in digits, whatever its size; and its position of the last digit."""
    front, characters = ModelSqids().turned(offset)
    return front + digits_of(digits, characters[1:])


def sqids_overflows():
    for number, comment in ((2**64, "2^64"), (2**64 + 1, "2^64 + 1"), (2**65, "2^65"), (2**96, "2^96"), (61**11 - 1, "61^11 - 1"),
                            (2**640, "2^640")):
        for offset in (0, 17, 61):
            yield read("sqids", f"{comment} from offset {offset}", with_number(number, offset), "id_out_of_range", "wraparound")
    model = ModelSqids(alphabet="abc", blocklist=[])
    front, characters = model.turned(1)
    yield read("sqids", "2^64 in two digits", front + digits_of(2**64, characters[1:]), "id_out_of_range", "wraparound",
               alphabet="abc", blocklist=[])
    good = ModelSqids().encode([1, GREATEST])
    yield read("sqids", "the second id grows by a digit", good + good[-1], "id_out_of_range", "wraparound")


def sqids_retries():
    ids, size = [4572721], len(SQIDS_ALPHABET)
    model = ModelSqids(blocklist=[])
    texts = [model.attempt(ids, model.offset(ids) + retry) for retry in range(size)]
    for retry, text in enumerate(texts):
        if retry == 0:
            yield read("sqids", "the first text of an id", text, blocklist=[])
        else:
            yield read("sqids", f"nothing was blocked, so there was no retry {retry}", text, "text_invalid", "non_canonical",
                       blocklist=[])
    for blocked in (1, 2, 7):
        words = texts[:blocked]
        yield write("sqids", f"{blocked} texts are blocked", ids, blocklist=words)
        for retry in range(blocked + 1):
            yield read("sqids", f"{blocked} texts are blocked: retry {retry} could be", texts[retry], blocklist=words)
        yield read("sqids", f"{blocked} texts are blocked: a retry more could not be", texts[blocked + 1], "text_invalid",
                   "non_canonical", blocklist=words)
    yield read("sqids", "the second is blocked, but not the first", texts[2], "text_invalid", "non_canonical", blocklist=[texts[1]])
    yield write("sqids", "only the last text is not blocked", ids, blocklist=texts[:-1])
    yield write("sqids", "every text is blocked", ids, "option_invalid", blocklist=texts)
    yield write("sqids", "published: blocklist: max encoding attempts", [0], "option_invalid", alphabet="abc", min_length=3,
                blocklist=["cab", "abc", "bca"])
    for text in texts[:2]:
        yield read("sqids", "every text is blocked, and read", text, blocklist=texts)


def sqids_words():
    number = 1541815603606036512  # one digit, in the middle
    text = ModelSqids(blocklist=[]).encode([number])
    letters = next(text[at:at + 4] for at in range(1, len(text) - 4) if text[at:at + 4].isalpha())
    digit = next(at for at, character in enumerate(text) if character.isdigit() and 3 < at < len(text) - 4)
    three = ModelSqids(blocklist=[]).encode([1000])
    for comment, word, ids in (
            ("letters in the middle", letters, None), ("letters in capitals", letters.upper(), None),
            ("three letters, of a longer text", letters[:3], None), ("letters that are not there", "qqqqq", None),
            ("a digit at the begin", text[:digit + 1], None), ("a digit at the end", text[digit:], None),
            ("a digit in the middle", text[digit - 2:digit + 2], None), ("the whole text", text, None),
            ("the text and more", text + "a", None), ("a character that is not of the alphabet", letters[:3] + "-", None),
            ("no ASCII", letters[:3] + "\u00e9", None), ("an empty word", "", None), ("two characters", text[:2], None),
            ("a capital that no ASCII letter has", letters[:3] + "\u212a", None),
            ("a text of three", three, [1000]), ("a text of three in capitals", three.upper(), [1000]),
            ("a part of a text of three", three[:2], [1000])):
        yield write("sqids", f"blocked: {comment}: {word!r}", ids or [number], blocklist=[word])
    yield write("sqids", "a word written small for an alphabet of capitals", [1, 2, 3], alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                blocklist=["xnzk"])
    for number in BLOCKED:
        yield write("sqids", f"the default blocklist has the first text of {number}", [number])
        first = ModelSqids(blocklist=[]).encode([number])
        assert first != ModelSqids().encode([number])
        yield read("sqids", f"the first text of {number}, written without the default blocklist", first)


def sqids_filling():
    ids, size = [1, 2, 3], 20
    good, bare = ModelSqids(min_length=size).encode(ids), ModelSqids().encode(ids)
    yield read("sqids", "not filled up", bare, "text_invalid", "non_canonical", min_length=size)
    yield read("sqids", "filled up for another length", good, "text_invalid", "non_canonical", min_length=size - 1)
    yield read("sqids", "filled up, where texts are not", good, "text_invalid", "non_canonical")
    yield read("sqids", "filled up too little", good[:-1], "text_invalid", "non_canonical", min_length=size)
    yield read("sqids", "filled up too much", good + "a", "text_invalid", "non_canonical", min_length=size)
    yield read("sqids", "the separator alone fills it up", ModelSqids(min_length=7).encode(ids), min_length=7)
    yield read("sqids", "a separator at the end", ModelSqids(min_length=7).encode(ids), "text_invalid", "non_canonical")
    yield read("sqids", "as long as asked for by itself", bare, min_length=len(bare))
    yield from mistakes("sqids", good, SQIDS_ALPHABET, min_length=size)
    for lists in ([0], [0, 0, 0, 0, 0], list(range(1, 11)), [100, 200, 300], [1000, 2000, 3000], [1000000], [2**53 - 1], [2**63 - 1]):
        for length in (0, 1, 5, 10, 62):
            yield write("sqids", f"published: minlength: min lengths: {lists} in {length}", lists, min_length=length)


def sqids_structure():
    front, characters = ModelSqids().turned(5)
    separator, zero, one = characters[0], characters[1], characters[2]
    for comment, text in (("a first letter alone", front), ("no id before the separator", front + separator),
                          ("no id before two separators", front + separator * 2), ("no first id", front + separator + one),
                          ("a leading zero", front + zero + one), ("two zeros", front + zero * 2),
                          ("thousands of zeros", front + zero * 3000), ("no id behind a separator", front + one + separator + ModelSqids.shuffled(characters)[0] * 3000)):
        yield read("sqids", comment, text, "text_invalid", "non_canonical")
    model = ModelSqids(blocklist=[])
    text = model.encode([1] * MOST_IDS)
    _, characters = model.turned(model.alphabet.index(text[0]))
    for _ in range(MOST_IDS - 1):
        characters = model.shuffled(characters)
    more = text + characters[0] + model.shuffled(characters)[1]
    yield read("sqids", "one id too many", more, "text_invalid", blocklist=[])
    yield case("sqids", "the words of the default blocklist", "", {"op": "default_blocklist", "expect": {"words": DEFAULT_BLOCKLIST}})


@once
def sqids_cases():
    yield from published("sqids")
    yield read("sqids", "published: encoding: decoding an ID with an invalid character", "*", "text_invalid")
    yield from makings("sqids", 3, 255)
    for comment, ids, options in (
            ("alphabet: short alphabet", [1, 2, 3], {"alphabet": "abc"}),
            ("alphabet: long alphabet", [1, 2, 3], {"alphabet": SQIDS_ALPHABET + "!@#$%^&*()-_+|{}[];:'\"/?.>,<`~"}),
            ("encoding: different inputs", [0, 0, 0, 1, 2, 3, 100, 1000, 100000, 1000000, 2**53 - 1], {}),
            ("encoding: multi input", list(range(100)), {}),
            ("blocklist: match against a short blocklist word", [1000], {"blocklist": ["pnd"]})):
        yield write("sqids", f"published: {comment}", ids, **options)
    yield from all_bits("sqids", {}, {"alphabet": "abc"}, {"alphabet": ALL, "min_length": 30}, {"min_length": 255})
    yield from counts("sqids", blocklist=[])
    good = ModelSqids().encode([1541815603606036480])
    yield from foreign("sqids", good, "-")
    yield from mistakes("sqids", good, SQIDS_ALPHABET)
    yield from swapped_case("sqids", good)
    for cases in (sqids_overflows, sqids_retries, sqids_words, sqids_filling, sqids_structure):
        yield from cases()


def hashids_salts():
    for salt in ("", " ", "x", "   ", "this is my salt", "This is my salt", "s" * 44, "s" * 62, "s" * 5000, "a\0b", ALL,
                 "\u043a\u043b\u044e\u0447", "\U0001f600 \u5bc6\u94a5 \u00e9", "\ud7ff\ue000\uffff\U00010000\U0010ffff"):
        flags = "embedded_nul" if "\0" in salt else "" if salt.isascii() else "unicode"
        for ids in ([1, 2, 3], [GREATEST, 7]):
            yield write("hashids", f"salt {salt[:40]!r}", ids, flags=flags, salt=salt)
    good = ModelHashids(**SALTED).encode([683, 94108, 123, 5])
    yield read("hashids", "the text of another salt", good, "text_invalid", salt="this is my pepper")
    yield read("hashids", "the text of a salt, without", good, "text_invalid")


def hashids_filling():
    ids = [1, 2, 3]
    bare = ModelHashids(**SALTED).encode(ids)
    for length in range(len(bare), len(bare) + 6):
        yield write("hashids", f"texts of at least {length}", ids, min_length=length, **SALTED)
        yield read("hashids", f"not filled up to {length + 1}", ModelHashids(**SALTED, min_length=length).encode(ids), "text_invalid",
                   "non_canonical", min_length=length + 1, **SALTED)
    good = ModelHashids(**SALTED, min_length=30).encode(ids)
    for comment, text, length in (("filled up, where texts are not", good, 0), ("filled up for another length", good, 29),
                                  ("filled up too little", good[:-1], 30), ("filled up too much", good + "a", 30)):
        yield read("hashids", comment, text, "text_invalid", "non_canonical", min_length=length, **SALTED)
    for length in (0, 1, 10, 999, 1000):
        yield write("hashids", f"published: min-length.test.ts: {length}", ids, min_length=length)


def hashids_structure():
    model = ModelHashids()
    guards, separators, digits = model.guards, model.separators, model.digits
    first = model.encode([1])
    for comment, text in (
            ("a guard alone", guards[0]), ("two guards", guards[0] + guards[1]), ("three guards", guards[0] * 3),
            ("a guard more than there can be", guards[0] + first + guards[1] + digits[0] + guards[2]),
            ("nothing behind a guard", first + guards[0]), ("a guard in front of a text that needs none", guards[0] + first),
            ("a lottery letter alone", digits[0]), ("a separator alone", separators[0]), ("separators alone", separators[0] * 3),
            ("a separator at the end", first + separators[0]), ("a separator in front", separators[0] + first),
            ("no id between separators", first + separators[0] * 2 + first[1:]),
            ("the lottery letter of another text", digits[(digits.index(first[0]) + 1) % len(digits)] + first[1:]),
            ("a leading zero", first[0] + model.next_digits(digits, first[0])[0] + first[1:]),
            ("a thousand separators", first + separators[0] * 1000)):
        yield read("hashids", comment, text, "text_invalid", "non_canonical")
    most = model.encode([1] * MOST_IDS)
    yield read("hashids", "one id too many", most + separators[0] + most[-1], "text_invalid")
    yield read("hashids", "many ids too many", digits[0] + (separators[0] + digits[1]) * 3000, "text_invalid")


def hashids_overflows():
    for fact in FACTS["hashids_above_64_bits"]:
        yield read("hashids", f"published: {fact['test']}, a number beyond 64 bits: {fact['text']}", fact["text"], "id_out_of_range",
                   "wraparound", **fact["options"])
    model = ModelHashids()
    for number, comment in ((2**64, "2^64"), (2**64 + 1, "2^64 + 1"), (2**65, "2^65"), (2**640, "2^640")):
        for at in (0, 21):
            lottery = model.digits[at]
            text = lottery + digits_of(number, model.next_digits(model.digits, lottery))
            yield read("hashids", f"{comment} with the lottery letter {lottery}", text, "id_out_of_range", "wraparound")


@once
def hashids_cases():
    yield from published("hashids")
    yield from makings("hashids", 16, 1024)
    for comment, alphabet in (("too small", "abcdefghijklmno"), ("too small, with repeated characters", "abcdecfghijklbmnoa"),
                              ("too small, bad-input.test.ts", "1234567890"), ("as in the test of 2.3.0, but repeated", "abdegjklCFHISTUcc")):
        yield made("hashids", f"published: an alphabet that is {comment}", "option_invalid", alphabet=alphabet)
    for comment, alphabet in (("the worst", "cCsSfFhHuUiItT01"), ("with a blank", "cCsSfFhH uUiItT01"),
                              ("half separators", "abdegjklCFHISTUc"), ("two separators", "abdegjklmnopqrSF"),
                              ("super long", HASHIDS_ALPHABET + "`~!@#$%^&*()-_=+\\|'\";:/?.>,<{[}]"),
                              ("weird", "`~!@#$%^&*()-_=+\\|'\";:/?.>,<{[}]")):
        yield write("hashids", f"published: custom-alphabet.test.ts: {comment}", [1, 2, 3], alphabet=alphabet)
    yield from all_bits("hashids", {}, SALTED, {"alphabet": "cCsSfFhHuUiItT01", "salt": "short"}, {"alphabet": ALL, "min_length": 40})
    yield from counts("hashids")
    good = ModelHashids(**SALTED).encode([1541815603606036480])
    yield from foreign("hashids", good, "-", **SALTED)
    yield from mistakes("hashids", good, HASHIDS_ALPHABET, **SALTED)
    yield from swapped_case("hashids", good, **SALTED)
    for cases in (hashids_salts, hashids_filling, hashids_structure, hashids_overflows):
        yield from cases()
