"""Every row of a table of the core is named in the files that the guide to bindings lists, and in no others."""

from __future__ import annotations

import re

import project

GUIDE = "bindings/README.md"
PRODUCT = ("core/", "bindings/", "cli/", "python/", "node/", "java/src/main/")
# A row of each table whose name is not another word of the product.
PROBES = {
    "option": "sequence_spread",
    "statistic": "largest_step_back_ms",
    "kind": "objectid",
    "store": "zookeeper",
    "command": "raise_floor",
}
# Rules of addresses of one store, packages of clients, public functions of the same name as a command, and the values of a kind.
APART = {
    "store": r"store_url\.cpp|_clients\.py",
    "command": r"bindings/|core/|java/|node/|python/",
    "statistic": r"core/src/issue/",
    "kind": r"object_id|values\.py",
}


def between(path: str, begin: str, end: str) -> str:
    found = re.search(re.escape(begin) + r"(.*?)" + re.escape(end), project.text(path), re.S)
    assert found, f"{path} has no {begin}"
    return found[1]


def rows() -> dict[str, list[str]]:
    """The names in each table, as the core has them."""
    return {
        "option": re.findall(r'\{"(\w+)"', between("core/src/issue/options.cpp", "kNumberOptions[] = {", "};")),
        "statistic": re.findall(r'\("(\w+)"', between("core/include/polyflake/stats.hpp", "void each(", "\n  }")),
        "kind": re.findall(r"EACH\((\w+)\)", project.text("core/src/bits/kind_list.hpp")),
        "store": re.findall(r"EACH\((\w+)\)", project.text("core/src/lease/store_list.hpp")),
        "command": re.findall(r"EACH\((\w+)\)", project.text("cli/commands.hpp")),
    }


def places() -> dict[str, list[list[str]]]:
    """The files of each table in the guide; one of several alternatives is enough."""
    found = {}
    for noun, table in re.findall(r"<!-- rows: (\w+) -->\n((?:\|.*\n)+)", project.text(GUIDE)):
        groups = []
        for group in re.findall(r"`[^`|]+`(?: or `[^`|]+`)*", table):
            files = re.findall(r"`([^`]+)`", group)
            if all("/" in file or "." in file for file in files):
                groups.append(files)
        found[noun] = groups
    return found


def spellings(name: str) -> str:
    """A pattern of all spellings: max_wait_ms, maxWaitMs, getMaxWait, raise-floor."""
    words = name.split("_")
    loose = r"[_-]?".join(words)
    without_unit = r"[_-]?".join(words[:-1]) if words[-1] == "ms" and len(words) > 1 else loose
    return rf"(?i)(?:{loose}|{without_unit})"


def code_of(path: str) -> str:
    """The text without comments and docstrings."""
    text = re.sub(r'/\*.*?\*/|"""(?:.|\n)*?"""', "", project.text(path), flags=re.S)
    return re.sub(r"(?m)^\s*(?://|#(?!include)).*$|\s//\s.*$", "", text)


def check_every_row_is_named_where_the_guide_says():
    for noun, names in rows().items():
        if len(names) < 3:
            yield f"{noun}: only {names} were found in the core"
        for files in places().get(noun, []):
            for name in names:
                if not any(re.search(spellings(name), project.text(file)) for file in files):
                    yield f"{' or '.join(files)}: does not name the {noun} {name}"


def check_the_guide_has_a_table_of_files_for_each():
    for noun in rows():
        if not places().get(noun):
            yield f"{GUIDE} has no table of the files that name a {noun}"


def check_the_guide_lists_every_file_that_names_rows():
    for noun, name in PROBES.items():
        listed = {file for files in places()[noun] for file in files}
        for path in project.files():
            if not path.startswith(PRODUCT) or path in listed or re.search(APART.get(noun, "$^"), path):
                continue
            own = re.search(spellings(name), path)
            if (
                not own
                and path.endswith((".cpp", ".hpp", ".py", ".js", ".ts", ".java"))
                and re.search(spellings(name), code_of(path))
            ):
                yield f"{path} names the {noun} {name}, and {GUIDE} does not list it"
