"""Private ids: publish their numbers or texts instead of ids to hide times and volumes."""

from __future__ import annotations

import os

from polyflake import _arguments, _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn


class Seal(_core.Seal):
    """A keyed permutation of ids: ``Seal(key, "order").encode(id)``, and ``decode(text)`` back.

    ``key`` is 16, 24 or 32 random bytes, as bytes, bytearray or memoryview. The seal keeps only the
    key schedule of AES, and wipes it when the seal is destroyed. A bytes object cannot be wiped;
    the caller can wipe a bytearray once the seal exists. ``tweak`` names the subject of the ids,
    such as "order": up to 255 bytes, not secret. A str means its UTF-8. Another tweak gives other
    sealed forms, and two Unicode normal forms are two tweaks. ``bits`` is 63 for ids below 2**63,
    whose sealed forms fit a BIGINT, or 64 for every number; do not change it while you keep the
    key. ``key_id``, 1 to 8 characters of 0-9A-Za-z, comes before each text: see SealRing. Its case
    matters with every codec.

    A seal is not a signature: every well-formed text gives some id, so look the id up, as always. A
    seal does not hide that two ids are equal, or that there is an id. Source: FF1 with AES, NIST SP
    800-38G; docs/private-ids.md.

    Errors: option_invalid. Thread safety: immutable; any thread.
    """

    __slots__ = ("_tweak",)

    _tweak: str | bytes

    def __init__(
        self,
        key: bytes | bytearray | memoryview,
        tweak: str | bytes = "",
        *,
        bits: int = 63,
        key_id: str | None = None,
    ) -> None:
        if not isinstance(key, (bytes, bytearray, memoryview)):
            hint = ": bytes.fromhex() reads hex, Seal.from_file() a file" if isinstance(key, str) else ""
            # The value may be a secret although its type is wrong: the message does not repeat it.
            _arguments.fail("option_invalid", f"a key must be bytes, not {type(key).__name__[:32]}{hint}")
        if isinstance(key, memoryview) and not key.c_contiguous:
            _arguments.fail("option_invalid", "a key must be bytes that stand together, not every other one")
        self._make(False, key, tweak, bits, key_id)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        tweak: str | bytes = "",
        *,
        bits: int = 63,
        key_id: str | None = None,
    ) -> Seal:
        """Returns the seal of a key in a file: 32, 48 or 64 hex digits and at most one line end.

        ``openssl rand -hex 32`` prints one. The file must be a regular file. It must not be
        readable by everyone or writable by anyone but its owner. No message shows its content.
        Blocks: file I/O.

        Errors: option_invalid, and text_invalid with the position in the file.
        """
        try:
            encoded = os.fsencode(path)
        except (TypeError, UnicodeError):
            _arguments.fail("option_invalid", f"a path must be a str or os.PathLike, not {_arguments.shown(path)}")
        self = cls.__new__(cls)
        self._make(True, encoded, tweak, bits, key_id)
        return self

    def _make(self, in_file: bool, key_or_path: Any, tweak: Any, bits: Any, key_id: Any) -> None:
        if key_id is not None:
            key_id = _arguments.text("a key id", key_id, "option_invalid")
        bits = _arguments.signed("bits", bits, "option_invalid")
        _core.Seal.__init__(self, in_file, key_or_path, _tweak_bytes(tweak), bits, key_id)
        if not hasattr(self, "_tweak"):  # a second __init__() changes neither tweak nor key
            self._tweak = tweak

    @property
    def tweak(self) -> str | bytes:
        """The tweak as it was given."""
        return self._tweak

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Seal cannot be pickled: it has a key; make it from the key again")

    def __copy__(self) -> Seal:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Seal:
        return self

    def __repr__(self) -> str:
        tweak = self.tweak
        shown = _arguments.quoted(tweak) if isinstance(tweak, str) else f"<{len(tweak)} bytes>"
        return f"Seal(<key>, {shown}, bits={self.bits}, key_id={self.key_id!r})"


def _tweak_bytes(tweak: Any) -> bytes:
    if isinstance(tweak, bytes):
        return tweak
    try:
        return _arguments.text("a tweak", tweak, "option_invalid").encode()
    except UnicodeEncodeError:
        _arguments.fail("option_invalid", f"a tweak must be Unicode text or bytes, not {_arguments.shown(tweak)}")


class SealRing(_core.SealRing):
    """Seals of one tweak, for a change of keys: the first one seals, and all of them unseal.

    Each seal has its own ``key_id``; one seal may have none. ``decode(text)`` uses the seal whose
    key id begins the text. All seals have one tweak; their bits may differ. Each id has one
    accepted text per seal, so compare unsealed ids, not texts.

    Errors: option_invalid. Thread safety: immutable; any thread.
    """

    __slots__ = ("_seals",)

    _seals: tuple[Seal, ...]

    def __init__(self, seals: Iterable[Seal]) -> None:
        given = _arguments.items("the seals of a ring", seals, "option_invalid")
        for seal in given:
            if not isinstance(seal, Seal):
                _arguments.fail("option_invalid", f"a ring is made of seals, not of {_arguments.shown(seal)}")
        super().__init__(list(given))
        if not hasattr(self, "_seals"):  # a second __init__() changes nothing
            self._seals = given

    @property
    def seals(self) -> tuple[Seal, ...]:
        """The seals, the current one first."""
        return self._seals

    def __reduce__(self) -> NoReturn:
        raise TypeError("a SealRing cannot be pickled: it has keys; make it from the keys again")

    def __copy__(self) -> SealRing:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SealRing:
        return self

    def unseal(self, sealed: int, key_id: str | None) -> int:
        """Returns the id of a form that the seal with this key id sealed.

        None names the seal without a key id. Errors: option_invalid (no such seal),
        id_out_of_range. Thread safety: any thread.
        """
        if key_id is not None:
            key_id = _arguments.text("a key id", key_id, "option_invalid")
        return self._unseal(_arguments.id_number(sealed), key_id)

    def __repr__(self) -> str:
        return f"SealRing([{', '.join(map(repr, self.seals))}])"
