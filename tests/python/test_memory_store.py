"""Leases in the memory of the process, by addresses memory://name?namespace=orders: without a server and without waiting."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
import threading

import pytest

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, leases, raise_floor

pytestmark = pytest.mark.usefixtures("patient_close")


@pytest.fixture
def address():
    made = f"memory://{secrets.token_hex(8)}?namespace=orders"
    init_namespace(made, fresh=True)
    return made


def test_a_namespace_is_made_once_and_has_one_uuid(address):
    assert init_namespace(address) == init_namespace(address)


def test_a_missing_namespace_is_refused():
    with pytest.raises(PolyflakeError) as refused:
        Generator(f"memory://{secrets.token_hex(8)}?namespace=orders")
    assert refused.value.code == "namespace_not_initialised"


def test_generators_of_one_address_share_a_node_id_and_others_do_not(address):
    with Generator(address) as one, Generator(address) as same, Generator(f"{address}&label=0") as other:
        assert one.worker == same.worker != other.worker
        assert len({one.next_id(), same.next_id(), other.next_id()}) == 3
        assert [lease.node for lease in leases(address)] == [0, 1]


def test_stores_of_other_names_and_namespaces_are_other_stores(address):
    name = address.partition("?")[0]
    init_namespace(f"{name}?namespace=invoices", fresh=True)
    with Generator(address) as orders, Generator(f"{name}?namespace=invoices") as invoices:
        assert orders.worker == invoices.worker == 0


def test_a_node_id_is_given_back_at_the_end(address):
    with Generator(address) as generator:
        last = generator.decode(generator.next_id()).time_ms
        assert leases(address)[0].until_ms > last + 1000
    assert [lease for lease in leases(address) if lease.until_ms > last + 1000] == []


def test_a_node_id_is_given_back_at_the_end_off_the_loop(address):
    threads = []

    class Watched(Generator):
        def close(self):
            threads.append(threading.current_thread())
            super().close()

    async def run():
        async with await Watched.open(address) as generator:
            return generator.decode(await generator.next_id_async()).time_ms

    last = asyncio.run(run())
    assert [lease for lease in leases(address) if lease.until_ms > last + 1000] == []
    assert threads and threads[0] is not threading.current_thread()


def test_renewals_are_counted(address):
    with Generator(address) as generator:
        generator.renew()
        assert generator.stats().renewals >= 1


def test_a_raised_floor_gives_the_generator_another_lease(address):
    with Generator(address) as generator:
        before = generator.next_id()
        raise_floor(address, id=before)
        generator.renew()
        assert generator.next_id() > before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_gets_no_node_id_of_the_store_of_its_original(address):
    with Generator(address) as generator:
        generator.next_id()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(write, str(generator.next_id()).encode())
            except PolyflakeError as error:
                os.write(write, error.code.encode())
            os._exit(0)
        os.close(write)
        with open(read, "rb") as said:
            assert said.read() == b"store_unavailable"
        os.waitpid(child, 0)
        generator.next_id()


def test_the_interpreter_ends_with_an_open_lease():
    program = (
        "import polyflake\n"
        "from polyflake.stores import init_namespace\n"
        "init_namespace('memory://end?namespace=orders', fresh=True)\n"
        "generator = polyflake.Generator('memory://end?namespace=orders')\n"
        "print(generator.state().name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "open\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("", "worker_source_invalid"),
        ("?namespace=o&db=1", "option_invalid"),
        ("?namespace=o&schema=s", "option_invalid"),
    ],
)
def test_what_is_no_store_in_memory_is_refused(rest, code):
    with pytest.raises(PolyflakeError) as refused:
        Generator(f"memory://name{rest}")
    assert refused.value.code == code


def test_in_a_running_loop_only_asynchronous_calls_wait_for_a_window():
    """A call that waits there would stop all tasks. The first window of a namespace that is not fresh begins later."""
    url = f"memory://{secrets.token_hex(8)}?namespace=orders&auto_init=1&window_ms=1000&tolerance_ms=100"

    async def main():
        with Generator(url) as generator:
            for call in (generator.next_id, generator.next_id_string, lambda: generator.next_ids(2)):
                with pytest.raises(PolyflakeError, match="await next_id_async") as refused:
                    call()
                assert refused.value.code == "store_unavailable"
            assert generator.try_next_id() is None
            in_a_thread = asyncio.to_thread(generator.next_id)
            assert len({await generator.next_id_async(), await in_a_thread}) == 2

    asyncio.run(main())
