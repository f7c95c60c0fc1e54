"""Private ids in Python; what every language must do is in the vectors."""

from __future__ import annotations

import copy
import os
import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from refusals import refused

from polyflake import BadArgumentError, Seal, SealRing

KEY = bytes(range(32))


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "ids.key"
    path.write_text(KEY.hex() + "\n")
    path.chmod(0o600)
    return path


def test_a_million_random_ids_go_in_and_out():
    dice = random.Random(20200101)
    for bits in (63, 64):
        seal = Seal(KEY, "order", bits=bits)
        ids = [dice.getrandbits(bits) for _ in range(500_000)]
        texts = seal.encode_many(ids)
        assert seal.decode_many(texts) == ids
        assert len(set(texts)) == len(set(ids))
        for id, text in zip(ids[:5000], texts):
            assert seal.encode(id) == text
            assert seal.decode(text) == id
            assert seal.unseal(seal.seal(id)) == id


def test_texts_have_eleven_characters_and_the_codec_is_given_by_place_or_name():
    seal = Seal(KEY, "order")
    assert len(seal.encode(7)) == 11
    assert seal.encode(7, "hex") == seal.encode(7, codec="hex") == f"{seal.seal(7):016x}"
    assert seal.decode(seal.encode(7, "hex"), codec="hex") == 7
    assert seal.encode_many([7], "hex") == [seal.encode(7, "hex")]
    assert seal.decode_many(iter([seal.encode(7)])) == [7]
    for call in (
        lambda: seal.encode(7, name="hex"),
        lambda: seal.encode(id=7),
        lambda: seal.encode(),
        lambda: seal.encode(7, "hex", 1),
    ):
        with pytest.raises(TypeError):
            call()


def test_a_tweak_is_text_or_its_bytes():
    assert Seal(KEY, "\u00e9t\u00e9").seal(7) == Seal(KEY, tweak="\u00e9t\u00e9".encode()).seal(7)
    assert Seal(KEY).seal(7) == Seal(KEY, "").seal(7) == Seal(KEY, b"").seal(7)
    assert Seal(KEY, "order").seal(7) != Seal(KEY, "user").seal(7)
    assert refused(lambda: Seal(KEY, "\ud800")).code == "option_invalid"
    assert Seal(KEY, "order").tweak == "order"
    assert Seal(KEY, b"\xff").tweak == b"\xff"


def test_a_key_is_any_bytes_and_can_be_wiped_once_the_seal_is_made():
    expected = Seal(KEY, "order").seal(7)
    buffer = bytearray(KEY)
    seal = Seal(buffer, "order")
    buffer[:] = bytes(len(buffer))
    assert seal.seal(7) == expected
    assert Seal(memoryview(KEY), "order").seal(7) == expected
    assert refused(lambda: Seal(memoryview(bytes(64))[::2], "order")).code == "option_invalid"


def test_options_other_than_the_tweak_have_names():
    with pytest.raises(TypeError):
        Seal(KEY, "order", 64)
    with pytest.raises(TypeError):
        Seal(KEY, "order", keyid="k1")
    seal = Seal(KEY, "order", bits=64, key_id="k1")
    assert (seal.bits, seal.key_id) == (64, "k1")
    assert Seal(KEY).key_id is None


def test_nothing_shows_the_key():
    key = b"hunter2hunter2!!"
    seal = Seal(key, "order", key_id="k1")
    assert repr(seal) == "Seal(<key>, 'order', bits=63, key_id='k1')"
    assert repr(SealRing([seal])) == "SealRing([Seal(<key>, 'order', bits=63, key_id='k1')])"
    for call in (lambda: Seal(key + b"!"), lambda: Seal(key.decode()), lambda: Seal(key, bits=62)):
        assert "hunter" not in str(refused(call))
    assert "bytes.fromhex()" in str(refused(lambda: Seal(KEY.hex())))


def test_a_seal_is_not_pickled_and_is_its_own_copy():
    for value in (Seal(KEY), SealRing([Seal(KEY)])):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="cannot be pickled"):
                pickle.dumps(value, protocol)
        assert copy.copy(value) is value and copy.deepcopy([value])[0] is value


def test_a_seal_stays_as_it_was_made():
    seal = Seal(KEY, "order", key_id="a")
    ring = SealRing([seal])
    text = seal.encode(7)
    for value, name in ((seal, "tweak"), (seal, "bits"), (seal, "key_id"), (ring, "seals")):
        with pytest.raises(AttributeError):
            setattr(value, name, None)
    seal.__init__(bytes(16), "user")
    ring.__init__([Seal(KEY, "user")])
    assert seal.tweak == "order" and ring.seals == (seal,)
    assert seal.encode(7) == ring.encode(7) == text


