"""The reference model of private ids: AES as FIPS 197 says it, FF1 as NIST SP 800-38G says it, for any radix, and seals.

Step by step with the names of those standards, without a shortcut: numbers, lists of digits, whole messages for the chain
of blocks. What NIST and others published about AES and FF1 is checked before anything is written.
"""

import functools
import json
import pathlib

from model_codec import ALPHABETS, Fault, ModelCodec

PUBLISHED = pathlib.Path(__file__).resolve().parent / "published-ff1.json"
KEY_ID_CHARACTERS = ALPHABETS["base62"]


# AES: bytes are polynomials over GF(2), modulo x^8 + x^4 + x^3 + x + 1


def times(a, b):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a, b = (a << 1) ^ (0x11B if a & 0x80 else 0), b >> 1
    return product


def s_box():
    inverse = {0: 0}
    for a in range(1, 256):
        inverse[a] = next(b for b in range(1, 256) if times(a, b) == 1)

    def affine(b):
        rotated = [((b << shift) | (b >> (8 - shift))) & 0xFF for shift in range(5)]
        return functools.reduce(int.__xor__, rotated) ^ 0x63

    return [affine(inverse[a]) for a in range(256)]


S_BOX = s_box()


@functools.cache
def key_schedule(key):
    words = [list(key[at : at + 4]) for at in range(0, len(key), 4)]
    of_key, constant = len(words), 1
    while len(words) < 4 * (of_key + 7):
        word = words[-1]
        if len(words) % of_key == 0:
            word = [S_BOX[b] for b in word[1:] + word[:1]]
            word[0] ^= constant
            constant = times(constant, 2)
        elif of_key > 6 and len(words) % of_key == 4:
            word = [S_BOX[b] for b in word]
        words.append([a ^ b for a, b in zip(words[-of_key], word)])
    flat = [b for word in words for b in word]
    return [flat[at : at + 16] for at in range(0, len(flat), 16)]


DOUBLED = [times(b, 2) for b in range(256)]


def aes(key, block):
    schedule = key_schedule(key)
    state = [a ^ b for a, b in zip(block, schedule[0])]
    for number, round_key in enumerate(schedule[1:], 1):
        state = [S_BOX[b] for b in state]
        state = [state[(at + 4 * (at % 4)) % 16] for at in range(16)]  # row r turns by r columns
        if number < len(schedule) - 1:
            mixed = []
            for at in range(0, 16, 4):
                a, b, c, d = state[at : at + 4]
                for w, x, y, z in ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)):
                    mixed.append(DOUBLED[w] ^ DOUBLED[x] ^ x ^ y ^ z)
            state = mixed
        state = [a ^ b for a, b in zip(state, round_key)]
    return bytes(state)


# FF1


def num(digits, radix):
    return functools.reduce(lambda x, digit: x * radix + digit, digits, 0)


def string_of(number, radix, length):
    digits = []
    for _ in range(length):
        number, digit = divmod(number, radix)
        digits.append(digit)
    assert number == 0
    return digits[::-1]


def prf(key, message):
    block = bytes(16)
    for at in range(0, len(message), 16):
        block = aes(key, [a ^ b for a, b in zip(block, message[at : at + 16])])
    return block


