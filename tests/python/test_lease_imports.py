"""A fork while another thread imports the client of a store: the child cannot import it any more, and hears so."""

from __future__ import annotations

import os

import pytest
from children import IN_CHILD
from servers import Redis

from polyflake.stores import init_namespace

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

# The import of the module `slow` has begun, and goes on when go_on is set.
PRELUDE = (
    IN_CHILD
    + """
import importlib.machinery, sys, threading, time
import polyflake
from polyflake import Generator
url, slow = sys.argv[1:]
inside, go_on = threading.Event(), threading.Event()

class Slow(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != slow:
            return None
        spec = super().find_spec(name, path, target)
        execute = spec.loader.exec_module
        def execute_later(module):
            inside.set()
            go_on.wait()
            execute(module)
        spec.loader.exec_module = execute_later
        return spec

sys.meta_path.insert(0, Slow)
failed = []
def ids_of_another():
    with Generator(url) as another:  # its thread ends, else a fork could find a lock of a client taken
        return another.next_ids(5)
def open_another():
    try:
        ids.extend(ids_of_another())
    except BaseException as error:
        failed.append(error)
ids = []
opening = threading.Thread(target=open_another, daemon=True)
opening.start()
inside.wait()
"""
)


@pytest.fixture(scope="module")
def url():
    with Redis() as server:
        url = f"redis://127.0.0.1:{server.port}?namespace=orders"
        init_namespace(url, fresh=True)
        yield url


@pytest.mark.parametrize(
    "slow", ["redis.cluster", "polyflake.stores.redis", "polyflake._lease_runners", "polyflake._lease"]
)
def test_a_child_forked_amid_an_import_hears_so_at_once(url, run_script, slow):
    run_script(
        PRELUDE
        + """
def refused():
    try:
        Generator(url)
    except PolyflakeError as error:
        assert error.code == "forked_generator" and "import" in str(error), error
        return in_child(lambda: Generator(url).worker)
assert in_child(refused) == "forked_generator"
assert in_child(lambda: Generator(5).worker) == 5
go_on.set()
opening.join()
ids += in_child(ids_of_another) + ids_of_another()
assert not failed and len(set(ids)) == 15, failed
""",
        url,
        slow,
    )
