"""The common methods of sources of all kinds: iteration, `with`, and no copies."""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from types import TracebackType
    from typing import NoReturn

    from typing_extensions import Self


class Closable:
    """The methods that every source has.

    It comes before the bound class among the bases, which has close() and next_id().
    """

    def __iter__(self) -> Self:
        """Returns the source itself: `for id in ids` calls next_id() without end."""
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()  # type: ignore[attr-defined]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()  # type: ignore[attr-defined]

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"{name} objects cannot be pickled or copied: the copy would issue the same ids; open another")
