"""The codes that a call can raise: documented with the call in every language, and the same in all of them.

They are read from the part of the documentation that is about errors: "Errors:" in C++ and Python, @throws in Node and
Java. There a call with parentheses, such as "as next_id()", stands for the codes of that call.
"""

from __future__ import annotations

import inspect
import re
from functools import lru_cache

import api

import polyflake
import project

LANGUAGES = ("cpp", "python", "node", "java")
KINDS = ("Generator", "Layout", "Codec", "Seal", "SealRing", "Sqids", "Hashids", "ManualClock")
# Whose constructors are compared, and no more.
OPENED = ("Uuid7", "Uuid4", "ObjectIds", "Segment", "DateIds", "DateNumbers")
NOT_THERE = (  # calls, codes that one of them does not raise in these languages, and why
    (
        "Layout.encode Layout.first_id Layout.last_id Generator.first_id Generator.last_id",
        "option_invalid",
        "cpp java",
        "types: it is given one time",
    ),
    ("Layout.to_uuid Layout.from_uuid", "text_invalid", "cpp java", "types: an id is a number, a UUID is one"),
    ("Layout.encode", "unknown_field", "cpp", "it is given a node id; node_with() makes one of fields"),
    ("Layout.decode Generator.decode", "text_invalid", "cpp", "types: an id is a number"),
    ("decode", "text_invalid", "cpp java", "types: an id is a number"),
    ("explain", "text_invalid id_out_of_range", "cpp java", "types: each number is an id"),
    ("explain", "option_invalid", "cpp", "types: a present is a number"),
    ("Layout.friendly", "text_invalid option_invalid", "java", "types: an id is a number, a zone has an offset"),
    ("Layout.from_friendly", "option_invalid", "java", "the same"),
    ("decode", "layout_invalid layout_too_wide unknown_preset", "cpp", "it is for the default layout"),
    ("to_text Sqids.encode Hashids.encode", "id_out_of_range", "cpp java", "types: each number is an id"),
    ("Sqids", "option_invalid", "java", "its builder says so"),
    ("Generator next_id next_id_string", "layout_invalid unknown_preset", "cpp", "its options hold a Layout"),
    ("Uuid7", "unknown_preset", "cpp", "the same"),
    (
        "Generator Uuid7",
        "namespace_not_initialised wrong_namespace layout_mismatch store_unavailable clock_skew",
        "node",
        "the constructor cannot wait for a store: open() can",
    ),
    ("Segment", "worker_source_invalid", "cpp", "its store is an object, not an address"),
    (
        "Segment",
        (
            "option_invalid namespace_not_initialised wrong_namespace layout_mismatch store_unavailable "
            "store_went_back store_misconfigured clock_skew worker_source_invalid"
        ),
        "node java",
        "open() and a builder make it, and say so",
    ),
    ("DateIds", "option_invalid", "cpp node", "in C++ as Segment; in Node open() makes it, and says so"),
    ("DateIds DateNumbers", "option_invalid", "java", "not built there yet"),
    ("Tickets", "option_invalid worker_source_invalid", "node", "open() makes it, and says so"),
    ("Generator.next_ids", "option_invalid", "cpp", "types: the number is unsigned"),
    ("Generator.fill", "option_invalid", "cpp java", "types: the memory is an array of ids"),
)

ERRORS = r"\bErrors\b[^:.]*:(.*?)(?:\b(?:Blocks|Blocking|Requires|Thread safety):|\n\n|\Z)"
THROWS = r"@throws \w+((?:(?!\n\s*\* @).)*)"
WITH_TAGS = r"/\*\*(?P<text>(?:(?!\*/).)*)\*/\s*(?P<code>[^;{]*)"
TO_THE_EMPTY_LINE = r"(?P<text>(?:^ *//[^\n]*\n)+)(?P<code>(?:^(?! *//)[^\n]+\n)+)"
SOURCES = {  # files; a comment with the code it is about; the beginning or end of a class; what is said of errors
    "cpp": (r"core/include/polyflake/\w+\.hpp", TO_THE_EMPTY_LINE, r"^(?:class|struct) (\w+)[^;\n]*\{|^\}(;)", ERRORS),
    "node": (r"node/index\.d\.ts", WITH_TAGS, r"^export class (\w+)|^(\})", THROWS),
    "java": (
        r"java/src/main/java/io/github/polyflake/\w+\.java",
        WITH_TAGS,
        r"^ *public .*?(?:class|interface) (\w+)()",
        THROWS,
    ),
}
DECLARED = r"^(?: {0,2}(?![ #}])|@Override\s+)[^(]*?(\w+)(?:<[^(]*>)?\("


