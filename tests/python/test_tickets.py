"""Ticket servers: numbers of two real MariaDB servers, which die, forget and lose their settings."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from array import array
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count

import pymysql
import pytest
import sqlalchemy
from patience import HANGS_S
from refusals import code_of, refused
from servers import MariaDB, start_all
from servers.waiting import within

import polyflake
from polyflake import LeaseError, StateError, Tickets

COLUMNS = (
    "(id bigint(20) unsigned NOT NULL auto_increment, stub char(1) NOT NULL default '', "
    "PRIMARY KEY (id), UNIQUE KEY stub (stub)) ENGINE = InnoDB"
)
PATIENT_MS = HANGS_S * 1000
COM_RESET_CONNECTION = 0x1F
tables = count(1)


@pytest.fixture(scope="module")
def servers():
    both = [MariaDB(), MariaDB()]
    with ExitStack() as stack:
        for one in both:
            stack.callback(one.close)
        start_all(both)
        yield both


@pytest.fixture
def table(servers):
    """A table of this test alone, empty on both servers."""
    name = f"Tickets_{next(tables)}"
    for server in servers:
        server.ask(f"CREATE TABLE {name} {COLUMNS}")
    return name


@pytest.fixture
def store(servers):
    return [server.url for server in servers]


@contextmanager
def tickets(store, table, timeout_ms=PATIENT_MS, syntax=""):
    class Syntax(Tickets):
        _syntax = syntax

    with Syntax(store, table=table, timeout_ms=timeout_ms) as ids:
        yield ids


@pytest.fixture(params=["statement", "session"])
def syntax(request):
    """That of MariaDB, and that of MySQL, which MariaDB understands, too."""
    return request.param


class Client:
    """Makes connections to a server, and keeps them."""

    def __init__(self, server):
        self._login = {"host": server.host, "port": server.port, "user": server.user, "password": server.password}
        self._database = server.database
        self.made = []

    def __call__(self):
        self.made.append(pymysql.connect(**self._login, database=self._database))
        return self.made[-1]


def residues(numbers, m=2):
    return [number % m for number in numbers]


# --- numbers --------------------------------------------------------------------------------------


def test_servers_give_numbers_by_turns(store, table, syntax):
    with tickets(store, table, syntax=syntax) as ids:
        numbers = [ids.next_id() for _ in range(10)] + ids.next_ids(10)
        assert numbers == list(range(1, 21))
        assert ids.next_id_string() == "21"
        assert next(ids) == 22
        assert ids.try_next_id() is None
        assert ids.kind == "ticket"
        assert ids.stats().issued == 22
        assert ids.state() == ("open", None)


def test_the_kind_is_opened_by_its_name(store, table):
    with polyflake.open("ticket", store=store, table=table, timeout_ms=PATIENT_MS) as ids:
        assert ids.next_ids(4) == [1, 2, 3, 4]
    with polyflake.open(f"ticket:{store[0]}", table=table, timeout_ms=PATIENT_MS) as ids:
        assert ids.next_ids(3) == [5, 6, 7]
    assert "ticket" in polyflake.kinds()


def test_three_servers_have_three_residues(servers, table, syntax):
    clients = [Client(servers[0]), Client(servers[1]), Client(servers[1])]
    with tickets(clients, table, syntax=syntax) as ids:
        numbers = ids.next_ids(30)
    assert residues(numbers, 3) == [1, 2, 0] * 10
    assert len(set(numbers)) == 30


def test_memory_of_numbers_is_filled(store, table):
    with tickets(store, table) as ids:
        numbers = array("Q", bytes(80))
        ids.fill(numbers)
        assert numbers.tolist() == list(range(1, 11))
        for memory in (bytearray(7), bytes(8), memoryview(bytearray(32))[::2], 7):
            assert code_of(lambda memory=memory: ids.fill(memory)) == "option_invalid"


def test_threads_wait_for_their_turn(store, table, syntax):
    with tickets(store, table, syntax=syntax) as ids, ThreadPoolExecutor(16) as threads:
        numbers = list(threads.map(lambda _: ids.next_id(), range(400)))
        assert len(set(numbers)) == 400
        assert ids.stats().store_failures == 0


def test_the_event_loop_goes_on(store, table):
    async def take():
        turns = 0

        async def turn():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        turning = asyncio.create_task(turn())
        with tickets(store, table) as ids:
            numbers = await asyncio.gather(*(ids.next_id_async() for _ in range(20)))
            numbers += await ids.next_ids_async(20)
        turning.cancel()
        assert len(set(numbers)) == 40
        assert turns > 40

    asyncio.run(take())


def test_a_connection_is_ones_own_and_commits_each_number(servers, table):
    clients = [Client(server) for server in servers]
    engine = sqlalchemy.create_engine(f"mysql+pymysql://{servers[1].url.partition('://')[2]}")
    with tickets([clients[0], engine], table) as ids:
        assert ids.next_ids(4) == [1, 2, 3, 4]
        assert all(connection.get_autocommit() for connection in clients[0].made)
        assert len(clients[0].made) == 1
        assert engine.pool.checkedout() == 0
        for server, last in zip(servers, (3, 4)):
            assert server.ask(f"SELECT id FROM {table}").strip() == str(last), "it is committed"
    assert clients[0].made[0]._closed
    engine.dispose()


def test_another_table_of_another_database(servers, store, table):
    for server in servers:
        server.ask(f"CREATE DATABASE IF NOT EXISTS other; CREATE TABLE other.{table} {COLUMNS}")
    with tickets(store, f"other.{table}") as ids:
        assert ids.next_ids(2) == [1, 2]
    assert servers[0].ask(f"SELECT COUNT(*) FROM {table}").strip() == "0"


TAKER = """
import sys
from polyflake import Tickets
table, syntax, n, *store = sys.argv[1:]
Tickets._syntax = syntax
with Tickets(store, table=table, timeout_ms=60_000) as ids:
    print(*ids.next_ids(int(n)))
    assert ids.stats().store_failures == 0, ids.stats()
