"""Includes go down. The order of the core is written here once; a file may include what stands before its row.

A row is one floor of docs/architecture.md or a step within it. A name stands for its header and its source; a source that
needs more than its header may know has a place of its own. Two exceptions cut across: the host registry knows no
generator, though it stands above; and bindings see the facade alone.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import project

ORDER = (
    ("version", "error"),  # F0
    ("ascii", "fnv1a"),  # F1
    ("layout", "text", "worker"),
    ("layout_text", "present_tick"),
    ("platform",),  # F2
    ("clock",),
    ("grant", "turn"),
    ("tick_cache", "descriptor"),
    ("process_mark",),
    ("state",),  # F3
    ("thread_run",),
    ("generator",),
    ("issuing",),
    ("claim", "generator.cpp", "refusals", "wait", "id_run"),
    ("record",),  # F5
    ("node_file",),
    ("folder_mark",),
    ("host_node",),
    ("registry",),
    ("worker_choice", "node_sources"),  # where generators meet the registry
    ("static_source", "host_source", "manual_source"),
    ("open",),
    ("shortcuts",),
    ("polyflake",),
    ("facade",),  # F6
)
ROW = {name: row for row, names in enumerate(ORDER) for name in names}
REGISTRY = ("record", "node_file", "folder_mark", "host_node", "registry")
ABOVE_BUT_APART = dict.fromkeys(REGISTRY, ("state", "generator"))
SOURCES = (".cpp", ".hpp", ".i")


def includes(path: str) -> list[str]:
    """What a file includes of this project: 'polyflake/layout.hpp', 'ascii.hpp'."""
    found = re.findall(r'^\s*(?:#|%)\s*include\s*(?:"([^"]+)"|<(polyflake/[^>]+)>)', project.text(path), re.M)
    return [quoted or angled for quoted, angled in found]


def core_files() -> list[str]:
    return [path for path in project.files() if path.startswith(("core/", "bindings/common/")) and path.endswith(SOURCES)]


def row_of(path: str) -> int | None:
    file = PurePosixPath(path)
    return ROW.get(file.name, ROW.get(file.stem))


def check_every_core_file_has_a_floor():
    for path in core_files():
        if row_of(path) is None:
            yield f"{path}: give it a row in tests/lint/floors.py"


def check_includes_go_down():
    for path in core_files():
        stem = PurePosixPath(path).stem
        for included in includes(path):
            below = PurePosixPath(included).stem
            if below == stem:
                continue
            if ROW.get(below, len(ORDER)) >= (row_of(path) or 0):
                yield f"{path} includes {included}, which does not stand below it"
            if below in ABOVE_BUT_APART.get(stem, ()):
                yield f"{path} includes {included}: the registry knows no generator"


def check_public_headers_include_public_headers_only():
    for path in core_files():
        if path.startswith("core/include/"):
            for included in includes(path):
                if not included.startswith("polyflake/"):
                    yield f"{path} includes {included}, which is not installed"


def check_bindings_see_the_facade_alone():
    for path in project.files():
        parts = path.split("/")
        if parts[0] != "bindings" or parts[1] in ("common",) or not path.endswith(SOURCES):
            continue
        own = {p.rsplit("/", 1)[-1] for p in project.files() if p.startswith(f"bindings/{parts[1]}/")}
        for included in includes(path):
            if included not in own | {"facade.hpp"} and not included.startswith(("pybind11/", "napi")):
                yield f"{path} includes {included}; the facade is the only surface of the core for bindings"
