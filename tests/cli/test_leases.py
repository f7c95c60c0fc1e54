"""leases, init, raise-floor: this host's registry, and a real Redis."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import LIMIT


def rows_of(text: str) -> list[list[str]]:
    """Node id, until, holder and how far that is, of each node id."""
    return [re.split(r"  +|, ", line) for line in text.splitlines() if re.match(r"\d+ ", line)]


def test_the_registry_says_who_had_a_node_id(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    assert entry.run("leases", environment=environment).out == f"registry       {tmp_path / 'home'}\n"
    with ThreadPoolExecutor() as side_by_side:  # each waits for two seconds
        for options in (["host:5"], ["host:3"], ["host:3", "--layout", "twitter"]):
            side_by_side.submit(entry.run, "next", "--worker", *options, environment=environment)
    result = entry.run("leases", environment=environment)
    assert (result.exit_code, result.err) == (0, "")
    assert set(re.findall(r"layout +(\w+)", result.out)) == {"polyflake", "twitter"}
    assert len(rows_of(result.out)) == 3
    result = entry.run("leases", "--layout", "polyflake", environment=environment)
    rows = rows_of(result.out)
    assert [row[0] for row in rows] == ["3", "5"]
    for row in rows:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", row[1])
        assert re.fullmatch(r"free, last of \S+/\d+", ", ".join(row[2:4]))


def test_the_registry_says_the_same_in_json(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    assert entry.run("leases", "--json", environment=environment).out == ""
    entry.run("next", "--worker", "host:3", environment=environment)
    file = next((tmp_path / "home").glob("*/3"))
    file.with_name("5").write_text("nothing of ours")
    file.with_name("7").touch()
    result = entry.run("leases", "--json", environment=environment)
    third, fifth, seventh = map(json.loads, result.out.splitlines())
    assert third.pop("until").endswith("Z")
    assert third.pop("until_ms") > 0
    assert re.fullmatch(r"\S+/\d+", third.pop("holder"))
    assert third == {"layout": "polyflake", "fingerprint": file.parent.name, "node": "3", "held": False}
    assert "is corrupt" in fifth["unusable"]
    assert (seventh["held"], seventh["until"]) == (False, None)


def test_the_registry_says_who_holds_a_node_id(entry, tmp_path, monkeypatch):
    import polyflake

    monkeypatch.setenv("POLYFLAKE_HOME", str(tmp_path / "home"))
    with polyflake.Generator("host:9") as generator:
        generator.next_id()
        result = entry.run("leases", environment={"POLYFLAKE_HOME": str(tmp_path / "home")})
    assert re.search(rf"^9 .* held by \S+/{os.getpid()}, ", result.out, re.M)


def test_a_corrupt_file_hides_no_other(entry, tmp_path):
    environment = {"POLYFLAKE_HOME": str(tmp_path / "home")}
    entry.run("next", "--worker", "host:3", environment=environment)
    next((tmp_path / "home").glob("*/3")).with_name("5").write_text("nothing of ours")
    result = entry.run("leases", environment=environment)
    assert (result.exit_code, result.err) == (0, "")
    rows = rows_of(result.out)
    assert [row[0] for row in rows] == ["3", "5"]
    assert rows[0][2].startswith("free")
    assert rows[1][1] == "unknown"
    assert "is corrupt" in rows[1][2]


def test_a_registry_cannot_write_to_the_terminal_by_its_name(entry, tmp_path):
    for command in ("leases", "doctor"):
        result = entry.run(command, environment={"POLYFLAKE_HOME": f"{tmp_path}/\x1b[31m"})
        assert "\x1b" not in result.out
        assert f"{tmp_path}/\\x1b[31m" in result.out


WINDOW_MS = 600_000  # no lease ends by itself while a test runs


@pytest.fixture
def store(request, entry) -> str:
    kind = getattr(request, "param", "redis")
    url = os.environ[f"POLYFLAKE_TEST_{kind.upper()}"]  # of tests/servers/run redis -- pytest ...
    return f"{url}?namespace=cli-{entry.name}-{uuid.uuid4().hex}&tolerance_ms=100&window_ms={WINDOW_MS}&acquire_timeout_ms={LIMIT * 1000}"


@pytest.mark.with_clients(False)
def test_a_program_without_clients_says_what_is_needed(entry):
    store = "redis://127.0.0.1:1/0?namespace=orders"
    for command in (
        ["leases", store],
        ["init", store],
        ["raise-floor", "--time", "0", store],
        ["counters", store],
        ["init", "--counter", "invoices", "--after", "0", store],
        ["raise-counter", "invoices", "--after", "0", store],
        ["next", "--worker", store],
    ):
        result = entry.ask(*command)
        assert (result.exit_code, result.out) == (1, "")
        assert re.match(
            r"polyflake: worker_source_invalid: .*python -m polyflake.*npx polyflake.*java -cp polyflake.jar:jedis.jar io.github.polyflake.Main",
            result.err,
        )


def test_an_address_that_is_empty_is_an_address(entry):
    for command in (["leases", ""], ["init", ""], ["raise-floor", "--time", "0", ""]):
        result = entry.ask(*command)
        assert (result.exit_code, result.out) == (1, "")
        assert result.err.startswith("polyflake: worker_source_invalid: ")


def test_an_address_in_no_encoding_is_refused(entry):
    for command in (["leases"], ["init"], ["raise-floor", "--time", "0"], ["next", "--worker"]):
        result = entry.run(*command, "redis://\udcff")  # the byte ff, as Python has it
        assert (result.exit_code, result.out) == (2, "")
        assert result.err.startswith("polyflake: usage: ")


@pytest.fixture(scope="session")
def with_clients(entry):
    program = entry.with_clients()
    yield program
    program.close()


def make(program, store: str) -> None:
    """Makes the namespace. Asks again if the store is unavailable: a client that has just started on a busy machine is late."""
    end = time.monotonic() + LIMIT
    while True:
        result = program.ask("init", "--fresh", store)
        if "polyflake: store_unavailable: " not in result.err or time.monotonic() > end:
            break
    assert result.exit_code == 0, result.err


@pytest.mark.with_clients(True)
def test_a_namespace_is_made_once(with_clients, store):
    assert with_clients.ask("leases", store).err.startswith("polyflake: namespace_not_initialised: ")
    first = with_clients.ask("init", "--fresh", store)
    assert re.fullmatch(r"uuid +[0-9a-f]{32}\n", first.out)
    assert with_clients.ask("init", store).out == first.out
    assert with_clients.ask("init", store, "--layout", "twitter").err.startswith("polyflake: layout_mismatch: ")
    assert with_clients.ask("leases", store).out == "node id   until                     holder\n"


@pytest.mark.with_clients(True)
@pytest.mark.parametrize("store", ["zookeeper", "etcd", "postgresql", "mysql"], indirect=True)
def test_ids_come_from_any_store(with_clients, store):
    make(with_clients, store)
    result = with_clients.run("next", "-n", "10", "--worker", store)
    said = [line for line in result.err.splitlines() if not line.startswith("SLF4J: ")]  # docs/command-line.md
    assert (result.exit_code, said) == (0, [])
    ids = [int(line) for line in result.out.splitlines()]
    assert len(ids) == 10
    assert ids == sorted(set(ids))


@pytest.mark.with_clients(True)
def test_ids_come_from_a_lease_that_is_given_back(with_clients, store):
    make(with_clients, store)
    result = with_clients.run("next", "-n", "10000", "--worker", store)
    assert (result.exit_code, result.err) == (0, "")
    ids = [int(line) for line in result.out.splitlines()]
    assert len(ids) == 10000
    assert ids == sorted(set(ids))
    assert {id >> 12 & 1023 for id in ids} == {0}
    assert rows_of(with_clients.ask("leases", store).out) == []
    again = int(with_clients.ask("next", "--worker", store).out)
    assert again > ids[-1]
    assert again >> 12 & 1023 == 0


@pytest.mark.with_clients(True)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_gives_the_lease_back(with_clients, store, number):
    make(with_clients, store)
    program = subprocess.Popen(
        [*with_clients.prefix, "next", "-n", "1000000000", "--worker", store],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=with_clients.environment(),
    )
    assert int(program.stdout.readline()) > 0  # and it goes on until nobody reads any more
    assert len(rows_of(with_clients.ask("leases", store).out)) == 1
    program.send_signal(number)
    assert program.wait(LIMIT) in (-number, 128 + number)
    assert rows_of(with_clients.ask("leases", store).out) == []
    assert program.stderr.read() == b""
    program.stdout.close()


@pytest.mark.with_clients(True)
def test_who_holds_a_node_id_is_told(with_clients, store):
    import polyflake

    make(with_clients, store)
    with polyflake.Generator(store) as generator:
        rows = rows_of(with_clients.ask("leases", store).out)
        assert [row[0] for row in rows] == [str(generator.worker)]
        assert rows[0][2].endswith(f"/{os.getpid()}")


@pytest.mark.with_clients(True)
def test_a_floor_is_raised(with_clients, store):
    make(with_clients, store)
    result = with_clients.ask("raise-floor", "--id", "362387865600005", store)
    assert result.out == "floor          2020-01-02T00:00:00.001Z, or where it was if that is later\n"
    assert with_clients.ask("raise-floor", store).exit_code == 2
    assert with_clients.ask("next", "--worker", store).exit_code == 0
    assert with_clients.ask("raise-floor", "--time", "2086-01-01", store).exit_code == 0
    refused = with_clients.ask("next", "--worker", store)
    assert (refused.exit_code, refused.out) == (1, "")
    assert refused.err.startswith("polyflake: ")
    before = with_clients.ask("raise-floor", "--time", "1999-01-01", store)
    assert before.err.startswith("polyflake: field_out_of_range: ")


@pytest.mark.with_clients(True)
def test_a_store_that_cannot_be_reached_is_an_error(with_clients):
    result = with_clients.ask("leases", "redis://127.0.0.1:1/0?namespace=orders")
    assert (result.exit_code, result.out) == (1, "")
    assert result.err.startswith("polyflake: store_unavailable: ")


@pytest.mark.with_clients(True)
@pytest.mark.parametrize("path", ["/hunter2", "/1/2", "/-1"])
def test_a_database_that_is_none_is_an_error(with_clients, path):
    result = with_clients.ask("leases", f"redis://127.0.0.1:1{path}?namespace=orders")
    assert (result.exit_code, result.out) == (1, "")
    assert result.err.startswith("polyflake: worker_source_invalid: ")
    assert "hunter2" not in result.err


@pytest.mark.with_clients(True)
def test_an_address_that_is_none_is_an_error(with_clients):
    result = with_clients.ask("next", "--worker", "carrier-pigeon://roof")
    assert (result.exit_code, result.out) == (1, "")
    assert result.err.startswith("polyflake: worker_source_invalid: ")
