"""Group `codec`, second part: every codec with its options, and the positions of what is refused."""

from cases_layout import published_facts
from model import case, id_pair
from model_codec import ALPHABETS, CHECKS, GREATEST, Fault, ModelCodec, digits_of

NUMBERS = {"0": 0, "1": 1, "36": 36, "37": 37, "2^32 - 1": 2**32 - 1, "2^53": 2**53, "2^63 - 1": 2**63 - 1, "2^63": 2**63,
           "2^64 - 2": 2**64 - 2, "2^64 - 1": GREATEST, "a tweet of 2022": 1541815603606036480}
PADDED = {"decimal": 20, "zbase32": 13, "base58-flickr": 11}


def answered(error, call):
    """`expect`, or `error` and perhaps `position`: the model's own answer, which must be of the kind its author meant."""
    try:
        answer = {"expect": call()}
    except Fault as fault:
        answer = {"error": fault.code, **({} if fault.position is None else {"position": fault.position})}
    assert answer.get("error") == error, f"meant {error}, the model says {answer}"
    return answer


def given(name, options):
    return {"codec": name, **({"options": options} if options else {})}


def write(comment, name, number, error=None, flags="", **options):
    answer = answered(error, lambda: {"text": ModelCodec(name, **options).encode(number)})
    return case("codec", comment, flags, {"op": "encode", **given(name, options), "input": id_pair(number), **answer})


def read(comment, name, text, error=None, flags="", **options):
    answer = answered(error, lambda: id_pair(ModelCodec(name, **options).decode(text)))
    return case("codec", comment, flags, {"op": "decode", **given(name, options), "text": text, **answer})


def made(comment, name, error=None, **options):
    def described():
        codec = ModelCodec(name, **options)
        return {"digits": codec.alphabet, "width": codec.width, "check": codec.check}

    return case("codec", comment, "", {"op": "make", **given(name, options), **answered(error, described)})


def both(comment, name, number, flags="", **options):
    yield write(f"{comment} as {name}", name, number, None, flags, **options)
    yield read(f"{comment} from {name}", name, ModelCodec(name, **options).encode(number), None, flags, **options)


def published_texts():
    """(codec, id, text, name of the fact)"""
    for fact in published_facts()["vectors"]:
        for name, key in (("crockford32", "crockford32"), ("base62", "base62_0-9A-Za-z_pad11"),
                          ("base58-flickr", "base58_flickr"), ("zbase32", "zbase32")):
            if key in fact["expected"]:
                yield name, int(fact["id"]), fact["expected"][key], fact["name"]


def makings():
    for name in ALPHABETS:
        yield made(f"{name} as it is", name)
        full = ModelCodec(name).full
        yield made(f"{name} as wide as the greatest id", name, width=full)
        yield made(f"{name} as wide as needed", name, width=0)
        yield made(f"{name} of one character", name, width=1)
        for width in (full + 1, -1, 2**31, 2**53 - 1, -(2**53) + 1):
            yield made(f"{name} has no width of {width}", name, "option_invalid", width=width)
        if name == "crockford32":
            yield made(f"{name} with a check symbol", name, check=True)
            yield made(f"{name} of 5 characters with a check symbol", name, width=5, check=True)
        else:
            yield made(f"{name} has no check symbol", name, "option_invalid", check=True)
        yield made(f"{name} without a check symbol, said", name, check=False)
    for name in ("", " ", "Base62", "BASE58", "base62 ", "base64", "base58_flickr", "crockford", "base62\0", "\u0431ase62"):
        yield made(f"there is no codec {name!r}", name, "option_invalid")


