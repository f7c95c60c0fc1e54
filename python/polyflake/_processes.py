"""Gives node ids back when multiprocessing ends a child process.

Such a child ends without the exit handlers of C, in which the core gives its node ids back. This
module never imports multiprocessing: if it is not loaded, this process is not its child.
"""

from __future__ import annotations

import os
import sys
import threading

from polyflake import _core

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

_AFTER_ALL_ELSE = -100  # after the finalizers of others, which may issue ids


class _Module:
    """Keeps a callback alive: multiprocessing drops it when the object given with it dies."""


_this_module = _Module()
_known = False  # registered with multiprocessing, also in processes forked from this one


def _make_known() -> None:
    global _known
    util: Any = sys.modules.get("multiprocessing.util")
    if _known or not hasattr(util, "Finalize"):  # it may be half imported
        return
    _known = True
    util.register_after_fork(_this_module, _arrange_release)
    _arrange_release()


def _arrange_release(_: object = None) -> None:
    """Registers the finalizer, again in a forked child, as multiprocessing forgets it there."""
    util: Any = sys.modules["multiprocessing.util"]
    util.Finalize(None, _release_in_child, exitpriority=_AFTER_ALL_ELSE)


def _release_in_child() -> None:
    is_child = sys.modules["multiprocessing.process"].parent_process() is not None
    if not is_child or _others_may_issue():
        return
    if "polyflake._lease_runners" in sys.modules:
        sys.modules["polyflake._lease_runners"].close_all()
    _core.release_all()


def _others_may_issue() -> bool:
    """Returns whether threads are left that may issue ids.

    Python waits for all threads but daemons, but only after multiprocessing has ended its child.
    """
    return any(not thread.daemon for thread in threading.enumerate() if thread is not threading.current_thread())


_make_known()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_make_known)  # in case multiprocessing was imported later
