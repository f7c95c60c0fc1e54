"""The errors of Polyflake.

Codes name the failure and never change; they are the same in every language. Messages are for
people. The class follows from the code:

=================  =================================================================================
BadArgumentError   layout_invalid, layout_too_wide, unknown_preset, field_out_of_range,
                   unknown_field, id_out_of_range, text_invalid, option_invalid,
                   worker_source_invalid, unknown_kind
ClockError         clock_before_epoch, clock_behind, time_exhausted
WorkerError        worker_in_use, no_worker_free, registry_unusable
StateError         forked_generator, generator_closed
LeaseError         lease_lost, store_unavailable, clock_skew, layout_mismatch,
                   namespace_not_initialised, wrong_namespace, range_exhausted,
                   store_went_back, store_misconfigured
=================  =================================================================================
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any


class PolyflakeError(Exception):
    """Base of all errors of Polyflake.

    ``code`` names what happened, for example "clock_behind"; ``kind`` names its subject:
    "argument", "clock", "worker", "state" or "lease". ``position`` is set if the text of an id, the
    name of a kind or a key file was refused: the index of the wrong character, or the length of the
    text if it is too short. It is None otherwise.
    """

    code: str
    kind: str
    position: int | None = None

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __str__(self) -> str:
        """Returns the code and the message, which is args[0]."""
        return f"{self.code}: {self.args[0]}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.code), self.__dict__


class BadArgumentError(PolyflakeError, ValueError):
    """An argument outside its documented range."""

    kind = "argument"


class ClockError(PolyflakeError):
    """The clock shows a time at which no id may be issued."""

    kind = "clock"


class WorkerError(PolyflakeError):
    """The worker source gave no node id."""

    kind = "worker"


class StateError(PolyflakeError):
    """This generator may not issue: it was closed, or copied by a fork."""

    kind = "state"


class LeaseError(PolyflakeError):
    """A coordination store refused, or could not be reached."""

    kind = "lease"


_CLASSES = {error.kind: error for error in (BadArgumentError, ClockError, WorkerError, StateError, LeaseError)}


def _from_core(kind: str, code: str, message: str, position: int) -> PolyflakeError:
    """Returns the error for a failure of the core. The extension module calls it.

    A position of -1 means none.
    """
    error = _CLASSES[kind](message, code)
    if position >= 0:
        error.position = position
    return error
