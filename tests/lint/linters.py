"""What the linters of the languages find: clang-tidy, ruff, eslint, shellcheck. Their settings say which rules, and why."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from formatting import BIN

import project

# Trees that are configured, not built. That for Windows is there if MinGW-w64 is.
WINDOWS = "build/lint-windows"
TREES = {
    "build/lint": (),
    WINDOWS: ("--extra-arg=--target=x86_64-w64-windows-gnu", "--removed-arg=-fno-keep-inline-dllexport"),
}
TIDIED = (
    "core/src/",
    "cli/",
    "bindings/",
    "build/lint/bindings/java/",
)  # the last is SWIG's, and includes what is ours
# A file for each source in which clang-tidy found nothing, named by a digest of all that it read. It outlives a clone.
TIDY_STAMPS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polyflake/tidy"


def lines_of(command: list[object], **options) -> list[str]:
    """What a linter prints, with paths relative to the root; a linter that fails without a word is a failure."""
    done = subprocess.run(command, cwd=project.ROOT, capture_output=True, text=True, check=False, **options)
    found = [line.replace(f"{project.ROOT}/", "") for line in done.stdout.splitlines() if line.strip()]
    return found or ([f"{command[0]}: exit code {done.returncode}: {done.stderr[-500:]}"] if done.returncode else [])


def compilations() -> dict[str, tuple[str, list[str]]]:
    """Each source to tidy, with its tree and its command; of those that are compiled twice, the first."""
    found: dict[str, tuple[str, list[str]]] = {}
    for tree in TREES:
        commands = project.ROOT / tree / "compile_commands.json"
        if tree == WINDOWS and not commands.is_file():
            continue
        for entry in json.loads(commands.read_text("utf-8")):
            path = entry["file"].removeprefix(f"{project.ROOT}/")
            if path.startswith(TIDIED):
                found.setdefault(path, (tree, shlex.split(entry["command"])))
    return found


def headers_of(path: Path, folders: list[Path], seen: dict[Path, bytes]) -> dict[Path, bytes]:
    """The contents of a source and of all of this project's files that it includes."""
    seen[path] = path.read_bytes()
    for name in re.findall(rb'^\s*#\s*include\s*["<]([^">]+)', seen[path], re.M):
        for folder in (path.parent, *folders):
            header = folder / os.fsdecode(name)
            if header not in seen and header.is_file():
                headers_of(header, folders, seen)
    return seen


def digest_of(path: str, command: list[str], version: str) -> str:
    folders = [Path(word[2:]) for word in command if word.startswith(f"-I{project.ROOT}")]
    words = [word.replace(f"{project.ROOT}/", "") for word in command]
    packages = project.text("tools/dev/requirements.txt"), project.text("package-lock.json")
    digest = hashlib.sha256("\0".join((version, project.text(".clang-tidy"), *packages, *words)).encode())
    for content in headers_of(project.ROOT / path, folders, {}).values():
        digest.update(content)
    return digest.hexdigest()


def tidied(path: str, tree: str, command: list[str], version: str) -> list[str]:
    digest = digest_of(path, command, version)
    stamp = TIDY_STAMPS / digest
    if stamp.is_file():
        return []
    lines = lines_of([BIN / "clang-tidy", "--quiet", "-p", tree, *TREES[tree], path])
    found = [
        line for line in lines if re.search(r" (warning|error): |exit code", line) and not line.startswith("build/")
    ]
    if not found and digest_of(path, command, version) == digest:  # not edited meanwhile
        TIDY_STAMPS.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    return found


def check_clang_tidy_finds_nothing():
    version = "\n".join(lines_of([BIN / "clang-tidy", "--version"]))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = [pool.submit(tidied, path, *how, version) for path, how in compilations().items()]
    yield from dict.fromkeys(line for answer in asked for line in answer.result())


def check_ruff_finds_nothing():
    command = [BIN / "ruff", "check", "--quiet", "--no-cache", "--force-exclude", "--output-format", "concise"]
    # The order of imports is a matter of form.
    yield from lines_of([*command, "--ignore", "I", *(p for p in project.files() if p.endswith((".py", ".pyi")))])


def check_eslint_finds_nothing():
    report = lines_of([project.ROOT / "node_modules/.bin/eslint", "--format", "json", "."])
    for file in json.loads("".join(report)):
        for fault in file["messages"]:
            yield f"{file['filePath']}:{fault.get('line', 1)}: {fault['message']} [{fault['ruleId']}]"


def check_eslint_finds_nothing_in_the_page():
    page = "docs/inspector.html"
    scripts = list(re.finditer(r"<script\b[^>]*>(.*?)</script>", project.text(page), re.S))
    if not scripts:
        yield f"{page}: there are no scripts"
    for script in scripts:
        lines_before = "\n" * project.text(page).count("\n", 0, script.start(1))
        command = [project.ROOT / "node_modules/.bin/eslint", "--format", "json", "--stdin"]
        report = lines_of([*command, "--stdin-filename", "docs/inspector.mjs"], input=lines_before + script[1])
        for fault in json.loads("".join(report))[0]["messages"]:
            yield f"{page}:{fault.get('line', 1)}: {fault['message']} [{fault['ruleId']}]"


def check_shellcheck_finds_nothing():
    for path in project.files():
        first = (project.ROOT / path).read_bytes()[:100].partition(b"\n")[0]
        if path.endswith(".sh") or re.match(rb"#!.*\b(?:ba)?sh\b", first):
            dialect = [] if first.startswith(b"#!") else ["--shell=bash"]  # read into ./dev
            yield from lines_of([BIN / "shellcheck", "--format=gcc", *dialect, path])
