"""Kinds of ids beside the snowflake, and sources by name."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import uuid
from datetime import datetime, timezone
from pathlib import Path

import numpy
import pytest
from refusals import code_of

import polyflake
from polyflake import BadArgumentError, Layout, ManualClock, ObjectIds, Uuid4, Uuid7

NOW_MS = 1_700_000_000_000
HOUR_MS = 3_600_000
SOURCES = (Uuid7, Uuid4, ObjectIds)


def words(*values):
    return b"".join(value.to_bytes(8, "big") for value in values)


@pytest.fixture(params=SOURCES, ids=lambda kind: kind.__name__)
def source(request):
    with request.param() as opened:
        yield opened


def test_ids_are_of_the_version_that_their_kind_says():
    seven, four = Uuid7().next_id(), Uuid4().next_id()
    assert (seven.version, seven.variant, four.version, four.variant) == (7, uuid.RFC_4122, 4, uuid.RFC_4122)
    assert uuid.UUID(str(seven)) == seven
    assert {seven: 1}[uuid.UUID(bytes=seven.bytes)] == 1
    assert seven.is_safe is uuid.SafeUUID.unknown
    assert pickle.loads(pickle.dumps(seven)) == seven
    assert copy.deepcopy(four) == four


def test_all_calls_give_ids_that_are_new(source):
    before = source.stats().issued  # of the process
    given = [source.next_id(), *source.next_ids(100), source.try_next_id(), asyncio.run(source.next_id_async())]
    texts = [*map(str, given), source.next_id_string(), str(next(iter(source)))]
    assert len(set(texts)) == 105
    assert source.stats().issued - before == 105
    assert source.next_ids(0) == []


def test_fill_writes_the_bytes_of_ids():
    seven = Uuid7()
    for memory in (bytearray(16 * 600), numpy.zeros(16 * 600, "u1"), numpy.zeros((600, 2), "u8")):
        seven.fill(memory)
        raw = bytes(memoryview(memory).cast("B"))
        ids = [uuid.UUID(bytes=raw[i : i + 16]) for i in range(0, len(raw), 16)]
        assert ids == sorted(set(ids))
        assert {one.version for one in ids} == {7}
    twelve = bytearray(24)
    ObjectIds().fill(twelve)
    assert twelve[:12] < twelve[12:]


@pytest.mark.parametrize("memory", [bytearray(15), b"x" * 16, [0] * 16, None])
def test_fill_refuses_other_memory(memory):
    assert code_of(lambda: Uuid7().fill(memory)) == "option_invalid"
    assert code_of(lambda: Uuid4().fill(memory)) == "option_invalid"


def test_a_closed_source_refuses(source):
    source.close()
    source.close()
    assert source.closed
    for call in (source.next_id, source.next_id_string, lambda: source.next_ids(1), lambda: source.fill(bytearray(48))):
        assert code_of(call) == "generator_closed"


def test_a_source_cannot_be_copied(source):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError):
            pickle.dumps(source, protocol)
    assert type(source).__name__ in repr(source)


def test_uuids_rise_while_the_clock_is_held():
    clock = ManualClock(NOW_MS)
    ids = Uuid7(clock=clock, entropy=words(0) + bytes(80))
    first = ids.next_id()
    assert ids.decode(first).sequence == 26910
    clock.set(NOW_MS - HOUR_MS)
    second = ids.next_id()
    assert second > first
    assert ids.stats().held_ms == HOUR_MS
    clock.set(NOW_MS + HOUR_MS)
    assert ids.decode(ids.next_id()).time_ms == NOW_MS + HOUR_MS
    assert ids.stats().held_ms == 0


def test_try_gives_nothing_where_it_would_wait():
    ids = Uuid7(clock=ManualClock(NOW_MS), entropy=bytes(8 * 300_000))
    ids.next_ids(262_144 - 26_910)
    assert ids.try_next_id() is None
    assert ids.next_id().version == 7


def test_ids_of_threads_rise_and_differ():
    ids = Uuid7()
    given: list[list[uuid.UUID]] = [[] for _ in range(4)]

    def issue(mine):
        mine.extend(ids.next_id() for _ in range(20_000))

    threads = [threading.Thread(target=issue, args=(mine,)) for mine in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mine == sorted(mine) for mine in given)
    assert len({one for mine in given for one in mine}) == 80_000


def test_forks_have_tails_and_process_bytes_of_their_own():
    seven, twelve, four = Uuid7(), ObjectIds(), Uuid4()

    def own():
        return f"{seven.decode(seven.next_id()).tail} {twelve.decode(twelve.next_id()).process} {four.next_id()}"

    found = [own()]
    for _ in range(16):
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.write(writer, own().encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as ending:
            found.append(ending.read())
        os.wait()
    assert all(len(set(column)) == 17 for column in zip(*(one.split() for one in found)))


def _own(_):
    return str(Uuid7().next_id())[24:], ObjectIds().next_id()[8:18]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_of_multiprocessing_have_theirs(method):
    with multiprocessing.get_context(method).Pool(4, maxtasksperchild=1) as pool:
        found = pool.map(_own, range(8), chunksize=1)
    assert len({tail for tail, _ in found}) == 8
    assert len({process for _, process in found}) == 8


def test_a_worker_makes_them_certain(registry):
    with Uuid7("host") as ids, Uuid7(77, layout="twitter") as numbered:
        assert ids.decode(ids.next_id()).node == ids.worker
        parts = numbered.decode(numbered.next_id())
    assert parts.node == 77
    plain = Layout("twitter").to_uuid(
        Layout("twitter").encode(tick=parts.tick, sequence=parts.sequence, worker=13, datacenter=2)
    )
    assert numbered.decode(plain)[:4] == parts[:4]
    assert str(plain)[24:] == "000000000000"


def test_ids_of_a_layout_are_uuids_too():
    layout = Layout("polyflake")
    assert str(layout.to_uuid(7301861534949376)) == "016fc62a-ec7b-7000-bd60-000000000000"
    assert layout.from_uuid("016fc62a-ec7b-7000-bd60-000000000000") == 7301861534949376
    assert layout.from_uuid(layout.to_uuid("7301861534949376")) == 7301861534949376
    assert code_of(lambda: layout.from_uuid(Uuid7().next_id())) == "id_out_of_range"
    assert code_of(lambda: layout.from_uuid(7)) == "text_invalid"
    assert code_of(lambda: Layout("sonyflake").to_uuid(1)) == "layout_invalid"


def test_range_queries():
    day = datetime(2026, 1, 1, tzinfo=timezone.utc)
    seven, twelve = Uuid7(), ObjectIds()
    assert str(seven.first_id(day)) == "019b76da-a800-7000-8000-000000000000"
    assert str(seven.last_id(1767225600000)) == "019b76da-a800-7fff-bfff-ffffffffffff"
    assert twelve.first_id(day) == "6955b900" + 16 * "0"
    assert twelve.last_id(day) == "6955b900" + 16 * "f"
    assert twelve.decode("507f1f77bcf86cd799439011") == (1350508407000, 0xBCF86CD799, 4427793)
    assert seven.decode(seven.first_id(day)).time == day
    assert code_of(lambda: seven.first_id(-1)) == "field_out_of_range"
    assert code_of(lambda: seven.decode("019B76DA-a800-7000-8000-000000000000")) == "text_invalid"
    assert code_of(lambda: seven.decode(uuid.UUID(int=0))) == "id_out_of_range"
    assert code_of(lambda: twelve.decode(7)) == "text_invalid"


@pytest.mark.parametrize(
    "options",
    [{"clock": 7}, {"entropy": bytes(8)}, {"entropy": "x", "clock": ManualClock(0)}, {"epoch": 0}],
)
def test_options_of_a_wrong_kind_are_refused(options):
    for kind in SOURCES:
        assert code_of(lambda kind=kind: kind(**options)) == "option_invalid"
    assert code_of(lambda: Uuid7(layout="polyflake")) == "option_invalid"
    assert code_of(lambda: Uuid7(1, layout="sonyflake")) == "layout_invalid"


# --- by name -------------------------------------------------------------------------------------


class Orders:
    kind = "orders"

    def __init__(self, first):
        self.next, self.closed = first, False

    def next_id(self):
        self.next += 1
        return self.next - 1

    def next_ids(self, n):
        return [self.next_id() for _ in range(n)]

    def next_id_string(self):
        return str(self.next_id())

    def close(self):
        self.closed = True


def test_every_kind_opens_by_name(registry):
    assert polyflake.kinds()[:4] == ["snowflake", "uuid7", "uuid4", "objectid"]
    kinds = {"snowflake": polyflake.Generator, "uuid7": Uuid7, "uuid4": Uuid4, "objectid": ObjectIds}
    for name, kind in kinds.items():
        with polyflake.open(name) as ids:
            assert type(ids) is kind
            assert ids.kind == name
    assert polyflake.open("snowflake", 7, clock=ManualClock(NOW_MS)).worker == 7


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_whose_constructor_never_ran_is_harmless(source):
    bare = source.__new__(source)
    assert source.__name__ in repr(bare)
    for call in (bare.next_id, bare.try_next_id, bare.next_id_string, bare.close, bare.stats, bare.__enter__().next_id):
        with pytest.raises(TypeError, match="was not called"):
            call()
    for call in (lambda: bare.next_ids(1), lambda: bare.fill(bytearray(48)), lambda: bare.closed):
        with pytest.raises(TypeError, match="was not called"):
            call()


def test_a_generator_says_what_its_ids_mean_as_other_sources_do():
    generator = polyflake.open("snowflake", 7, layout="twitter", clock=ManualClock(NOW_MS))
    id = generator.next_id()
    assert generator.decode(id) == generator.decode(str(id)) == Layout("twitter").decode(id)
    assert generator.first_id(NOW_MS) == Layout("twitter").first_id(NOW_MS)
    assert generator.last_id(generator.decode(id).time) == Layout("twitter").last_id(NOW_MS)
    assert code_of(lambda: generator.decode(-1)) == "id_out_of_range"


def test_the_example_of_an_own_kind_runs():
    example = Path(__file__).parents[2] / "examples/python/own_kind.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True)
    (kind, first), (again, second, third) = (line.split() for line in done.stdout.splitlines())
    assert kind == again == "prefixed"
    assert "order-" < first < second < third


def test_a_kind_of_ones_own():
    polyflake.register("test_orders", lambda options: Orders(options.pop("first", 1)))
    polyflake.register("test_stores", lambda options: options.pop("store", None))
    assert polyflake.open("test_orders", first=41).next_id() == 41
    assert polyflake.open("test_stores:redis://h/0") == "redis://h/0"
    assert code_of(lambda: polyflake.open("test_stores")) == "option_invalid"  # it gave nothing
    assert code_of(lambda: polyflake.open("test_stores:redis://h/0", store="redis://h/1")) == "option_invalid"
    left_over = Orders(1)
    polyflake.register("test_left_over", lambda options: left_over)
    assert code_of(lambda: polyflake.open("test_left_over", more=1)) == "option_invalid"
    assert left_over.closed
    assert polyflake.kinds()[-3:] == ["test_orders", "test_stores", "test_left_over"]
    assert code_of(lambda: polyflake.open("test_orders", last=41)) == "option_invalid"
    assert code_of(lambda: polyflake.open("test_orders", 41)) == "option_invalid"
    for name in ("test_orders", "uuid7"):
        assert code_of(lambda name=name: polyflake.register(name, Orders)) == "option_invalid"
    assert code_of(lambda: polyflake.register("Upper", Orders)) == "text_invalid"
    assert code_of(lambda: polyflake.register("nothing", None)) == "option_invalid"


def test_a_close_that_fails_does_not_hide_the_refusal_of_options():
    class Unclosing:
        def __init__(self, error):
            self.error = error

        def close(self):
            raise self.error

    errors = [OSError("mine"), KeyboardInterrupt()]
    polyflake.register("test_unclosing", lambda options: Unclosing(errors.pop(0)))
    with pytest.raises(polyflake.BadArgumentError, match="more") as raised:
        polyflake.open("test_unclosing", more=1)
    assert isinstance(raised.value.__context__, OSError)
    with pytest.raises(KeyboardInterrupt):
        polyflake.open("test_unclosing", more=1)


def test_an_unknown_kind_names_the_nearest():
    with pytest.raises(polyflake.BadArgumentError, match="uuid7") as raised:
        polyflake.open("uuid77")
    assert raised.value.code == "unknown_kind"
    with pytest.raises(polyflake.BadArgumentError) as raised:
        polyflake.open("uuid 7")
    assert (raised.value.code, raised.value.position) == ("text_invalid", 4)
    assert code_of(lambda: polyflake.open(7)) == "text_invalid"
    assert code_of(lambda: polyflake.open("uuid7:redis://h")) == "option_invalid"


def test_importing_the_package_does_not_import_uuid():
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import sys; sys.path[:0] = sys.argv[1:]; import polyflake; print('uuid' in sys.modules)",
         os.path.dirname(os.path.dirname(polyflake.__file__))],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("kind", ["uuid4", "objectid"])
@pytest.mark.parametrize(
    ("option", "lacking"), [("worker", "node id"), ("datacenter_id", "node id"), ("epoch", "layout")]
)
def test_no_advice_names_an_option_that_the_kind_has_not(kind, option, lacking):
    with pytest.raises(BadArgumentError, match=f"; these ids have no {lacking}; options are ") as refused:
        polyflake.open(kind, **{option: 5})
    assert f"{option}=" not in str(refused.value)