def test_the_seals_of_a_ring_come_from_any_iterable_and_errors_of_it_are_its_own():
    seal = Seal(KEY)
    assert SealRing(one for one in [seal]).seals == (seal,)
    assert refused(lambda: SealRing(5)).code == "option_invalid"

    def broken():
        yield seal
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        SealRing(broken())


def test_threads_share_a_seal():
    seal = Seal(KEY, "order")
    ids = list(range(20_000))
    expected = seal.encode_many(ids)
    with ThreadPoolExecutor(4) as pool:
        for texts in pool.map(lambda _: [seal.encode(id) for id in ids], range(8)):
            assert texts == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_goes_on_with_the_seal():
    seal = Seal(KEY, "order")
    child = os.fork()
    if child == 0:
        os._exit(0 if seal.decode(seal.encode(7)) == 7 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_index_of_a_text_is_in_the_message_and_its_fault_has_a_position():
    seal = Seal(KEY, "order", key_id="k1")
    good = seal.encode(7)
    error = refused(lambda: seal.decode_many([good, good[:-1] + "-"]))
    assert (error.code, error.position) == ("text_invalid", 13)
    assert "text 1 of the list" in str(error)
    assert "id 1 of the list" in str(refused(lambda: seal.encode_many([1, 2**63])))


def test_a_key_file_has_hex_digits(key_file):
    for path in (key_file, str(key_file), os.fsencode(key_file)):
        assert Seal.from_file(path, "order").seal(7) == Seal(KEY, "order").seal(7)
    seal = Seal.from_file(key_file, "order", bits=64, key_id="k1")
    assert (seal.tweak, seal.bits, seal.key_id) == ("order", 64, "k1")


def test_a_key_file_that_is_wrong_is_refused_without_its_content(key_file):
    secret = "c0ffee" * 10
    key_file.write_text(secret)
    error = refused(lambda: Seal.from_file(key_file))
    assert (error.code, error.position) == ("text_invalid", 60)
    assert "c0ffee" not in str(error)
    assert key_file.name in str(error) or "..." in str(error)
    key_file.chmod(0o644)
    assert "chmod" in str(refused(lambda: Seal.from_file(key_file)))
    key_file.unlink()
    assert refused(lambda: Seal.from_file(key_file)).code == "option_invalid"
    assert refused(lambda: Seal.from_file(key_file.parent)).code == "option_invalid"
    assert refused(lambda: Seal.from_file("key\0file")).code == "option_invalid"


def test_a_subclass_has_its_own_file():
    class OrderSeal(Seal):
        pass

    assert isinstance(OrderSeal(KEY), OrderSeal)
    with pytest.raises(BadArgumentError):
        OrderSeal.from_file("/no/such/file")


def test_a_ring_seals_by_the_first_and_opens_by_the_key_id():
    old, new = Seal(KEY[:16], "order", key_id="1"), Seal(KEY, "order", key_id="2")
    ring = SealRing(seal for seal in (new, old))
    assert ring.seals == (new, old)
    assert ring.encode(7) == new.encode(7)
    assert ring.encode_many([7, 8], "hex") == new.encode_many([7, 8], codec="hex")
    assert ring.decode_many([old.encode(7), new.encode(8)]) == [7, 8]
    assert ring.unseal(old.seal(7), "1") == ring.unseal(ring.seal(7), key_id="2") == 7
    assert refused(lambda: ring.decode("3" + old.encode(7)[1:])).position == 0


def test_what_was_never_made_is_refused_and_does_not_crash():
    hollow = Seal.__new__(Seal)
    for call in (
        lambda: hollow.seal(7),
        lambda: hollow.encode(7),
        lambda: hollow.decode_many([]),
        lambda: hollow.bits,
        lambda: SealRing([hollow]),
        lambda: SealRing.__new__(SealRing).seal(7),
        lambda: SealRing.__new__(SealRing).unseal(7, None),
    ):
        with pytest.raises(TypeError):
            call()


def test_ids_of_other_integer_types_are_taken_and_others_refused():
    class Order:
        def __index__(self):
            return 7

    seal = Seal(KEY, "order")
    assert seal.seal(Order()) == seal.seal(7)
    assert seal.encode_many([Order()]) == [seal.encode(7)]
    for wrong in (True, 7.0, -1, 2**64):
        assert refused(lambda: seal.seal(wrong)).code == "id_out_of_range"
