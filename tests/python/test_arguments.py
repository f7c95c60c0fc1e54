"""Wrong arguments are refused with the right code, whatever their type."""

from __future__ import annotations

import decimal
import inspect
import math
from datetime import datetime, timedelta, timezone
from fractions import Fraction

import numpy
import pytest
from conftest import NOW_MS
from refusals import refused

import polyflake
from polyflake import BadArgumentError, Generator, Layout, ManualClock


def named(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{'-' if value < 0 else ''}{value.bit_length()}bits"
    return ascii(value)[:24].partition(" at 0x")[0]


NOT_INTEGERS = [
    1.5,
    1.0,
    math.nan,
    math.inf,
    True,
    False,
    numpy.True_,
    numpy.float64(1),
    decimal.Decimal(1),
    Fraction(1),
    b"7",
    [7],
    (7,),
    object(),
    1j,
]
HUGE = [2**63, -(2**63) - 1, 2**64, 2**64 + 7, -(2**64), 10**5000, -(10**5000)]


def refusal(call):
    error = refused(call)
    assert isinstance(error, ValueError)
    assert str(error).isascii()
    assert len(str(error)) < 400
    return error.code


def open_generator(**options):
    return Generator(**{"worker": 1, "clock": ManualClock(NOW_MS), **options})


@pytest.mark.parametrize("value", NOT_INTEGERS, ids=named)
def test_a_worker_of_a_wrong_type(value):
    assert refusal(lambda: open_generator(worker=value)) == "worker_source_invalid"


@pytest.mark.parametrize("value", HUGE, ids=named)
def test_a_worker_beyond_64_bits(value):
    assert refusal(lambda: open_generator(worker=value)) == "field_out_of_range"


@pytest.mark.parametrize("value", ["7", "0x7", " 7", "banana", "", "\u0667", "\ud800", "host\0"], ids=named)
def test_a_worker_given_as_text_goes_to_the_core(value):
    assert refusal(lambda: open_generator(worker=value)) == "worker_source_invalid"


def test_worker_fields_of_wrong_names_and_types():
    def code(fields):
        return refusal(lambda: open_generator(worker=fields, layout="twitter"))

    assert code({"datacenter": 1, "worker": 1.0}) == "field_out_of_range"
    assert code({"datacenter": 1, "worker": True}) == "field_out_of_range"
    assert code({"datacenter": 1, "worker": "7"}) == "field_out_of_range"
    assert code({"datacenter": 1, "worker": 2**64}) == "field_out_of_range"
    assert code({"datacenter": 1, "worker": 1, "rack": 1}) == "unknown_field"
    assert code({"datacenter": 1, "worker": 1, 5: 1}) == "unknown_field"
    assert code({"datacenter": 1, "worker": 1, "\ud800": 1}) == "unknown_field"
    assert code({"datacenter": 1}) == "worker_source_invalid"


@pytest.mark.parametrize("option", ["max_wait_ms", "max_lead_ms", "sequence_spread"])
@pytest.mark.parametrize("value", [*NOT_INTEGERS, *HUGE, "5", -1], ids=named)
def test_an_option_of_a_wrong_type_or_size(option, value):
    assert refusal(lambda: open_generator(**{option: value})) == "option_invalid"


@pytest.mark.parametrize("value", [*NOT_INTEGERS, 1, None, ["strict"], {"strict"}], ids=named)
def test_an_ordering_that_is_no_text(value):
    assert refusal(lambda: open_generator(ordering=value)) == "option_invalid"


@pytest.mark.parametrize(
    "value",
    ["", "none", "Strict", "strict ", "per-thread", "perThread", "per_thread\0", "\u0455trict", "\ud800", "x" * 5000],
    ids=named,
)
def test_an_ordering_of_another_name(value):
    assert refusal(lambda: open_generator(ordering=value)) == "option_invalid"


@pytest.mark.parametrize("value", [1.5, NOW_MS, "now", object(), Generator], ids=named)
def test_a_clock_that_is_none(value):
    assert refusal(lambda: open_generator(clock=value)) == "option_invalid"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("max_wait", "max_wait_ms"),
        ("maxLeadMs", "max_lead_ms"),
        ("spread", ""),
        ("order", "ordering"),
        ("workers", "worker"),
        ("x" * 5000, ""),
    ],
    ids=named,
)
def test_a_misspelled_option_is_refused_naming_the_nearest(name, advice):
    with pytest.raises(BadArgumentError, match=f"did you mean {advice}" if advice else "options are") as raised:
        open_generator(**{name: 5})
    assert raised.value.code == "option_invalid"
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("epoch", "part of the layout, layout='timestamp:41 "),
        ("epoch_ms", "epoch=2020-01-01T00:00:00.000Z"),
        ("worker_id", "worker=7"),
        ("datacenter_id", "worker={'datacenter': 7, ...}"),
        ("datacenter", "worker={'datacenter': 7, ...}"),
        ("machine_id", "worker={'machine': 7, ...}"),
        ("node_id", "worker=7"),
    ],
)
def test_an_option_of_other_libraries_is_refused_saying_how_it_is_done_here(name, advice):
    with pytest.raises(BadArgumentError) as raised:
        open_generator(**{name: 5})
    assert raised.value.code == "option_invalid"
    assert advice in str(raised.value)


