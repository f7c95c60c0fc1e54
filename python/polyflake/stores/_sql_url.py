"""Functions that connect to the addresses of databases."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from urllib.parse import parse_qsl, unquote, urlsplit

from polyflake._arguments import fail, quoted

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CONNECT_S = 10
# A server that never greets its client keeps the thread that connects for so long.
_READ_S = 40
_SSL_FILES = ("ssl_ca", "ssl_cert", "ssl_key")


def postgresql(url: str) -> Callable[[], Any]:
    """Returns a function that connects to an address of libpq.

    sslmode=verify-full verifies the host.
    """
    try:
        import psycopg
    except ImportError as error:
        raise ImportError(
            "leases in PostgreSQL need the package psycopg: pip install 'polyflake[postgresql]'"
        ) from error
    # A server that hangs must not block our thread for ever. A pooler in between may not support
    # prepared statements.
    limit: dict[str, Any] = {} if "connect_timeout=" in url else {"connect_timeout": _CONNECT_S}
    return lambda: psycopg.connect(url, autocommit=True, prepare_threshold=None, **limit)


def mysql(url: str) -> Callable[[], Any]:
    """Reads mysql://user:password@host:port/database with options.

    The options are ?ssl=1&ssl_ca=FILE&ssl_cert=FILE&ssl_key=FILE&charset=...
    Errors: option_invalid.
    """
    driver = _mysql_driver()
    parts = urlsplit(url)
    settings: dict[str, Any] = {
        "host": parts.hostname or "localhost",
        "port": parts.port or 3306,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "database": unquote(parts.path.lstrip("/")),
        "connect_timeout": _CONNECT_S,
        "read_timeout": _READ_S,
    }
    more = dict(parse_qsl(parts.query))
    files = {name: more.pop(name) for name in _SSL_FILES if name in more}
    if more.pop("ssl", "1" if files else "0") == "1":
        settings.update(_verified(files, driver.__name__))
    for name in more:
        if name not in ("charset", "unix_socket"):
            fail("option_invalid", f"mysql:// has no option {quoted(name)}")
    return lambda: driver.connect(**settings, **more)


def _verified(files: dict[str, str], driver: str) -> dict[str, Any]:
    """Returns settings for TLS that verifies the server and its host name."""
    if driver != "pymysql":
        return {"ssl_mode": "VERIFY_IDENTITY", "ssl": {name[len("ssl_") :]: path for name, path in files.items()}}
    from ssl import create_default_context

    try:
        context = create_default_context(cafile=files.get("ssl_ca"))
        if "ssl_cert" in files:
            context.load_cert_chain(files["ssl_cert"], files.get("ssl_key"))
    except OSError as error:  # of ssl, too
        fail("option_invalid", f"mysql:// cannot use the files of {', '.join(files)}: {error.strerror}")
    return {"ssl": context}


def _mysql_driver() -> Any:
    for name in ("pymysql", "MySQLdb"):
        with suppress(ImportError):
            return import_module(name)
    raise ImportError("leases in MySQL need the package pymysql or mysqlclient: pip install 'polyflake[mysql]'")
