"""Processes that issue from an address, and how many of their ids are equal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

from forked import Forked
from patience import HANGS_S
from servers.waiting import within

from polyflake import PolyflakeError

SHORT = "&window_ms=3000&tolerance_ms=100"  # of a namespace whose windows are to end soon


def equal_ids(of_each):
    everything = [id for ids in of_each for id in ids]
    return len(everything) - len(set(everything)), len(everything)


def holders(url, folder, name, least=1000, layout="polyflake"):
    """Three processes that have issued."""
    all_of_them = [Issuer(url, folder / f"{name}{i}", layout) for i in range(3)]
    assert within(HANGS_S, lambda: all(one.count() > least for one in all_of_them))
    return all_of_them


ISSUES = """
import sys, time
from polyflake import Generator
with Generator(sys.argv[1]) as generator:
    while generator.try_next_id() is None:
        time.sleep(0.001)
    for _ in range(20_000):
        print(generator.next_id())
"""


def issued_beside(generators, run_script, url):
    """Ids of each until another process has opened this address and has enough of its own; that one's are the last."""
    ids = [[] for _ in generators]
    with ThreadPoolExecutor() as pool:
        other = pool.submit(run_script, ISSUES, url)
        while not wait([other], 0.001).done:
            for generator, mine in zip(generators, ids):
                with suppress(PolyflakeError):
                    mine += filter(None, (generator.try_next_id() for _ in range(20)))
    return [*ids, [int(line) for line in other.result().split()]]


ISSUER = """
import select, sys
from polyflake import Generator, PolyflakeError

generator = None
with open(sys.argv[2], "w") as file:
    while not select.select([sys.stdin], [], [], 0.001)[0]:
        try:
            generator = generator or Generator(sys.argv[1], layout=sys.argv[3])
            for id in filter(None, (generator.try_next_id() for _ in range(20))):
                file.write(f"{id}\\n")
            file.flush()
        except PolyflakeError:
            pass
"""


class Issuer:
    """A process that issues until it is ended."""

    def __init__(self, url, path, layout="polyflake"):
        self._path = path
        self._process = Forked(ISSUER, url, str(path), layout)

    def ids(self):
        return [int(line) for line in self._path.read_text().split("\n")[:-1]] if self._path.exists() else []

    def count(self):
        """Returns how many ids there are, at less cost than ids()."""
        return self._path.read_bytes().count(b"\n") if self._path.exists() else 0

    def end(self):
        """Ids, and what it said."""
        said = self._process.communicate()[1]
        return self.ids(), said
