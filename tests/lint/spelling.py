"""Sources are ASCII; the project speaks of itself alone; scripts parse; comments are where they are read."""

from __future__ import annotations

import ast
import re
import subprocess

import project

BINARY = (".png", ".ico", ".jar")
FORBIDDEN = (
    (r"(?<![\w.])/(?:root|home/\w+|work|Users)/", "a path of somebody's machine"),
    (
        r"registry\.npmjs\.org|repo1?\.maven\.(?:apache\.)?org|files\.pythonhosted|pypi\.python\.org|\bartifactory\b",
        "the host name of a registry",
    ),
    (r"\b(?:TODO|FIXME|XXX)\b(?!:? \w+ \w+ \w+)", "a note without a reason"),
    (r"(?i)@brief\b|@param \w+\s*$", "a comment that is a form"),
)
AS_PUBLISHED = ("tests/vectors/published-ids.json",)  # facts of others, byte for byte
ALLOWED = ("tests/lint/spelling.py", "LICENSE")


def texts():
    for path in project.files():
        if not path.endswith(BINARY) and path not in AS_PUBLISHED:
            yield path, (project.ROOT / path).read_bytes()


def check_sources_are_ascii():
    for path, content in texts():
        for number, line in enumerate(content.split(b"\n"), 1):
            if not line.isascii():
                yield f"{path}:{number}: {line.decode(errors='replace').strip()[:80]}"


def check_lines_end_plainly():
    for path, content in texts():
        if b"\r" in content:
            yield f"{path}: carriage returns"
        if content and not content.endswith(b"\n"):
            yield f"{path}: the last line does not end"
        for number, line in enumerate(content.split(b"\n"), 1):
            if line.endswith((b" ", b"\t")) and not path.endswith(".md"):
                yield f"{path}:{number}: blanks at the end"


def check_the_project_speaks_of_itself_alone():
    for path, content in texts():
        if path in ALLOWED:
            continue
        for number, line in enumerate(content.decode(errors="replace").split("\n"), 1):
            for pattern, what in FORBIDDEN:
                if re.search(pattern, line):
                    yield f"{path}:{number}: {what}: {line.strip()[:80]}"


# What people start, which ends the process as it ends.
PROGRAMS = ("node/scripts/", "python/polyflake/__main__.py", "java/src/main/java/io/github/polyflake/Main.java")


def check_the_library_prints_nothing():
    """Not even in a branch that no test takes."""
    printing = re.compile(
        r"std::(?:cout|cerr|clog)|\bf?printf\s*\(|\bputs\s*\(|System\.(?:out|err)\b|\bconsole\.\w+\("
        r"|std::abort|std::terminate|\bexit\s*\("
    )
    printing_python = re.compile(r"(?<![\w.])print\(|sys\.std(?:out|err)|\bexit\(")
    for path in project.files():
        if path.startswith(("core/", "bindings/", "python/polyflake/", "node/", "java/src/main/")):
            if path.startswith(PROGRAMS) or not path.endswith((".cpp", ".hpp", ".i", ".py", ".js", ".mjs", ".java")):
                continue
            for number, line in enumerate(project.text(path).split("\n"), 1):
                code = re.sub(r"//.*|^\s*(?:\*|#).*|/\*.*", "", line)
                pattern = printing_python if path.endswith(".py") else printing
                if pattern.search(code) and "_exit" not in code:
                    yield f"{path}:{number}: {line.strip()[:80]}"


def check_shell_scripts_parse():
    for path in project.files():
        content = (project.ROOT / path).read_bytes()
        if path.endswith((".sh", ".bash")) or content.startswith(
            (b"#!/bin/sh", b"#!/usr/bin/env bash", b"#!/bin/bash")
        ):
            shell = "sh" if content.startswith(b"#!/bin/sh") else "bash"
            done = subprocess.run([shell, "-n", project.ROOT / path], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                yield f"{path}: {done.stderr.strip()}"


def check_python_parses_as_the_oldest_version_it_is_for():
    for path in project.files():
        if path.endswith((".py", ".pyi")):
            oldest = (3, 9) if path.startswith(("python/", "examples/", "tests/vectors/")) else (3, 11)
            try:
                ast.parse(project.text(path), path, feature_version=oldest)
            except SyntaxError as error:
                yield str(error)


def check_functions_of_node_are_documented_in_their_types_alone():
    """Editors show node/index.d.ts; in the sources a line on each function is enough."""
    for path in project.files():
        if re.fullmatch(r"node/\w+\.m?js", path):
            for comment in re.findall(r"/\*\*(?:[^*]|\*(?!/))*\n.*", project.text(path)):
                yield f"{path}: {comment.splitlines()[1].strip()}"