def whole_blocks(size):
    return -(-size // 16)


class Ff1:
    def __init__(self, key, tweak, radix, n):
        self.key, self.tweak, self.radix, self.n = key, tweak, radix, n
        self.u = n // 2
        self.v = n - self.u
        self.b = -(-((radix**self.v - 1).bit_length()) // 8)
        self.d = 4 * -(-self.b // 4) + 4
        self.p = (bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, self.u % 256]) + n.to_bytes(4, "big")
                  + len(tweak).to_bytes(4, "big"))  # fmt: skip

    def y(self, i, half):
        zeros = (-len(self.tweak) - self.b - 1) % 16
        q = self.tweak + bytes(zeros) + bytes([i]) + num(half, self.radix).to_bytes(self.b, "big")
        r = prf(self.key, self.p + q)
        s = r
        for j in range(1, whole_blocks(self.d)):
            s += aes(self.key, [a ^ b for a, b in zip(r, j.to_bytes(16, "big"))])
        return int.from_bytes(s[: self.d], "big")

    def encrypt(self, digits):
        a, b = digits[: self.u], digits[self.u :]
        for i in range(10):
            m = self.u if i % 2 == 0 else self.v
            c = (num(a, self.radix) + self.y(i, b)) % self.radix**m
            a, b = b, string_of(c, self.radix, m)
        return a + b

    def decrypt(self, digits):
        a, b = digits[: self.u], digits[self.u :]
        for i in reversed(range(10)):
            m = self.u if i % 2 == 0 else self.v
            c = (num(b, self.radix) - self.y(i, a)) % self.radix**m
            b, a = a, string_of(c, self.radix, m)
        return a + b


# Seals


class ModelSeal:
    def __init__(self, key, tweak=b"", bits=63, key_id=None):
        good_key_id = key_id is None or (0 < len(key_id) <= 8 and all(c in KEY_ID_CHARACTERS for c in key_id))
        no_key = len(set(key)) == 1 or set(key) <= set(b"0123456789abcdefABCDEF")  # a blank buffer, a text
        if no_key or len(key) not in (16, 24, 32) or len(tweak) > 255 or bits not in (63, 64) or not good_key_id:
            raise Fault("option_invalid")
        self.limit, self.key_id, self.tweak = 2**bits, key_id, tweak
        self.ff1 = Ff1(key, tweak, 256, 8)
        self.front = "" if key_id is None else key_id + "_"
        self.turns = 0  # of the last call

    def walk(self, number, step):
        if number >= self.limit:
            raise Fault("id_out_of_range")
        self.turns = 0
        while True:
            number = int.from_bytes(bytes(step(list(number.to_bytes(8, "big")))), "big")
            self.turns += 1
            if number < self.limit:
                return number

    def seal(self, number):
        return self.walk(number, self.ff1.encrypt)

    def unseal(self, number):
        return self.walk(number, self.ff1.decrypt)

    def encode(self, number, codec):
        return self.front + full_width(codec).encode(self.seal(number))

    def decode(self, text, codec):
        full = full_width(codec)
        for position, character in enumerate(self.front):
            if text[position : position + 1] != character:
                raise Fault("text_invalid", position)
        return self.decode_rest(text, full)

    def decode_rest(self, text, codec):
        try:
            number = codec.decode(text[len(self.front) :])
            if number >= self.limit:
                raise Fault("id_out_of_range", first_difference(codec.encode(number), codec.encode(self.limit - 1)))
        except Fault as fault:
            raise Fault(fault.code, fault.position + len(self.front)) from None
        return self.unseal(number)


class ModelRing:
    def __init__(self, seals):
        self.seals = {seal.key_id: seal for seal in seals}
        self.current = seals[0] if seals else None
        if not seals or len(self.seals) < len(seals) or len({seal.tweak for seal in seals}) > 1:
            raise Fault("option_invalid")

    def seal(self, number):
        return self.current.seal(number)

    def encode(self, number, codec):
        return self.current.encode(number, codec)

    def unseal(self, number, key_id):
        if key_id not in self.seals:
            raise Fault("option_invalid")
        return self.seals[key_id].unseal(number)

    def decode(self, text, codec):
        full = full_width(codec)
        front, underscore, _ = text[:9].partition("_")
        seal = self.seals.get(front if underscore else None)
        if seal is None:
            raise Fault("text_invalid", 0)
        return seal.decode_rest(text, full)


def full_width(name):
    return ModelCodec(name, ModelCodec(name).full)


def first_difference(one, other):
    return next(at for at, (a, b) in enumerate(zip(one, other)) if a != b)


# What is known of AES and FF1 from elsewhere


def published():
    return json.loads(PUBLISHED.read_text("ascii"))


def check_published():
    facts = published()
    block = bytes.fromhex(facts["aes"]["block"])
    for fact in facts["aes"]["samples"]:
        assert aes(bytes.fromhex(fact["key"]), block).hex() == fact["ct"], fact
    digits = ALPHABETS["base36"]
    for fact in facts["ff1"]["samples"]:
        text = [digits.index(c) for c in fact["text"]]
        ff1 = Ff1(bytes.fromhex(fact["key"]), bytes.fromhex(fact["tweak"]), fact["radix"], len(text))
        cipher = ff1.encrypt(text)
        assert "".join(digits[digit] for digit in cipher) == fact["ct"], fact
        assert ff1.decrypt(cipher) == text, fact
    for fact in facts["wycheproof"]["samples"]:
        ff1 = Ff1(bytes.fromhex(fact["key"]), bytes.fromhex(fact["tweak"]), 256, 8)
        assert bytes(ff1.encrypt(list(bytes.fromhex(fact["msg"])))).hex() == fact["ct"], fact
