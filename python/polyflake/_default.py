"""The generator behind polyflake.next_id(): opened at the first call, one per interpreter."""

from __future__ import annotations

import os
import threading

from polyflake.generator import Generator

_generator: Generator | None = None
_opening = threading.Lock()


def next_id() -> int:
    """Issues one id from the default generator: Generator(), opened at the first call.

    Its node id comes from POLYFLAKE_WORKER in the environment, else from this host's registry.

    Errors: as Generator() and Generator.next_id(). Blocking: the first call as Generator(), later ones
    at most 10 ms. Thread safety: any thread, and right after a fork.
    """
    generator = _generator
    if generator is None:
        generator = _open()
    return generator.next_id()


def _open() -> Generator:
    global _generator
    with _opening:
        if _generator is None:
            _generator = Generator()
        return _generator


def _after_fork_in_child() -> None:
    # Another thread of the parent may have held the lock; that thread does not exist here.
    global _opening
    _opening = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
