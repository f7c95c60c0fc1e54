"""What was stamped beside what was granted: the records of a namespace, read when nobody writes them any more.

A record says to where its node id was granted, and that mark only ever grows; who gives a node id back lowers it to just after
the last stamp. So whatever was stamped lies below the mark that is there at the end. And since windows of a node id are
disjoint, no tick of one belongs to two processes, whatever the sequence numbers are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

import numpy
from issuers import ROOT

from polyflake import Layout
from polyflake.stores._url import store_of

sys.path.insert(0, str(ROOT / "tests"))
from servers.probe import Probe

Batches = Iterable[tuple[str, numpy.ndarray]]
TIMEOUT_S = 10.0
AT_ONCE = 100  # nodes that are read: etcd takes 128 in a transaction


class Records:
    """The records of a namespace, over a connection of one's own. `address` may carry a namespace that is not there yet."""

    def __init__(self, address: str) -> None:
        store = store_of(address)
        self.namespace = store.address.name
        self.probe = Probe(store, TIMEOUT_S)

    def read(self, nodes: Iterable[int]) -> dict[str, dict[str, str]]:
        """By node id, and "names" for that of the namespace: fields by name. Who has no record is not in it."""
        asked, found = [str(node) for node in nodes], {}
        for at in range(0, max(len(asked), 1), AT_ONCE):
            found.update(self.probe.ask(namespace=self.namespace, read=asked[at : at + AT_ONCE]))
        if found["names"] == "absent":
            raise ConnectionError("the store tells of no namespace")
        return {of: record for of, record in found.items() if record != "absent"}

    def close(self) -> None:
        self.probe.close()


def marks_of(address: str, batches: Batches) -> dict[int, int]:
    """To where each node id that occurs was granted, in Unix ms."""
    records = Records(address)
    try:
        nodes = [int(node) for node in Stamps(batches).nodes()]
        found = records.read(nodes)
        return {node: int(found[str(node)]["until_ms"]) for node in nodes if str(node) in found}
    finally:
        records.close()


class Stamps:
    """Ids of the layout "polyflake", taken apart: of each process the ticks and node ids that it stamped, each once."""

    def __init__(self, batches: Batches) -> None:
        layout = Layout("polyflake")
        widths = dict(layout.fields)
        self.sequence_bits, self.node_bits = widths["sequence"], widths["worker"]
        self.epoch_ms = layout.decode(layout.encode(tick=0)).time_ms
        self.of = [(name, numpy.unique(ids >> numpy.uint64(self.sequence_bits))) for name, ids in batches]

    def node(self, stamps: numpy.ndarray) -> numpy.ndarray:
        return stamps & numpy.uint64((1 << self.node_bits) - 1)

    def time_ms(self, stamps: numpy.ndarray) -> numpy.ndarray:
        return (stamps >> numpy.uint64(self.node_bits)).astype(numpy.int64) + self.epoch_ms

    def nodes(self) -> numpy.ndarray:
        return numpy.unique(numpy.concatenate([self.node(stamps) for _, stamps in self.of] or [numpy.empty(0)]))

    def last(self) -> dict[int, int]:
        """When each node id was stamped last."""
        found: dict[int, int] = {}
        for _, stamps in self.of:
            nodes, times = self.node(stamps), self.time_ms(stamps)
            for node in numpy.unique(nodes):
                found[int(node)] = max(found.get(int(node), 0), int(times[nodes == node].max()))
        return found

    def outside(self, marks: Mapping[int, int]) -> list[str]:
        """Who stamped at or after the mark of a node id, or one without a record."""
        complaints = []
        for name, stamps in self.of:
            nodes, times = self.node(stamps), self.time_ms(stamps)
            for node in numpy.unique(nodes):
                last, mark = int(times[nodes == node].max()), marks.get(int(node))
                if mark is None:
                    complaints.append(f"{name}: node id {node} has no record")
                elif last >= mark:
                    complaints.append(f"{name}: node id {node} was stamped at {last}, and granted to {mark}")
        return complaints

    def shared(self) -> list[str]:
        """Ticks of a node id that two processes stamped."""
        if not self.of:
            return []
        stamps = numpy.concatenate([stamps for _, stamps in self.of])
        owners = numpy.repeat(numpy.arange(len(self.of)), [len(stamps) for _, stamps in self.of])
        order = numpy.argsort(stamps, kind="stable")
        stamps, owners = stamps[order], owners[order]
        return [
            f"{self.of[owners[at]][0]} and {self.of[owners[at + 1]][0]}: both stamped node id"
            f" {self.node(stamps[at])} at {self.time_ms(stamps[at : at + 1])[0]}"
            for at in numpy.flatnonzero(stamps[1:] == stamps[:-1])
        ]
