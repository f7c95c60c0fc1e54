"""The generator behind polyflake.next_id(), one per interpreter.

It is the one given to set_default(), else one opened at the first call. The functions that issue
are in the extension module, which asks for the generator at its first call only.
"""

from __future__ import annotations

import os
import threading

from polyflake import _arguments, _core
from polyflake._arguments import fail, shown
from polyflake.generator import Generator
from polyflake.layout import Layout, parsed

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from polyflake.values import Parts

_generator: Generator | None = None  # read without the lock, which an opening may hold for long
_used = False
_is_frozen = False  # by polyflake.testing; then the extension module asks for each id
# reentrant: a signal handler may need an id while its thread holds it
_choosing = threading.RLock()


def set_default(generator: Generator, /) -> None:
    """Makes polyflake.next_id() and polyflake.next_id_string() issue from this generator.

    The caller closes it. Errors: option_invalid if the default generator has issued an id already,
    if another one was set before, or for anything but a Generator. Thread safety: any thread.
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


def default_generator() -> Generator | None:
    """Returns the generator behind polyflake.next_id(): for its state(), stats() and close().

    That is the one given to set_default(), or the one that the first id opened; None before. Opens
    none. Blocks: never. Thread safety: any thread, and right after a fork.
    """
    return _generator


def decode(id: int | str, layout: str | Layout | None = None) -> Parts:
    """Returns the parts of an id under a layout, its text or the name of a preset.

    Without a layout the id is one of the default generator's, or of the preset "polyflake" if there
    is no default_generator() yet; opens none. Errors: as Layout() and Layout.decode(). Thread
    safety: any thread.
    """
    if layout is None:
        generator = _generator
        layout = "polyflake" if generator is None else generator.layout
    if not isinstance(layout, Layout):
        layout = parsed(_arguments.text("a layout", layout, "layout_invalid"))
    return layout.decode(id)


def _first_use() -> Generator:
    """Returns the default generator, fixed from now on. The extension module calls it."""
    global _generator, _used
    with _choosing:
        if _generator is None:
            opened = Generator()
            if _generator is None:  # check again: a signal handler may have set it
                _generator = opened
        _used = True
        if not _is_frozen:
            _core.hold_default(_generator)
        return _generator


def _freeze(generator: Generator) -> tuple[Generator | None, bool]:
    """Puts this generator in place of the default one; returns what _thaw() needs.

    Errors: option_invalid if another one is in its place already.
    """
    global _generator, _used, _is_frozen
    with _choosing:
        if _is_frozen:
            fail("option_invalid", "the default generator is frozen already: end that frozen() before another one")
        before = _generator, _used
        _generator, _used, _is_frozen = generator, True, True
        _core.hold_default(None)
        return before


def _thaw(before: tuple[Generator | None, bool]) -> None:
    """Puts the default generator back that was there before _freeze()."""
    global _generator, _used, _is_frozen
    with _choosing:
        (_generator, _used), _is_frozen = before, False


def _after_fork_in_child() -> None:
    # Replaces the lock, which a thread of the parent may have held; it does not exist here.
    global _choosing
    _choosing = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
