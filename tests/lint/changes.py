"""`./dev test --changed` knows every file, and what its table names is there."""

from __future__ import annotations

import importlib.util
import re

import project

TABLE = "tools/dev/changed.toml"


def chooser():
    spec = importlib.util.spec_from_file_location("changed", project.ROOT / "tools/dev/changed.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parts() -> set[str]:
    scripts = "".join(project.text(path) for path in project.files() if re.fullmatch(r"tools/dev/\w+\.sh", path))
    return set(re.findall(r"^(?:part|alone)_(\w+)\(\)", scripts, re.M))


def check_a_rule_knows_every_file():
    _, _, unknown = chooser().chosen(list(project.files()))
    for path in unknown:
        yield f"{TABLE}: no rule knows {path}"


def check_rules_name_parts_and_files_that_are_there():
    java = {path.rpartition("/")[2].removesuffix(".java") for path in project.files() if path.endswith("Test.java")}
    for rule in chooser().rules():
        for entry in rule["run"]:
            part, *words = entry.split()
            if part not in parts():
                yield f"{TABLE}: there is no part {part}"
            for word in words:
                if word.startswith("-Dtest="):
                    missing = set(word[7:].split(",")) - java - {"{name}"}
                    yield from (f"{TABLE}: there is no test {name}" for name in sorted(missing))
                elif word != "{file}" and not (project.ROOT / word.removeprefix("--ignore=")).exists():
                    yield f"{TABLE}: there is no {word}"


def check_a_test_that_one_rule_names_is_not_ignored_for_another():
    module = chooser()
    parts_of_both, _, _ = module.chosen(["server/ids/queue.cpp", "docs/server.md"])
    words = module.united(parts_of_both["server"][0])
    if "tests/server" not in words or "tests/server/test_clients_page.py" not in words:
        yield f"{TABLE}: the server's tests and its page are not both in {words}"
    yield from (f"{TABLE}: {word} is named, and not run" for word in words if f"--ignore={word}" in words)


def check_every_rule_matches_a_file():
    module = chooser()
    for rule in module.rules():
        for pattern in rule["files"]:
            if not any(module.matches(path, {"files": [pattern]}) for path in project.files()):
                yield f"{TABLE}: nothing matches {pattern}"