@pytest.mark.parametrize("value", [None, 5, b"polyflake", 1.5, object()], ids=named)
def test_a_layout_that_is_no_text(value):
    assert refusal(lambda: Layout(value)) == "layout_invalid"
    assert value is None or refusal(lambda: polyflake.decode(1, value)) == "layout_invalid"
    assert refusal(lambda: open_generator(layout=value)) == "layout_invalid"


@pytest.mark.parametrize("value", [*NOT_INTEGERS, -1, 2**64, -(2**63), 10**5000, None], ids=named)
def test_a_value_that_is_no_id(value):
    assert refusal(lambda: Layout("polyflake").decode(value)) == "id_out_of_range"
    assert refusal(lambda: polyflake.to_text(value)) == "id_out_of_range"


@pytest.mark.parametrize(
    "text",
    ["", " 12", "12\n", "1_000", "+5", "-0", "0x10", "\u0661\u0662", "012", "1e3", "12\0", "\ud800", "9" * 5000],
    ids=named,
)
def test_decimal_text_that_int_would_take_is_refused(text):
    assert refusal(lambda: Layout("polyflake").decode(text)) == "text_invalid"
    assert refusal(lambda: polyflake.from_text(text)) == "text_invalid"


def test_text_and_codecs_of_a_wrong_type():
    assert refusal(lambda: polyflake.from_text(12)) == "text_invalid"
    assert refusal(lambda: polyflake.from_text(b"12")) == "text_invalid"
    assert refusal(lambda: polyflake.from_text("12", "base59")) == "option_invalid"
    assert refusal(lambda: polyflake.to_text(12, None)) == "option_invalid"
    assert refusal(lambda: polyflake.from_text("18446744073709551616")) == "id_out_of_range"


@pytest.mark.parametrize("value", [*NOT_INTEGERS, *HUGE, "1", -1], ids=named)
def test_parts_that_are_no_integers_or_too_large(value):
    layout = Layout("polyflake")
    for parts in ({"tick": value}, {"tick": 1, "sequence": value}, {"tick": 1, "worker": value}):
        assert refusal(lambda: layout.encode(**parts)) == "field_out_of_range", parts


@pytest.mark.parametrize("value", [*NOT_INTEGERS, "1", datetime(2026, 1, 1, tzinfo=timezone.utc)], ids=named)
def test_milliseconds_that_are_no_integer(value):
    assert refusal(lambda: Layout("polyflake").encode(time_ms=value)) == "option_invalid"


@pytest.mark.parametrize("value", [*HUGE, -1], ids=named)
def test_milliseconds_that_no_layout_holds(value):
    assert refusal(lambda: Layout("polyflake").encode(time_ms=value)) == "field_out_of_range"


