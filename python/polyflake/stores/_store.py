"""The common part of all stores: a namespace, its options, and its connections."""

from __future__ import annotations

from polyflake import _core
from polyflake._arguments import flag, signed, text
from polyflake._options import names_checked
from polyflake.errors import PolyflakeError

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Protocol, TypedDict, Union

    from typing_extensions import Required, Self

    Row = list[Union[str, None]]

    class StoreOptions(TypedDict, total=False):
        """The options of every store: see Store."""

        namespace: Required[str]
        uuid: str | None
        auto_init: bool
        window_ms: int | None
        tolerance_ms: int | None
        acquire_timeout_ms: int | None
        renew_wait_ms: int | None
        label: bool

    class Connection(Protocol):
        """One connection to a store, used by one thread at a time."""

        def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
            """Carries out one command of the core (core/src/lease/dialect.hpp).

            Every exception is a failure of unknown outcome.
            """

        def close(self) -> None:
            """Closes the connection without waiting for the server.

            Thread safety: another thread may be waiting in run().
            """

    class AsyncConnection(Protocol):
        """A Connection in an event loop."""

        async def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]: ...

        async def close(self) -> None: ...


class Store:
    """The options that all stores have in common.

    namespace is 1 to 64 of a-z, 0-9, ".", "_" and "-". uuid is the uuid that the namespace must
    have. auto_init creates a missing namespace. window_ms and tolerance_ms apply to a namespace
    that is created. acquire_timeout_ms limits opening, and renew_wait_ms limits the wait of a call
    for an id for a late window. label=False leaves host and pid out of the records.

    Errors: option_invalid.
    """

    placeholder = "?"  # in the SQL of the client
    is_asyncio = False  # its client is awaited
    address: _core.StoreAddress

    def _describe(self, kind: str, server: str, options: StoreOptions) -> None:
        """Sets the address of the store: its kind, and its server without credentials."""
        self.address = _core.StoreAddress(kind, f"{server}?namespace={options.get('namespace', '')}")
        self._set_options(**options)

    @names_checked
    def _set_options(
        self,
        *,
        namespace: str = "",
        uuid: str | None = None,
        auto_init: object = False,
        window_ms: int | None = None,
        tolerance_ms: int | None = None,
        acquire_timeout_ms: int | None = None,
        renew_wait_ms: int | None = None,
        label: bool = True,
    ) -> None:
        self.address.set("namespace", text("namespace", namespace, "option_invalid"))
        if uuid is not None:
            self.address.set("uuid", text("uuid", uuid, "option_invalid"))
        self.address.set("auto_init", "fresh" if auto_init == "fresh" else _flag("auto_init", auto_init))
        self.address.set("label", _flag("label", label))
        times = {
            "window_ms": window_ms,
            "tolerance_ms": tolerance_ms,
            "acquire_timeout_ms": acquire_timeout_ms,
            "renew_wait_ms": renew_wait_ms,
        }
        for name, ms in times.items():
            if ms is not None:
                self.address.set(name, str(signed(name, ms, "option_invalid")))

    @classmethod
    def _of_address(cls, address: _core.StoreAddress) -> Self:
        """Returns the store of an address, with a client made for it."""
        store = cls.__new__(cls)
        store.address = address
        if not store._understands(address.client):
            _core.fail("worker_source_invalid", f"{address.shown}: the address cannot be understood")
        return store

    def _understands(self, url: str) -> bool:
        try:
            self._prepare(url)
        except PolyflakeError:
            raise
        except ValueError:  # its message may show a password
            return False
        return True

    def _prepare(self, url: str) -> None:
        raise NotImplementedError

    def connect(self, setup: list[str], timeout_s: float) -> Connection:
        """Returns a new connection, on which `setup` was run."""
        raise NotImplementedError

    async def connect_in_loop(self, setup: list[str], timeout_s: float) -> AsyncConnection:
        """Returns a new connection of a client of asyncio, on which `setup` was run."""
        raise NotImplementedError

    def code_of(self, error: Exception) -> str:
        """Returns the code that the store gives an error; "" if none."""
        return ""

    def failure_of(self, error: Exception) -> tuple[str, str]:
        """Returns the code of an error, and words without the client's message.

        The code is the store's own one, else the system's. The message may show credentials.
        """
        code, (system_code, words) = self.code_of(error), _system_error(error)
        said = [type(error).__name__, code, f"({words})" if words else ""]
        return code or system_code, " ".join(filter(None, said))

    def __repr__(self) -> str:
        return f"<polyflake.stores.{type(self).__name__} {self.address.shown}>"


def _flag(name: str, value: object) -> str:
    return "1" if flag(name, value) else "0"


def _system_error(error: BaseException) -> tuple[str, str]:
    """Returns the code and the words of the system or of TLS, if one of them is the root cause."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            break
        said = _said_of_system(cause) if isinstance(cause, OSError) else ("", "")
        if said != ("", ""):
            return said
        cause = cause.__cause__ or cause.__context__
    return "", ""


def _said_of_system(error: OSError) -> tuple[str, str]:
    if hasattr(error, "library"):  # an error of TLS: its errno is not one of the system
        reason = str(getattr(error, "reason", None) or "TLS").lower().replace("_", " ")
        return "TLS", ": ".join(filter(None, [reason, getattr(error, "verify_message", "")]))
    import errno
    import os
    import socket

    if isinstance(error, socket.gaierror):  # its errno is not one of the system either
        return "ENOTFOUND", error.strerror or ""
    if isinstance(error, TimeoutError) and error.errno is None:
        return "ETIMEDOUT", ""
    number = error.errno
    return (
        (errno.errorcode.get(number, ""), os.strerror(number)) if isinstance(number, int) and number > 0 else ("", "")
    )
