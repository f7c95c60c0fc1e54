"""The pages that say where things are name all rooms, folders and nouns that exist, in their order."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import rooms

import project


def rooms_that_exist() -> set[str]:
    return {path.split("/")[2] for path in project.files() if path.startswith("core/src/")}


def check_the_order_of_rooms_names_all_of_them():
    if set(rooms.ROOMS) != rooms_that_exist():
        yield f"tests/lint/rooms.py has {rooms.ROOMS}, core/src has {sorted(rooms_that_exist())}"


def check_the_page_of_rooms_has_a_row_for_each_in_order():
    rows = re.findall(r"^\| `(\w+)` \|", project.text("docs/architecture.md"), re.M)
    named = tuple(row for row in rows if row in rooms.ROOMS)
    if named != rooms.ROOMS:
        yield f"docs/architecture.md has the rows {named}, tests/lint/rooms.py the rooms {rooms.ROOMS}"


def check_the_picture_of_rooms_has_all_of_them_in_order():
    drawn = re.findall(r'<text class="name" [^>]*y="(\d+)">(\w+)</text>', project.text("docs/architecture.svg"))
    from_below = tuple(name for _, name in sorted(drawn, key=lambda one: -int(one[0])) if name in rooms.ROOMS)
    if from_below != rooms.ROOMS:
        yield f"docs/architecture.svg shows {from_below} from the bottom, tests/lint/rooms.py has {rooms.ROOMS}"


def check_contributors_are_told_of_all_rooms_and_folders():
    page = project.text("CONTRIBUTING.md")
    listed = re.search(r"the rooms ((?:`\w+` ?)+)", page)
    named = tuple(re.findall(r"`(\w+)`", listed[1])) if listed else ()
    if named != rooms.ROOMS:
        yield f"CONTRIBUTING.md lists the rooms {named}, tests/lint/rooms.py has {rooms.ROOMS}"
    table = page.split("## Where things are", 1)[1].split("### ", 1)[0]
    known = set(re.findall(r"`([\w./]+)`", table))
    folders = {
        str(PurePosixPath(*path.split("/")[:2])) for path in project.files() if path.startswith(("tests/", "bindings/"))
    }
    folders |= {
        path.split("/")[0] for path in project.files() if "/" in path and not path.startswith((".", "core/", "python/"))
    }
    for folder in sorted(folders - {"tests", "bindings", "tools"}):
        is_folder = (project.ROOT / folder).is_dir()
        if is_folder and folder not in known:
            yield f"CONTRIBUTING.md: `{folder}` has no row under 'Where things are'"


def check_the_guide_to_bindings_names_all_nouns_of_the_facade():
    page = project.text("bindings/README.md")
    guide = page.split("**Facade.**", 1)[1].split("\n3. ", 1)[0]
    named = set(re.findall(r"`(\w+)`", guide))
    headers = {
        PurePosixPath(path).stem
        for path in project.files()
        if re.fullmatch(r"bindings/facade/\w+\.hpp", path)
        and f'"facade/{PurePosixPath(path).name}"' in project.text("bindings/facade/facade.hpp")
    }
    for noun in sorted(headers - named):
        yield f"bindings/README.md: the facade has a header for `{noun}`, which the guide does not name"


def check_the_header_of_stores_names_those_that_are_there():
    page = project.text("core/include/polyflake/store.hpp")
    for path in project.files():
        if re.fullmatch(r"core/include/polyflake/\w+_store\.hpp", path) and PurePosixPath(path).name not in page:
            yield f"core/include/polyflake/store.hpp does not name {PurePosixPath(path).name}"
