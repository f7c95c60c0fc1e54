"""The rows of codecs: texts of random ids, each read back and compared.

The floor is the fastest of the other ways in that codec, found in this run: the loop that is written again and again, and
the packages of PyPI. `price` is what they do not do, from their code.
"""

from __future__ import annotations

import importlib.metadata
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from operator import ne
from typing import Any

from peers import Library

import polyflake

IDS = 1000
CHUNK_NS = 1_000_000
CODECS = ("crockford32", "base62")
AS_NEEDED = "as many digits as the id needs"


@dataclass(frozen=True)
class Way:
    """One way to write ids as text and to read them."""

    library: str
    codec: str
    encode_call: str  # as a user writes it
    encode: Callable[[int], str]
    decode_call: str
    decode: Callable[[str], Any]
    price: str = ""


def own(name: str) -> Way:
    codec = polyflake.Codec(name)
    label = f"polyflake {polyflake.__version__}"
    return Way(label, name, "Codec.encode(id)", codec.encode, "Codec.decode(text)", codec.decode)


def pasted(name: str) -> Way:
    digits = polyflake.Codec(name).digits
    base = len(digits)

    def write(id: int) -> str:
        text = ""
        while id:
            id, digit = divmod(id, base)
            text = digits[digit] + text
        return text or digits[0]

    def read(text: str) -> int:
        id = 0
        for digit in text:
            id = id * base + digits.index(digit)
        return id

    return Way("a loop that is pasted", name, "divmod(id, base)", write, "digits.index(digit)", read, AS_NEEDED)


def of_packages() -> Iterator[Way]:
    import base32_crockford
    import base62
    import baseconv
    import tsidpy

    def label(package: str) -> str:
        return f"{package} {importlib.metadata.version(package)}"

    yield Way(
        label("pybase62"), "base62", "base62.encode(id)", base62.encode, "base62.decode(text)", base62.decode, AS_NEEDED
    )
    yield Way(
        label("python-baseconv"),
        "base62",
        "base62.encode(id)",
        baseconv.base62.encode,
        "int(base62.decode(text))",
        lambda text: int(baseconv.base62.decode(text)),
        f"{AS_NEEDED}; by way of decimal text",
    )
    yield Way(
        label("base32-crockford"),
        "crockford32",
        "base32_crockford.encode(id)",
        base32_crockford.encode,
        "base32_crockford.decode(text)",
        base32_crockford.decode,
        f"{AS_NEEDED}; no limit of 64 bits",
    )
    yield Way(
        label("tsidpy"),
        "crockford32",
        "TSID(id).to_string()",
        lambda id: tsidpy.TSID(id).to_string(),
        "TSID.from_string(text).number",
        lambda text: tsidpy.TSID.from_string(text).number,
        "drops the bits above 64",
    )


class Passes:
    """Passes over all values that take a millisecond together; `given` is what the last one gave."""

    def __init__(self, once: Callable[[], list[Any]]) -> None:
        self.once, self.count = once, 1
        self.given: list[Any] = []
        while min(self.ns() for _ in range(2)) * IDS * self.count < CHUNK_NS:
            self.count *= 2

    def ns(self) -> float:
        """Nanoseconds of one value."""
        begin = time.perf_counter_ns()
        for _ in repeat(None, self.count):
            self.given = self.once()
        return (time.perf_counter_ns() - begin) / (IDS * self.count)


def fastest(all: list[Passes]) -> Passes:
    return min(all, key=lambda passes: min(passes.ns() for _ in range(5)))


def add_rows(bench: Any, with_packages: bool) -> None:
    rows = ("codec.encode", "codec.decode", "codec.encode_many", "codec.decode_many")
    if not any(map(bench.wants, rows)):
        return
    packages = list(of_packages()) if with_packages else []
    for name in CODECS:
        _rows_of(bench, name, [pasted(name), *(way for way in packages if way.codec == name)])


def _rows_of(bench: Any, name: str, others: list[Way]) -> None:
    codec, ours = polyflake.Codec(name), own(name)
    generated = random.Random(20220320)
    ids = [generated.getrandbits(63) for _ in range(IDS)]

    def full(value: Any) -> Any:
        return value.rjust(codec.width, codec.digits[0]) if isinstance(value, str) else value

    def add(row: str, way: Way, call: str, floor: Passes, work: Passes, expected: list[Any]) -> None:
        if bench.wants(row):
            rounds = [[floor.ns(), work.ns(), floor.ns()] for _ in range(bench.rounds)]
            wrong = sum(map(ne, map(full, work.given), expected))
            subject = Library(way.library, call, open=lambda: way.encode, price=way.price)
            bench.add(row, subject, {"codec": name, "rounds": rounds, "ids": len(work.given), "wrong": wrong})

    def encoding(encode: Callable[[int], str]) -> Passes:
        return Passes(lambda: [encode(id) for id in ids])

    def decoding(way: Way) -> Passes:
        decode, written = way.decode, [way.encode(id) for id in ids]
        return Passes(lambda: [decode(text) for text in written])

    texts = [full(others[0].encode(id)) for id in ids]  # by the loop that is pasted
    ways = [ours, *others]
    encodings = [encoding(way.encode) for way in ways]
    floor = fastest(encodings[1:])
    for way, work in zip(ways, encodings):
        add("codec.encode", way, way.encode_call, floor, work, texts)
    add("codec.encode_many", ours, "Codec.encode_many(ids)", floor, Passes(lambda: codec.encode_many(ids)), texts)

    decodings = [decoding(way) for way in ways]
    floor = fastest(decodings[1:])
    for way, work in zip(ways, decodings):
        add("codec.decode", way, way.decode_call, floor, work, ids)
    add("codec.decode_many", ours, "Codec.decode_many(texts)", floor, Passes(lambda: codec.decode_many(texts)), ids)
