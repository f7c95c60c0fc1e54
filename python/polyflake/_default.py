"""The generator behind polyflake.next_id(): given by set_default(), else opened at the first call; one per interpreter.

The functions themselves are in the extension module, which asks for the generator at its first call only.
"""

from __future__ import annotations

import os
import threading

from polyflake._arguments import fail, shown
from polyflake.generator import Generator

_generator: Generator | None = None
_used = False
_choosing = threading.RLock()  # a signal handler may need an id while its own thread is in here


def set_default(generator: Generator, /) -> None:
    """Makes polyflake.next_id() and polyflake.next_id_string() issue from this generator; closing it is the caller's.

    Errors: option_invalid where the default generator has issued an id already, where another one was set before, or
    for anything but a Generator. Thread safety: any thread.
    """
    global _generator
    if not isinstance(generator, Generator):
        fail("option_invalid", f"set_default() takes a Generator, not {shown(generator)}")
    with _choosing:
        if _used:
            fail("option_invalid", "the default generator is in use; call set_default() before the first id is issued")
        if _generator is not None and _generator is not generator:
            fail("option_invalid", "set_default() was called before, with another generator")
        _generator = generator


def _first_use() -> Generator:
    """The default generator, for good; called by the extension module."""
    global _generator, _used
    with _choosing:
        if _generator is None:
            opened = Generator()
            if _generator is None:  # still: a signal handler may have been here meanwhile
                _generator = opened
        _used = True
        return _generator


def _after_fork_in_child() -> None:
    # Another thread of the parent may have held the lock; that thread does not exist here.
    global _choosing
    _choosing = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
