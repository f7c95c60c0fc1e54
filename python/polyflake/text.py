"""Ids as text: one spelling for each id.

int() accepts several spellings of a number.
"""

from __future__ import annotations

from polyflake import _arguments, _core


def to_text(id: int, codec: str = "decimal") -> str:
    """Returns the canonical text of an id, 0 <= id < 2**64.

    Codecs are "decimal" (1 to 20 digits), and others such as "hex" (exactly 16 lower-case digits,
    so texts sort as ids do); docs/codecs.md lists them. Errors: id_out_of_range, option_invalid
    (unknown codec). Thread safety: any thread.
    """
    return _core.to_text(_arguments.id_number(id), _arguments.text("codec", codec, "option_invalid"))


def from_text(text: str, codec: str = "decimal") -> int:
    """Returns the id that to_text() gave this text; every other spelling is refused.

    Errors: text_invalid, id_out_of_range (decimal beyond 2**64 - 1), option_invalid (unknown
    codec). Thread safety: any thread.
    """
    return _core.from_text(
        _arguments.text("the text of an id", text, "text_invalid"),
        _arguments.text("codec", codec, "option_invalid"),
    )


def id_from_text(text: str) -> int:
    """Returns the id of a decimal text, 0 <= id < 2**63: the ids that a generator can make.

    For texts of clients, such as paths, parameters and bodies: from_text() also reads ids of 2**63
    and more, which a signed column of a database does not hold.

    Errors: text_invalid, id_out_of_range. Thread safety: any thread.
    """
    return _core.id_from_text(_arguments.text("the text of an id", text, "text_invalid"))
