"""Small clients of polyflaked, one a protocol, that all take ids in the same way."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
import struct
from typing import BinaryIO, ClassVar, Self

from servers.guarded import ServerError
from servers.redis import read_reply

HOST = "127.0.0.1"
TIMEOUT_S = 60.0
STRING, I32, I64, LIST = 11, 8, 10, 15  # types of Thrift
CALL, REPLY, EXCEPTION = 1, 2, 3


def connected_to(port: int, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> socket.socket:
    """A connection, by TLS if a context is given. Errors: OSError; ssl.SSLEOFError if it ends without a word."""
    connection = socket.create_connection((HOST, port), timeout_s)
    if tls is None:
        return connection
    return tls.wrap_socket(connection, server_hostname="localhost", suppress_ragged_eofs=False)


class Refused(Exception):
    """The server gave a reason instead of ids."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Client:
    """A connection that takes ids of a generator. Errors: OSError when the connection is lost; then it is of no use."""

    protocol: ClassVar[str]

    def __init__(self, port: int, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> None:
        raise NotImplementedError

    def take(self, n: int = 1) -> list[int]:
        """Errors: Refused, OSError."""
        return self.take_of("orders", n)

    def take_of(self, key: str, n: int = 1) -> list[int]:
        """The same, of another generator or a counter; in Thrift there is but one."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class RespClient(Client):
    protocol = "resp"

    def __init__(self, port: int, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> None:
        self.socket = connected_to(port, timeout_s, tls)
        self.replies = self.socket.makefile("rb")

    def take_of(self, key: str, n: int = 1) -> list[int]:
        reply = self.ask("INCR", key) if n == 1 else self.ask("POLYFLAKE.NEXT", key, n)
        return [int(text) for text in reply] if isinstance(reply, list) else [int(reply)]

    def ask(self, *words: str | int) -> object:
        self.send(request_of(*words))
        return self.reply()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def reply(self) -> object:
        try:
            return read_reply(self.replies)
        except ServerError as error:
            kind, _, words = str(error).partition(" ")
            code, _, message = words.partition(" ")
            raise Refused(code if kind == "POLYFLAKE" else kind, message) from error

    def close(self) -> None:
        self.replies.close()
        self.socket.close()


def request_of(*words: str | int) -> bytes:
    """A command in RESP."""
    return (f"*{len(words)}\r\n" + "".join(f"${len(str(word).encode())}\r\n{word}\r\n" for word in words)).encode()


class HttpClient(Client):
    protocol = "http"

    def __init__(self, port: int, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> None:
        self.connection = http.client.HTTPConnection(HOST, port, timeout_s)
        self.connection.sock = connected_to(port, timeout_s, tls)
        self.connection.auto_open = 0

    def take_of(self, key: str, n: int = 1) -> list[int]:
        status, body = self.ask("POST", f"/v1/ids/{key}?n={n}")
        if status == 200:
            return [int(text) for text in json.loads(body)["ids"]]
        if not body.startswith("{"):  # a proxy's own
            raise Refused(str(status), body)
        answer = json.loads(body)
        raise Refused(answer["code"], answer["message"])

    def ask(self, method: str, path: str) -> tuple[int, str]:
        try:
            self.connection.request(method, path)
            answer = self.connection.getresponse()
            return answer.status, answer.read().decode()
        except http.client.HTTPException as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        self.connection.close()


class ThriftClient(Client):
    """Framed. Written by hand, so that tests need no compiler of Thrift."""

    protocol = "thrift"

    def __init__(self, port: int, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> None:
        self.socket = connected_to(port, timeout_s, tls)
        self.replies = self.socket.makefile("rb")
        self.sequence = 0

    def take_of(self, key: str, n: int = 1) -> list[int]:
        assert key == "orders"
        self.sequence += 1
        self.socket.sendall(framed(call_of(n, self.sequence)))
        length = int.from_bytes(whole(self.replies, 4), "big")
        return self.ids_of(whole(self.replies, length))

    def ids_of(self, message: bytes) -> list[int]:
        kind, name_length = message[3], int.from_bytes(message[4:8], "big")
        sequence, fields = message[8 + name_length : 12 + name_length], message[12 + name_length :]
        assert int.from_bytes(sequence, "big") == self.sequence
        if kind == EXCEPTION:
            assert fields[:3] == bytes((STRING, 0, 1))
            code, _, words = fields[7 : 7 + int.from_bytes(fields[3:7], "big")].decode().partition(": ")
            raise Refused(code, words)
        assert kind == REPLY and fields[1:3] == b"\0\0"
        if fields[0] == I64:
            return [int.from_bytes(fields[3:11], "big")]
        assert fields[0] == LIST and fields[3] == I64
        count = int.from_bytes(fields[4:8], "big")
        return list(struct.unpack_from(f">{count}q", fields, 8))

    def close(self) -> None:
        self.replies.close()
        self.socket.close()


def call_of(n: int, sequence: int) -> bytes:
    """A call of get_id, or of get_ids for several."""
    name = b"get_id" if n == 1 else b"get_ids"
    head = bytes((0x80, 1, 0, CALL)) + len(name).to_bytes(4, "big") + name + sequence.to_bytes(4, "big")
    agent = bytes((STRING, 0, 1, 0, 0, 0, 4)) + b"test"
    return head + agent + (bytes((I32, 0, 2)) + n.to_bytes(4, "big") if n != 1 else b"") + b"\0"


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(4, "big") + message


def whole(replies: BinaryIO, length: int) -> bytes:
    data = replies.read(length)
    if len(data) != length:
        raise ConnectionResetError("the connection ended within a reply")
    return data


CLIENTS: dict[str, type[Client]] = {one.protocol: one for one in (RespClient, HttpClient, ThriftClient)}

# A request of each protocol, and how its reply begins.
REQUESTS = {
    "resp": (request_of("INCR", "orders"), b":"),
    "http": (b"POST /v1/ids/orders?n=2 HTTP/1.1\r\nHost: a\r\n\r\n", b"HTTP/1.1 200 "),
    "thrift": (framed(call_of(3, 1)), b"\0\0\0"),
}
RESULT = b"\x80\x01\0\x02"  # of a call in Thrift


class Records:
    """TLS by hand over a connection: what is sent, and when, is up to the caller."""

    def __init__(self, context: ssl.SSLContext, connection: socket.socket) -> None:
        self._connection = connection
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname="localhost")
        while not self._shake_hands():
            self._in.write(connection.recv(65536))

    def _shake_hands(self) -> bool:
        with contextlib.suppress(ssl.SSLWantReadError):
            self._tls.do_handshake()
            self._connection.sendall(self._out.read())
            return True
        self._connection.sendall(self._out.read())
        return False

    def written(self, data: bytes) -> bytes:
        """The records of these bytes."""
        self._tls.write(data)
        return self._out.read()

    def last_word(self) -> bytes:
        """The record that says that nothing follows."""
        with contextlib.suppress(ssl.SSLError):  # it would wait for the server's
            self._tls.unwrap()
        return self._out.read()

    def rest(self) -> bytes:
        """All that comes until the connection ends. Errors: ssl.SSLWantReadError if it ends without the last word."""
        self._in.write(all_of(self._connection))
        data = b""
        with contextlib.suppress(ssl.SSLZeroReturnError):
            while piece := self._tls.read(65536):
                data += piece
        return data


def all_of(connection: socket.socket) -> bytes:
    """Returns all that it sends until it ends the connection."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            data += piece
    return data