def numbers():
    known = {(name, number) for name, number, *_ in published_texts()}
    for name in ALPHABETS:
        for what, number in NUMBERS.items():
            if name not in ("decimal", "hex") and (name, number) not in known:
                yield from both(what, name, number, "beyond_signed" if number >= 2**63 else "")
            yield from both(f"{what}, as wide as needed,", name, number, width=0)
        if name in PADDED:
            yield from both("7, padded,", name, 7, width=PADDED[name])
            yield from both("2^64 - 1, padded,", name, GREATEST, width=PADDED[name])
    for number in range(32, 38):
        yield from both(f"{number} with its check symbol", "crockford32", number, check=True)
    for number in (2**63 - 1, GREATEST, 1541815603606036480):
        yield from both(f"{number} with its check symbol, as wide as needed,", "crockford32", number, width=0, check=True)
    yield write("the greatest id of 5 characters", "base62", 62**5 - 1, width=5)
    yield write("one that needs 6 characters has no room in 5", "base62", 62**5, "id_out_of_range", "wraparound", width=5)
    yield write("2^64 - 1 has no room in 19 digits", "decimal", GREATEST, "id_out_of_range", "wraparound", width=19)
    yield write("2 has no room in one bit less than it needs", "hex", 16, "id_out_of_range", "wraparound", width=1)


def spellings_of_crockford():
    text = ModelCodec("crockford32").encode(1541815603606036480)
    yield read("lower case reads as upper case", "crockford32", text.lower())
    for characters, meant in (("iIlL", "1"), ("oO", "0")):
        for character in characters:
            yield read(f"{character} reads as {meant}", "crockford32", "000000000000" + character)
            yield read(f"{character} in front reads as {meant}", "crockford32", character + "000000000001")
    yield read("O in front of more is a leading zero", "crockford32", "O1", "text_invalid", "non_canonical", width=0)
    yield read("a lower-case check symbol", "crockford32", ModelCodec("crockford32", None, True).encode(36).lower(), check=True)
    for character in "uU":
        yield read(f"{character} is no digit, only a check symbol", "crockford32", "000000000000" + character, "text_invalid")
    yield read("a hyphen is no part of an id", "crockford32", "0000-00000001", "text_invalid")
    good = ModelCodec("crockford32", None, True).encode(1541815603606036480)
    for symbol in CHECKS:
        if symbol != good[-1]:
            yield read(f"{symbol} is the check symbol of another id", "crockford32", good[:-1] + symbol, "text_invalid",
                       check=True)
    for at in (0, 5, 12):
        other = good[:at] + ("1" if good[at] != "1" else "2") + good[at + 1:]
        yield read(f"a wrong character at {at} is found by the check symbol", "crockford32", other, "text_invalid", check=True)
    yield read("two neighbours changed places", "crockford32", good[:3] + good[4] + good[3] + good[5:], "text_invalid", check=True)
    yield read("no check symbol where one is due", "crockford32", good[:-1], "text_invalid", check=True)
    yield read("a check symbol where none is due", "crockford32", good, "text_invalid")
    for text in ("", "0", "*"):
        yield read(f"{text!r} is no id with a check symbol, whatever its width", "crockford32", text, "text_invalid", width=0,
                   check=True)
    yield read("a check symbol that is none", "crockford32", good[:-1] + "#", "text_invalid", check=True)
    yield read("2^64 with a check symbol", "crockford32", "G000000000000" + CHECKS[2**64 % 37], "id_out_of_range", "wraparound",
               check=True)


def overflows():
    for name, alphabet in ALPHABETS.items():
        width = ModelCodec(name).full
        for number, what in ((2**64, "2^64"), (2**64 + 1, "2^64 + 1"), (2**64 + 2**32, "2^64 + 2^32"), (2**65, "2^65"),
                             (len(alphabet) ** width - 1, "the greatest of as many digits")):
            if name == "hex" or len(digits_of(number, alphabet)) > width:
                continue
            yield read(f"{what} in {name}", name, digits_of(number, alphabet), "id_out_of_range", "wraparound", width=width)
            yield read(f"{what} in {name}, as wide as needed", name, digits_of(number, alphabet), "id_out_of_range",
                       "wraparound", width=0)
        yield read(f"2^64 in {name}, with a digit too many in front", name, alphabet[0] + digits_of(2**64, alphabet),
                   "text_invalid", width=0)
    yield read("two more than 2^64 - 1 in base62", "base62", "LygHa16AHYH", "id_out_of_range", "wraparound peer_failure")
    yield read("2^64 in crockford32", "crockford32", "G000000000000", "id_out_of_range", "wraparound peer_failure")


