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
from polyflake import stores
from polyflake.stores._url import STORES

TYPES = (
    "module",
    "Generator",
    "Options",
    "Layout",
    "Codec",
    "Explanation",
    "Sqids",
    "Hashids",
    "Seal",
    "SealOptions",
    "SealRing",
    "Parts",
    "ManualClock",
    "Stats",
    "stores",
    "StoreOptions",
    "LeaseInfo",
    "CounterState",
)
CLASSES = (
    "Generator",
    "Layout",
    "Codec",
    "Seal",
    "SealRing",
    "Explanation",
    "Sqids",
    "Hashids",
    "Parts",
    "ManualClock",
    "Stats",
)
NODE_PROGRAM = """
const p = require(process.argv[1]);
const own = (c) => Object.getOwnPropertyNames(c.prototype).concat(Object.getOwnPropertyNames(c))
  .filter((n) => !['constructor', 'length', 'name', 'prototype', 'toString', 'arguments', 'caller'].includes(n));
const clock = new p.ManualClock(1767225600000);
const seal = new p.Seal(Uint8Array.from({ length: 32 }, (_, i) => i), { keyId: 'k' });
const stores = ['index', 'redis', 'zookeeper', 'etcd', 'sql'].map((name) => require(`${process.argv[1]}/node/stores/${name}.js`));
console.log(JSON.stringify({
  module: Object.keys(p), stores: Object.keys(Object.assign({}, ...stores)), Generator: own(p.Generator), ManualClock: own(p.ManualClock),
  Layout: own(p.Layout).concat(Object.keys(new p.Layout('polyflake'))), Codec: own(p.Codec).concat(Object.keys(new p.Codec('hex'))),
  Sqids: own(p.Sqids).concat(Object.keys(new p.Sqids())), Hashids: own(p.Hashids).concat(Object.keys(new p.Hashids())),
  Seal: own(p.Seal).concat(Object.keys(seal)), SealRing: own(p.SealRing).concat(Object.keys(new p.SealRing([seal]))),
  Stats: Object.keys(new p.Generator({ worker: 1, clock }).stats()), Parts: Object.getOwnPropertyNames(p.decode(1n)),
  Explanation: Object.keys(p.explain(1n)[0]),
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
    of_seals = inspect.signature(polyflake.Seal.__init__).parameters
    return {
        "module": {*polyflake.__all__, "open"},  # which `import *` must not bring
        "Options": {p.name for p in options if p.name != "self" and p.kind is not p.VAR_KEYWORD},
        "SealOptions": set(of_seals) - {"self", "key"},
        **{name: members(getattr(polyflake, name)) for name in CLASSES},
        "stores": {*stores.__all__, *(name for _, name in STORES.values() if name != "MemoryStore")},
        "StoreOptions": set(inspect.signature(stores.Store._set_options).parameters) - {"self"},
        "LeaseInfo": set(stores.LeaseInfo._fields),
        "CounterState": set(stores.CounterState._fields),
    }


def node_names() -> dict[str, set[str]]:
    done = subprocess.run(["node", "-e", NODE_PROGRAM, project.ROOT], capture_output=True, text=True, check=True)
    names = {kind: set(found) for kind, found in json.loads(done.stdout).items()}
    return {
        **names,
        "Options": without_question_marks(node_declared("GeneratorOptions")),
        "SealOptions": without_question_marks(node_declared("SealOptions")),
        "StoreOptions": without_question_marks(node_declared("StoreOptions", "node/stores/index.d.ts")),
        "LeaseInfo": node_declared("LeaseInfo", "node/stores/index.d.ts"),
        "CounterState": node_declared("CounterState", "node/stores/index.d.ts"),
    }


def node_declared(name: str, types: str = "node/index.d.ts") -> set[str]:
    """The members of an interface or class in the declarations, those that may be absent with a question mark."""
    page = re.sub(r"/\*.*?\*/", "", project.text(types), flags=re.S)
    body = re.search(rf"^export (?:interface|class) {name}\b[^{{]*{{(.*?)^}}", page, re.M | re.S)[1]
    found = re.findall(r"^  (?:readonly |static |private )*(\w+\??)\s*[(<:]", body, re.M)
    return set(found) - {"constructor", "toString"}


def without_question_marks(names: set[str]) -> set[str]:
    return {name.rstrip("?") for name in names}


JAVA = "io.github.polyflake."


def java_names() -> dict[str, set[str]]:
    types = java_types()

    def members(kind: str) -> set[str]:
        """Without the getters of what has an accessor: bean properties, for frameworks."""
        found = set(re.findall(r"^  public .*?([\w.$]+)\(", types[kind], re.M)) - {JAVA + kind}
        getters = {f"get{name[0].upper()}{name[1:]}" for name in found}
        return found - getters - {"equals", "hashCode", "toString"}

    public = {kind for kind, shown in types.items() if shown.startswith("public ")}
    return {
        "module": members("Polyflake") | {kind for kind in public if re.fullmatch(r"\w+", kind)} - {"Polyflake"},
        "Options": members("Generator$Builder") - {"build"},
        "SealOptions": members("Seal$Builder") - {"build"},
        **{kind: members(kind) for kind in CLASSES},
        "stores": {name for kind in public for name in re.findall(r"^stores\.(\w+)$", kind)}
        | members("stores.Namespaces"),
        "StoreOptions": members("stores.Store$Options"),
        "LeaseInfo": members("stores.LeaseInfo"),
        "CounterState": members("stores.CounterState"),
    }


def java_types() -> dict[str, str]:
    """Returns what javap shows of each type of the jar, by its name in the package. It runs once: each run starts a JVM."""
    listing = subprocess.run(["jar", "tf", str(project.jar)], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^io/github/polyflake/((?:stores/)?[A-Z][\w$]*)\.class$", listing, re.M)
    command = ["javap", "-public", "-cp", str(project.jar), *(JAVA + name.replace("/", ".") for name in names)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {
        found[1]: found[0]
        for found in re.finditer(rf"^[^\n]*?{re.escape(JAVA)}([\w.$]+)[^\n]*{{$.*?^}}", shown, re.M | re.S)
    }


def cpp_names() -> dict[str, set[str]]:
    module = (
        "error",
        "layout",
        "text",
        "codec",
        "friendly",
        "explain",
        "sqids",
        "hashids",
        "seal",
        "clock",
        "worker",
        "options",
        "generator",
        "stats",
        "claims",
        "process",
        "shortcuts",
        "id_source",
        "uuid",
        "object_id",
        "kind_text",
        "kind_options",
        "kinds",
        "uuid7",
        "uuid4",
        "object_ids",
        "segment",
        "date_ids",
        "date_numbers",
    )
    stores_of = (
        "lease",
        "namespaces",
        "store",
        "carrier",
        "redis_carrier",
        "postgresql_carrier",
        "etcd_carrier",
        "zookeeper_carrier",
        "memory_store",
        "host_store",
        "counter_store",
        "counter_options",
        "counter_state",
        "counters",
    )
    pages, pages_of_stores = (cpp_declarations(headers) for headers in (module, stores_of))
    return {
        "module": cpp_nouns(pages),
        **{kind: cpp_members(pages, kind) for kind in ("Options", "SealOptions", *CLASSES)},
        "stores": cpp_nouns(pages_of_stores),
        "StoreOptions": cpp_members(pages_of_stores, "LeaseOptions"),
        "LeaseInfo": cpp_members(pages_of_stores, "LeaseInfo"),
        "CounterState": cpp_members(pages_of_stores, "CounterState") - {"each", "each_of"},
    }


def cpp_declarations(headers: tuple[str, ...]) -> str:
    """Without comments, defaults in braces and what has a namespace of its own in there."""
    page = "\n".join(project.text(f"core/include/polyflake/{name}.hpp") for name in headers)
    page = re.sub(r"^namespace (lease|count) \{$.*?^}  // namespace \1$", "", page, flags=re.M | re.S)
    return re.sub(r"//.*| = \{\}", "", page)


def cpp_nouns(pages: str) -> set[str]:
    functions = re.findall(
        r"^(?![ #])(?:inline |constexpr )*(?:std::)?[\w:&<>* ]+[ &*](\w+)\([^;{]*\)[^;{]*[;{]", pages, re.M
    )
    return set(functions) | set(re.findall(r"^(?:class|struct|enum class) (\w+)[^;]*?{", pages, re.M))


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
    for kind in ("Generator", "Layout", "ManualClock", "Stats", "Parts", "Explanation"):
        declared = node_declared(kind)
        if {name for name in declared if not name.endswith("?")} != actual[kind]:
            yield f"{kind}: declared {sorted(declared)}\nfound {sorted(actual[kind])}"
