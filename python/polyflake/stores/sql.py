"""Leases in PostgreSQL, MySQL and MariaDB.

The client is psycopg, PyMySQL, mysqlclient, or any of them behind SQLAlchemy. `pip install
polyflake[postgresql]` or `polyflake[mysql]` for addresses.
"""

from __future__ import annotations

import os
import socket
from contextlib import closing, suppress

from polyflake._arguments import fail, shown, text
from polyflake.stores import _sql_url
from polyflake.stores._store import Store

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from sqlalchemy.engine import Engine
    from typing_extensions import Unpack

    from polyflake import _core
    from polyflake.stores._store import Row, StoreOptions

    Kind = Literal["postgresql", "mysql"]

_KINDS = {"postgresql": "postgresql", "mysql": "mysql", "mariadb": "mysql"}
# The kind of store by the module of a connection.
_MODULES = {
    "psycopg": "postgresql",
    "psycopg2": "postgresql",
    "pymysql": "mysql",
    "MySQLdb": "mysql",
    "mysql": "mysql",
}
# Phrases of libpq for a failed connection, which has no SQLSTATE, and the code of each. They hold
# nothing of an address.
_OF_LIBPQ = {
    "password authentication failed": "28P01",
    "no password supplied": "28P01",
    "no pg_hba.conf entry": "28000",
    "Connection refused": "ECONNREFUSED",
    "failed to resolve host": "ENOTFOUND",
    "could not translate host name": "ENOTFOUND",
    "timeout expired": "ETIMEDOUT",
    "certificate verify failed": "TLS",
    "does not support SSL": "TLS",
    "does not exist": "3D000",
}


class SqlStore(Store):
    """Leases in PostgreSQL 12 or later, MySQL 8 or later, or MariaDB 10.11 or later.

    engine_or_connect is an Engine of SQLAlchemy, or a function that returns a new connection of
    psycopg, psycopg2, PyMySQL or mysqlclient at each call. A lease has its own connection, made as
    the engine makes them, and never takes one from its pool. kind: "postgresql" or "mysql", needed
    if connections do not show it. schema: the schema of the tables; by default "public" in
    PostgreSQL, and in MySQL the database of the connection. Other options are those of Store.
    """

    placeholder = "%s"

    def __init__(
        self,
        engine_or_connect: Engine | Callable[[], Any],
        *,
        kind: Kind | None = None,
        schema: str | None = None,
        **options: Unpack[StoreOptions],
    ) -> None:
        self._connect = _connect_of(engine_or_connect)
        found = kind or _kind_of_engine(engine_or_connect) or _kind_of_connection(self._connect)
        if found not in _KINDS:
            fail("option_invalid", f'kind must be "postgresql" or "mysql", not {shown(found)}')
        self._describe(_KINDS[found], found, options)
        if schema is not None:
            self.address.set("schema", text("schema", schema, "option_invalid"))

    @classmethod
    def _of_client(cls, engine_or_connect: Any, address: _core.StoreAddress) -> SqlStore:
        """Returns a store over a client of the user, for an address that is made already."""
        store = cls.__new__(cls)
        store.address = address
        store._connect = _connect_of(engine_or_connect)
        return store

    def _prepare(self, url: str) -> None:
        connecting = _sql_url.postgresql if self.address.kind == "postgresql" else _sql_url.mysql
        self._connect = connecting(url)

    def connect(self, setup: list[str], timeout_s: float) -> _Connection:
        connection = self._connect()
        try:
            _set_autocommit(connection)
            with closing(connection.cursor()) as cursor:
                for statement in setup:
                    cursor.execute(statement)
        except BaseException:
            _break(connection)
            raise
        return _Connection(connection)

    def code_of(self, error: Exception) -> str:
        """Returns the SQLSTATE of PostgreSQL, or the error number of MySQL."""
        said = error.args[0] if error.args else None
        if not isinstance(said, int):  # a driver of MySQL may have the SQLSTATE, too
            said = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or said
        return (
            str(said) if isinstance(said, int) or (isinstance(said, str) and said.isalnum() and len(said) == 5) else ""
        )

    def failure_of(self, error: Exception) -> tuple[str, str]:
        code, words = super().failure_of(error)
        said = str(error) if not code else ""
        phrase = next((one for one in _OF_LIBPQ if one in said), None)
        return (code, words) if phrase is None else (_OF_LIBPQ[phrase], f"{words} ({phrase})")


