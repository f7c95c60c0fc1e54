"""Late imports for opening a lease, as most programs need none of these modules.

If a process forks while another thread imports a module, the child can never import it: Python
waits for a thread that does not exist there. So the child gets an error instead.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from threading import get_ident

from polyflake import _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from collections.abc import Iterator

_complete: set[str] = set()
_threads: list[int] = []  # threads that import now
_cut_off = False  # this process was forked while another thread was importing


@contextmanager
def late_import(module: str) -> Iterator[None]:
    """Wraps an import of the module. Errors: forked_generator."""
    if module in _complete:
        yield
        return
    if _cut_off:
        _core.fail(
            "forked_generator",
            f"{module} cannot be imported, since another thread was importing when this process was forked; "
            "open a lease, or import the client of its store, before threads fork",
        )
    _threads.append(get_ident())
    try:
        yield
    finally:
        _threads.remove(get_ident())
    _complete.add(module)


def _after_fork() -> None:
    global _cut_off
    others = any(thread != get_ident() for thread in _threads)
    _cut_off = _cut_off or others
    _threads[:] = [thread for thread in _threads if thread == get_ident()]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
