"""The names of kinds, and the kinds that a program registers."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import fail, quoted, shown, text

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any, Callable, Protocol, TypeVar

    from typing_extensions import Buffer, Self

    from polyflake.values import Stats

    _Value = TypeVar("_Value")

    class IdSource(Protocol[_Value]):
        """The methods that all sources of ids have in common, also those of registered kinds."""

        @property
        def kind(self) -> str: ...
        def next_id(self) -> _Value: ...
        def try_next_id(self) -> _Value | None: ...
        def next_ids(self, n: int, /) -> list[_Value]: ...
        def fill(self, buffer: Buffer, /) -> None: ...
        def next_id_string(self) -> str: ...
        async def next_id_async(self) -> _Value: ...
        def stats(self) -> Stats: ...
        def close(self) -> None: ...
        @property
        def closed(self) -> bool: ...
        def __iter__(self) -> Iterator[_Value]: ...
        def __enter__(self) -> Self: ...
        def __exit__(
            self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None, /
        ) -> None: ...

else:

    class IdSource:
        """The methods that all sources of ids have in common, also those of registered kinds.

        For annotations.
        """

        def __new__(cls):
            raise TypeError("IdSource is a protocol: open a source of some kind")

        def __class_getitem__(cls, value):
            return cls

        @classmethod
        def __init_subclass__(cls):
            raise TypeError("a source of one's own needs no base class, only the methods")


# each a new tuple, so setdefault() shows which of two calls won
_own: dict[str, tuple[Callable[[dict[str, Any]], Any]]] = {}


def parsed(kind: str) -> tuple[str, str | None]:
    """Returns the name and the store. Errors: text_invalid, unknown_kind, option_invalid."""
    return _core.parse_kind(text("a kind", kind, "text_invalid"), list(_own))


def open_registered(name: str, store: str | None, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Opens a source of a registered kind: see open()."""
    if arguments:
        fail("option_invalid", f"the options of kind {quoted(name)} are given by name")
    if store is not None:
        if "store" in options:
            fail("option_invalid", f"kind {quoted(name)} is given a store twice: behind the ':' and as an option")
        options["store"] = store
    (factory,) = _own[name]
    source = factory(options)
    if source is None:
        fail("option_invalid", f"the factory of kind {quoted(name)} gave no source")
    if options:
        refusal = f"kind {quoted(name)} has no option {quoted(next(iter(options)))}; leave it out"
        try:
            getattr(source, "close", tuple)()
        except Exception:  # becomes the context of the refusal
            fail("option_invalid", refusal)
        fail("option_invalid", refusal)
    return source


def register(name: str, factory: Callable[[dict[str, Any]], Any], /) -> None:
    """Registers a kind of this program, for the life of the program.

    `factory(options)` opens a source, and pops the options that it knows. Errors: text_invalid (not
    a name), option_invalid (already taken, or not a factory). Thread safety: any thread.
    """
    if not callable(factory):
        fail("option_invalid", f"the factory of a kind must be callable, not {shown(factory)}")
    name = text("the name of a kind", name, "text_invalid")
    _core.check_new_kind(name, list(_own))
    entry = (factory,)
    if _own.setdefault(name, entry) is not entry:
        fail("option_invalid", f"there is a kind {quoted(name)} already; choose another name")


def kinds() -> list[str]:
    """Returns the names of all kinds: those of this library, then those that were registered."""
    return _core.built_in_kinds() + list(_own)
