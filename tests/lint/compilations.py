"""No source is compiled twice with the same flags, and flags do not keep a compiler cache from having the objects of another clone.
Projects that use the library from outside are not looked at.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import project

TREES = ("cpp", "asan", "tsan", "windows")  # those of them that are configured
# Options that name outputs.
OUTPUTS = {"-o", "-MF", "-MT", "-MQ"}
# The only sources with paths of the clone in definitions.
TOLD_PATHS = {"tests/core/paths.cpp", "tests/core/library_copies_test.cpp", "tests/faults/stopped_openings_test.cpp"}


def entries() -> Iterator[tuple[str, dict]]:
    """Yields each compilation, with its tree."""
    for tree in TREES:
        commands = project.ROOT / "build" / tree / "compile_commands.json"
        if commands.is_file():
            for entry in json.loads(commands.read_text("utf-8")):
                yield tree, entry


def sources_of(file: Path) -> tuple[str, ...]:
    """Returns the file itself, or the sources that a file of CMake's compiles as one."""
    if "Unity" not in file.parts:
        return (str(file),)
    return tuple(re.findall(r'^#include "(.*)"', file.read_text("utf-8"), re.M))


def flags_of(entry: dict) -> tuple[str, ...]:
    words = iter(shlex.split(entry["command"]))
    kept = []
    for word in words:
        if word in OUTPUTS:
            next(words)
        elif word != entry["file"] and not re.fullmatch(r"-D\w+_EXPORTS", word):  # CMake's, of modules
            kept.append(word)
    return tuple(sorted(kept))


def check_no_source_is_compiled_twice_with_the_same_flags():
    compiled = defaultdict(list)
    for tree, entry in entries():
        flags = flags_of(entry)
        for source in sources_of(Path(entry["file"])):
            compiled[source, flags].append(f"{tree}: {entry['output']}" if "output" in entry else tree)
    if not compiled:
        yield "nothing was configured"
    for (source, _), places in sorted(compiled.items()):
        if len(places) > 1:
            yield f"{source.removeprefix(f'{project.ROOT}/')}: {', '.join(places)}"


def check_no_definition_has_a_path_of_the_clone():
    for tree, entry in entries():
        sources = {source.removeprefix(f"{project.ROOT}/") for source in sources_of(Path(entry["file"]))}
        for word in shlex.split(entry["command"]):
            if word.startswith("-D") and str(project.ROOT) in word and not sources <= TOLD_PATHS:
                yield f"{', '.join(sorted(sources))} ({tree}): {word}"
