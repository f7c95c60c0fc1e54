"""What a source of ids must bear from the process it is in: collectors, forks in the middle, odd memory and odd classes."""

from __future__ import annotations

import ctypes
import sys
import threading
import uuid

import numpy
import pytest

import polyflake
from polyflake import ManualClock, ObjectIds, PolyflakeError, Uuid4, Uuid7

# An object whose end, which the collector brings about in the middle of a call, makes a copy of the process. Both go on.
FORKS_IN_THE_COLLECTOR = """
import gc, os, polyflake
source, call = {source}, "{call}"

class Forking:
    copy = None
    def __del__(self):
        Forking.copy = os.fork()

out, into = os.pipe()
gc.collect()
garbage = Forking()
garbage.itself = garbage
del garbage
gc.set_threshold(9)
kept = [None] * 1000
for number in range(1000):  # nothing else that the collector counts is made here
    kept[number] = source.next_ids(100) if call == "next_ids" else getattr(source, call)()
    if Forking.copy is not None:
        break
ids = kept[number] if call == "next_ids" else [kept[number]]
if Forking.copy == 0:
    os.write(into, " ".join(map(str, ids)).encode())
    os._exit(0)
os.close(into)
assert os.waitpid(Forking.copy, 0)[1] == 0
theirs = os.fdopen(out).read().split()
assert len(theirs) == len(ids)
print(len(set(theirs) & set(map(str, ids))))
"""


@pytest.mark.parametrize(
    ("source", "call"),
    [  # text and numbers by themselves do not set the collector going
        ("polyflake.Uuid7()", "next_id"),
        ("polyflake.Uuid7()", "try_next_id"),
        ("polyflake.Uuid7()", "next_ids"),
        ("polyflake.Uuid4()", "next_id"),
        ("polyflake.Uuid4()", "next_ids"),
        ("polyflake.ObjectIds()", "next_ids"),
        ("polyflake.Generator('host')", "next_ids"),
    ],
)
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the collector runs between calls there, not inside")
def test_forks_that_the_collector_makes_share_no_ids(source, call, run_script, registry):
    assert run_script(FORKS_IN_THE_COLLECTOR.format(source=source, call=call)).strip() == "0"


@pytest.mark.parametrize("kind", ["Uuid7", "Uuid4", "ObjectIds"])
def test_nobody_sees_a_list_half_made(kind, run_script):
    script = f"""
import gc, polyflake
def look(phase, info):
    for found in gc.get_objects():
        if type(found) is list and len(found) == 50_000:
            found[-1]
gc.callbacks.append(look)
gc.set_threshold(5000)
print(len(polyflake.{kind}().next_ids(50_000)))
"""
    assert run_script(script).strip() == "50000"


@pytest.mark.parametrize(
    "memory",
    [
        (ctypes.py_object * 6)(*[None] * 6),
        (ctypes.c_char_p * 6)(*[b"text"] * 6),
        numpy.zeros(6, dtype=object),
        numpy.zeros(6, dtype=[("object", "O"), ("number", "u8")]),
        numpy.zeros(48, dtype=bool),
    ],
    ids=["ctypes", "pointers", "numpy", "numpy structures", "truth values"],
)
@pytest.mark.parametrize("source", [Uuid7, Uuid4, ObjectIds])
def test_fill_does_not_write_over_objects(source, memory):
    with pytest.raises(PolyflakeError) as raised:
        source().fill(memory)
    assert raised.value.code == "option_invalid"
    assert str(list(memory)), "they can still be looked at"


@pytest.mark.parametrize("memory", [numpy.zeros(6, "V16"), numpy.zeros(6, "S16"), numpy.zeros((6, 16), "u1")])
def test_fill_writes_to_arrays_of_bytes(memory):
    ids = Uuid7()
    ids.fill(memory)
    first = uuid.UUID(bytes=memory.tobytes()[:16])
    assert first < uuid.UUID(bytes=memory.tobytes()[-16:]) < ids.next_id()


def test_uuids_of_subclasses_are_read():
    class Mine(uuid.UUID):
        pass

    class UUID:
        bytes = b"\0" * 16

    ids = Uuid7()
    id = ids.next_id()
    assert ids.decode(Mine(int=id.int)) == ids.decode(id)
    with pytest.raises(PolyflakeError):
        ids.decode(UUID())


def test_one_of_many_threads_registers_a_name():
    def factory(options):
        return None

    for number in range(100):
        won = []
        all_there = threading.Barrier(3)

        def register(name=f"raced_{number}", won=won, all_there=all_there):
            all_there.wait()
            try:
                polyflake.register(name, factory)
            except PolyflakeError as error:
                assert error.code == "option_invalid"
            else:
                won.append(name)

        threads = [threading.Thread(target=register) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1


def test_a_name_is_its_text_whatever_class_it_is_of():
    class Name(str):
        __slots__ = ()

        def __hash__(self):
            return 1

        def __eq__(self, other):
            return self is other

    polyflake.register(Name("odd_name"), lambda options: Uuid4())
    assert isinstance(polyflake.open("odd_name"), Uuid4)
    assert type(polyflake.kinds()[-1]) is str


def test_a_close_that_fails_does_not_hide_why_it_was_called():
    class Failing:
        def close(self):
            raise ZeroDivisionError

    polyflake.register("failing_close", lambda options: Failing())
    with pytest.raises(PolyflakeError) as raised:
        polyflake.open("failing_close", more=1)
    assert raised.value.code == "option_invalid"
    assert isinstance(raised.value.__context__, ZeroDivisionError)


def test_given_entropy_that_is_used_up_says_so():
    with pytest.raises(PolyflakeError, match="used up"):
        Uuid7(clock=ManualClock(1_700_000_000_000), entropy=b"")
