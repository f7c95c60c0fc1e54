"""The layout of an id: the meaning of its bits, and the functions that split and join ids."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from polyflake import _arguments, _core, _zones
from polyflake._arguments import fail, id_or_text, instant, signed, unix_ms, whole_ms
from polyflake.values import Parts

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from datetime import tzinfo
    from typing import Any
    from uuid import UUID


class Layout:
    """The fields of an id, most significant first, with their widths, the tick and the epoch.

    Made from the name of a preset (see presets()) or a text such as ``timestamp:41 worker:10
    sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z``. Immutable; str() gives the canonical
    text, and equal layouts have equal texts.

    Errors: layout_invalid, layout_too_wide, unknown_preset. Thread safety: any thread.
    """

    __slots__ = ("_native", "_text")

    def __init__(self, text_or_preset: str) -> None:
        self._native = _core.Layout(_arguments.text("a layout", text_or_preset, "layout_invalid"))
        self._text = self._native.text

    @property
    def fields(self) -> tuple[tuple[str, int], ...]:
        """Name and width in bits of every field, most significant first."""
        return self._native.fields

    @property
    def tick_ms(self) -> int:
        """The unit of the timestamp field in milliseconds."""
        return self._native.tick_ms

    @property
    def epoch_ms(self) -> int:
        """The beginning of tick 0 in Unix milliseconds."""
        return self._native.epoch_ms

    def encode(
        self,
        /,
        *,
        tick: int | None = None,
        time_ms: int | None = None,
        time: datetime | None = None,
        sequence: int = 0,
        **node_fields: int,
    ) -> int:
        """Returns the id with these parts, 0 <= id < 2**64.

        Give exactly one of tick, time_ms (Unix milliseconds) and time (an aware datetime). A time
        is rounded down to its tick. Node fields default to 0.

        Errors: field_out_of_range, unknown_field, option_invalid. Thread safety: any thread.
        """
        if sum(given is not None for given in (tick, time_ms, time)) != 1:
            fail("option_invalid", "encode() takes exactly one of tick, time_ms and time")
        number = signed("sequence", sequence, "field_out_of_range")
        names = list(node_fields)
        values = [signed(name, value, "field_out_of_range") for name, value in node_fields.items()]
        if tick is not None:
            return self._native.encode_tick(signed("tick", tick, "field_out_of_range"), number, names, values)
        when = unix_ms(time) if time_ms is None else whole_ms("time_ms", time_ms)
        return self._native.encode_time(when, number, names, values)

    def decode(self, id: int | str, /) -> Parts:
        """Returns the parts of an id; a str is read as its canonical decimal text.

        Decodes every 64-bit value that has no bit above those of the layout. Errors:
        id_out_of_range, text_invalid. Thread safety: any thread.
        """
        return Parts(*self._native.decode(id_or_text(id)))

    def first_id(self, time: datetime | int, /) -> int:
        """Returns the smallest id of the tick that contains this time: a lower bound of queries.

        If the timestamp is the first field of the layout, `id >= first_id(t)` selects the ids of
        this tick and later ones; else it bounds nothing. The time is an aware datetime or Unix
        milliseconds. Errors: field_out_of_range, option_invalid. Thread safety: any thread.
        """
        return self._native.first_id(instant(time))

    def last_id(self, time: datetime | int, /) -> int:
        """Returns the largest id of the tick that contains this time: an upper bound of queries.

        It bounds the ids of earlier times only if the timestamp is the first field of the layout.
        Errors and thread safety: as first_id().
        """
        return self._native.last_id(instant(time))

    def to_uuid(self, id: int | str, /) -> UUID:
        """Returns the id as a UUID of version 7 with a zero tail. Ids and UUIDs sort alike.

        Requires: a layout of 1 ms that ends before 10889. Errors: layout_invalid, id_out_of_range,
        text_invalid. Thread safety: any thread.
        """
        from uuid import UUID  # imported here: it takes longer than all other imports

        return UUID(bytes=_core.layout_to_uuid(self._text, id_or_text(id)))

    def from_uuid(self, uuid: UUID | str, /) -> int:
        """Returns the id that to_uuid() gave this UUID.

        Errors: layout_invalid, text_invalid, id_out_of_range (another version, or a tail, which an
        id cannot hold), field_out_of_range (a time outside the layout). Thread safety: any thread.
        """
        return _core.layout_from_uuid(self._text, _arguments.uuid_bytes(uuid))

    def friendly(self, id: int | str, /, zone: tzinfo | None = None) -> str:
        """Returns an id as text for people, such as ``20220320133617924-5-0``.

        The text has the beginning of the tick as yyyyMMddHHmmssSSS, the node fields, most
        significant first, and the sequence. The time is UTC, or the local time of a zone.

        Errors: id_out_of_range (also a zone after the year 9999), text_invalid, option_invalid.
        Thread safety: any thread.
        """
        if zone is None:
            return self._native.friendly(id_or_text(id), 0)
        fixed = _zones.fixed_offset(zone)
        number = id_or_text(id)
        offset = _zones.offset_at(zone, self._native.decode(number)[0]) if fixed is None else fixed
        return self._native.friendly(number, offset)

    def from_friendly(self, text: str, /, zone: tzinfo | None = None) -> int:
        """Returns the id that friendly() gave this text with the same zone.

        Refuses a local time that occurs twice because the clocks of the zone are set back: give the
        offset for it, as in ``timezone(timedelta(hours=2))``.

        Errors: text_invalid and field_out_of_range (not a value of the layout), with the position
        of the fault; option_invalid and field_out_of_range (a zone after the year 9999), without a
        position. Thread safety: any thread.
        """
        fixed = None if zone is None else _zones.fixed_offset(zone)
        given = _arguments.text("a friendly form", text, "text_invalid")
        if zone is None:
            return self._native.from_friendly(given, [0])
        if fixed is not None:
            return self._native.from_friendly(given, [fixed])
        offsets = _zones.offsets_of(zone, self._native.friendly_local_seconds(given))
        if offsets is None:
            self._native.from_friendly(given, [0])  # raises the errors that any zone would have
            _arguments.fail("field_out_of_range", "a zone is not known after the year 9999; give an offset, or no zone")
        return self._native.from_friendly(given, offsets)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Layout({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Layout) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Layout, (self._text,)


def presets() -> list[str]:
    """Returns the names of the built-in layouts, "polyflake" (the default) first."""
    return _core.preset_names()


parsed = lru_cache(maxsize=64)(Layout)
