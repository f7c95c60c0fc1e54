"""Friendly forms in zones, and explain(): what Python adds to the core. Forms and rankings are in the vectors."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from refusals import code_of

import polyflake
from polyflake import BadArgumentError, Layout

UTC = timezone.utc
BERLIN = ZoneInfo("Europe/Berlin")
BACK = datetime(2026, 10, 25, 1, tzinfo=UTC)  # Berlin's clocks go back from 03:00 to 02:00


def test_ids_of_a_zone_read_back_but_for_the_hour_that_comes_twice():
    layout, source = Layout("polyflake"), random.Random(5)
    for _ in range(2000):
        time = BACK + timedelta(seconds=source.randrange(-90_000, 90_000))
        id = layout.encode(time=time, worker=source.randrange(1024), sequence=source.randrange(4096))
        text = layout.friendly(id, BERLIN)
        if BACK - timedelta(hours=1) <= time < BACK + timedelta(hours=1):
            assert code_of(lambda text=text: layout.from_friendly(text, BERLIN)) == "text_invalid"
            offset = timezone(time.astimezone(BERLIN).utcoffset())
            assert layout.from_friendly(text, offset) == id
        else:
            assert layout.from_friendly(text, BERLIN) == id


def test_the_text_is_what_datetime_shows_of_the_zone():
    layout, id = Layout("twitter"), 1541815603606036480
    local = layout.decode(id).time.astimezone(ZoneInfo("Asia/Shanghai"))
    assert layout.friendly(id, ZoneInfo("Asia/Shanghai")) == f"{local:%Y%m%d%H%M%S%f}"[:17] + "-11-26-0"


def test_beyond_the_year_9999_offsets_are_known_and_zones_are_not():
    layout = Layout("yitter")
    last = 2**63 - 1
    assert layout.friendly(last, timezone.utc) == layout.friendly(last)
    east = timezone(timedelta(hours=5, minutes=30))
    assert layout.from_friendly(layout.friendly(last, east), east) == last
    assert code_of(lambda: layout.friendly(last, BERLIN)) == "id_out_of_range"
    assert code_of(lambda: layout.from_friendly(layout.friendly(last), BERLIN)) == "field_out_of_range"
    new_york = ZoneInfo("America/New_York")  # where the year 9999 ends later
    assert code_of(lambda: layout.from_friendly("99991231200000000-0-0", new_york)) == "field_out_of_range"


def test_the_ends_of_the_calendar_are_no_trouble():
    layout = Layout("mastodon")
    first = layout.friendly(0, ZoneInfo("America/New_York"))
    assert first == "19691231190000000-0"
    assert layout.from_friendly(first, ZoneInfo("America/New_York")) == 0
    last = layout.last_id(253_402_300_799_999)
    assert (
        layout.from_friendly(layout.friendly(last, ZoneInfo("America/New_York")), ZoneInfo("America/New_York")) == last
    )


class Odd(tzinfo):
    """A zone of a user's own."""

    def __init__(self, offset, fixed=True):
        self.offset, self.fixed = offset, fixed

    def utcoffset(self, when):
        return self.offset if self.fixed or when is not None else None

    def dst(self, when):
        return timedelta(0) if when is not None else None


class Localizing(tzinfo):
    """As pytz has zones: each offset is one of its own, which fromutc() chooses; a zone itself has some first offset."""

    def __init__(self, zone, offset=timedelta(minutes=53)):
        self.zone, self.offset = zone, offset

    def utcoffset(self, when):
        return self.offset if when is not None else None

    def dst(self, when):
        return timedelta(0) if when is not None else None

    def fromutc(self, when):
        offset = when.replace(tzinfo=UTC).astimezone(self.zone).utcoffset()
        return (when + offset).replace(tzinfo=Localizing(self.zone, offset))


