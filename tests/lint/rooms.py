"""Includes go down: the order of rooms in the core is the order of includes.

A room is a folder of core/src; a public header belongs to the room of the source of its name. A file may include its own room
and those before it. The facade is the floor above them: its headers show what the core shows to everybody, its sources may
also use the rooms of leases and counters. Bindings see those headers alone, and the one of the command line. The command line and the
server see public headers of the core.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import project

ROOMS = ("base", "bits", "os", "time", "issue", "lease", "count", "host", "kinds", "open")
ABOVE_ALL = ("polyflake", "version")  # headers with no source: one includes everything, the other nothing
SOURCES_BY_ANOTHER_NAME = {
    "option_table": "options",  # the table is made where options are checked
    "pace": "options",  # what options come down to is made where they are checked
    "lease": "worker",  # what a worker in a store is opened with: values alone
    "command": "reply",  # what the replies are to: values alone
    "store": "step",  # what one step of a store does
    "object_ids": "objectid",  # a source has the name of its kind
    "stamped_source": "spelling",  # the members are made where the sources are
    "uuid7_fields": "uuid",  # what they are for
    "wide": "ceiling",  # whose sums need it
    "big_endian": "error",  # of no room but the lowest: instructions alone
    "always_inline": "error",  # of no room but the lowest: a word for compilers
}
# What carries the commands of leases to a store is there for bindings alone, so the core has no public header for it. Keys that
# come from a language are wiped as the core wipes its own, and options that it misspells get the advice of the core. The facade
# opens any kind by its name.
FACADE_USES = (
    "lease/",
    "count/",
    "open/lease.hpp",
    "open/counter.hpp",
    "base/wipe.hpp",
    "base/closest.hpp",
    "kinds/kind.hpp",
)
SOURCES = (".cpp", ".hpp", ".i")
# A struct that the facade passes on. SWIG reads its members from their own header.
PASSED_ON = "polyflake/stats.hpp"
# All that bindings see of the command line, whose programs are libraries of their own.
COMMAND_LINE = "command.hpp"

# Words by which a preprocessor knows an operating system, and headers that only some of them have.
SYSTEMS = r"_WIN32|WIN32|_WIN64|__MINGW\w+|__CYGWIN__|__linux__|__APPLE__|__unix__|__ANDROID__|__\w+BSD__|POLYFLAKE_NO_WIPEONFORK"
SYSTEM_HEADERS = (
    r"(?:sys|linux|mach|arpa|netinet)/[^>]+|(?:unistd|fcntl|dirent|pthread|signal|poll|spawn|dlfcn|windows|winbase)\.h"
)
# Reading the clock is most of what an id costs, so it is inline there.
SYSTEM_IN_PUBLIC = ("core/include/polyflake/clock.hpp",)


def includes(path: str) -> list[str]:
    """What a file includes of this project: 'polyflake/layout.hpp', 'ascii.hpp'."""
    found = re.findall(r'^\s*(?:#|%)\s*include\s*(?:"([^"]+)"|<(polyflake/[^>]+)>)', project.text(path), re.M)
    return [quoted or angled for quoted, angled in found]


def core_files() -> list[str]:
    return [path for path in project.files() if path.startswith("core/") and path.endswith(SOURCES)]


def rooms_of_public_headers() -> dict[str, str]:
    sources = [PurePosixPath(path) for path in core_files() if path.startswith("core/src/") and path.endswith(".cpp")]
    return {path.stem: path.parent.name for path in sources}


def room_of(path: str) -> str | None:
    """Of a file, or of what is included: core/src/host/record.cpp, host/record.hpp, polyflake/detail/grant.hpp."""
    file = PurePosixPath(path)
    public = "polyflake" in file.parts
    source = SOURCES_BY_ANOTHER_NAME.get(file.stem, file.stem)
    return rooms_of_public_headers().get(source) if public else file.parent.name


def check_every_core_file_is_in_a_room():
    for path in core_files():
        if room_of(path) not in ROOMS and PurePosixPath(path).stem not in ABOVE_ALL:
            yield f"{path}: not in one of the rooms {' '.join(ROOMS)}, nor a header of a source there"


def check_includes_go_down():
    for path in core_files():
        if room_of(path) not in ROOMS:
            continue
        for included in includes(path):
            room = room_of(included)
            if room is None and PurePosixPath(included).stem == "version":
                continue
            if room is None or ROOMS.index(room) > ROOMS.index(room_of(path)):
                yield f"{path} includes {included}: {room} does not stand below {room_of(path)}"


def check_public_headers_include_public_headers_only():
    for path in core_files():
        if path.startswith("core/include/"):
            for included in includes(path):
                if not included.startswith("polyflake/"):
                    yield f"{path} includes {included}, which is not installed"


def check_operating_systems_are_known_in_one_room():
    for path in core_files():
        if path.startswith("core/src/os/") or path in SYSTEM_IN_PUBLIC:
            continue
        for line in project.text(path).splitlines():
            condition = re.match(rf"\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:{SYSTEMS})\b", line)
            if condition or re.match(rf"\s*#\s*include\s*<(?:{SYSTEM_HEADERS})>", line):
                yield f"{path}: {line.strip()}; what depends on the operating system belongs into core/src/os"
            elif re.search(r"\bgetenv\b", line):
                yield f"{path}: {line.strip()}; platform::environment() sees what all languages set"


def headers_of_the_facade() -> set[str]:
    return {"facade/facade.hpp", *includes("bindings/facade/facade.hpp")}


def check_the_facade_shows_public_headers_alone():
    shown = headers_of_the_facade()
    for path in project.files():
        if not path.startswith("bindings/facade/") or not path.endswith(SOURCES):
            continue
        may = ("polyflake/",) if path.removeprefix("bindings/") in shown else ("polyflake/", "facade/", *FACADE_USES)
        for included in includes(path):
            if included not in shown and not included.startswith(may):
                yield f"{path} includes {included}: see FACADE_USES in tests/lint/rooms.py"


def check_programs_see_public_headers_alone():
    yield from headers_that_are_not_public("cli/")
    yield from headers_that_are_not_public("server/")


def headers_that_are_not_public(folder: str):
    own = {path.removeprefix(folder) for path in project.files() if path.startswith(folder)}
    for path in project.files():
        if path.startswith(folder) and path.endswith(SOURCES):
            for included in includes(path):
                if included not in own and not (included.startswith("polyflake/") and "/detail/" not in included):
                    yield f"{path} includes {included}, which is no public header of the core"


def check_bindings_see_the_facade_alone():
    for path in project.files():
        parts = path.split("/")
        if parts[0] != "bindings" or parts[1] == "facade" or not path.endswith(SOURCES):
            continue
        own = {p.rsplit("/", 1)[-1] for p in project.files() if p.startswith(f"bindings/{parts[1]}/")} | {PASSED_ON}
        if parts[-1] == "command.cpp":
            own |= {COMMAND_LINE}
        for included in includes(path):
            if included not in own | headers_of_the_facade() and not included.startswith(("pybind11/", "napi")):
                yield f"{path} includes {included}; the facade is the only surface of the core for bindings"