def refusals():
    for name, alphabet in ALPHABETS.items():
        good = ModelCodec(name, width=ModelCodec(name).full).encode(1541815603606036480)
        width = len(good)
        outside = next(c for c in "-!" if c not in alphabet)
        for comment, text, flags in (
                ("empty", "", ""), ("a blank", " ", ""), ("blanks", " " * width, ""), ("a minus sign", "-" + good[1:], ""),
                ("a plus sign", "+" + good[1:], ""), ("a blank in front", " " + good[1:], ""),
                ("a blank at the end", good[:-1] + " ", ""), ("a newline after it", good + "\n", ""),
                ("one character less", good[1:], ""), ("one character more", good + alphabet[1], ""),
                ("a very long text", alphabet[1] * 5000, ""), ("a character of no alphabet in the middle",
                                                              good[:5] + outside + good[6:], ""),
                ("a NUL at the end", good[:-1] + "\0", "embedded_nul"), ("a NUL after it", good + "\0", "embedded_nul"),
                ("a NUL in front", "\0" + good[1:], "embedded_nul"),
                ("Arabic digits", "\u0661" * width, "unicode"), ("full-width digits", "\uff11" * width, "unicode"),
                ("a full-width digit at the end", good[:-1] + "\uff11", "unicode"),
                ("an e with an accent", good[:3] + "\u00e9" + good[4:], "unicode"),
                ("a character of four bytes", good[:2] + "\U0001f600" + good[6:], "unicode"),
                ("a byte order mark in front", "\ufeff" + good, "unicode")):
            yield read(f"{comment}: no {name} of {width} characters", name, text, "text_invalid", flags, width=width)
        for comment, text in (("empty", ""), ("a leading zero", alphabet[0] + alphabet[1]), ("two zeros", alphabet[0] * 2),
                              ("a character too many", alphabet[1] * (width + 1)),
                              ("a sign", "-" + alphabet[1]), ("a blank after it", alphabet[1] + " ")):
            yield read(f"{comment}: no {name} as wide as needed", name, text, "text_invalid", width=0)
    for name, text in (("hex", "00AB0000000CD0EF"), ("base36", "000000000000Z"), ("zbase32", "Y"), ("base58", "1111111111l"),
                       ("base58", "1111111111I"), ("base58", "1111111111O"), ("base58", "11111111110"),
                       ("base58-flickr", "l"), ("base58-flickr", "0"), ("zbase32", "l"), ("zbase32", "v"), ("zbase32", "2")):
        yield read(f"{text!r} has a character that {name} leaves out", name, text, "text_invalid", "non_canonical")


def published():
    for name, number, text, fact in published_texts():
        assert ModelCodec(name).encode(number) == text, fact
        yield write(f"published: {fact}, {name}", name, number)
        yield read(f"published: {fact}, {name}", name, text)


def spellings_of_check_symbols():
    """Crockford's table reads the symbols 0 to 31 as it reads digits."""
    for symbol, number in (("O", 0), ("o", 0), ("I", 1), ("i", 1), ("L", 1), ("l", 1), ("O", 37), ("l", 38), ("a", 10), ("z", 31)):
        text = ModelCodec("crockford32").encode(number) + symbol
        yield read(f"{symbol} as the check symbol of {number}", "crockford32", text, check=True)
    yield read("O as a check symbol, as wide as needed", "crockford32", "0O", width=0, check=True)
    yield read("digits and the check symbol in other spellings", "crockford32", "OOOOOOOOOOOIOO", "text_invalid", check=True)
    yield read("every character in another spelling", "crockford32", "oOoOoOoOoOoOlL", check=True)
    for symbol in "OoIiLl":
        yield read(f"{symbol} is the check symbol of another id", "crockford32", "0000000000002" + symbol, "text_invalid",
                   check=True)


def foreign_check_symbols():
    """Refused where they stand: their bytes are no further characters."""
    for symbol in "\u00e9\u20ac\U0001f600":
        for text, options in (("00001JNG2893N", {}), ("7ZZZZZZZZZZZZ", {"width": 0}), ("1", {"width": 0})):
            yield read(f"U+{ord(symbol):04X} is no check symbol, behind {text}", "crockford32", text + symbol, "text_invalid",
                       check=True, **options)


def codec_option_cases():
    for cases in (makings, numbers, spellings_of_crockford, overflows, refusals, published):
        yield from cases()
