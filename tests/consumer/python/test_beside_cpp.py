"""The wheel in a process that has the C++ library too, as a program that embeds Python has.

The two know nothing of each other's state: a node id that one holds is refused to the other, or they share it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import array, ctypes, sys
import polyflake

library = ctypes.CDLL(sys.argv[1])
library.copy_open.restype = library.copy_issue.restype = ctypes.c_char_p
worker_of_cpp, worker_of_python = sys.argv[2:]
assert library.copy_open(worker_of_cpp.encode()) == b""
try:
    generator = polyflake.Generator(int(worker_of_python) if worker_of_python.isdigit() else worker_of_python)
except polyflake.PolyflakeError as error:
    sys.exit(print(error.code))
ids, others = set(), set()
for _ in range(2000):
    few = array.array("Q", bytes(80))
    assert library.copy_issue((ctypes.c_uint64 * 10).from_buffer(few), ctypes.c_size_t(10)) == b""
    ids.update(few)
    others.update(generator.next_ids(10))
print(len(ids & others), "of", len(ids) + len(others), "equal")
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The library as an embedding program has it: built from its installed headers and archive."""
    prefix = ROOT / "build/prefix"
    built = tmp_path_factory.mktemp("embedding") / "copy.so"
    command = ["c++", "-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{prefix / 'include'}"]
    subprocess.run(
        [*command, ROOT / "tests/core/library_copy.cpp", *prefix.glob("lib*/libpolyflake.a"), "-o", built, "-pthread"],
        check=True,
    )
    return built


@pytest.mark.parametrize("workers", [("3", "3"), ("host:0", "0"), ("0", "host:0"), ("0", "host")])
def test_node_id_that_the_program_holds_is_refused_or_not_repeated(library, workers, tmp_path):
    environment = {**os.environ, "POLYFLAKE_HOME": str(tmp_path / "registry")}
    environment.pop("POLYFLAKE_WORKER", None)
    command = [sys.executable, "-c", PROGRAM, library, *workers]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    assert said in ("worker_in_use", "0 of 40000 equal")
