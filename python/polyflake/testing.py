"""Known ids in tests: the default generator on a ManualClock.

    with polyflake.testing.frozen(datetime(2026, 1, 1, tzinfo=timezone.utc)) as clock:
        assert polyflake.next_id() == 794354201395200284

Under pytest the fixture `frozen_ids` does the same.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime

from polyflake import _default
from polyflake.clock import ManualClock
from polyflake.generator import Generator

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyflake.layout import Layout

__all__ = ["frozen"]


@contextmanager
def frozen(time: datetime | int, *, worker: int = 0, layout: str | Layout | None = None) -> Iterator[ManualClock]:
    """Puts a generator on a ManualClock in place of the default one, and that one back at the end.

    So polyflake.next_id() gives the same ids in each run: they repeat ids of before, as those of
    any ManualClock. Gives the clock. It shows `time`, an aware datetime or Unix milliseconds, until
    it is set or advanced, or a call has to wait. worker is the node id. layout is that of the
    default generator, if there is one, else "polyflake". Also a decorator of functions.

    Errors: option_invalid while another frozen() has not ended; as Generator() and ManualClock().
    Thread safety: any thread, but all threads get these ids.
    """
    clock = ManualClock(time)
    if layout is None:
        replaced = _default.default_generator()
        layout = "polyflake" if replaced is None else replaced.layout
    with Generator(worker, layout=layout, clock=clock) as generator:
        before = _default._freeze(generator)
        try:
            yield clock
        finally:
            _default._thaw(before)
