"""What must hold for the ids of all processes: none twice, and those of a generator in rising order."""

from __future__ import annotations

import numpy


class Checker:
    """Of one namespace."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, numpy.ndarray]] = []
        self.order_errors: list[str] = []

    def add(self, name: str, words: numpy.ndarray) -> int:
        """What a process recorded: ids, and a 0 where another generator began. Returns how many ids there are."""
        falls = (words[1:] <= words[:-1]) & (words[1:] != 0)
        for at in numpy.flatnonzero(falls):
            self.order_errors.append(f"{name}: {words[at + 1]} came after {words[at]}")
        ids = words[words != 0]
        self.batches.append((name, ids))
        return len(ids)

    def count(self) -> int:
        return sum(len(ids) for _, ids in self.batches)

    def duplicates(self) -> tuple[int, list[str]]:
        """How many ids were issued before, and who issued some of them."""
        if not self.batches:
            return 0, []
        everything = numpy.sort(numpy.concatenate([ids for _, ids in self.batches]))
        twice = everything[1:][everything[1:] == everything[:-1]]
        owners: dict[tuple[str, ...], list[int]] = {}
        for number in twice[:: max(1, len(twice) // 100)]:
            names = tuple(name for name, ids in self.batches if number in ids)
            owners.setdefault(names, []).append(int(number))
        return len(twice), [f"{' and '.join(names)}: {ids[0]} and more" for names, ids in owners.items()]
