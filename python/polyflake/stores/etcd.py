"""Leases in etcd, over its JSON gateway; needs only the standard library."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import SHUT_RDWR
from urllib.parse import parse_qsl, unquote, urlsplit

from polyflake._arguments import fail, shown
from polyflake._carrier import opens
from polyflake.stores._store import Store

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Sequence
    from socket import socket
    from ssl import SSLContext
    from typing import Any

    from typing_extensions import Unpack

    from polyflake.stores._store import Row, StoreOptions

_PORT = 2379
_LONGEST = 4 << 20  # bytes of an answer; a hundred records take some 60 000
_COMPARED = {
    "create": ("CREATE", "create_revision"),
    "value": ("VALUE", "value"),
}


class EtcdStore(Store):
    """Leases in etcd 3.4 or later.

    hosts: "host:port", or several of them, of one cluster. ssl_context: for TLS, for example from
    ssl.create_default_context(). Other options are those of Store.
    """

    def __init__(
        self,
        hosts: str | Sequence[str],
        *,
        user: str | None = None,
        password: str | None = None,
        ssl_context: SSLContext | None = None,
        **options: Unpack[StoreOptions],
    ) -> None:
        named = [hosts] if isinstance(hosts, str) else list(hosts)
        if not named or not all(isinstance(host, str) and _is_place(host) for host in named):
            fail("option_invalid", f'hosts must be "host:port", or several of them, not {shown(hosts)}')
        self._describe("etcd", f"etcd://{','.join(named)}", options)
        self._hosts = [_place(host) for host in named]
        self._login = (user, password or "") if user else None
        self._ssl_context = ssl_context

    def _prepare(self, url: str) -> None:
        """Reads etcd://[user:password@]host[:port],host[:port], or etcds:// with TLS files.

        The files are options of etcds://: ?cacert=FILE&cert=FILE&key=FILE.
        """
        parts = urlsplit(url)
        login, _, hosts = parts.netloc.rpartition("@")
        user, _, password = login.partition(":")
        files = dict(parse_qsl(parts.query))
        self._hosts = [_place(host) for host in hosts.split(",")]
        self._login = (unquote(user), unquote(password)) if user else None
        self._ssl_context = _verifying(files) if parts.scheme == "etcds" else None

    def connect(self, setup: list[str], timeout_s: float) -> _Connection:
        """Connects to the first host that answers."""
        failed: Exception | None = None
        for host, port in self._hosts:
            connection = _Connection(self._http(host, port, timeout_s / len(self._hosts)), timeout_s)
            opens(connection.close)
            try:
                connection.open(self._login)
                return connection
            except (OSError, HTTPException) as error:
                connection.close()
                failed = error
        raise failed or ConnectionError("no host")

    def _http(self, host: str, port: int, timeout_s: float) -> HTTPConnection:
        if self._ssl_context is None:
            return HTTPConnection(host, port, timeout=timeout_s)
        return HTTPSConnection(host, port, timeout=timeout_s, context=self._ssl_context)

    def code_of(self, error: Exception) -> str:
        return str(error.status) if isinstance(error, _EtcdError) else ""


class _EtcdError(Exception):
    """An answer other than success; its text may repeat the request, so it is left out."""

    def __init__(self, status: int) -> None:
        self.status = status


class _Connection:
    def __init__(self, http: HTTPConnection, timeout_s: float) -> None:
        self._http = http
        self._timeout_s = timeout_s
        self._headers: dict[str, str] = {"Content-Type": "application/json"}
        self._sock: socket | None = None
        self._date_ms: str | None = None  # time of the last answer, by the clock of the server

    def open(self, login: tuple[str, str] | None) -> None:
        self._http.connect()
        self._http.auto_open = 0  # never sends a request of unknown outcome again
        # kept here: before it reads an answer of unknown length, the client drops its socket
        self._sock = self._http.sock
        self._sock.settimeout(self._timeout_s)
        if login is not None:
            name, password = login
            self._headers["Authorization"] = self._post("/v3/auth/authenticate", {"name": name, "password": password})[
                "token"
            ]

    def run(self, name: str, parts: list[list[str]], timeout_s: float) -> list[Row]:
        compares = [_compare(*words) for what, *words in parts if what == "compare"]
        puts = [{"request_put": {"key": _b64(key), "value": _b64(value)}} for what, key, value in _of(parts, "put")]
        gets: list[Any] = [_range(*words) for what, *words in parts if what in ("get", "keys")]
        answer = self._post("/v3/kv/txn", {"compare": compares, "success": puts + gets, "failure": gets})
        succeeded = answer.get("succeeded", False)  # the gateway leaves out false and 0
        header = answer["header"]
        rows: list[Row] = [["ok" if succeeded else "refused", header["cluster_id"], header["revision"], self._date_ms]]
        found = answer.get("responses", [])[len(puts) if succeeded else 0 :]
        return rows + [(_keys if "range_end" in one["request_range"] else _found)(two) for one, two in zip(gets, found)]

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        self._http.request("POST", path, json.dumps(body), self._headers)
        with self._http.getresponse() as response:
            text = response.read(_LONGEST)
            if len(text) == _LONGEST:
                self.close()
                raise HTTPException("an endless answer")
        self._date_ms = _date_ms(response.headers.get("Date"))
        if response.status != 200:
            raise _EtcdError(response.status)
        return json.loads(text)

    def close(self) -> None:
        """Closes the connection, and wakes a thread that waits for an answer."""
        for sock in (self._sock, self._http.sock):
            if sock is not None:
                with suppress(OSError):
                    sock.shutdown(SHUT_RDWR)
        self._http.close()


def _date_ms(text: str | None) -> str | None:
    """Returns the Unix ms of an HTTP date; None if it is not a valid date."""
    from email.utils import parsedate_to_datetime

    try:
        return str(int(parsedate_to_datetime(text or "").timestamp()) * 1000)
    except (TypeError, ValueError):
        return None


def _of(parts: list[list[str]], what: str) -> list[list[str]]:
    return [part for part in parts if part[0] == what]


def _compare(key: str, what: str, operand: str) -> dict[str, str]:
    target, field = _COMPARED[what]
    return {"key": _b64(key), "target": target, "result": "EQUAL", field: _b64(operand) if what == "value" else operand}


def _range(key: str, end: str | None = None) -> dict[str, Any]:
    keys = {} if end is None else {"range_end": _b64(end), "keys_only": True}
    return {"request_range": {"key": _b64(key), **keys}}


def _keys(response: Any) -> Row:
    return [b64decode(one["key"]).decode("utf-8", "replace") for one in response["response_range"].get("kvs", [])]


def _found(response: Any) -> Row:
    for one in response["response_range"].get("kvs", []):
        return [b64decode(one.get("value", "")).decode("utf-8", "replace"), one["create_revision"]]
    return []


def _b64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _place(text: str) -> tuple[str, int]:
    """Errors: ValueError."""
    parts = urlsplit(f"//{text}")
    return parts.hostname or "localhost", parts.port or _PORT


def _is_place(text: str) -> bool:
    try:
        return bool(text) and not set(text) & set("/@?") and _place(text)[0] != ""
    except ValueError:
        return False


def _verifying(files: dict[str, str]) -> SSLContext:
    """Returns a context that verifies the server and its host name.

    It trusts the authorities of the system, or those of a file.
    """
    from ssl import create_default_context

    context = create_default_context(cafile=files.get("cacert"))
    if "cert" in files:
        context.load_cert_chain(files["cert"], files.get("key"))
    return context
