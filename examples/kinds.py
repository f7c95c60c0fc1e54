"""Issues ids of each kind, and says what they say and whether they rise. Started by `./dev demo`, after the other examples."""

from __future__ import annotations

import sys
from typing import Any

import polyflake

OPENED: dict[str, tuple[str, dict[str, Any]]] = {
    "snowflake": ("snowflake", {"worker": 7}),
    "uuid7": ("uuid7", {}),
    "uuid7, worker 7": ("uuid7", {"worker": 7}),
    "uuid4": ("uuid4", {}),
    "objectid": ("objectid", {}),
}
IDS = 10_000


def meaning(source: Any, id: Any) -> str:
    if not hasattr(source, "decode"):
        return "random bits alone"
    parts = source.decode(id)
    rest = {name: getattr(parts, name) for name in ("node", "sequence", "counter") if hasattr(parts, name)}
    return ", ".join(
        [parts.time.isoformat(timespec="milliseconds"), *(f"{name} {value}" for name, value in rest.items())]
    )


def main() -> int:
    duplicates = 0
    print("One of each kind of ids:\n")
    for title, (kind, options) in OPENED.items():
        with polyflake.open(kind, **options) as source:
            ids = source.next_ids(IDS)
            order = "rising" if ids == sorted(ids) else "in no order"
            print(f"  {title:<16} {source.next_id_string()}")
            print(f"  {'':<16} {meaning(source, ids[-1])}; {IDS} ids {order}")
            duplicates += IDS - len(set(ids))
    print(f"\n{IDS * len(OPENED)} ids of {len(OPENED)} sources, {duplicates} duplicates")
    return 1 if duplicates else 0


if __name__ == "__main__":
    sys.exit(main())