"""


def taken_by(processes, n, table, syntax, store):
    """Returns the numbers that so many processes take, n each."""
    command = [sys.executable, "-c", TAKER, table, syntax, str(n), *store]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    said = [one.communicate()[0] for one in started]
    assert [one.returncode for one in started] == [0] * processes
    return [[int(word) for word in words.split()] for words in said]


def test_processes_get_each_number_once(store, table, syntax):
    numbers = taken_by(4, 100, table, syntax, store)
    assert len({one for each in numbers for one in each}) == 400
    for each in numbers:
        assert residues(each) == [1, 0] * 50, "each process asks the servers by turns"


def test_many_processes_on_one_table_take_no_server_out(store, table):
    """InnoDB undoes some of their statements for deadlocks. That counts as no failure."""
    numbers = taken_by(8, 100, table, "", store[:1])
    assert len({one for each in numbers for one in each}) == 800


# --- servers that fail ------------------------------------------------------------------------------


def test_a_server_that_dies_costs_no_call(servers, store, table, syntax):
    with tickets(store, table, syntax=syntax) as ids:
        numbers = ids.next_ids(4)
        servers[1].kill()
        try:
            began = time.monotonic()
            numbers += ids.next_ids(6)
            assert residues(numbers[-6:]) == [1] * 6
            assert 1 <= ids.stats().store_failures <= 1 + (time.monotonic() - began), "asked once in 1, 2, 4 s"
        finally:
            servers[1].start()
        assert within(HANGS_S, lambda: numbers.append(ids.next_id()) or numbers[-1] % 2 == 0)
        assert len(set(numbers)) == len(numbers)


def test_connections_that_ended_while_they_were_idle_cost_no_call(servers, table, syntax):
    clients = [Client(one) for one in servers]
    with tickets(clients, table, syntax=syntax) as ids:
        assert ids.next_ids(2) == [1, 2]
        for server, client in zip(servers, clients, strict=True):
            server.ask(f"KILL {client.made[-1].thread_id()}")
        assert residues(ids.next_ids(2)) == [1, 0]
        assert ids.stats().store_failures == 0


def test_a_transaction_that_a_client_began_is_ended(servers, table):
    class Beginning(Client):
        def __call__(self):
            connection = super().__call__()
            connection.begin()
            return connection

    with tickets([Beginning(servers[0])], table) as ids:
        assert ids.next_ids(3) == [1, 2, 3]
        assert servers[0].ask(f"SELECT id FROM {table}").strip() == "3", "another session sees it"


def test_an_interrupted_call_leaves_its_server_usable(servers, table, run_script):
    """In a process of its own: an interruption may leave a thread of its call behind, which waits for nothing."""
    said = run_script(INTERRUPTS, servers[0].url, table, str(PATIENT_MS))
    assert int(said) > 30, "lines of the package that a call comes to"


INTERRUPTS = """
import sys
from itertools import count
from pathlib import Path
import polyflake

url, table, timeout_ms = sys.argv[1:]
package = str(Path(polyflake.__file__).parent)

def interrupted(ids, line):
    # A call with an exception before so many lines of the package, as a signal handler raises it.
    left = line
    def trace(frame, event, _):
        nonlocal left
        if not frame.f_code.co_filename.startswith(package):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace
    sys.settrace(trace)
    try:
        ids.next_id()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    return left <= 0

def is_usable(ids):
    # An interruption says nothing of the server, which is asked again at once.
    return ids.next_id() > 0 and ids.stats().store_failures == 0