class _WarnedError(Exception):
    """The server warned during a transaction."""

    sqlstate = "01000"


class _Connection:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        # True for psycopg; psycopg2 gives only the rows of the last statement.
        self._has_sets = hasattr(connection, "add_notice_handler")
        self._warnings: Any = getattr(connection, "notices", [])
        if self._has_sets:
            connection.add_notice_handler(self._warnings.append)
            connection.prepare_threshold = None  # a prepared message can hold one statement only

    def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
        if name == "transaction":
            return self._run_transaction(parts[0][0])
        rows: Any = []
        with closing(self._connection.cursor()) as cursor:
            for statement, *arguments in parts:
                # Without arguments a driver does not parse the text for placeholders.
                cursor.execute(statement, *([arguments] if arguments else []))
            if name == "insert":
                rows = [[cursor.lastrowid]]
            elif cursor.description is not None:
                rows = cursor.fetchall()
        return _texts(rows)

    def _run_transaction(self, text: str) -> list[Row]:
        """Several statements in one message are one transaction."""
        self._warnings.clear()
        rows: Any = []
        with self._connection.cursor() as cursor:
            cursor.execute(text)
            more = True
            while more:
                if cursor.description is not None:
                    rows = cursor.fetchall()
                more = self._has_sets and cursor.nextset()
        if self._warnings:
            raise _WarnedError
        return _texts(rows)

    def close(self) -> None:
        _break(self._connection)


def _texts(rows: Any) -> list[Row]:
    return [[_text(value) for value in row] for row in rows]


def _text(value: Any) -> str | None:
    return value.decode() if isinstance(value, (bytes, bytearray)) else None if value is None else str(value)


def _set_autocommit(connection: Any) -> None:
    if callable(getattr(connection, "autocommit", None)):  # a method in the drivers of MySQL
        connection.autocommit(True)
    else:
        connection.autocommit = True


def _break(connection: Any) -> None:
    """Closes the connection without a message to the server, which may hang.

    A thread that waits for an answer gets the end of the connection.
    """
    with suppress(Exception):
        descriptor = os.dup(_descriptor(connection))
        with socket.socket(fileno=descriptor) as its_socket:
            its_socket.shutdown(socket.SHUT_RDWR)
    with suppress(Exception):
        connection.close()


def _descriptor(connection: Any) -> int:
    if hasattr(connection, "fileno"):
        return connection.fileno()  # type: ignore[no-any-return]
    return (getattr(connection, "_sock", None) or connection._usock).fileno()  # type: ignore[no-any-return]


def _connect_of(engine_or_connect: Any) -> Callable[[], Any]:
    if hasattr(engine_or_connect, "sync_engine"):
        fail("option_invalid", "an asynchronous engine cannot be used: a store takes one of create_engine()")
    if hasattr(engine_or_connect, "dialect") and hasattr(engine_or_connect, "pool"):
        # a new pool makes connections in the same way, and keeps none
        pool = engine_or_connect.pool.recreate()
        return lambda: _detached(pool.connect())
    if not callable(engine_or_connect):
        fail("option_invalid", f"a store takes an Engine, or a function that connects, not {shown(engine_or_connect)}")
    return engine_or_connect  # type: ignore[no-any-return]


def _detached(proxy: Any) -> Any:
    connection = proxy.dbapi_connection
    proxy.detach()
    return connection


def _kind_of_engine(engine: Any) -> str | None:
    return getattr(getattr(engine, "dialect", None), "name", None)


def _kind_of_connection(connect: Callable[[], Any]) -> str:
    """Returns the kind by the module of the class of a connection, or of a base of it.

    Blocks: it connects once.
    """
    connection = connect()
    try:
        for base in type(connection).__mro__:
            kind = _MODULES.get(base.__module__.partition(".")[0])
            if kind is not None:
                return kind
        fail("option_invalid", f'say kind="postgresql" or kind="mysql": connections are {shown(connection)}')
    finally:
        _break(connection)