def test_a_zone_whose_offsets_are_zones_of_their_own_reads_back():
    layout, zone = Layout("polyflake"), Localizing(BERLIN)
    for month in range(1, 13):
        id = layout.first_id(datetime(2026, month, 25, 12, tzinfo=UTC))
        text = layout.friendly(id, zone)
        assert text == layout.friendly(id, BERLIN)
        assert layout.from_friendly(text, zone) == id
    for twice_or_never in ("20261025023000000-0-0", "20260329023000000-0-0"):
        assert code_of(lambda text=twice_or_never: layout.from_friendly(text, zone)) == "text_invalid"


@pytest.mark.parametrize("fixed", [True, False])
def test_a_zone_of_ones_own_is_asked_for_its_offset(fixed):
    layout, zone = Layout("polyflake"), Odd(timedelta(hours=3, seconds=7), fixed)
    text = layout.friendly(0, zone)
    assert text == "20200101030007000-0-0"
    assert layout.from_friendly(text, zone) == 0


@pytest.mark.parametrize(
    "zone",
    [
        "Europe/Berlin",
        "",
        0,
        7200,
        False,
        Odd(timedelta(seconds=1, microseconds=1)),
        Odd(timedelta(hours=18, seconds=1)),
        Odd(timedelta(hours=-23)),
    ],
)
def test_what_is_no_zone_of_whole_seconds_within_18_hours_is_refused(zone):
    layout = Layout("polyflake")
    assert code_of(lambda: layout.friendly(0, zone)) == "option_invalid"
    assert code_of(lambda: layout.from_friendly("20200101000000000-0-0", zone)) == "option_invalid"


class Unsure(tzinfo):
    def utcoffset(self, when):
        return None


@pytest.mark.parametrize("zone", ["UTC", timezone(timedelta(hours=23)), Unsure()])
def test_the_zone_is_checked_before_the_text_and_the_width_of_the_id(zone):
    assert code_of(lambda: Layout("polyflake").from_friendly("20200101000000000-0-0", zone)) == "option_invalid"
    if not isinstance(zone, Unsure):  # of a zone without an offset of its own the time is asked first
        assert code_of(lambda: Layout("polyflake").from_friendly("x", zone)) == "option_invalid"
        assert code_of(lambda: Layout("sonyflake").friendly(2**64 - 1, zone)) == "option_invalid"


@pytest.mark.parametrize(
    ("layout", "text", "code", "position"),
    [
        ("twitter", "108890802053150655-0-0-0", "field_out_of_range", 0),
        ("twitter", "99991231200000000-32-0-0", "field_out_of_range", 0),
        ("yitter", "99991231200000000-64-0", "field_out_of_range", 18),
        ("yitter", "99991231200000000-0-0", "field_out_of_range", None),
    ],
)
def test_after_the_year_9999_a_zone_hides_nothing_that_is_wrong_without_it(layout, text, code, position):
    with pytest.raises(BadArgumentError) as raised:
        Layout(layout).from_friendly(text, ZoneInfo("America/New_York"))
    assert (raised.value.code, raised.value.position) == (code, position)


def test_a_wrong_text_has_a_position():
    with pytest.raises(BadArgumentError) as raised:
        Layout("polyflake").from_friendly("20220320133617924-05-0")
    assert (raised.value.code, raised.value.position) == ("text_invalid", 18)


def test_explain_takes_the_present_where_none_is_given():
    id = polyflake.Generator(1).next_id()
    first = polyflake.explain(id)[0]
    assert first.plausible and first.why_not is None
    assert (first.preset, first.parts) == ("polyflake", polyflake.decode(id))
    assert polyflake.explain(id) == polyflake.explain(str(id), now=datetime.now(UTC))


def test_explain_refuses_a_present_without_a_zone():
    assert code_of(lambda: polyflake.explain(1, now=datetime(2026, 1, 1))) == "option_invalid"


def test_an_explanation_of_a_preset_that_the_id_does_not_fit_has_no_parts():
    explanation = polyflake.explain(2**64 - 1)[-1]
    assert (explanation.parts, explanation.why_not, explanation.plausible) == (None, "too_wide", False)
