"""Children of multiprocessing end without the exit handlers of C, in which the core gives its node ids back.

Here they are given back when multiprocessing ends its child. It is never imported for that: where it is not loaded,
this process is no child of it.
"""

from __future__ import annotations

import os
import sys
import threading

from polyflake import _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

_AFTER_ALL_ELSE = -100  # the finalizers of others may issue ids


class _Module:
    """multiprocessing keeps what it calls after a fork for as long as an object of the caller's lives."""


_this_module = _Module()
_known = False  # to multiprocessing, of this process and of those forked from it


def _make_known() -> None:
    global _known
    util: Any = sys.modules.get("multiprocessing.util")
    if _known or not hasattr(util, "Finalize"):  # it may be half imported
        return
    _known = True
    util.register_after_fork(_this_module, _arrange_release)
    _arrange_release()


def _arrange_release(_: object = None) -> None:
    """Called again in a forked child, since multiprocessing forgets the finalizers of its parent there."""
    util: Any = sys.modules["multiprocessing.util"]
    util.Finalize(None, _release_in_child, exitpriority=_AFTER_ALL_ELSE)


def _release_in_child() -> None:
    is_child = sys.modules["multiprocessing.process"].parent_process() is not None
    if not is_child or _others_may_issue():
        return
    if "polyflake._keepers" in sys.modules:
        sys.modules["polyflake._keepers"].close_all()
    _core.release_all()


def _others_may_issue() -> bool:
    """Python waits for threads that are no daemons, but only after multiprocessing has ended its child."""
    return any(not thread.daemon for thread in threading.enumerate() if thread is not threading.current_thread())


_make_known()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_make_known)  # where multiprocessing was imported later
