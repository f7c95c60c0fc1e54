"""No source is compiled twice with the same flags, and flags do not keep a compiler cache from having the objects of another clone.
Projects that use the library from outside are not looked at.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import project

TREES = ("cpp", "asan", "tsan", "windows")  # those of them that are configured
# Options that name outputs.
OUTPUTS = {"-o", "-MF", "-MT", "-MQ"}
# The only sources with paths of the clone in definitions.
TOLD_PATHS = {"tests/core/paths.cpp", "tests/core/library_copies_test.cpp", "tests/faults/stopped_openings_test.cpp"}

# A program of each compiler. That of Clang has one source, so that a cache need not read its precompiled header, which has paths.
CACHED = {"asan": "core_number_marks", "cpp": "core_registry"}


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


def check_another_clone_has_the_objects_of_the_compiler_cache():
    for tree, program in CACHED.items():
        folder = project.ROOT / "build" / tree / "tests/CMakeFiles/polyflake_test_headers.dir"
        header = next(folder.glob("*.[gp]ch"), None)
        if header is None:  # the tree was not built
            continue
        entry = next((one for of, one in entries() if of == tree and f"/{program}.dir/" in one["command"]), None)
        said = "there is no such program" if entry is None else said_in_another_clone(tree, header, entry)
        if "cache_hit" not in said:
            yield f"{tree}: {program}: {said}"


def said_in_another_clone(tree: str, header: Path, entry: dict) -> str:
    """Compiles an entry here, then in a copy of this clone. Returns what the compiler cache says the second time."""
    with tempfile.TemporaryDirectory() as place:
        clone = copied_to(Path(place) / "clone", tree, header)
        compiled(project.ROOT, entry, clone)
        return compiled(clone, entry, clone)


def copied_to(clone: Path, tree: str, header: Path) -> Path:
    """Copies the sources of programs of the core's tests, and what CMake made for them."""
    sources = [name for name in project.files() if name.startswith(("core/", "tests/core/"))]
    made = [
        file
        for part in ("core", "tests/core")
        for file in (project.ROOT / "build" / tree / part).rglob("*.[ch][px][px]")
    ]
    for file in (*(project.ROOT / name for name in sources), *made, *header.parent.glob("cmake_pch*")):
        copy = clone / file.relative_to(project.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        data = file.read_bytes()
        copy.write_bytes(data if file == header else data.replace(os.fsencode(project.ROOT), os.fsencode(clone)))
    return clone


def compiled(root: Path, entry: dict, place: Path) -> str:
    """Compiles an entry of this clone, or of that copy. Returns what the compiler cache says about it."""
    words = shlex.split(entry["command"].replace(str(project.ROOT), str(root)))
    words[words.index("-o") + 1] = str(place / "object")
    log = place / "log"
    log.unlink(missing_ok=True)
    as_dev = 'set -e; . tools/dev/build.sh; root=$1; use_compiler_cache; cd "$2"; shift 2; exec ccache "$@"'
    subprocess.run(
        ["bash", "-c", as_dev, "bash", str(root), entry["directory"].replace(str(project.ROOT), str(root)), *words],
        cwd=project.ROOT,
        env={**os.environ, "CCACHE_STATSLOG": str(log)},
        check=True,
    )
    return " ".join(log.read_text("utf-8").splitlines()[1:])
