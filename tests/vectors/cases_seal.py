"""Group `seal`: private ids, by one seal or by a ring of them."""

from cases_codec import answered
from model import case, id_pair
from model_codec import ALPHABETS
from model_seal import ModelRing, ModelSeal, check_published, full_width, published

BYTES = bytes(range(256))
KEYS = {size: BYTES[size : 2 * size] for size in (16, 24, 32)}
KEY = KEYS[32]
TWEAK_LENGTHS = (0, 1, 2, 5, 10, 11, 12, 26, 27, 28, 43, 44, 254, 255)
NUMBERS = {"0": 0, "1": 1, "2^32 - 1": 2**32 - 1, "2^32": 2**32, "2^53": 2**53, "2^63 - 1": 2**63 - 1,
           "a tweet of 2022": 1541815603606036480}
BEYOND = {"2^63": 2**63, "2^64 - 1": 2**64 - 1}
SIGN = 2**63


def options(key=KEY, tweak=None, bits=None, key_id=None):
    """As they stand in a test: what is missing is not passed. A tweak is a text, or bytes."""
    given = {"key": key.hex()}
    if isinstance(tweak, bytes):
        given["tweak_hex"] = tweak.hex()
    elif tweak is not None:
        given["tweak"] = tweak
    return {**given, **({} if bits is None else {"bits": bits}), **({} if key_id is None else {"key_id": key_id})}


def modelled(given):
    tweak = given["tweak"].encode() if "tweak" in given else bytes.fromhex(given.get("tweak_hex", ""))
    return ModelSeal(bytes.fromhex(given["key"]), tweak, given.get("bits", 63), given.get("key_id"))


def model_of(made):
    return modelled(made["seal"]) if "seal" in made else ModelRing([modelled(given) for given in made["ring"]])


def one(**given):
    return {"seal": options(**given)}


def ring(*seals):
    return {"ring": [options(**given) for given in seals]}


def s(comment, made, op, given, error=None, flags="", codec=None, key_id=()):
    """One test. `given` is a number, or the text of a decode; `key_id` goes to the unseal of a ring."""
    what = {"text": given} if op == "decode" else {"input": id_pair(given)}

    def call():
        model = model_of(made)
        name = "base62" if codec is None else codec
        if op in ("seal", "unseal"):
            number = model.seal(given) if op == "seal" else model.unseal(given, *key_id)
            return id_pair(number)
        if op == "encode":
            return {"text": model.encode(given, name)}
        return id_pair(model.decode(given, name))

    more = {**({} if codec is None else {"codec": codec}), **({"key_id": key_id[0]} if key_id else {})}
    return case("seal", comment, flags, {"op": op, **made, **what, **more, **answered(error, call)})


def opened(comment, made, op, number, flags="", codec=None, key_id=()):
    """What comes of sealing or encoding, and the way back."""
    answer = s(comment, made, op, number, None, flags, codec)
    yield answer
    result = answer[1]["expect"]
    back, given = ("unseal", int(result["id"])) if op == "seal" else ("decode", result["text"])
    yield s(f"{comment}, back", made, back, given, None, flags, codec, key_id)


def wycheproof():
    for fact in published()["wycheproof"]["samples"]:
        made = one(key=bytes.fromhex(fact["key"]), tweak=bytes.fromhex(fact["tweak"]), bits=64)
        number, expected = int(fact["msg"], 16), int(fact["ct"], 16)
        tests = list(opened(f"published: Wycheproof {fact['tcId']}", made, "seal", number, "published_cipher"))
        assert tests[0][1]["expect"] == id_pair(expected), fact
        yield from tests
    for fact in published()["wycheproof"]["keys_of_a_wrong_size"]:
        made = one(key=bytes.fromhex(fact["key"]), tweak=bytes.fromhex(fact["tweak"]))
        yield s(f"published: Wycheproof {fact['tcId']}, a key of {len(fact['key']) // 2} bytes", made, "seal", 1,
                "option_invalid", "published_cipher")


