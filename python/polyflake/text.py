"""Ids as text. int() accepts more spellings than there are ids; these accept one each."""

from __future__ import annotations

from polyflake import _arguments, _core


def to_text(id: int, codec: str = "decimal") -> str:
    """The canonical text of an id, 0 <= id < 2**64.

    Codecs are "decimal" (1 to 20 digits), and others such as "hex" (exactly 16 lower-case digits, so texts sort as
    ids do); docs/bit-layout.md has all of them.
    Errors: id_out_of_range, option_invalid (unknown codec). Thread safety: any thread.
    """
    return _core.to_text(_arguments.id_number(id), _arguments.text("codec", codec, "option_invalid"))


def from_text(text: str, codec: str = "decimal") -> int:
    """The id that to_text() gave this text; every other spelling is refused.

    Errors: text_invalid, id_out_of_range (decimal beyond 2**64 - 1), option_invalid (unknown codec).
    Thread safety: any thread.
    """
    return _core.from_text(
        _arguments.text("the text of an id", text, "text_invalid"),
        _arguments.text("codec", codec, "option_invalid"),
    )
