"""The same nouns in every language. api.toml is the table; each language is asked what it really has.

Python and Node answer at run time, Java through javap, C++ and Node's options through their declarations. Spelling is
mechanical: snake_case in C++ and Python, camelCase in Node and Java; api.toml names what deviates.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from functools import lru_cache

import tomllib

import polyflake
import project

TYPES = ("module", "Generator", "Options", "Layout", "Parts", "ManualClock", "Stats")
NODE_PROGRAM = """
const p = require(process.argv[1]);
const own = (c) => Object.getOwnPropertyNames(c.prototype).concat(Object.getOwnPropertyNames(c))
  .filter((n) => !['constructor', 'length', 'name', 'prototype', 'toString', 'arguments', 'caller'].includes(n));
const clock = new p.ManualClock(1767225600000);
console.log(JSON.stringify({
  module: Object.keys(p), Generator: own(p.Generator), ManualClock: own(p.ManualClock),
  Layout: own(p.Layout).concat(Object.keys(new p.Layout('polyflake'))),
  Stats: Object.keys(new p.Generator({ worker: 1, clock }).stats()), Parts: Object.getOwnPropertyNames(p.decode(1n)),
}));
"""


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


# --- what each language has ----------------------------------------------------------------------


def python_names() -> dict[str, set[str]]:
    def members(kind: type) -> set[str]:
        names = set(getattr(kind, "__dataclass_fields__", getattr(kind, "_fields", ()))) | set(dir(kind))
        return {name for name in names if not name.startswith("_")} - set(dir(tuple))

    options = inspect.signature(polyflake.Generator.__init__).parameters.values()
    return {
        "module": set(polyflake.__all__),
        "Options": {p.name for p in options if p.name != "self" and p.kind is not p.VAR_KEYWORD},
        **{
            name: members(getattr(polyflake, name)) for name in ("Generator", "Layout", "Parts", "ManualClock", "Stats")
        },
    }


def node_names() -> dict[str, set[str]]:
    done = subprocess.run(["node", "-e", NODE_PROGRAM, project.ROOT], capture_output=True, text=True, check=True)
    names = {kind: set(found) for kind, found in json.loads(done.stdout).items()}
    return {**names, "Options": node_declared("GeneratorOptions")}


def node_declared(name: str) -> set[str]:
    """The members of an interface or class in index.d.ts."""
    page = re.sub(r"/\*.*?\*/", "", project.text("node/index.d.ts"), flags=re.S)
    body = re.search(rf"^export (?:interface|class) {name}\b[^{{]*{{(.*?)^}}", page, re.M | re.S)[1]
    found = re.findall(r"^  (?:readonly |static |private )*(\w+)\??\s*[(<:]", body, re.M)
    return set(found) - {"constructor", "toString"}


def java_names() -> dict[str, set[str]]:
    def members(*kinds: str) -> set[str]:
        """Without the getters of what has an accessor: bean properties, for frameworks."""
        command = ["javap", "-public", "-cp", str(project.jar), *(f"io.github.polyflake.{kind}" for kind in kinds)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = set(re.findall(r"^  public .*?(\w+)\(", lines, re.M))
        getters = {f"get{name[0].upper()}{name[1:]}" for name in found}
        return found - getters - {"equals", "hashCode", "toString", "Polyflake", *kinds}

    listing = subprocess.run(["jar", "tf", str(project.jar)], capture_output=True, text=True, check=True).stdout
    classes = set(re.findall(r"^io/github/polyflake/(\w+)\.class$", listing, re.M)) - {"Polyflake"}
    public = {name for name in classes if is_public(name)}
    return {
        "module": members("Polyflake") | public,
        "Options": members("Generator$Builder") - {"build"},
        **{
            kind: members(kind) - {f"io.github.polyflake.{kind}"} for kind in TYPES if kind not in ("module", "Options")
        },
    }


def is_public(name: str) -> bool:
    command = ["javap", "-public", "-cp", str(project.jar), f"io.github.polyflake.{name}"]
    return "\npublic " in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def cpp_names() -> dict[str, set[str]]:
    headers = (
        "error",
        "layout",
        "text",
        "clock",
        "worker",
        "options",
        "generator",
        "stats",
        "claims",
        "process",
        "shortcuts",
        "version",
    )
    pages = "\n".join(re.sub(r"//.*", "", project.text(f"core/include/polyflake/{name}.hpp")) for name in headers[:-1])
    functions = re.findall(
        r"^(?![ #])(?:inline |constexpr )*(?:std::)?[\w:&<>* ]+[ &*](\w+)\([^;{]*\)[^;{]*[;{]", pages, re.M
    )
    kinds = re.findall(r"^(?:class|struct|enum class) (\w+)[^;]*?{", pages, re.M)
    return {
        "module": set(functions) | set(kinds),
        **{kind: cpp_members(pages, kind) for kind in TYPES if kind != "module"},
    }


def cpp_members(pages: str, kind: str) -> set[str]:
    """Public functions and variables, from the declaration: bodies are cut out, then names are read."""
    start = re.search(rf"^(class|struct) {kind}\b[^;{{]*{{", pages, re.M)
    body, depth, at = "", 1, start.end()
    while depth:
        character = pages[at]
        depth += (character == "{") - (character == "}")
        # What is left of a body is its end, which ends a declaration as well.
        body += character if depth == 1 and character != "}" else ";" if depth == 1 else ""
        at += 1
    public, names = start[1] == "struct", set()
    for piece in re.split(r"(public:|private:|protected:|;)", body):
        if piece in ("public:", "private:", "protected:"):
            public = piece == "public:"
        elif public and not re.search(r"\b(friend|using|operator|template|enum|delete)\b|~", piece):
            before_arguments = piece.split("(")[0] if "(" in piece else piece.split("=")[0].split(" const {")[0]
            if found := re.search(r"(\w+)\s*$", before_arguments.strip()):
                names.add(found[1])
    return {name for name in names if name != kind and not re.match(r"k[A-Z]", name)}


# --- the comparison ------------------------------------------------------------------------------


@lru_cache
def table() -> dict:
    return tomllib.loads(project.text("tests/lint/api.toml"))


def spellings(language: str, noun: str, row: dict) -> list[str]:
    """What a noun is called in a language; nothing where the table says that it is absent."""
    names = row.get(language, camel(noun) if language in ("node", "java") else noun)
    return [name for name in ([names] if isinstance(names, str) else names) if name]


def expected(language: str, kind: str) -> set[str]:
    """What the table says a language has; every noun must be spelled somehow or be absent for a reason."""
    rows = dict(table()[kind])
    only = rows.pop("only", {}).get(language, ())
    return {name for noun, row in rows.items() for name in spellings(language, noun, row)} | set(only)


def differences(language: str, actual: dict[str, set[str]]):
    for kind in TYPES:
        wanted, found = expected(language, kind), actual[kind]
        for name in sorted(wanted - found):
            yield f"{kind}.{name} is in tests/lint/api.toml and not in {language}"
        for name in sorted(found - wanted):
            yield f"{kind}.{name} is in {language} and not in tests/lint/api.toml"


def check_python_has_what_the_table_says():
    yield from differences("python", python_names())


def check_node_has_what_the_table_says():
    yield from differences("node", node_names())


def check_java_has_what_the_table_says():
    yield from differences("java", java_names())


def check_cpp_has_what_the_table_says():
    yield from differences("cpp", cpp_names())


def check_types_of_node_declare_what_there_is():
    actual = node_names()
    for kind in ("Generator", "Layout", "ManualClock", "Stats", "Parts"):
        if node_declared(kind) != actual[kind]:
            yield f"{kind}: declared {sorted(node_declared(kind))}\nfound {sorted(actual[kind])}"
