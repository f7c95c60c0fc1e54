"""Sources of ids by the name of their kind."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import fail, shown, text
from polyflake._sources import ObjectIds, Uuid4, Uuid7
from polyflake.generator import Generator

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any, Callable, Literal, Protocol, TypeVar, overload

    from typing_extensions import Buffer, Self

    from polyflake._options import _Ordering, _Worker
    from polyflake.clock import ManualClock
    from polyflake.layout import Layout
    from polyflake.values import Stats

    _Value = TypeVar("_Value")

    class IdSource(Protocol[_Value]):
        """What all sources of ids have in common; those of a kind of one's own as well."""

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
        """What all sources of ids have in common; those of a kind of one's own as well. For annotations."""

        def __new__(cls):
            raise TypeError("IdSource is a protocol: open a source of some kind")

        def __class_getitem__(cls, value):
            return cls

        @classmethod
        def __init_subclass__(cls):
            raise TypeError("a source of one's own needs no base class, only the methods")


_BUILT_IN: dict[str, Callable[..., Any]] = {
    "snowflake": Generator,
    "uuid7": Uuid7,
    "uuid4": Uuid4,
    "objectid": ObjectIds,
}
_own: dict[str, tuple[Callable[[dict[str, Any]], Any]]] = {}  # a tuple each, so that of two calls one is the first


if TYPE_CHECKING:

    @overload
    def open(
        kind: Literal["snowflake"],
        /,
        worker: _Worker | None = None,
        *,
        layout: str | Layout = "polyflake",
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        sequence_spread: int | None = None,
        ordering: _Ordering = "strict",
        clock: ManualClock | None = None,
    ) -> Generator: ...
    @overload
    def open(
        kind: Literal["uuid7"],
        /,
        worker: _Worker | None = None,
        *,
        layout: str | Layout | None = None,
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        clock: ManualClock | None = None,
        entropy: bytes | None = None,
    ) -> Uuid7: ...
    @overload
    def open(kind: Literal["uuid4"], /, *, clock: ManualClock | None = None, entropy: bytes | None = None) -> Uuid4: ...
    @overload
    def open(
        kind: Literal["objectid"],
        /,
        *,
        max_wait_ms: int = 10,
        max_lead_ms: int = 0,
        clock: ManualClock | None = None,
        entropy: bytes | None = None,
    ) -> ObjectIds: ...
    @overload
    def open(kind: str, /, **options: Any) -> IdSource[Any]: ...


def open(kind: str, /, *arguments: Any, **options: Any) -> Any:
    """Opens a source of ids of this kind: "snowflake", "uuid7", "uuid4", "objectid", or one of register().

    Options are those of Generator, Uuid7, Uuid4 and ObjectIds; an own kind takes from them what it knows, among them `store`,
    which is what stands behind the ":" of "name:store".

    Errors: text_invalid, unknown_kind, option_invalid, and those of the source. Blocks: as the source.
    """
    name, store = _core.parse_kind(text("a kind", kind, "text_invalid"), list(_own))
    if name in _BUILT_IN:
        return _BUILT_IN[name](*arguments, **options)
    if arguments:
        fail("option_invalid", f"the options of kind {name!a} are given by name")
    if store is not None:
        if "store" in options:
            fail("option_invalid", f"kind {name!a} is given a store twice: behind the ':' and as an option")
        options["store"] = store
    (factory,) = _own[name]
    source = factory(options)
    if source is None:
        fail("option_invalid", f"the factory of kind {name!a} gave no source")
    if options:
        refusal = f"kind {name!a} has no option {next(iter(options))[:32]!a}; leave it out"
        try:
            getattr(source, "close", tuple)()
        except Exception:  # its context
            fail("option_invalid", refusal)
        fail("option_invalid", refusal)
    return source


def register(name: str, factory: Callable[[dict[str, Any]], Any], /) -> None:
    """Makes a kind of this program, for its life: `factory(options)` opens a source, and pops the options that it knows.

    Errors: text_invalid (no name), option_invalid (it is taken, or no factory). Thread safety: any thread.
    """
    if not callable(factory):
        fail("option_invalid", f"the factory of a kind must be callable, not {shown(factory)}")
    name = text("the name of a kind", name, "text_invalid")
    _core.check_new_kind(name, list(_own))
    entry = (factory,)
    if _own.setdefault(name, entry) is not entry:
        fail("option_invalid", f"there is a kind {name!a} already; choose another name")


def kinds() -> list[str]:
    """The names of all kinds: those of this library, then those that were registered."""
    return _core.built_in_kinds() + list(_own)