@lru_cache
def documented(language: str) -> dict[tuple[str, str], str]:
    """What is said about the errors of each call, by class and name; all overloads together."""
    found: dict[tuple[str, str], str] = {}
    for kind, name, said in docstrings() if language == "python" else comments(*SOURCES[language]):
        found[kind, name] = found.get((kind, name), "") + said
    return found


def comments(files: str, commented: str, class_ends: str, about_errors: str):
    for page in (project.text(path) for path in project.files() if re.fullmatch(files, path)):
        for found in re.finditer(commented, page, re.M | re.S):
            ends = re.findall(class_ends, page[: found.start()], re.M)
            kind = ends[-1][0].replace("Polyflake", "") if ends else ""  # the class of Java's functions
            said = " ".join(re.findall(about_errors, re.sub(r"\n *//", "\n", found["text"]), re.S))
            for name in re.findall(DECLARED, found["code"], re.M):
                yield kind or "module", kind if name == "constructor" else name, said


def docstrings():
    for name in (*polyflake.__all__, "open"):
        yield "module", name, " ".join(re.findall(ERRORS, inspect.getdoc(getattr(polyflake, name)) or "", re.S))
    for kind in (*KINDS, *OPENED):
        class_ = getattr(polyflake, kind)
        members = {name: inspect.getattr_static(class_, name) for name in dir(class_) if name[0] != "_"}
        for name, member in {kind: class_, **members}.items():
            yield kind, name, " ".join(re.findall(ERRORS, inspect.getdoc(member) or "", re.S))


def codes(language: str, kind: str, name: str) -> set[str]:
    """Those named, and those of the calls named: of the same class, else of the module, else a constructor."""
    clauses = documented(language)
    text = clauses.get((kind, name), "")
    found = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b(?!\()", text))
    for place, call in re.findall(r"(?:(\w+)(?:\.|::|#))?(\w+)\(", text):
        meant = [(place or kind, call), ("module", call), (call, call)]
        target = next((one for one in meant if one in clauses and one != (kind, name)), None)
        found |= codes(language, *target) if target else {f"{call}()"}
    return found


def calls(language: str) -> dict[str, list[tuple[str, str]]]:
    """What the language has, by the nouns of api.toml; a noun alone is of the module or a constructor."""
    found = {}
    for kind in ("module", *KINDS):
        rows, prefix = dict(api.table()[kind]), "" if kind == "module" else f"{kind}."
        for name in rows.pop("only", {}).get(language, ()):
            found[prefix + re.sub(r"([A-Z])", r"_\1", name).lower()] = [(kind, name)]
        for noun, row in rows.items():
            found[prefix + noun] = [(kind, name) for name in api.spellings(language, noun, row)]
    found |= {kind: [(kind, kind)] for kind in (*KINDS, *OPENED)}
    if language == "cpp":
        found["Codec"] = [("Codec", "named")]
    if language == "java":
        found |= {
            "Layout": [("Layout", "of")],
            "Codec": [("Codec", "of")],
            "Sqids": [("Sqids", "create")],
            "Seal": [("Seal", "of")],
            "SealRing": [("SealRing", "of")],
            "Generator": [call for call in documented("java") if call[0] == "Builder"],
            "Uuid7": [("Uuid7Builder", "build")],
            "Uuid4": [("Uuid4Builder", "build")],
            "ObjectIds": [("ObjectIdBuilder", "build")],
        }
    return found


def check_codes_named_with_calls_exist():
    known = set(project.error_codes())
    for language in LANGUAGES:
        for kind, name in documented(language):
            for code in codes(language, kind, name) - known:
                yield f"{language}: {kind}, {name}: there is no code {code}"


def check_calls_name_the_same_codes_in_all_languages():
    named: dict[str, dict[str, set[str]]] = {}
    for language in LANGUAGES:
        for noun, found in calls(language).items():
            if found:
                named.setdefault(noun, {})[language] = set().union(*(codes(language, *call) for call in found))
    for noun, by_language in named.items():
        every = set().union(*by_language.values())
        for language, own in by_language.items():
            excused = {
                code
                for nouns, excuses, languages, _ in NOT_THERE
                for code in excuses.split()
                if noun in nouns.split() and language in languages.split()
            }
            for wrong, what in (
                (every - own - excused, "does not name"),
                (excused - (every - own), "needs no excuse for"),
            ):
                if wrong:
                    yield f"{language}: {noun} {what} {', '.join(sorted(wrong))}"
