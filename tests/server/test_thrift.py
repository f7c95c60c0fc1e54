"""Thrift's own stubs for Python, Java and Ruby, made from snowflake.thrift, as clients of polyflaked."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from polyflaked import Polyflaked
from thrift.protocol.TBinaryProtocol import TBinaryProtocol, TBinaryProtocolAccelerated
from thrift.Thrift import TApplicationException, TMessageType, TType
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TFramedTransport, TTransportException

HERE = Path(__file__).parent
DATACENTER, WORKER = 5, 7
EPOCH_MS = 1288834974657
TRANSPORTS = {"framed": TFramedTransport, "unframed": TBufferedTransport}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    node_id = f"{{datacenter = {DATACENTER}, worker = {WORKER}}}"
    with Polyflaked(node_id, layout="twitter", head="max_batch = 1000", listeners={"thrift": ""}) as server:
        yield server.ports["thrift"].number


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each language."""
    folder = tmp_path_factory.mktemp("stubs")
    for language, options in (("py", ""), ("rb", ""), ("java", ":generated_annotations=suppress")):
        (folder / language).mkdir()
        command = ["thrift", "-out", folder / language, "-gen", language + options, HERE / "snowflake.thrift"]
        subprocess.run(command, check=True)
    return folder


@pytest.fixture(scope="module")
def batches(stubs: Path) -> Any:
    sys.path.insert(0, str(stubs / "py"))
    try:
        return importlib.import_module("snowflake.Batches")
    finally:
        sys.path.remove(str(stubs / "py"))


class Connection:
    """A client of the service `Batches`, and what is below it."""

    def __init__(
        self, batches: Any, port: int, transport: str, protocol: type[TBinaryProtocol], **options: bool
    ) -> None:
        socket = TSocket("127.0.0.1", port)
        socket.setTimeout(20_000)
        self.transport = TRANSPORTS[transport](socket)
        self.protocol = protocol(self.transport, **options)
        self.client = batches.Client(self.protocol)
        self.transport.open()


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[TBinaryProtocol, TBinaryProtocolAccelerated], ids=["python", "accelerated"])
def connection(request: pytest.FixtureRequest, batches: Any, port: int, transport: str) -> Iterator[Connection]:
    connection = Connection(batches, port, transport, request.param)
    yield connection
    connection.transport.close()


@pytest.fixture
def client(connection: Connection) -> Any:
    return connection.client


def expect_ids(ids: list[int]) -> None:
    """Each is whole, of this server and of now, and above the one before."""
    now_ms = time.time_ns() // 1_000_000
    assert ids == sorted(set(ids))
    for one in ids:
        assert (one >> 17 & 31, one >> 12 & 31) == (DATACENTER, WORKER)
        assert abs((one >> 22) + EPOCH_MS - now_ms) < 60_000


def refusal_of(call: Any) -> tuple[int, str]:
    with pytest.raises(TApplicationException) as refusal:
        call()
    return refusal.value.type, refusal.value.message


def test_an_id_comes_whole(client: Any) -> None:
    ids = [client.get_id("python-client") for _ in range(100)]
    assert ids[0] > 2**60
    expect_ids(ids)


def test_parts_of_the_node_id_and_the_time(client: Any) -> None:
    assert (client.get_datacenter_id(), client.get_worker_id()) == (DATACENTER, WORKER)
    before_ms = time.time_ns() // 1_000_000
    given_ms = client.get_timestamp()
    assert before_ms <= given_ms <= time.time_ns() // 1_000_000


def test_replies_keep_the_order_of_calls(client: Any) -> None:
    for _ in range(5):
        for turn in range(300):
            if turn % 3 == 0:
                client.send_get_ids("a", 7)
            else:
                client.send_get_id("a")
        ids: list[int] = []
        for turn in range(300):
            ids += client.recv_get_ids() if turn % 3 == 0 else [client.recv_get_id()]
        assert len(ids) == 100 * 7 + 200
        expect_ids(ids)


def test_a_batch_is_whole(client: Any) -> None:
    ids = [one for n in (1, 2, 1000) for one in client.get_ids("a", n)]
    assert len(ids) == 1003
    expect_ids(ids)


