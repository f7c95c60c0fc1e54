"""Tables that exist twice, because people or compilers read the second one, agree with the first."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import polyflake
import project


def core_presets() -> dict[str, str]:
    return dict(re.findall(r'\{"(\w+)",\s*"(timestamp:[^"]+)"\}', project.text("core/src/bits/layout.cpp")))


def check_the_presets_of_the_built_library_are_those_of_the_source():
    built = {name: str(polyflake.Layout(name)) for name in polyflake.presets()}
    if built != core_presets():
        yield f"built: {built}\nsource: {core_presets()}"


def check_every_error_code_is_documented_and_nothing_else():
    codes = project.error_codes()
    documented = re.findall(r"^\| `([a-z_]+)` \|", project.text("docs/errors.md"), re.M)
    if not codes:
        yield "core/include/polyflake/error.hpp: no codes found"
    for code in set(codes) - set(documented):
        yield f"docs/errors.md does not explain {code}"
    for code in set(documented) - set(codes):
        yield f"docs/errors.md explains {code}, which does not exist"
    for code in {code for code in documented if documented.count(code) > 1}:
        yield f"docs/errors.md explains {code} more than once"


def check_the_documented_platforms_are_those_of_the_core():
    page = project.text("docs/worker-ids.md")
    documented = re.findall(
        r"^ *\| `([A-Z_0-9]+)` \|",
        page[page.index("## When no worker is chosen") : page.index("## What the namespace")],
        re.M,
    )
    table = re.search(r"kPlatformsOfCopies\[\] = \{(.*?)\n\};", project.text("core/src/open/worker_choice.cpp"), re.S)[
        1
    ]
    core = re.findall(r'\{"(\w+)"', table)
    if documented != core:
        yield f"docs/worker-ids.md has {documented}\ncore/src/open/worker_choice.cpp has {core}"


def check_the_vectors_name_only_codes_that_exist():
    vectors = json.loads(project.text("tests/vectors/vectors.schema.json"))["$defs"]
    untyped = json.loads(project.text("tests/vectors/untyped.schema.json"))["properties"]["tests"]["items"][
        "properties"
    ]
    for code in {*vectors["error"]["enum"], *untyped["error"]["enum"]} - set(project.error_codes()):
        yield f"the schemas in tests/vectors: {code}"


def check_the_type_of_codes_in_node_is_the_table():
    typed = re.findall(r"^  \| 'ERR_POLYFLAKE_([A-Z_]+)'", project.text("node/index.d.ts"), re.M)
    if [code.lower() for code in typed] != project.error_codes():
        yield f"node/index.d.ts: {typed}"


def check_codecs_have_the_names_of_the_core():
    rows = re.search(r"kCodecs\[\] = \{(.*?)\n\};", project.text("core/src/bits/codec.cpp"), re.S)[1]
    core = re.findall(r'"([\w-]+)"', rows)
    typed = re.search(r"^export type CodecName =(.*?);", project.text("node/index.d.ts"), re.M | re.S)[1]
    if re.findall(r"'([\w-]+)'", typed) != core:
        yield f"node/index.d.ts has {typed}\ncore/src/bits/codec.cpp has {core}"
    page = re.findall(r"^\| `([\w-]+)` \|", project.text("docs/codecs.md"), re.M)
    if page != core:
        yield f"docs/codecs.md has {page}\ncore/src/bits/codec.cpp has {core}"
    vectors = json.loads(project.text("tests/vectors/vectors.schema.json"))["$defs"]["codec_name"]["enum"]
    if vectors != core:
        yield f"tests/vectors/vectors.schema.json has {vectors}\ncore/src/bits/codec.cpp has {core}"


def check_readme_lists_every_public_header():
    listed = set(
        re.findall(r"`(\w+\.hpp)`", "".join(re.findall(r"^\| `\w+\.hpp`.*? \|", project.text("README.md"), re.M)))
    )
    public = {
        path.rsplit("/", 1)[1] for path in project.files() if re.fullmatch(r"core/include/polyflake/\w+\.hpp", path)
    }
    if listed != public:
        yield f"README.md lists and does not have: {sorted(listed ^ public)}"


def check_readme_counts_the_presets_right():
    for count in re.findall(r"(\d+) presets", project.text("README.md") + project.text("CHANGELOG.md")):
        if int(count) != len(core_presets()):
            yield f"{count} presets are promised, there are {len(core_presets())}"


def check_the_page_of_figures_is_what_the_report_makes_of_those_kept():
    command = [sys.executable, "-B", project.ROOT / "tests/bench/report/report.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield done.stderr + "python3 tests/bench/report/report.py writes it"