for line in count(1):
    with polyflake.Tickets([url], table=table, timeout_ms=int(timeout_ms)) as ids:
        ids.next_id()
        if not interrupted(ids, line):
            break
        assert is_usable(ids), (line, ids.stats())
print(line - 1, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such signal")
def test_an_error_of_a_signal_handler_ends_the_call_and_is_not_the_servers(servers, store, table):
    class LateError(Exception):
        pass

    def end(*_):
        raise LateError

    before = signal.signal(signal.SIGALRM, end)
    servers[0].pause()
    try:
        with tickets(store[:1], table) as ids:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(LateError):
                ids.next_id()
    finally:
        servers[0].resume()
        signal.signal(signal.SIGALRM, before)


def test_numbers_come_back_once_a_server_is_back(servers, store, table):
    with tickets(store, table, timeout_ms=2000) as ids:
        numbers = ids.next_ids(4)
        with ExitStack() as starting:
            for server in servers:
                server.kill()
                starting.callback(server.start)
            error = refused(ids.next_id, LeaseError)
            assert error.code == "store_unavailable"
            assert all(f"{server.host}:{server.port}" in str(error) for server in servers)
            assert ids.state() == ("waiting", "store_unavailable")

        def taken():
            try:
                numbers.append(ids.next_id())
            except LeaseError as error:
                assert error.code == "store_unavailable"
                return False
            return True

        assert within(HANGS_S, taken)
        assert within(HANGS_S, lambda: taken() and {*residues(numbers[4:])} == {0, 1})
        assert len(set(numbers)) == len(numbers)


def test_a_server_that_does_not_answer_leaves_time_for_another(servers, store, table):
    with tickets(store, table) as first, tickets(store, table, timeout_ms=4000) as ids:
        assert first.next_id() == 1  # with more patience, and by turns with the other
        servers[1].pause()
        try:
            assert ids.next_id() == 3
            assert ids.stats().store_failures == 1
        finally:
            servers[1].resume()


def test_a_call_ends_in_time_though_all_servers_hang(servers, store, table):
    with tickets(store, table, timeout_ms=300) as ids:
        for server in servers:
            server.pause()
        try:
            began = time.monotonic()
            assert code_of(ids.next_id) == "store_unavailable"
            assert time.monotonic() - began < HANGS_S
        finally:
            for server in servers:
                server.resume()


def test_a_server_that_never_greets_its_clients_keeps_no_thread(monkeypatch):
    monkeypatch.setattr("polyflake.stores._sql_url._READ_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with tickets([f"mysql://user@127.0.0.1:{silent.getsockname()[1]}/db"], "t", timeout_ms=100) as ids:
            assert code_of(ids.next_id) == "store_unavailable"
        assert within(HANGS_S, lambda: not any(one.name.startswith("polyflake") for one in threading.enumerate()))


@pytest.mark.parametrize("lose", ["reset", "set"])
def test_a_session_that_loses_its_settings_gives_no_number_of_another_server(servers, table, lose):
    clients = [Client(server) for server in servers]
    with tickets(clients, table, syntax="session") as ids:
        numbers = []
        for _ in range(30):
            numbers += ids.next_ids(2)
            for client in clients:
                (connection,) = client.made
                if lose == "reset":
                    connection._execute_command(COM_RESET_CONNECTION, b"")
                    connection._read_ok_packet()
                    connection.autocommit_mode = True
                else:
                    connection.query("SET SESSION auto_increment_increment = 1, auto_increment_offset = 1")
        assert residues(numbers) == [1, 0] * 30
        assert len(set(numbers)) == 60
        assert ids.stats().store_failures == 0


def test_a_table_that_was_put_back_takes_its_server_out(servers, store, table):
    with tickets(store, table) as ids:
        numbers = ids.next_ids(9)
        servers[1].ask(f"TRUNCATE TABLE {table}")
        error = refused(ids.next_id, LeaseError)
        assert error.code == "store_went_back"
        assert str(servers[1].port) in str(error) and str(servers[0].port) not in str(error)
        numbers += ids.next_ids(4)
        assert residues(numbers[9:]) == [1] * 4
        with tickets(store, table) as other:
            assert residues(other.next_ids(3)) == [1] * 3, "the process knows it"
    with tickets(store, table) as again:
        assert residues(again.next_ids(3)) == [1] * 3, "and does not forget it"


def test_a_table_without_numbers_is_misconfigured(servers, store, table):
    servers[1].ask(f"ALTER TABLE {table} MODIFY id bigint unsigned NOT NULL DEFAULT 0")
    with tickets(store, table) as ids:
        assert ids.next_id() == 1
        error = refused(ids.next_id, LeaseError)
        assert error.code == "store_misconfigured"
        assert "gave 0" in str(error)
        assert ids.next_ids(2) == [3, 5]


def test_a_missing_table_is_named(servers, store):
    with tickets(store[:1], "Tickets_missing") as ids:
        error = refused(ids.next_id, LeaseError)
        assert error.code == "store_unavailable"
        assert "CREATE TABLE" in str(error)


def test_a_lock_that_another_client_holds_is_no_failure(servers, table):
    client = Client(servers[0])
    holder = Client(servers[0])()
    with tickets([client], table) as ids, ThreadPoolExecutor() as threads:
        assert ids.next_id() == 1
        with holder.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table} FOR UPDATE")
        taken = threads.submit(ids.next_id)
        assert within(HANGS_S, lambda: len(client.made) > 1), "the server gave up waiting for the lock"
        holder.rollback()
        assert taken.result() > 1
        assert ids.stats().store_failures == 0
    holder.close()


# --- processes, threads, ends ---------------------------------------------------------------------


def test_a_forked_child_has_its_own_connections(servers, table):
    clients = [Client(server) for server in servers]
    with tickets(clients, table) as ids:
        numbers = ids.next_ids(4)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writing, repr([ids.next_ids(20), [len(one.made) for one in clients]]).encode())
            finally:
                os._exit(0)
        numbers += ids.next_ids(20)
        os.waitpid(child, 0)
        numbers += ids.next_ids(4)
        os.close(writing)
        with os.fdopen(reading) as said:
            of_child, made = eval(said.read())
        assert made == [2, 2]
        assert [len(one.made) for one in clients] == [1, 1]
        assert len({*numbers, *of_child}) == 48
        assert ids.stats().store_failures == 0


