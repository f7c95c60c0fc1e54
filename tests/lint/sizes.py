"""A file has one subject and fits in a sitting. Longer ones say why in size-reasons.txt."""

from __future__ import annotations

import re

import project

LIMITS = (  # the first that matches
    (r"core/include/.*\.hpp", 150),
    (r"core/.*", 400),
    (r"cli/.*", 250),
    (r"server/.*", 300),
    (r"bindings/.*\.(cpp|hpp|i)", 300),
    (r"(python|node|java/src/main)/.*", 300),
    (r"(tests|java/src/test)/.*\.(py|cpp|hpp|mjs|cjs|js|java)", 600),
    (r"examples/.*", 200),
    (r"(dev|tools/.*)", 250),
)
REASONS = "tests/lint/size-reasons.txt"


def reasons() -> dict[str, str]:
    lines = [line for line in project.text(REASONS).splitlines() if line and not line.startswith("#")]
    return {path: reason.strip() for path, _, reason in (line.partition(" ") for line in lines)}


def too_long() -> dict[str, str]:
    found = {}
    for path in project.files():
        limit = next((limit for pattern, limit in LIMITS if re.fullmatch(pattern, path)), None)
        if limit is not None:
            lines = project.text(path).count("\n")
            if lines > limit:
                found[path] = f"{path} has {lines} lines, more than {limit}"
    return found


def check_files_fit_in_a_sitting():
    given = reasons()
    for path, complaint in too_long().items():
        if not given.get(path):
            yield f"{complaint}: split it by noun, or give a reason in {REASONS}"


def check_every_reason_is_still_needed():
    for path in reasons():
        if path not in too_long():
            yield f"{REASONS}: {path} needs no reason"


def check_file_names_are_nouns():
    for path in project.files():
        if re.search(r"\b(utils?|helpers?|misc)\b", path.replace("_", " "), re.I):
            yield f"{path}: a name that says nothing"
