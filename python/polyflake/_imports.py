"""Imports that come late, since they take long and most programs need none of them.

A child that is forked while another thread imports a module waits for ever when it imports that module: the lock of the module
is held by a thread that it has not. So a fork waits until no late import is under way.
"""

from __future__ import annotations

import os
import threading

lock = threading.RLock()  # a module that is imported may fork

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