def keys_and_tweaks():
    for size, key in KEYS.items():
        for what, number in NUMBERS.items():
            for bits in (63, 64):
                yield from opened(f"{what}, {bits} bits, key of {size} bytes", one(key=key, tweak="order", bits=bits), "seal",
                                  number)
        for what, number in BEYOND.items():
            yield from opened(f"{what}, 64 bits, key of {size} bytes", one(key=key, tweak="order", bits=64), "seal", number,
                              "beyond_signed")
    for length in TWEAK_LENGTHS:
        for bits in (63, 64):
            yield from opened(f"a tweak of {length} bytes, {bits} bits", one(tweak=BYTES[:length], bits=bits), "seal", 1)
    for tweak in ("", "order", "user", "Order", "order ", "a\0b", "\u00e9t\u00e9", "\U0001f600", "x" * 255, "\u00e9" * 127):
        flags = "embedded_nul" if "\0" in tweak else "" if tweak.isascii() else "unicode"
        yield from opened(f"tweak {tweak[:8]!r} of {len(tweak)} characters", one(tweak=tweak), "seal", 1, flags)
    yield from opened("no option at all", one(), "seal", 1)


def walks():
    """Of 63 bits, with as many turns as are told."""
    seal = ModelSeal(KEY, b"order")
    found = {}
    for number in range(600):
        seal.seal(number)
        found.setdefault(seal.turns, number)
    for turns in sorted(found):
        yield from opened(f"{turns} turns until it is below 2^63", one(tweak="order"), "seal", found[turns], "cycle_walk")
    assert max(found) >= 8


def out_of_range():
    for what, number in BEYOND.items():
        for op in ("seal", "unseal"):
            yield s(f"{op}: {what} is beyond 63 bits", one(tweak="order"), op, number, "id_out_of_range", "beyond_signed")
            yield s(f"{op}: {what} is not beyond 64 bits", one(bits=64), op, number, None, "beyond_signed")
    yield s("a number that nobody sealed opens to some number", one(tweak="order"), "unseal", 12345)


def keys_that_are_none():
    for size in (16, 24, 32):
        for byte in (0, 1, 0x2E, 0xFF):
            yield s(f"a key of {size} equal bytes {byte:02x}", one(key=bytes([byte] * size)), "seal", 1, "option_invalid")
        for digits in ("0123456789abcdef", "FEDCBA9876543210", "00000000000000a0", "1234567890123456"):
            yield s(f"a key of {size} hex digits is its text", one(key=(digits * 2)[:size].encode()), "seal", 1,
                    "option_invalid")
        almost = bytes(size - 1) + b"\x01", b"0123456789abcdef0123456789abcdef"[: size - 1] + b"g"
        for key in almost:
            yield from opened(f"a key of {size} bytes that are not all of one sort", one(key=key), "seal", 1)


def bad_options():
    for size in (0, 1, 8, 15, 17, 20, 23, 25, 31, 33, 48, 64):
        yield s(f"a key of {size} bytes", one(key=BYTES[:size]), "seal", 1, "option_invalid")
    yield s("a tweak of 256 bytes", one(tweak=BYTES), "seal", 1, "option_invalid")
    yield s("a tweak of 5000 bytes", one(tweak="x" * 5000), "seal", 1, "option_invalid")
    yield s("a tweak of 128 characters in 256 bytes", one(tweak="\u00e9" * 128), "seal", 1, "option_invalid", "unicode")
    for bits in (-64, -1, 0, 1, 32, 53, 62, 65, 127, 128, 2**32 + 63, 2**53 - 1):
        yield s(f"{bits} bits", one(bits=bits), "seal", 1, "option_invalid", "wraparound" if bits > 2**32 else "")
    for key_id in ("", "123456789", "k_1", "_", "k-1", "k 1", " k", "k\n", "k.", "\u0661", "\u00e9", "k\0", "\uff11"):
        flags = "embedded_nul" if "\0" in key_id else "" if key_id.isascii() else "unicode"
        yield s(f"a key id of {key_id!r}", one(key_id=key_id), "seal", 1, "option_invalid", flags)
    for codec in ("", "base63", "Base62", "base62 ", "base62\0"):
        flags = "embedded_nul" if "\0" in codec else ""
        yield s(f"encode: no codec {codec!r}", one(), "encode", 1, "option_invalid", flags, codec)
        yield s(f"decode: no codec {codec!r}", one(), "decode", "1", "option_invalid", flags, codec)
        yield s(f"a ring, decode: no codec {codec!r}", ring({}), "decode", "1", "option_invalid", flags, codec)


