"""Layouts and parts: times, equality, and what a datetime cannot show. Bits are in the vectors."""

from __future__ import annotations

import copy
import pickle
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

import polyflake
from polyflake import Layout, Parts, PolyflakeError

UTC = timezone.utc


@pytest.fixture
def layout():
    return Layout("polyflake")


def test_time_is_an_aware_datetime_in_utc(layout):
    time = datetime(2026, 3, 14, 15, 9, 26, 535000, UTC)
    parts = layout.decode(layout.encode(time=time, worker=5, sequence=9))
    assert parts.time == time
    assert parts.time.tzinfo is UTC
    assert (parts.sequence, parts.node, parts.fields) == (9, 5, {"worker": 5})


def test_the_zone_of_a_datetime_does_not_matter(layout):
    utc = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)  # the second 02:30 of that night in Berlin
    berlin = utc.astimezone(ZoneInfo("Europe/Berlin"))
    assert berlin.fold == 1
    assert layout.encode(time=berlin) == layout.encode(time=utc)
    assert layout.encode(time=berlin.replace(fold=0)) == layout.encode(time=utc - timedelta(hours=1))


def test_microseconds_belong_to_the_tick_they_lie_in(layout):
    time = datetime(2026, 3, 14, 15, 9, 26, 535999, UTC)
    assert layout.first_id(time) == layout.first_id(time.replace(microsecond=535000))


def test_ranges_take_datetimes_and_unix_milliseconds(layout):
    time = datetime(2026, 3, 14, tzinfo=UTC)
    ms = int(time.timestamp()) * 1000
    assert layout.first_id(time) == layout.first_id(ms) == layout.encode(time_ms=ms)
    assert layout.last_id(time) == layout.last_id(ms) == layout.encode(time_ms=ms + 1) - 1


def test_instants_after_the_year_9999_keep_time_ms():
    wide = Layout("timestamp:51 worker:6 sequence:6 tick=1ms epoch=2020-01-01T00:00:00.000Z")
    parts = wide.decode(2**63 - 1)
    assert parts.time_ms == wide.epoch_ms + 2**51 - 1
    with pytest.raises(polyflake.BadArgumentError, match="time_ms") as raised:
        parts.time  # noqa: B018
    assert raised.value.code == "id_out_of_range"
    assert f"time_ms={parts.time_ms}" in repr(parts)


def test_the_last_millisecond_of_the_year_9999_is_shown():
    wide = Layout("timestamp:51 worker:6 sequence:6 tick=1ms epoch=2020-01-01T00:00:00.000Z")
    last = datetime(9999, 12, 31, 23, 59, 59, 999000, UTC)
    parts = wide.decode(wide.encode(time=last))
    assert parts.time == last
    assert "9999-12-31T23:59:59.999" in repr(parts)
    with pytest.raises(PolyflakeError):
        wide.decode(wide.encode(time_ms=parts.time_ms + 1)).time  # noqa: B018


def test_equal_layouts_are_equal_keys(layout):
    assert layout == Layout(str(layout))
    assert layout != Layout("twitter")
    assert layout != str(layout)
    assert len({layout, Layout("polyflake"), Layout("twitter")}) == 2


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_layouts_and_parts_survive_pickling_and_copying(protocol, layout):
    parts = layout.decode(12345)
    assert pickle.loads(pickle.dumps(layout, protocol)) == layout == copy.deepcopy(layout)
    assert pickle.loads(pickle.dumps(parts, protocol)) == parts == copy.deepcopy(parts)
    assert isinstance(parts, Parts)
    assert hash(parts) == hash(layout.decode(12345))


def test_a_layout_prints_as_what_makes_it(layout):
    assert eval(repr(layout)) == layout


def test_presets_begin_with_the_default():
    names = polyflake.presets()
    assert names[0] == "polyflake"
    assert len(names) == len({Layout(name) for name in names}) + (Layout("leaf") == Layout("twitter"))


def test_node_fields_may_be_called_like_arguments_of_python():
    layout = Layout("timestamp:41 self:5 class:5 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z")
    assert layout.decode(layout.encode(tick=1, self=2, **{"class": 3})).fields == {"self": 2, "class": 3}


def test_ids_as_text_and_back():
    assert polyflake.to_text(255) == "255"
    assert polyflake.to_text(255, "hex") == "00000000000000ff"
    assert polyflake.from_text("00000000000000ff", codec="hex") == polyflake.from_text("255") == 255


def test_decode_takes_a_layout_its_text_or_a_preset():
    twitter = Layout("twitter")
    assert (
        polyflake.decode(12345, twitter)
        == polyflake.decode("12345", "twitter")
        == polyflake.decode(12345, str(twitter))
    )


def test_the_zone_of_the_process_does_not_matter(run_script):
    script = """
import polyflake
print(polyflake.decode(794354201911120166), polyflake.Layout("shardingsphere"), polyflake.Layout("twitter").epoch_ms)
"""
    outputs = {run_script(script, TZ=zone) for zone in ("UTC", "Asia/Shanghai", "America/St_Johns", "Europe/Berlin")}
    assert len(outputs) == 1
