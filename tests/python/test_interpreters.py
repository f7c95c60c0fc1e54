"""Subinterpreters count as one process: they share states, and the module loads in each."""

from __future__ import annotations

import importlib
import sys

import pytest

import polyflake
from polyflake import Generator

if sys.version_info >= (3, 13):
    interpreters = importlib.import_module("_interpreters")
else:
    interpreters = importlib.import_module("_xxsubinterpreters")

SCRIPT = """
import polyflake
generator = polyflake.Generator(1005)
ids = generator.next_ids(1000) + [generator.next_id() for _ in range(1000)]
try:
    polyflake.Layout("nope")
except ValueError as error:
    assert error.code == "unknown_preset" and type(error) is polyflake.BadArgumentError
else:
    raise AssertionError
ids += [polyflake.next_id(), polyflake.from_text(polyflake.next_id_string())]
import os
os.write({out}, (",".join(map(str, ids)) + ",").encode())
"""


def test_a_subinterpreter_imports_the_package_from_python_3_12_on_and_is_refused_before(run_script):
    """Without hanging, as with a GIL that the interpreters share."""
    run_script(
        f"""
import sys
import {interpreters.__name__} as interpreters
import polyflake  # first in here: Python 3.13.0 ends with a crash where a subinterpreter is the first to import datetime

def run(program):
    interpreter = interpreters.create()
    try:
        return interpreters.run_string(interpreter, program)  # from Python 3.13 on the failure is what it returns
    except interpreters.RunFailedError as error:
        return error

failed = run("import polyflake")
if sys.version_info >= (3, 12):
    assert failed is None, failed
else:
    assert "ImportError" in str(failed) and "3.12" in str(failed), failed
"""
    )


@pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Python 3.12 for an interpreter with a GIL of its own")
def test_subinterpreters_share_the_state_of_a_node_id(tmp_path):
    generator = Generator(1005)
    path = tmp_path / "ids"
    with path.open("wb") as out:
        mine = []
        for _ in range(3):
            interpreter = interpreters.create()
            mine += generator.next_ids(1000)
            failed = interpreters.run_string(interpreter, SCRIPT.replace("{out}", str(out.fileno())))
            assert failed is None
            interpreters.destroy(interpreter)
            mine += generator.next_ids(1000)
    theirs = [polyflake.from_text(text) for text in path.read_text().split(",")[:-1]]
    assert len(theirs) == 3 * 2002
    assert len(set(mine + theirs)) == len(mine + theirs)
