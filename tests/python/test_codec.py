"""Codecs as Python objects, and many at once; single texts are in the vectors."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from array import array

import numpy
import pytest
from refusals import refused

import polyflake
from polyflake import Codec, Sqids

NAMES = ("decimal", "hex", "crockford32", "base36", "base58", "base62", "zbase32", "base58-flickr")
FULL_WIDTHS = {"decimal": 20, "hex": 16, "crockford32": 13, "base36": 13, "base58": 11, "base62": 11}
COUNT = 200_000


@pytest.fixture(scope="module")
def ids():
    """Ids of every length, 64 bits among them."""
    generated = random.Random(20220320)
    return [generated.getrandbits(64) >> (0 if i % 2 else i // 2 % 64) for i in range(COUNT)]


@pytest.mark.parametrize("name", NAMES)
def test_many_random_ids_are_read_back(name, ids):
    codec = Codec(name)
    assert codec.decode_many(codec.encode_many(ids)) == ids


@pytest.mark.parametrize("name", FULL_WIDTHS)
def test_many_texts_of_one_width_sort_like_their_ids(name, ids):
    codec = Codec(name, width=FULL_WIDTHS[name])
    texts = codec.encode_many(sorted(ids))
    assert texts == sorted(texts)
    assert {len(text) for text in texts} == {codec.width}


@pytest.mark.parametrize("name", NAMES)
def test_many_are_what_one_by_one_are(name, ids):
    codec, some = Codec(name), ids[:1000]
    texts = codec.encode_many(some)
    assert texts == [codec.encode(id) for id in some]
    assert codec.decode_many(texts) == [codec.decode(text) for text in texts]


def test_a_codec_is_shared_by_threads(ids):
    codec, wrong = Codec("base62"), []

    def work(part):
        for id in part:
            if codec.decode(codec.encode(id)) != id:
                wrong.append(id)
        if codec.decode_many(codec.encode_many(part)) != part:
            wrong.append(part)

    threads = [threading.Thread(target=work, args=(ids[i : COUNT // 2 : 4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    "codec", [Codec("base62"), Codec("base62", width=0), Codec("crockford32", width=13, check=True)], ids=repr
)
def test_a_codec_survives_pickle_and_copy(codec):
    for twin in (*(pickle.loads(pickle.dumps(codec, protocol)) for protocol in range(6)), copy.copy(codec)):
        assert twin == codec and hash(twin) == hash(codec)
        assert twin.encode(61) == codec.encode(61)
    assert copy.deepcopy([codec])[0] == codec


class Mine(Codec):
    pass


def test_copies_of_a_codec_have_its_class():
    codec = Mine("base62", width=0)
    for twin in (pickle.loads(pickle.dumps(codec)), copy.copy(codec)):
        assert type(twin) is Mine and twin == codec


def test_codecs_are_equal_when_name_and_options_are():
    assert Codec("base62") == Codec("base62", width=11) == Codec("base62", width=None, check=False)
    assert len({Codec("base62"), Codec("base62", width=11)}) == 1
    different = {Codec("base62"), Codec("base62", width=0), Codec("base58"), Codec("crockford32")}
    different.add(Codec("crockford32", check=True))
    assert len(different) == 5
    assert Codec("base62") != "base62"
    assert Codec("base62") is not None


def test_repr_makes_an_equal_codec():
    codec = Codec("crockford32", width=0, check=True)
    assert repr(codec) == "Codec('crockford32', width=0, check=True)"
    assert eval(repr(codec)) == codec


def test_a_codec_cannot_be_changed():
    codec = Codec("base62")
    for name in ("width", "name", "digits", "check", "more"):
        with pytest.raises(AttributeError):
            setattr(codec, name, 1)


def test_a_subclass_is_a_codec():
    class Short(Codec):
        def __init__(self):
            super().__init__("base62", width=0)

    assert Short().encode(61) == "z"
    assert Short() == Codec("base62", width=0)
    assert Short().decode_many(["z", "10"]) == [61, 62]


def test_a_subclass_without_its_base_made_is_refused_and_does_not_crash():
    class Empty(Codec):
        def __init__(self):
            pass

    for call in (lambda codec: codec.encode(1), lambda codec: codec.decode("1"), lambda codec: codec.encode_many([1])):
        with pytest.raises(TypeError):
            call(Empty())
    with pytest.raises(TypeError):
        Codec.__new__(Codec).encode(1)


@pytest.mark.parametrize("kind", [numpy.uint64, numpy.int64])
def test_arrays_of_numpy_are_iterables_of_ids(kind, ids):
    small = [id >> 1 for id in ids[:1000]]
    numbers = numpy.array(small, dtype=kind)
    codec = Codec("base62")
    assert codec.encode_many(numbers) == codec.encode_many(small)
    assert codec.encode(numbers[0]) == codec.encode(small[0])
    read = numpy.array(codec.decode_many(codec.encode_many(numbers)), dtype=kind)
    assert (read == numbers).all()


def test_numbers_of_numpy_that_are_no_ids_are_refused():
    codec = Codec("base62")
    for wrong in (numpy.float64(1), numpy.bool_(True), numpy.int64(-1)):
        assert refused(lambda wrong=wrong: codec.encode(wrong)).code == "id_out_of_range"
        assert refused(lambda wrong=wrong: codec.encode_many([1, wrong])).code == "id_out_of_range"


@pytest.mark.parametrize("kind", [list, tuple, iter, lambda ids: (id for id in ids), lambda ids: array("Q", ids)])
def test_any_iterable_will_do(kind):
    codec = Codec("base62")
    assert codec.encode_many(kind([0, 61])) == ["00000000000", "0000000000z"]
    assert codec.decode_many(dict.fromkeys(["00000000000", "0000000000z"]).keys()) == [0, 61]
    assert codec.encode_many(kind([])) == [] == codec.decode_many(())


@pytest.mark.parametrize("wrong", [None, 5, object(), "12", b"12", bytearray(b"12"), {1: 2}, {"1"}, frozenset(), list])
def test_what_is_no_list_is_refused(wrong):
    assert refused(lambda: Codec("decimal").encode_many(wrong)).code == "id_out_of_range"
    assert refused(lambda: Codec("decimal").decode_many(wrong)).code == "text_invalid"


def test_an_exception_of_an_iterable_comes_out_unchanged():
    def broken():
        yield 1
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        Codec("base62").encode_many(broken())


@pytest.mark.parametrize("change", [list.clear, lambda ids: ids.extend([7] * 1000), lambda ids: ids.pop()])
def test_a_list_may_change_while_it_is_read(change):
    class Changing:
        def __index__(self):
            change(ids)
            return 61

    ids = [1, Changing(), 2, 3]
    assert Codec("base62", width=0).encode_many(ids) == ["1", "z", "2", "3"]


def test_a_refusal_among_many_says_which_and_where():
    codec = Codec("base62")
    error = refused(lambda: codec.decode_many(["00000000000", "000-0000000"]))
    assert error.code == "text_invalid"
    assert "text 1 of the list" in str(error) and error.position == 3
    narrow = Codec("base62", width=2)
    error = refused(lambda: narrow.encode_many([0, 1, 62**2]))
    assert error.code == "id_out_of_range" and "id 2 of the list" in str(error)


def test_what_is_no_id_or_no_text_among_many_is_told_with_its_index():
    codec = Codec("base62")
    for ids, said in (
        ([0, "1"], "id 1 of the list: an id must be an integer"),
        (iter([0, 1, -1]), "id 2 of the list: an id lies between"),
        ((2**64,), "id 0 of the list: an id lies between"),
    ):
        error = refused(lambda ids=ids: codec.encode_many(ids))
        assert error.code == "id_out_of_range" and error.args[0].startswith(said)
    error = refused(lambda: codec.decode_many(["00000000000", 7]))
    assert error.code == "text_invalid"
    assert error.args[0].startswith("text 1 of the list: the text of an id must be a str") and error.position is None
    error = refused(lambda: Sqids().encode([1, 2.0]))
    assert error.code == "id_out_of_range" and error.args[0].startswith("id 1 of the list: an id must be")


def test_what_an_id_of_a_list_raises_by_itself_comes_out_unchanged():
    class Broken:
        def __index__(self):
            raise LookupError("no number")

    with pytest.raises(LookupError, match="no number") as caught:
        Codec("base62").encode_many([0, Broken()])
    assert caught.traceback[-1].name == "__index__"


@pytest.mark.parametrize("wrong", [None, 1.0, "1", True, -1, 2**64, 10**100, b"1", (1,), (), (1, 2), object()])
def test_what_is_no_id_is_refused(wrong):
    assert refused(lambda: Codec("base62").encode(wrong)).code == "id_out_of_range"
    assert refused(lambda: Codec("base62").encode_many([wrong])).code == "id_out_of_range"


@pytest.mark.parametrize("wrong", [None, 1, b"00000000000", bytearray(11), ["0"], object()])
def test_what_is_no_text_is_refused(wrong):
    assert refused(lambda: Codec("base62").decode(wrong)).code == "text_invalid"
    assert refused(lambda: Codec("base62").decode_many([wrong])).code == "text_invalid"


def test_a_subclass_of_str_or_int_is_taken_by_its_value():
    class Text(str):
        pass

    class Number(int):
        pass

    assert Codec("base62").decode(Text("0000000000z")) == 61
    assert Codec("base62").encode(Number(61)) == "0000000000z"


def test_options_of_a_wrong_type_are_refused():
    for options in ({"width": 1.0}, {"width": True}, {"width": "11"}, {"check": 1}, {"check": None}):
        assert refused(lambda options=options: Codec("crockford32", **options)).code == "option_invalid"
    for width in (-1, 14, 2**63 - 1, -(2**63), 2**64):
        assert refused(lambda width=width: Codec("crockford32", width=width)).code == "option_invalid"
    for name in (None, 62, b"base62", "Base62", ""):
        assert refused(lambda name=name: Codec(name)).code == "option_invalid"
    with pytest.raises(TypeError):
        Codec("base62", 11)


def test_ids_of_a_generator_are_encoded_as_they_come():
    generator = polyflake.Generator(0, clock=polyflake.ManualClock(1_700_000_000_000))
    ids = generator.next_ids(3)
    assert Codec("base62").decode_many(Codec("base62").encode_many(ids)) == ids