def test_closing_ends_the_connections_with_the_last_source(servers, table):
    clients = [Client(server) for server in servers]
    one, other = (Tickets(clients, table=table, timeout_ms=PATIENT_MS) for _ in range(2))
    assert [ids.next_id() for ids in (one, other, one, other)] == [1, 2, 3, 4]
    assert [len(client.made) for client in clients] == [1, 1], "they share them"
    one.close()
    one.close()
    for call in (
        one.next_id,
        one.try_next_id,
        lambda: one.next_ids(0),
        one.next_id_string,
        lambda: one.fill(bytearray()),
    ):
        assert refused(call, StateError).code == "generator_closed"
    assert one.closed and one.state() == ("closed", "generator_closed")
    assert other.next_id() == 5
    other.close()
    assert all(client.made[0]._closed for client in clients)
    # each ends within a moment of a machine that is not busy
    assert within(HANGS_S, lambda: not [one for one in threading.enumerate() if one.name.startswith("polyflake")])


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"store": []}, "option_invalid"),
        ({"store": None}, "option_invalid"),
        ({"store": [None]}, "option_invalid"),
        ({"store": [7]}, "option_invalid"),
        ({"store": {"a": 1}}, "option_invalid"),
        ({"store": ["mysql://h/db", "mysql://h/db"]}, "option_invalid"),
        ({"store": [f"mysql://h{i}/db" for i in range(65)]}, "option_invalid"),
        ({"store": "redis://h/0"}, "option_invalid"),
        ({"store": "mysql://h/db?namespace=shop"}, "option_invalid"),
        ({"store": "mysql://h/db?window_ms=4000"}, "option_invalid"),
        ({"store": "mysql://h/db?option=1"}, "option_invalid"),
        ({"store": "mysql://h/db?ssl_ca=/missing"}, "option_invalid"),
        ({"store": "mysql://h/db?ssl_cert=/etc/hostname"}, "option_invalid"),
        ({"store": "h"}, "worker_source_invalid"),
        ({"store": ""}, "worker_source_invalid"),
        ({"table": ""}, "option_invalid"),
        ({"table": "a b"}, "option_invalid"),
        ({"table": "a.b.c"}, "option_invalid"),
        ({"table": "t`"}, "option_invalid"),
        ({"table": 7}, "option_invalid"),
        ({"timeout_ms": 0}, "option_invalid"),
        ({"timeout_ms": -1}, "option_invalid"),
        ({"timeout_ms": 2**31}, "option_invalid"),
        ({"timeout_ms": "2000"}, "option_invalid"),
        ({"name": "orders"}, "option_invalid"),
    ],
    ids=str,
)
def test_bad_options_are_refused(options, code):
    assert code_of(lambda: Tickets(**{"store": ["mysql://h/db"], **options})) == code


def test_no_password_is_shown(servers, table):
    secret = "swordfish-1234567890"
    server = servers[0]
    address = f"mysql://{server.user}:{secret}@{server.host}:{server.port}/{server.database}"
    with tickets([address], table, timeout_ms=5000) as ids:
        error = refused(ids.next_id, LeaseError)
        assert error.code == "store_unavailable"
        assert "1045" in str(error)
        for said in (str(error), repr(error), repr(ids), repr(ids.stats()), repr(ids.state())):
            assert secret not in said