def texts():
    for number in (0, 1541815603606036480, 2**63 - 1):
        yield from opened(f"{number} as text", one(tweak="order"), "encode", number)
        for codec in ALPHABETS:
            yield from opened(f"{number} as {codec}", one(tweak="order"), "encode", number, codec=codec)
            yield from opened(f"{number} as {codec} of 64 bits", one(tweak="order", bits=64), "encode", number, codec=codec)
    for key_id in ("0", "k1", "A", "2026a", "ZZzz9900"):
        yield from opened(f"behind the key id {key_id}", one(tweak="order", key_id=key_id), "encode", 7)
    for codec in ALPHABETS:
        yield from opened(f"{codec} behind a key id", one(key_id="k1"), "encode", 7, codec=codec)
    small = next(number for number in range(10**6) if ModelSeal(KEY, b"").encode(number, "base62")[0] == "0")
    yield from opened("a sealed number with a zero in front keeps its width", one(), "encode", small)
    text = ModelSeal(KEY).encode(1, "crockford32").lower().replace("1", "l").replace("0", "o")
    yield s("crockford32 as people spell it", one(), "decode", text, codec="crockford32")


def refused_texts():
    plain, named = one(tweak="order"), one(tweak="order", key_id="k1")
    text = ModelSeal(KEY, b"order").encode(7, "base62")
    for what, made, front in (("no key id", plain, ""), ("a key id", named, "k1_"),
                              ("a ring", ring({"tweak": "order", "key_id": "k1"}), "k1_")):
        for comment, rest, error, flags in (
                ("nothing", "", "text_invalid", ""), ("one character less", text[:-1], "text_invalid", ""),
                ("one character more", text + "0", "text_invalid", ""), ("a blank at the end", text[:-1] + " ", "text_invalid", ""),
                ("a newline after it", text + "\n", "text_invalid", ""), ("a minus sign", "-" + text[1:], "text_invalid", ""),
                ("an underscore in the middle", text[:5] + "_" + text[6:], "text_invalid", ""),
                ("a NUL after it", text + "\0", "text_invalid", "embedded_nul"),
                ("full-width digits", "\uff11" * 11, "text_invalid", "unicode"),
                ("2^64", "LygHa16AHYG", "id_out_of_range", "wraparound"),
                ("the greatest of as many digits", "zzzzzzzzzzz", "id_out_of_range", "wraparound"),
                ("2^63", full_width("base62").encode(SIGN), "id_out_of_range", "beyond_signed"),
                ("2^64 - 1", full_width("base62").encode(2**64 - 1), "id_out_of_range", "beyond_signed"),
                ("a very long text", "1" * 5000, "text_invalid", "")):
            yield s(f"{what}: {comment}", made, "decode", front + rest, error, flags)
    for codec in ALPHABETS:
        yield s(f"2^63 in {codec} is beyond 63 bits", plain, "decode", full_width(codec).encode(SIGN), "id_out_of_range",
                "beyond_signed", codec)
        yield s(f"2^63 - 1 in {codec} is not", plain, "decode", full_width(codec).encode(SIGN - 1), codec=codec)
        yield s(f"2^63 in {codec} is not beyond 64 bits", one(bits=64), "decode", full_width(codec).encode(SIGN), None,
                "beyond_signed", codec)
    yield s("text without the key id that is due", named, "decode", text, "text_invalid")
    yield s("text with a key id where none is due", plain, "decode", "k1_" + text, "text_invalid")
    for front in ("k2_", "K1_", "k_", "k1", "k1-", "k11_", "1k_", "_", "__", "\u212a1_"):
        yield s(f"{front!r} is not the key id k1", named, "decode", front + text, "text_invalid",
                "" if front.isascii() else "unicode")
    for part in ("", "k", "k1"):
        yield s(f"{part!r} and nothing more", named, "decode", part, "text_invalid")


