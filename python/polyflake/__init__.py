"""Polyflake: 64-bit, time-ordered ids that are never equal.

Start here:

    import polyflake

    polyflake.next_id()                      # the default generator: this host, the default layout
    polyflake.decode(7301861534949376)       # Parts(time=..., worker, sequence), by its layout

    with polyflake.Generator("host", layout="twitter") as generator:
        generator.next_id()

Every error is a PolyflakeError with a ``code``; see polyflake.errors.
"""

# _processes is imported for its effect: it registers with multiprocessing.
from polyflake import _core, _processes, _sources  # noqa: F401
from polyflake._core import next_id, next_id_string
from polyflake._default import decode, default_generator, set_default
from polyflake._explain import explain
from polyflake._kinds import IdSource, kinds, register
from polyflake._sources import *  # noqa: F403 - the kinds of ids, and open()
from polyflake._sources import open as open  # by this name alone: see __all__
from polyflake.clock import ManualClock
from polyflake.codec import Codec
from polyflake.errors import (
    BadArgumentError,
    ClockError,
    LeaseError,
    PolyflakeError,
    StateError,
    WorkerError,
)
from polyflake.generator import Generator
from polyflake.hashids import Hashids
from polyflake.layout import Layout, presets
from polyflake.seal import Seal, SealRing
from polyflake.sqids import Sqids
from polyflake.text import from_text, id_from_text, to_text
from polyflake.values import Explanation, Parts, State, Stats

__version__ = _core.version()

# Without `open`: `from polyflake import *` must not hide the builtin.
__all__ = [
    "BadArgumentError",
    "ClockError",
    "Codec",
    "Explanation",
    "Generator",
    "Hashids",
    "IdSource",
    "Layout",
    "LeaseError",
    "ManualClock",
    "Parts",
    "PolyflakeError",
    "Seal",
    "SealRing",
    "Sqids",
    "State",
    "StateError",
    "Stats",
    "WorkerError",
    "__version__",
    "decode",
    "default_generator",
    "explain",
    "from_text",
    "id_from_text",
    "kinds",
    "next_id",
    "next_id_string",
    "presets",
    "register",
    "set_default",
    "to_text",
]
__all__ += _sources.__all__

# Tells pickles, tracebacks and other tools the module that documents and exports these names.
for _name in (*__all__, "open"):
    if getattr(globals()[_name], "__module__", "polyflake") != "polyflake":
        globals()[_name].__module__ = "polyflake"
del _name
