"""Polyflake: 64-bit, time-ordered ids that are never equal.

Start here::

    import polyflake

    polyflake.next_id()                      # the default generator: this host, the default layout
    polyflake.decode(7301861534949376)       # Parts(time=..., worker, sequence)

    with polyflake.Generator("host", layout="twitter") as generator:
        generator.next_id()

Every error is a PolyflakeError with a ``code``; see polyflake.errors.
"""

from polyflake import _core, _processes  # noqa: F401  _processes waits for multiprocessing by being imported
from polyflake._core import next_id, next_id_string
from polyflake._default import set_default
from polyflake._explain import explain
from polyflake._kinds import IdSource, kinds, open, register
from polyflake._sources import ObjectIds, Uuid4, Uuid7
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
from polyflake.layout import Layout, decode, presets
from polyflake.seal import Seal, SealRing
from polyflake.sqids import Sqids
from polyflake.text import from_text, to_text
from polyflake.values import Explanation, ObjectIdParts, Parts, State, Stats, Uuid7Parts

__version__ = _core.version()

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
    "ObjectIdParts",
    "ObjectIds",
    "Parts",
    "PolyflakeError",
    "Seal",
    "SealRing",
    "Sqids",
    "State",
    "StateError",
    "Stats",
    "Uuid4",
    "Uuid7",
    "Uuid7Parts",
    "WorkerError",
    "__version__",
    "decode",
    "explain",
    "from_text",
    "kinds",
    "next_id",
    "next_id_string",
    "open",
    "presets",
    "register",
    "set_default",
    "to_text",
]

# Where they are documented and imported from: for pickles, tracebacks and tools that write names down.
for _name in __all__:
    if getattr(globals()[_name], "__module__", "polyflake") != "polyflake":
        globals()[_name].__module__ = "polyflake"
del _name
