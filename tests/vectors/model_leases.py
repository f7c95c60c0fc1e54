"""The reference model of a store of leases: what scenarios expect to be found, and how their steps are written down.

It knows nothing of the rules: a scenario says what comes of each cas, and what is written by those that are "ok" is found.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict

FORMAT = "polyflake 1"
LAYOUT = 0x0123456789ABCDEF
LONG_AGO_MS = 1_700_000_000_000  # over by every clock
HOUR_MS = 3_600_000


def word(name: str) -> str:
    """128 bits, 32 hex digits, another for each name."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def namespace(**given: object) -> dict[str, str]:
    """The fields of a namespace's record; words are given by a name."""
    fields = {
        "uuid": "uuid",
        "nonce": "nonce 1",
        "term": "term 1",
        "layout": LAYOUT,
        "window_ms": 10000,
        "tolerance_ms": 500,
        "settled": 1,
        "incarnation": "present",
        "floor_ms": 0,
        "used": 0,
        **given,
    }
    return written(fields, ("uuid", "nonce", "term"))


new_namespace = namespace


def node(nonce: str, **given: object) -> dict[str, str]:
    fields = {
        "nonce": nonce,
        "owner": "owner 1",
        "layout": LAYOUT,
        "until_ms": LONG_AGO_MS,
        "label": "host-1/4711",
        **given,
    }
    return written(fields, ("nonce", "owner"))


def written(fields: dict[str, object], words: tuple[str, ...]) -> dict[str, str]:
    text = {name: word(str(value)) if name in words else str(value) for name, value in fields.items()}
    return {"format": FORMAT, **text, "layout": f"{fields['layout']:016x}"}


def found(record: dict[str, str]) -> dict[str, str]:
    """What is known of a record before it is read: times from the store's, and its incarnation, are "*"."""
    unknown = {"present"} if "uuid" in record else set()
    return {
        name: "*" if value in unknown or (name.endswith("_ms") and value[0] in "+-") else value
        for name, value in record.items()
    }


class Scenario:
    """The steps of one scenario, and what is in its store after them."""

    def __init__(self, name: str, *needs: str) -> None:
        self.name = name
        self.needs = needs
        self.steps: list[dict[str, object]] = []
        self._stores: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)

    def read(self, *nodes: int, client: str = "", namespace: str = "") -> None:
        """The namespace and these nodes."""
        store = self._stores[namespace]
        expected = {key: found(store[key]) if key in store else "absent" for key in ("names", *map(str, nodes))}
        self._add({"read": list(map(str, nodes)), "found": expected}, client, namespace)

    def make(
        self,
        outcome: str = "ok",
        names: dict[str, str] | None = None,
        client: str = "",
        namespace: str = "",
        **condition: object,
    ) -> None:
        conditions = [("makes_namespace", "1"), *condition.items()]
        self._cas(conditions, outcome, names or new_namespace(), None, client, namespace)

    def cas(
        self,
        outcome: str,
        *,
        names: dict[str, str] | None = None,
        node: int | None = None,
        record: dict[str, str] | None = None,
        client: str = "",
        namespace: str = "",
        **conditions: object,
    ) -> None:
        """One step under the namespace that make() makes, unless `conditions` say otherwise; None leaves one out."""
        given = {"uuid": "uuid", "term": "term 1", "layout": LAYOUT, "longest_ms": HOUR_MS, **conditions}
        words = ("uuid", "term", "names_nonce", "node_nonce")
        texts = [(key, word(str(value)) if key in words else str(value)) for key, value in given.items()]
        if node is not None:
            texts.append(("node", str(node)))
        self._cas(texts, outcome, names, None if node is None else (node, record), client, namespace)

    def _cas(self, conditions, outcome, names, node, client, namespace) -> None:
        assignments = [(key, str(value)) for key, value in conditions]
        assignments += [(f"names.{key}", value) for key, value in (names or {}).items()]
        assignments += [(f"record.{key}", value) for key, value in (node[1] if node else {}).items()]
        self._add({"cas": dict(assignments), "outcome": outcome}, client, namespace)
        if outcome != "ok":
            return
        if names:
            self._stores[namespace]["names"] = names
        if node:
            self._stores[namespace][str(node[0])] = node[1]

    def _add(self, step: dict[str, object], client: str, namespace: str) -> None:
        who = {key: value for key, value in (("client", client), ("namespace", namespace)) if value}
        self.steps.append({**who, **step})
