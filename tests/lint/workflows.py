"""Files that other machines read can be parsed, and say what they are meant to say."""

from __future__ import annotations

import json

import jsonschema
import yaml

import project


def workflows():
    for path in project.files():
        if path.startswith(".github/") and path.endswith((".yml", ".yaml")):
            yield path, yaml.safe_load(project.text(path))


def check_workflows_parse_and_every_job_has_steps():
    if not list(workflows()):
        yield "no workflows found"
    for path, workflow in workflows():
        for name, job in workflow["jobs"].items():
            if not job.get("steps") or not job.get("runs-on"):
                yield f"{path}: {name}"


def check_actions_are_pinned():
    for path, workflow in workflows():
        for name, job in workflow["jobs"].items():
            for step in job["steps"]:
                used = step.get("uses", "./")
                if not used.startswith("./") and "@v" not in used:
                    yield f"{path}: {name}: {used}"


def check_presets_of_cmake_parse_and_name_each_other():
    presets = json.loads(project.text("CMakePresets.json"))
    names = {preset["name"] for preset in presets["configurePresets"]}
    for preset in presets["buildPresets"]:
        if preset["configurePreset"] not in names:
            yield f"CMakePresets.json: {preset['name']}"


def check_json_parses():
    for path in project.files():
        if path.endswith(".json") and "tsconfig" not in path:
            json.loads(project.text(path))
    return iter(())


def check_vectors_fit_their_schemas():
    for name in ("vectors", "untyped", "lease-scenarios"):
        document, schema = (json.loads(project.text(f"tests/vectors/{name}{end}")) for end in (".json", ".schema.json"))
        jsonschema.Draft202012Validator.check_schema(schema)
        for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
            yield f"tests/vectors/{name}.json: {error.json_path}: {error.message[:200]}"
