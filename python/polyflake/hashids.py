"""Hashids: a list of ids as one short text, for applications that already have such texts."""

from __future__ import annotations

from polyflake import _arguments, _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any


class Hashids(_core.Hashids):
    """Writes a list of ids as one short text and reads it, over all 64 bits.

    ``Hashids("salt").encode([1, 2, 3])``, and ``decode(text)`` back. For applications that already
    have Hashids; new ones should use Sqids. ``salt`` is any text; only as many characters count as
    the alphabet has. Texts shorter than ``min_length``, 0 to 1024, are padded. ``alphabet`` has at
    least 16 different printable ASCII characters. All three are part of the format: read a text
    with the arguments that wrote it. A text hides nothing: the salt is not a key.

    Errors: option_invalid. Thread safety: immutable; any thread.
    """

    __slots__ = ("_salt",)

    def __init__(self, salt: str = "", min_length: int = 0, alphabet: str = _core.HASHIDS_ALPHABET) -> None:
        _arguments.text("salt", salt, "option_invalid")
        length = _arguments.signed("min_length", min_length, "option_invalid")
        super().__init__(salt, length, _arguments.text("alphabet", alphabet, "option_invalid"))
        if not hasattr(self, "_salt"):  # a second __init__() changes nothing
            self._salt = salt

    def __repr__(self) -> str:
        return f"Hashids(<salt>, min_length={self.min_length}, alphabet={_arguments.quoted(self.alphabet)})"

    def __eq__(self, other: object) -> bool:
        return _options(self) == _options(other) if isinstance(other, Hashids) else NotImplemented

    def __hash__(self) -> int:
        return hash(_options(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), _options(self)


def _options(hashids: Hashids) -> tuple[str, int, str]:
    return hashids._salt, hashids.min_length, hashids.alphabet