@pytest.mark.parametrize("n", [0, -1, 1001, 2**31 - 1])
def test_a_batch_of_another_size_is_refused(client: Any, n: int) -> None:
    kind, words = refusal_of(lambda: client.get_ids("a", n))
    assert kind == TApplicationException.INTERNAL_ERROR
    code = "batch_too_large" if n > 0 else "option_invalid"
    assert words.startswith(f"{code}: n is {n}; ")
    expect_ids([client.get_id("a")])


@pytest.mark.parametrize("agent", [None, "", "1a", "a_b", "\u00e4", "x y"])
def test_another_user_agent_is_refused(client: Any, agent: str | None) -> None:
    for call in (lambda: client.get_id(agent), lambda: client.get_ids(agent, 3)):
        kind, words = refusal_of(call)
        assert kind == TApplicationException.INTERNAL_ERROR
        assert words.startswith("bad_request: ")
    expect_ids([client.get_id("a")])


def test_an_unknown_method_is_refused(connection: Connection) -> None:
    protocol = connection.protocol
    protocol.writeMessageBegin("get_name", TMessageType.CALL, 42)
    protocol.writeStructBegin("get_name_args")
    protocol.writeFieldBegin("things", TType.LIST, 3)
    protocol.writeListBegin(TType.STRING, 2)
    protocol.writeString("one")
    protocol.writeString("two")
    protocol.writeListEnd()
    protocol.writeFieldEnd()
    protocol.writeFieldStop()
    protocol.writeMessageEnd()
    connection.transport.flush()
    assert protocol.readMessageBegin() == ("get_name", TMessageType.EXCEPTION, 42)
    error = TApplicationException()
    error.read(protocol)
    protocol.readMessageEnd()
    assert error.type == TApplicationException.UNKNOWN_METHOD
    expect_ids([connection.client.get_id("a")])


def test_a_protocol_that_is_not_strict_is_refused(batches: Any, port: int) -> None:
    connection = Connection(batches, port, "framed", TBinaryProtocol, strictWrite=False)
    kind, words = refusal_of(lambda: connection.client.get_id("a"))
    assert kind == TApplicationException.PROTOCOL_ERROR
    assert "strict" in words
    with pytest.raises((TTransportException, EOFError, OSError)):
        connection.client.get_id("a")
    connection.transport.close()


# --- other languages -----------------------------------------------------------------------------


def expect_calls(output: str) -> None:
    """Checks the output of calls.rb or Calls.java."""
    lines = [line.split(" ", 1) for line in output.splitlines()]
    said = dict(lines)
    assert (said["datacenter"], said["worker"]) == (str(DATACENTER), str(WORKER))
    assert abs(int(said["time"]) - time.time_ns() // 1_000_000) < 60_000
    ids = [int(one) for name, text in lines if name in ("id", "ids") for one in re.findall(r"\d+", text)]
    assert len(ids) == 100 + 5
    expect_ids(ids)
    for name, code in (("agent", "bad_request"), ("none", "bad_request"), ("batch", "option_invalid")):
        assert said[name].startswith(f"error {TApplicationException.INTERNAL_ERROR} {code}: ")


def output_of(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=300, env={**os.environ, **environment}
    )
    return done.stdout


def test_ruby(stubs: Path, port: int, transport: str) -> None:
    expect_calls(output_of("ruby", "-I", stubs / "rb", HERE / "calls.rb", str(port), transport))


@pytest.fixture(scope="module")
def java_classes(stubs: Path) -> str:
    """The class path of Calls.java."""
    libraries, classes = stubs / "libraries", stubs / "classes"
    copy = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
    options = ["--batch-mode", "--no-transfer-progress", "-q", f"-DoutputDirectory={libraries}"]
    output_of("mvn", *options, "-f", HERE / "java/pom.xml", copy)
    path = f"{classes}:{libraries}/*"
    output_of(
        "javac", "-nowarn", "-d", classes, "-cp", path, *(stubs / "java").rglob("*.java"), HERE / "java/Calls.java"
    )
    return path


def test_java(java_classes: str, port: int, transport: str) -> None:
    expect_calls(output_of("java", "-cp", java_classes, "Calls", str(port), transport))
