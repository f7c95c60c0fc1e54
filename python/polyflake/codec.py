"""Codecs: ids as short, strict text that sorts like the number."""

from __future__ import annotations

from polyflake import _arguments, _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any


class Codec(_core.Codec):
    """Writes ids as text and reads them: ``Codec("base62").encode(id)``, and ``decode(text)`` back.

    Names: "decimal", "hex" (16 characters), "crockford32" (13), "base36" (13), "base58" (11),
    "base62" (11), and for interchange "zbase32" and "base58-flickr". ``width`` is the number of
    characters of every text: None for the number in brackets, 0 for as few as the id needs. Codecs
    without a number in brackets use as few as the id needs, too. Texts of one width sort like their
    ids, except those of the last two codecs. ``check`` adds a check symbol, which detects every
    wrong character; only "crockford32" has one. A codec hides nothing: a reader can compute the
    time of an id from its text.

    Errors: option_invalid. Thread safety: immutable; any thread.
    """

    __slots__ = ()

    def __init__(self, name: str, *, width: int | None = None, check: bool = False) -> None:
        if width is not None:
            width = _arguments.signed("width", width, "option_invalid")
        if not isinstance(check, bool):
            _arguments.fail("option_invalid", f"check must be a bool, not {_arguments.shown(check)}")
        super().__init__(_arguments.text("the name of a codec", name, "option_invalid"), width, check)

    def __repr__(self) -> str:
        return f"Codec({self.name!r}, width={self.width}, check={self.check})"

    def __eq__(self, other: object) -> bool:
        return _options(self) == _options(other) if isinstance(other, Codec) else NotImplemented

    def __hash__(self) -> int:
        return hash(_options(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_options, (type(self), *_options(self))


def _options(codec: Codec) -> tuple[str, int, bool]:
    return codec.name, codec.width, codec.check


def _with_options(made: type[Codec], name: str, width: int, check: bool) -> Codec:
    return made(name, width=width, check=check)
