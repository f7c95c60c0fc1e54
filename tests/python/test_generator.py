"""What a generator does, on a clock that stands still."""

from __future__ import annotations

import copy
import pickle
from array import array
from itertools import islice

import numpy
import pytest
from conftest import NOW_MS
from refusals import code_of

import polyflake
from polyflake import Generator, Layout, ManualClock

TINY = "timestamp:41 worker:10 sequence:2 tick=1ms epoch=2020-01-01T00:00:00.000Z"


@pytest.fixture
def clock():
    return ManualClock(NOW_MS)


@pytest.fixture
def generator(clock):
    return Generator(7, clock=clock)


def test_an_id_says_when_and_where_it_was_issued(generator):
    parts = polyflake.decode(generator.next_id())
    assert (parts.time_ms, parts.node, parts.fields) == (NOW_MS, 7, {"worker": 7})


def test_single_calls_iteration_and_batches_give_the_same_ids(clock):
    def fresh():
        return Generator(7, clock=ManualClock(NOW_MS))

    expected = fresh().next_ids(5000)
    buffer = array("Q", bytes(5000 * 8))
    fresh().fill(buffer)
    one_by_one, iterated = fresh(), fresh()
    assert [one_by_one.next_id() for _ in range(5000)] == expected
    assert list(islice(iterated, 5000)) == expected
    assert buffer.tolist() == expected
    assert expected == sorted(set(expected))


def test_worker_and_layout_can_be_asked_for():
    generator = Generator({"worker": 3, "datacenter": 1}, layout="twitter", clock=ManualClock(NOW_MS))
    assert generator.worker == 32 + 3
    assert generator.layout == Layout("twitter")
    assert generator.layout.decode(generator.next_id()).fields == {"datacenter": 1, "worker": 3}


def test_a_layout_may_be_an_object_a_text_or_a_preset():
    layout = Layout("twitter")
    ids = {
        Generator(1, layout=given, clock=ManualClock(NOW_MS)).next_id() for given in ("twitter", str(layout), layout)
    }
    assert len(ids) == 1


def test_numpy_integers_are_integers(clock):
    assert Generator(numpy.int64(7), max_wait_ms=numpy.uint8(5), clock=clock).worker == 7


def test_a_manual_clock_moves_to_the_due_tick_instead_of_waiting(clock):
    generator = Generator(0, layout=TINY, sequence_spread=1, clock=clock)
    generator.next_ids(9)
    assert clock.time_ms == NOW_MS + 2


def test_try_next_id_gives_none_where_it_would_wait_and_loses_nothing(clock):
    generator = Generator(0, layout=TINY, sequence_spread=1, clock=clock)
    generator.next_ids(4)
    assert generator.try_next_id() is None
    assert clock.time_ms == NOW_MS
    clock.advance(1)
    assert Layout(TINY).decode(generator.try_next_id()).sequence == 0


def test_a_clock_that_went_back_too_far_is_refused_with_the_milliseconds_missing(generator, clock):
    generator.next_id()
    clock.advance(-500)
    with pytest.raises(polyflake.ClockError, match="500") as raised:
        generator.next_id()
    assert raised.value.code == "clock_behind"


def test_an_id_can_be_had_as_text(clock, generator):
    expected = Generator(7, clock=ManualClock(NOW_MS)).next_ids(100)
    texts = [generator.next_id_string() for _ in range(100)]
    assert all(type(text) is str for text in texts)
    assert [polyflake.from_text(text) for text in texts] == expected
    assert texts == [str(id) for id in expected]


def test_a_state_is_asked_for_without_issuing_an_id(generator):
    assert generator.state() == polyflake.State(name="open", code=None)
    assert generator.stats().issued == 0
    generator.close()
    assert generator.state() == polyflake.State("closed", "generator_closed")


def test_a_number_needs_no_renewal_and_can_be_told_to(generator):
    assert generator.renew() is None
    generator.next_id()
    assert generator.stats().issued == 1


def test_next_ids_of_none_are_none(generator):
    assert generator.next_ids(0) == []
    generator.fill(array("Q"))
    assert generator.stats().issued == 0


@pytest.mark.parametrize(
    "buffer",
    [
        array("Q", bytes(80)),
        array("q", bytes(80)),
        numpy.zeros(10, numpy.uint64),
        numpy.zeros(10, numpy.int64),
        numpy.zeros((2, 5), numpy.uint64),
        numpy.zeros(20, numpy.uint64)[5:15],
        memoryview(bytearray(80)).cast("Q"),
    ],
    ids=lambda buffer: f"{type(buffer).__name__}-{memoryview(buffer).format}",
)
def test_fill_takes_any_writable_memory_of_64_bit_integers(buffer, generator):
    generator.fill(buffer)
    assert numpy.asarray(buffer).ravel().tolist() == Generator(7, clock=ManualClock(NOW_MS)).next_ids(10)


