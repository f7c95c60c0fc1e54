"""Sqids: a list of ids as one short text, for people and URLs."""

from __future__ import annotations

from polyflake import _arguments, _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Sqids(_core.Sqids):
    """Writes a list of ids as one short text and reads it, over all 64 bits.

    ``Sqids().encode([1, 2, 3])``, and ``decode(text)`` back. ``alphabet`` has at least 3 different
    printable ASCII characters; their order counts. Texts shorter than ``min_length``, 0 to 255, are
    padded. No text contains a word of the ``blocklist``, regardless of case; None means
    ``Sqids.default_blocklist()``. All three are part of the format: read a text with the options
    that wrote it; only new words may be added to the blocklist. A text hides nothing: anyone who
    knows the alphabet can read the ids.

    Errors: option_invalid. Thread safety: immutable; any thread.
    """

    __slots__ = ("_words",)

    def __init__(
        self,
        *,
        alphabet: str = _core.SQIDS_ALPHABET,
        min_length: int = 0,
        blocklist: Iterable[str] | None = None,
    ) -> None:
        _arguments.text("alphabet", alphabet, "option_invalid")
        length = _arguments.signed("min_length", min_length, "option_invalid")
        words = None if blocklist is None else _checked(blocklist)
        super().__init__(alphabet, length, words)
        if not hasattr(self, "_words"):  # a second __init__() changes nothing
            self._words = None if words is None else frozenset(words)

    def __repr__(self) -> str:
        words = "default" if self._words is None else f"{len(self._words)} words"
        return f"Sqids(alphabet={_arguments.quoted(self.alphabet)}, min_length={self.min_length}, blocklist=<{words}>)"

    def __eq__(self, other: object) -> bool:
        return _options(self) == _options(other) if isinstance(other, Sqids) else NotImplemented

    def __hash__(self) -> int:
        return hash(_options(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_options, (type(self), *_options(self))


def _checked(blocklist: Iterable[str]) -> list[str]:
    words = _arguments.items("blocklist", blocklist, "option_invalid")
    return [_arguments.text("a word of the blocklist", word, "option_invalid") for word in words]


def _options(sqids: Sqids) -> tuple[str, int, frozenset[str] | None]:
    return sqids.alphabet, sqids.min_length, sqids._words


def _with_options(made: type[Sqids], alphabet: str, min_length: int, words: frozenset[str] | None) -> Sqids:
    return made(alphabet=alphabet, min_length=min_length, blocklist=words)
