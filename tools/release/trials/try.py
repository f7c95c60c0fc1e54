"""Issues ids from the host registry and from a number, is refused once, and forks: none is issued twice."""

from __future__ import annotations

import os
import sys

import polyflake

COUNT = 20_000


def issued(generator: polyflake.Generator) -> list[int]:
    ids = [generator.next_id() for _ in range(COUNT)]
    assert ids == sorted(set(ids)), "the ids are not in order"
    return ids


def forked(generator: polyflake.Generator) -> list[int]:
    """Returns what a child of fork() issues from the same generator."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, " ".join(map(str, generator.next_ids(1000))).encode())
        os._exit(0)
    os.close(write)
    with open(read, encoding="ascii") as said:
        ids = [int(word) for word in said.read().split()]
    assert os.waitpid(child, 0)[1] == 0, "the child failed"
    assert len(ids) == 1000
    return ids


host = polyflake.Generator("host")
ids = issued(host) + forked(host) + [host.next_id()]
assert len(set(ids)) == len(ids), "an id was issued twice"
issued(polyflake.Generator(7))
try:
    polyflake.Generator(2000)
except polyflake.BadArgumentError as error:
    assert error.code == "field_out_of_range", error.code
else:
    sys.exit("a node id beyond the layout was taken")
print(f"python {sys.version.split()[0]}: {2 * COUNT} ids, polyflake {polyflake.__version__}")