@pytest.mark.parametrize(
    "buffer",
    [
        bytes(80),
        bytearray(80),
        array("d", bytes(80)),
        array("I", bytes(80)),
        memoryview(bytes(80)).cast("Q"),
        numpy.zeros(10, numpy.float64),
        numpy.zeros(10, "datetime64[ms]"),
        numpy.zeros(10, ">u8" if numpy.little_endian else "<u8"),
        numpy.zeros(20, numpy.uint64)[::2],
        numpy.zeros(81, numpy.uint8)[1:].view(numpy.uint64),
        [0] * 10,
        None,
        8,
    ],
    ids=lambda buffer: type(buffer).__name__,
)
def test_fill_refuses_other_memory(buffer, generator):
    assert code_of(lambda: generator.fill(buffer)) == "option_invalid"
    assert generator.stats().issued == 0


def test_a_closed_generator_refuses_every_call(generator):
    generator.close()
    generator.close()
    assert generator.closed
    assert generator.worker == 7
    for call in (
        generator.next_id,
        generator.next_id_string,
        generator.try_next_id,
        generator.renew,
        lambda: next(generator),
        lambda: generator.next_ids(1),
        lambda: generator.fill(array("Q", bytes(8))),
        lambda: generator.next_ids(0),
        lambda: generator.fill(array("Q")),
    ):
        with pytest.raises(polyflake.StateError) as raised:
            call()
        assert raised.value.code == "generator_closed"


def test_a_context_manager_closes(clock):
    with Generator(7, clock=clock) as generator:
        generator.next_id()
        assert not generator.closed
    assert generator.closed


def test_stats_count_what_was_issued_and_waited(clock):
    generator = Generator(0, layout=TINY, sequence_spread=1, clock=clock)
    generator.next_ids(9)
    stats = generator.stats()
    assert (stats.issued, stats.waits, stats.sequence_exhaustions) == (9, 2, 2)
    assert stats.waited_ms == pytest.approx(2, abs=1)
    clock.set(NOW_MS - 3)
    generator.next_id()
    stats = generator.stats()
    assert stats.clock_steps_back == 1
    assert stats.largest_step_back_ms > 0
    assert 60 < stats.years_left < 70
    assert stats.until_ms > NOW_MS
    assert (stats.renewals, stats.store_failures, stats.namespace_uuid) == (0, 0, None)


def test_lead_lets_ids_run_ahead_of_the_clock(clock):
    generator = Generator(0, layout=TINY, sequence_spread=1, max_lead_ms=5, clock=clock)
    generator.next_ids(24)
    assert clock.time_ms == NOW_MS
    assert generator.stats().lead_ms == 5


def test_two_generators_of_one_node_id_share_one_state():
    one, two = Generator(1001), Generator(1001)
    ids = [generator.next_id() for _ in range(1000) for generator in (one, two)]
    assert ids == sorted(set(ids))


def test_repr_says_what_it_is(generator):
    assert repr(generator) == f"<polyflake.Generator worker=7 layout='{Layout('polyflake')}'>"
    generator.close()
    assert repr(generator).endswith(" closed>")
    assert repr(ManualClock(5)) == "ManualClock(5)"
    assert repr(generator.state()) == "State(name='closed', code='generator_closed')"
    assert repr(generator.stats()).startswith("Stats(issued=0, waits=0, waited_ms=0.000, sequence_exhaustions=0, ")
    assert repr(generator.stats()).endswith(
        f", years_left={generator.stats().years_left:.1f}, renewals=0, store_failures=0, held_ms=0, "
        "held=0, step=0, fetches=0, last_fetch_ms=0, jumps=0, left=0, namespace_uuid=None)"
    )


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_generators_and_clocks_cannot_be_pickled(protocol, generator, clock):
    for thing in (generator, clock):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(thing, protocol)


def test_generators_cannot_be_copied(generator):
    for copier in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="issue the same ids"):
            copier(generator)


def test_a_generator_whose_constructor_never_ran_is_harmless():
    bare = Generator.__new__(Generator)
    assert repr(bare) == "<polyflake.Generator not opened>"
    for call in (
        bare.next_id,
        bare.next_id_string,
        bare.try_next_id,
        bare.close,
        bare.renew,
        bare.state,
        bare.stats,
        lambda: bare.worker,
        lambda: bare.closed,
        lambda: bare.fill(array("Q", bytes(8))),
        lambda: bare.next_ids(2),
    ):
        with pytest.raises(TypeError, match="__init__"):
            call()


def test_subclasses_may_add_what_they_like(clock):
    class Other:
        def __init__(self):
            self.name = "other"

    class Named(Generator, Other):
        def __init__(self, name):
            super().__init__(7, clock=clock)
            self.name = name

    named = Named("mine")
    assert named.next_id() < next(named)


def test_batches_too_large_for_memory_are_a_memory_error(generator):
    for n in (2**62, 2**63 - 1):
        with pytest.raises(MemoryError):
            generator.next_ids(n)
    assert generator.stats().issued == 0


def test_worker_comes_from_the_environment_when_absent(monkeypatch, clock):
    monkeypatch.setenv("POLYFLAKE_WORKER", "9")
    assert Generator(clock=clock).worker == 9
    monkeypatch.setenv("POLYFLAKE_WORKER", " 9")
    assert code_of(lambda: Generator(clock=clock)) == "worker_source_invalid"


def test_a_second_init_is_refused_and_changes_nothing():
    with polyflake.Generator(7) as generator:
        assert code_of(lambda: generator.__init__(8)) == "option_invalid"
        assert generator.worker == 7
        assert Layout("polyflake").decode(generator.next_id()).node == 7