def test_encode_takes_exactly_one_time():
    layout, time = Layout("polyflake"), datetime(2026, 1, 1, tzinfo=timezone.utc)
    for given in (
        {},
        {"tick": 1, "time_ms": NOW_MS},
        {"time": time, "tick": 1},
        {"tick": 1, "time_ms": 1, "time": time},
    ):
        assert refusal(lambda: layout.encode(**given)) == "option_invalid"


def test_a_time_must_be_an_aware_datetime():
    layout = Layout("polyflake")
    for time in (datetime(2026, 1, 1), "2026-01-01", datetime(2026, 1, 1).date(), 5):
        assert refusal(lambda: layout.encode(time=time)) == "option_invalid"
    for edge in (layout.first_id, layout.last_id):
        for time in (datetime(2026, 1, 1), "2026-01-01", 1.5, True, None):
            assert refusal(lambda: edge(time)) == "option_invalid"
        for time in (-1, 2**63, 10**5000, datetime(1, 1, 1, tzinfo=timezone.utc)):
            assert refusal(lambda: edge(time)) == "field_out_of_range"


def test_a_manual_clock_takes_times_and_spans_of_python():
    clock = ManualClock(datetime(2026, 1, 1, 0, 0, 0, 1999, tzinfo=timezone.utc))
    assert clock.time_ms == 1767225600001
    clock.advance(timedelta(seconds=-1.5))
    assert clock.time_ms == 1767225598501
    clock.set(datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))))
    assert clock.time_ms == 1767225600000
    for call in (
        lambda: ManualClock(datetime(2026, 1, 1)),
        lambda: clock.set(datetime(2026, 1, 1)),
        lambda: clock.advance(timedelta(microseconds=1)),
        lambda: clock.advance(timedelta(milliseconds=-1, microseconds=1)),
        lambda: clock.advance(timedelta.max),
        lambda: clock.set(timedelta(1)),
        lambda: clock.advance(datetime(2026, 1, 1, tzinfo=timezone.utc)),
    ):
        assert refusal(call) == "option_invalid"
    assert clock.time_ms == 1767225600000


@pytest.mark.parametrize("value", [*NOT_INTEGERS, *HUGE, "5", None], ids=named)
def test_a_manual_clock_takes_no_other_values(value):
    clock = ManualClock(5)
    for call in (lambda: ManualClock(value), lambda: clock.set(value), lambda: clock.advance(value)):
        assert refusal(call) == "option_invalid"
    assert clock.time_ms == 5


@pytest.mark.parametrize("value", [*NOT_INTEGERS, -1, 2**63, "5", None], ids=named)
def test_a_batch_size_that_is_none(value):
    assert refusal(lambda: open_generator().next_ids(value)) == "option_invalid"


def test_input_is_quoted_escaped_and_cut():
    with pytest.raises(BadArgumentError) as raised:
        Layout("\u202e\x1b[31m" + "a" * 10000)
    assert str(raised.value).isascii()
    assert "\x1b" not in str(raised.value)
    assert "a" * 40 not in str(raised.value)


@pytest.mark.parametrize(
    "made", [polyflake.Codec, polyflake.Sqids, polyflake.Hashids, polyflake.Seal, polyflake.SealRing]
)
def test_an_object_whose_init_never_ran_is_refused_and_crashes_nothing(made):
    """What prints the locals of a failed constructor gets there."""
    unmade = made.__new__(made)
    properties = [(name, each) for name, each in inspect.getmembers_static(made) if isinstance(each, property)]
    for name, each in properties:
        with pytest.raises((TypeError, AttributeError)):
            getattr(unmade, name)
        with pytest.raises((TypeError, AttributeError)):
            each.fget(3)
    with pytest.raises((TypeError, AttributeError)):
        repr(unmade)
    assert properties


def test_a_private_class_is_not_pickled_by_any_protocol_and_ends_no_process():
    private = [made for made in vars(polyflake._core).values() if isinstance(made, type)]
    for made in private:
        for protocol in range(6):
            with pytest.raises(TypeError):
                made.__new__(made).__reduce_ex__(protocol)
    assert polyflake._core.Seal in private