def rings():
    old, older, new = ({"key": KEYS[16], "tweak": "order", "key_id": "1"}, {"key": KEYS[24], "tweak": "order"},
                       {"key": KEYS[32], "tweak": "order", "key_id": "2"})
    three = ring(new, old, older)
    yield from opened("a ring seals by its first seal", three, "seal", 7, key_id=("2",))
    yield from opened("a ring encodes by its first seal", three, "encode", 7)
    yield from opened("a ring encodes by its first seal, which has no key id", ring(older, new), "encode", 7)
    yield from opened("a ring of one", ring(new), "encode", 7, codec="base58")
    for what, seal in (("the second", old), ("the one without a key id", older)):
        model = modelled(options(**seal))
        yield s(f"a ring opens the text of {what}", three, "decode", model.encode(7, "base62"))
        yield s(f"a ring opens the number of {what}", three, "unseal", model.seal(7), key_id=(seal.get("key_id"),))
        yield s(f"a ring opens the text of {what} as decimal", three, "decode", model.encode(7, "decimal"), codec="decimal")
    text = modelled(options(**old)).encode(7, "base62")[2:]
    for front in ("3_", "_", "11_", "a_", "12345678_", "123456789_", "1__", "2_1_", "\u0661_"):
        yield s(f"a ring does not know the key id of {front!r}", three, "decode", front + text, "text_invalid",
                "" if front.isascii() else "unicode")
    yield s("a ring whose seals have key ids refuses a text without", ring(new, old), "decode", text, "text_invalid")
    yield s("a ring whose seals have key ids refuses no text at all", ring(new, old), "decode", "", "text_invalid")
    for key_id in ("3", "", "1_", "11", None):
        yield s(f"a ring of 1 and 2 has no seal {key_id!r}", ring(new, old), "unseal", 7, "option_invalid", key_id=(key_id,))
    yield s("a number of 2^63 is beyond the 63 bits of the seal", three, "unseal", SIGN, "id_out_of_range", "beyond_signed",
            key_id=("1",))
    mixed = ring(new, {**old, "bits": 64})
    yield s("the seals of a ring have their own bits: 64", mixed, "unseal", SIGN, None, "beyond_signed", key_id=("1",))
    yield s("the seals of a ring have their own bits: 63", mixed, "unseal", SIGN, "id_out_of_range", "beyond_signed",
            key_id=("2",))
    for comment, seals in (("no seal", ()), ("one key id twice", (new, old, new)), ("two without a key id", (older, new, older)),
                           ("one key id twice, of two keys", (new, {**old, "key_id": "2"}))):
        yield s(f"a ring of {comment}", ring(*seals), "seal", 7, "option_invalid")
    yield from opened("key ids that differ in case", ring({"key_id": "k"}, {"key": KEYS[16], "key_id": "K"}), "encode", 7)


def rings_of_tweaks():
    for one, other in (("order", "user"), ("order", ""), ("", "order"), ("order", "order ")):
        seals = {"key": KEYS[32], "tweak": one, "key_id": "2"}, {"key": KEYS[16], "tweak": other, "key_id": "1"}
        yield s(f"a ring of the tweaks {one!r} and {other!r}", ring(*seals), "seal", 7, "option_invalid")


def seal_cases():
    check_published()
    for cases in (wycheproof, keys_and_tweaks, walks, out_of_range, bad_options, texts, refused_texts, rings):
        yield from cases()
