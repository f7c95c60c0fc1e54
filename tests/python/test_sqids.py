"""Sqids and Hashids as Python has them, and beside the packages of their authors."""

import copy
import pickle
import random
import subprocess
import sys

import hashids as official_hashids
import numpy
import pytest
import sqids as official_sqids
from sqids.constants import DEFAULT_ALPHABET, DEFAULT_BLOCKLIST

import polyflake
from polyflake import BadArgumentError, Hashids, Sqids

PRINTABLE = "".join(map(chr, range(32, 127)))


def lists(seed, rounds, bits):
    """Lists of 1 to 8 ids, small ones as often as large ones."""
    chance = random.Random(seed)
    for _ in range(rounds):
        yield chance, [chance.getrandbits(chance.randint(1, bits)) for _ in range(chance.randint(1, 8))]


def test_the_default_blocklist_is_that_of_the_specification():
    assert Sqids.default_blocklist() == sorted(DEFAULT_BLOCKLIST)
    assert Sqids().alphabet == DEFAULT_ALPHABET


def test_texts_are_those_of_the_official_sqids():
    words = ["".join(letters) for letters in zip("abcdef", "ghijkl", "mnopqr", "stuvwx", strict=True)]
    for chance, ids in lists(1, 300, 63):
        alphabet = "".join(chance.sample(PRINTABLE, chance.randint(10, 95)))
        for options in ({}, {"alphabet": alphabet}, {"min_length": chance.randint(0, 255)}, {"blocklist": words}):
            theirs, ours = official_sqids.Sqids(**options), Sqids(**options)
            text = theirs.encode(ids)
            assert ours.encode(ids) == text
            assert ours.decode(text) == ids == theirs.decode(text)


def test_texts_are_those_of_the_official_hashids():
    for chance, ids in lists(2, 300, 64):
        alphabet = "".join(chance.sample(PRINTABLE, chance.randint(16, 95)))
        salt = "".join(chance.choices("salt \u00e9\u0430\U0001f600", k=chance.randint(0, 50)))
        for options in ((), (salt,), (salt, chance.randint(0, 1000)), (salt, 10, alphabet)):
            theirs, ours = official_hashids.Hashids(*options), Hashids(*options)
            text = theirs.encode(*ids)
            assert ours.encode(ids) == text
            assert tuple(ours.decode(text)) == tuple(ids) == theirs.decode(text)


@pytest.mark.parametrize("texts", [Sqids(), Hashids("salt")])
def test_ids_are_one_or_any_iterable_of_them(texts):
    one = texts.encode(7)
    assert texts.encode([7]) == texts.encode((7,)) == texts.encode(iter([7])) == texts.encode({7: None}.keys()) == one
    assert texts.encode(numpy.uint64(7)) == one
    assert texts.encode(numpy.array([7], dtype=numpy.uint64)) == one
    assert texts.encode(range(100)) == texts.encode(list(range(100)))
    assert texts.encode([]) == "" and texts.decode("") == []


@pytest.mark.parametrize("texts", [Sqids(), Hashids("salt")])
def test_what_is_no_id_is_refused(texts):
    for value in (
        -1,
        2**64,
        [1, -1],
        [2**64],
        "7",
        b"7",
        bytearray(b"7"),
        {7: 7},
        {7},
        frozenset(),
        None,
        1.0,
        True,
        [None],
    ):
        with pytest.raises(BadArgumentError) as raised:
            texts.encode(value)
        assert raised.value.code == "id_out_of_range"
        assert raised.value.position is None


def test_a_list_that_changes_while_it_is_read_does_no_harm():
    class Fickle:
        def __index__(self):
            ids.clear()
            return 7

    ids = [Fickle(), 8, 9]
    assert Sqids().decode(Sqids().encode(ids)) == [7, 8, 9]


def test_a_refusal_says_where():
    with pytest.raises(BadArgumentError) as raised:
        Sqids().decode("86Rf-07")
    assert (raised.value.code, raised.value.position) == ("text_invalid", 4)


def test_options_are_given_by_name_and_checked():
    with pytest.raises(TypeError):
        Sqids("abc")
    assert Hashids("this is my salt", 8, "abcdefgh12345678").encode(1) == Hashids(
        alphabet="abcdefgh12345678", min_length=8, salt="this is my salt"
    ).encode(1)
    for options in ({"alphabet": "ab"}, {"min_length": 256}, {"blocklist": "word"}, {"min_length": 2**70}):
        with pytest.raises(BadArgumentError) as raised:
            Sqids(**options)
        assert raised.value.code == "option_invalid"
    with pytest.raises(BadArgumentError) as raised:
        Hashids("\ud800")
    assert raised.value.code == "option_invalid"


def test_objects_are_values():
    for one, same, other in (
        (Sqids(), Sqids(), Sqids(min_length=1)),
        (Sqids(blocklist=["word", "text"]), Sqids(blocklist=("text", "word")), Sqids(blocklist=[])),
        (Hashids("salt", 5), Hashids("salt", 5), Hashids("pepper", 5)),
    ):
        assert one == same and hash(one) == hash(same) and one != other and one != "else"
        for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            assert again == one and again.encode([1, 2, 3]) == one.encode([1, 2, 3])
        with pytest.raises(AttributeError):
            one.alphabet = "abc"
    assert repr(Sqids(alphabet="abc", blocklist=[])) == "Sqids(alphabet='abc', min_length=0, blocklist=<0 words>)"
    assert "pepper" not in repr(Hashids("pepper"))


def test_an_object_stays_as_it_was_made_and_its_copies_have_its_class():
    class Mine(Sqids):
        pass

    class Ours(Hashids):
        pass

    for one, again in ((Mine(min_length=9), {"blocklist": []}), (Ours("salt"), {"salt": "pepper"})):
        text = one.encode([7])
        same = copy.copy(one)
        one.__init__(**again)
        assert one == same and one.encode([7]) == text
        assert type(same) is type(one)


def test_an_object_without_init_is_refused_and_does_no_harm():
    for made, call in ((Sqids.__new__(Sqids), 7), (Hashids.__new__(Hashids), [7])):
        with pytest.raises(TypeError):
            made.encode(call)
        with pytest.raises(TypeError):
            made.decode("86Rf07")


def test_polyflake_needs_neither_of_the_packages():
    program = "import sys, polyflake; polyflake.Sqids(); polyflake.Hashids(); assert not {'sqids', 'hashids'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert polyflake.Sqids.__module__ == polyflake.Hashids.__module__ == "polyflake"
