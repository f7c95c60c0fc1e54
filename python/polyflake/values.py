"""The values that decode(), explain(), state() and stats() return."""

from __future__ import annotations

from collections import namedtuple
from datetime import datetime, timedelta

from polyflake._arguments import UNIX_EPOCH, fail

# Importing typing takes as long as the rest of this package, so no module does at run time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _NamedTupleType(type):
        """Replaces typing.NamedTuple: a named tuple of the annotations, and the methods."""

        def __new__(cls, name, bases, namespace):
            tuple_type = namedtuple(name, namespace["__annotations__"], module=namespace["__module__"])
            return type(name, (tuple_type,), {"__slots__": (), **namespace})

    NamedTuple = type.__new__(_NamedTupleType, "NamedTuple", (), {})

_LAST_DATETIME_MS = 253_402_300_799_999  # the end of the year 9999


def datetime_of(time_ms: int) -> datetime:
    """Returns an aware datetime in UTC. Errors: id_out_of_range after the year 9999."""
    if time_ms > _LAST_DATETIME_MS:
        fail("id_out_of_range", f"a datetime cannot show {time_ms} ms after 1970; use time_ms")
    return UNIX_EPOCH + timedelta(milliseconds=time_ms)


class Parts(NamedTuple):
    """The parts of an id.

    time_ms is the beginning of its tick in Unix milliseconds, exact for every id. node is the node
    id: all node fields read as one number; fields has them by name.
    """

    time_ms: int
    tick: int
    sequence: int
    node: int
    fields: dict[str, int]

    @property
    def time(self) -> datetime:
        """The beginning of the tick, an aware datetime in UTC.

        Errors: id_out_of_range after the year 9999, which datetime cannot show; use time_ms.
        """
        return datetime_of(self.time_ms)

    def __hash__(self) -> int:
        return hash(self[:-1])  # a dict has no hash; the node has the same data

    def __repr__(self) -> str:
        time = self.time.isoformat(timespec="milliseconds") if self.time_ms <= _LAST_DATETIME_MS else "after 9999"
        return (
            f"Parts(time={time}, time_ms={self.time_ms}, tick={self.tick}, sequence={self.sequence}, "
            f"node={self.node}, fields={self.fields})"
        )


class Uuid7Parts(NamedTuple):
    """The parts of a UUID of version 7 of this library.

    Without a worker node is 0, and tick is time_ms.
    """

    time_ms: int
    tick: int
    sequence: int
    node: int
    tail: int

    @property
    def time(self) -> datetime:
        """The millisecond, an aware datetime in UTC.

        Errors: id_out_of_range after the year 9999.
        """
        return datetime_of(self.time_ms)


class ObjectIdParts(NamedTuple):
    """The parts of an ObjectId."""

    time_ms: int
    process: int
    counter: int

    @property
    def time(self) -> datetime:
        """The second, an aware datetime in UTC."""
        return datetime_of(self.time_ms)


class Explanation(NamedTuple):
    """An id as one preset reads it."""

    preset: str
    parts: Parts | None
    """None if the id has bits above the layout."""
    why_not: str | None
    """None if the time is plausible; else "too_wide", "after_now" or "near_epoch"."""

    @property
    def plausible(self) -> bool:
        """True if the system of the preset can have issued ids at this time."""
        return self.why_not is None


class State(NamedTuple):
    """The ability of a generator to issue ids."""

    name: str
    """"starting" (its window has not begun), "open", "waiting", "lost" or "closed"."""
    code: str | None
    """The code of the error that the next call would raise, as far as it is known."""


class Stats(NamedTuple):
    """Counters and the current position of a generator."""

    issued: int
    waits: int
    waited_ms: float
    sequence_exhaustions: int
    clock_steps_back: int
    largest_step_back_ms: int
    lead_ms: int
    """Milliseconds by which the last id is ahead of the clock; 0 if it is not."""
    until_ms: int
    """Unix milliseconds at which the current grant ends."""
    years_left: float
    """Years until the last tick of the layout; of a counter until its last number, at this rate."""
    renewals: int
    """Renewals that the store of a lease confirmed; 0 for other workers."""
    store_failures: int
    """Requests that this store did not answer."""
    held_ms: int
    """Milliseconds by which uuid7 and objectid stay ahead of a clock set back; 0 for others."""
    held: int
    """Numbers of a counter that a crash would lose; this and the next five are 0 for others."""
    step: int
    """Numbers of the next fetch."""
    fetches: int
    """Ranges that the store of the counter gave."""
    last_fetch_ms: int
    """Milliseconds that the store took for the last of them."""
    jumps: int
    """Failovers after which numbers were left out."""
    left: int
    """Numbers up to the last one of the counter, when it was last asked."""
    namespace_uuid: str | None
    """Set with a lease; None for other workers."""

    def __repr__(self) -> str:
        return (
            f"Stats(issued={self.issued}, waits={self.waits}, waited_ms={self.waited_ms:.3f}, "
            f"sequence_exhaustions={self.sequence_exhaustions}, clock_steps_back={self.clock_steps_back}, "
            f"largest_step_back_ms={self.largest_step_back_ms}, lead_ms={self.lead_ms}, until_ms={self.until_ms}, "
            f"years_left={self.years_left:.1f}, renewals={self.renewals}, store_failures={self.store_failures}, "
            f"held_ms={self.held_ms}, held={self.held}, step={self.step}, fetches={self.fetches}, "
            f"last_fetch_ms={self.last_fetch_ms}, jumps={self.jumps}, left={self.left}, "
            f"namespace_uuid={self.namespace_uuid!r})"
        )
