"""Runs the code in the pages:  python snippets.py --jar JAR --java-clients FOLDER --prefix PREFIX [PAGE ...]

Every fenced block of README.md, CONTRIBUTING.md, bindings/README.md and docs/*.md is a program of its own, whatever
its neighbours in other languages say; it passes when it ends with exit code 0. A block is written as a reader would
write it, and is completed like this:

    python  a script
    js      an ES module inside this package, so that it may import 'polyflake'
    ts      the same, checked by tsc alone
    java    statements of a main method, or with `static void main` in it a whole file, the class with main first;
            its imports, these among them: io.github.polyflake.*, java.time.*, java.util.*
    cpp     statements of main(), after #include <polyflake/polyflake.hpp>; with `int main` in it, a whole file
    sql     statements for the engine that is named behind the language: tests/lint/sql_snippet.py
    sh      commands at the root of a clone; `polyflake` is the one that is installed in PREFIX, `polyflaked` that of
            the developers' tree
    text    not code

Where a block names the Redis of this host, 127.0.0.1:6379, it is given the one of POLYFLAKE_TEST_REDIS (tests/servers/run). The same goes for the
addresses app:secret@127.0.0.1:5432/shop of PostgreSQL, also as JDBC spells it, and app:secret@127.0.0.1:3306/shop of MariaDB.

Blocks of a page with the line `<!-- one session -->` go on from each other: tests/lint/walkthrough.py.

A fence without a language is an error. A block is left out by this line in front of it, with a reason:

    <!-- not run: REASON -->
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import walkthrough

ROOT = Path(__file__).resolve().parents[2]
REDIS = r"(127\.0\.0\.1:|port=|port: )6379\b"  # as a reader writes it
DATABASES = {
    "POSTGRESQL": "postgresql://app:secret@127.0.0.1:5432/shop",
    "MYSQL": "mysql://app:secret@127.0.0.1:3306/shop",
}
JDBC = "jdbc:postgresql://127.0.0.1:5432/shop?user=app&password=secret"
WORK = ROOT / "build/snippets"
COMPILED = WORK / "classes"
POLYFLAKED = ROOT / "build/cpp/server/polyflaked"
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "bindings/README.md",
    *sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("docs/*.md")),
)
TIMEOUT_S = 120
SOON_STARTED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # a JVM that ends before it could be fast


class Block(NamedTuple):
    page: str
    line: int
    language: str
    engine: str
    title: str | None
    code: str
    excuse: str | None
    before: str  # the paragraph before it

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line} ({self.language or 'no language'})"

    @property
    def folder(self) -> Path:
        return WORK / f"{self.page.replace('/', '_').removesuffix('.md')}_{self.line}"

    @property
    def java_package(self) -> str:
        return self.folder.name.replace("-", "_")


def blocks_of(page: str) -> list[Block]:
    found, before, paragraph, after_blank, opened = [], "", "", True, None
    lines = (ROOT / page).read_text(encoding="ascii").splitlines()
    for number, line in enumerate(lines, 1):
        fence = re.match(r'\s*```\s*(\S*) *(?:title="(\S+)"|(\S*))', line)
        if opened is None and fence:
            excuse = re.fullmatch(r"<!-- not run: (\S.*) -->", before.strip())
            opened = (number, fence[1], fence[3] or "", fence[2], excuse[1] if excuse else None, paragraph, [])
        elif fence:
            start, language, engine, title, excuse, paragraph, code = opened
            found.append(Block(page, start, language, engine, title, "\n".join(code) + "\n", excuse, paragraph))
            opened, before, paragraph = None, "", ""
        elif opened is not None:
            opened[-1].append(line)
        elif line.strip():
            before, paragraph = line, line if after_blank else f"{paragraph}\n{line}"
        after_blank = not line.strip()
    if opened is not None:
        raise SystemExit(f"{page}:{opened[0]}: a block without an end")
    return found


# --- how a block becomes commands -----------------------------------------------------------------


def with_servers_of_tests(code: str, database=str) -> str:
    """database() chooses a database at the address of a server. Errors: KeyError if a server is missing."""
    for name, address in DATABASES.items():
        if address in code:
            code = code.replace(address, database(os.environ[f"POLYFLAKE_TEST_{name}"]))
    if JDBC in code:
        url = urlsplit(database(os.environ["POLYFLAKE_TEST_POSTGRESQL"]))
        secret = f"&password={url.password}" if url.password else ""
        code = code.replace(JDBC, f"jdbc:postgresql://{url.hostname}:{url.port}{url.path}?user={url.username}{secret}")
    return re.sub(REDIS, lambda found: found[1] + re.search(r":(\d+)", os.environ["POLYFLAKE_TEST_REDIS"])[1], code)


def python(block: Block, _) -> list[list[str]]:
    file = write(block, "snippet.py", block.code)
    return [[sys.executable, file]]


def js(block: Block, _) -> list[list[str]]:
    return [["node", write(block, "snippet.mjs", block.code)]]


def ts(block: Block, _) -> list[list[str]]:
    tsc = str(ROOT / "node_modules/.bin/tsc")
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"]
    return [[tsc, *options, write(block, "snippet.mts", block.code)]]


def java(block: Block, options) -> list[list[str]]:
    classes = f"{COMPILED}:{classes_of(options)}"
    return [["java", *SOON_STARTED, "-cp", classes, f"{block.java_package}.{java_class(block)}"]]


def java_class(block: Block) -> str:
    return re.search(r"\bclass (\w+)", java_source(block))[1]


def java_source(block: Block) -> str:
    """In a package of its own: the blocks are compiled together."""
    imports = ["import io.github.polyflake.*;", "import java.time.*;", "import java.util.*;"]
    imports += re.findall(r"^import .*;$", block.code, re.M)
    body = re.sub(r"^import .*;\n", "", block.code, flags=re.M)
    if not re.search(r"\bstatic void main\(", body):
        main = "final class Snippet {\n  public static void main(String[] arguments) throws Exception {\n"
        body = main + body + "  }\n}\n"
    return "\n".join([f"package {block.java_package};", *imports]) + "\n" + body


def classes_of(options) -> str:
    return f"{options.jar.resolve()}:{options.java_clients.resolve()}/*"


def complaints_of_javac(blocks: list[Block], options) -> dict[str, str]:
    """Compiles them all at once, and returns what is wrong by the name of the block.

    To compile one after the other takes ten times as long.
    """
    files = [write(block, f"{java_class(block)}.java", java_source(block)) for block in blocks]
    found = {}
    if files and javac(files, options):
        found = {block.name: javac([file], options) for block, file in zip(blocks, files)}
    return {name: output for name, output in found.items() if output}


def javac(files: list[str], options) -> str:
    """Returns what is wrong, or ""."""
    command = ["javac", *(f"-J{option}" for option in SOON_STARTED), "-d", str(COMPILED), "-cp", classes_of(options)]
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}" if done.returncode != 0 else ""


def cpp(block: Block, options) -> list[list[str]]:
    source = block.code
    if not re.search(r"^int main\(", source, re.M):
        includes = ["#include <polyflake/polyflake.hpp>", *re.findall(r"^#include .*$", source, re.M)]
        body = re.sub(r"^#include .*\n", "", source, flags=re.M)
        source = "\n".join(includes) + "\nint main() {\n" + body + "}\n"
    program, prefix = str(block.folder / "snippet"), options.prefix.resolve()
    compiled = f"{program}.o"
    libraries = [str(next(prefix.glob("lib*/**/libpolyflake.a")))]
    if re.search(r"polyflake/(seal|kinds|uuid7|uuid4|object_ids)\.hpp", source):
        apart = [libraries[0].replace("flake.a", f"flake_{name}.a") for name in ("kinds", "seal")]
        libraries = [*apart, *libraries]
    if "polyflake/redis_carrier.hpp" in source:
        libraries.insert(0, libraries[-1].replace("flake.a", "flake_redis.a"))
    flags = ["-std=c++17", "-Wall", "-Wextra", f"-I{prefix / 'include'}"]
    compiler = os.environ.get("CXX", "g++")
    cached = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", "").split()
    return [
        [*cached, compiler, *flags, "-c", write(block, "snippet.cpp", source), "-o", compiled],
        [compiler, compiled, *libraries, "-pthread", "-o", program],
        [program],
    ]


def sql(block: Block, _) -> list[list[str]]:
    return [
        [sys.executable, str(ROOT / "tests/lint/sql_snippet.py"), block.engine, write(block, "snippet.sql", block.code)]
    ]


def sh(block: Block, _) -> list[list[str]]:
    return [["sh", "-eu", write(block, "snippet.sh", block.code)]]


LANGUAGES = {"python": python, "js": js, "ts": ts, "java": java, "cpp": cpp, "sql": sql, "sh": sh}


def write(block: Block, name: str, content: str) -> str:
    block.folder.mkdir(parents=True)
    (block.folder / name).write_text(with_servers_of_tests(content), encoding="ascii")
    return str(block.folder / name)


# --- running them ---------------------------------------------------------------------------------


def environment_of(options) -> dict[str, str]:
    environment = {**os.environ, "POLYFLAKE_HOME": str(WORK / "home"), "NO_COLOR": "1"}
    environment.pop("POLYFLAKE_WORKER", None)
    folders = (options.prefix.resolve() / "bin", POLYFLAKED.parent)
    environment["PATH"] = ":".join([*map(str, folders), environment["PATH"]])
    return environment


def complaint_about(block: Block, options) -> str | None:
    """What is wrong with a block; None: it ran."""
    if block.language not in LANGUAGES:
        return f"a block is one of {', '.join(LANGUAGES)} or text"
    if block.language == "sh" and re.search(r"^\s*(\./dev test|\.ci/run)\b", block.code, re.M):
        return "the tests would run themselves without end: say why this block is not run"
    if block.name in options.wrong_java:
        return options.wrong_java[block.name]
    environment = environment_of(options)
    for command in LANGUAGES[block.language](block, options):
        folder = ROOT if block.language == "sh" else block.folder
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=TIMEOUT_S * (5 if block.language == "sh" else 1),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"did not end within {TIMEOUT_S} s"
        if done.returncode != 0:
            return f"exit code {done.returncode}\n{done.stdout}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jar", type=Path, required=True, help="the jar of the Java package")
    parser.add_argument("--java-clients", type=Path, required=True, help="a folder of the clients of stores for Java")
    parser.add_argument("--prefix", type=Path, required=True, help="where the C++ library is installed")
    parser.add_argument("pages", nargs="*", default=[page for page in PAGES if (ROOT / page).exists()], metavar="PAGE")
    options = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    of_java = [
        block for page in options.pages for block in blocks_of(page) if block.language == "java" and runs_alone(block)
    ]
    options.wrong_java = complaints_of_javac(of_java, options)
    results = [result for page in options.pages for result in results_of(page, options)]
    failed = sum(results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 0 if results and not failed else 1


def runs_alone(block: Block) -> bool:
    return not block.excuse and not (walkthrough.is_session(block.page) and walkthrough.is_of_the_session(block))


def results_of(page: str, options):
    """Yields for each block of a page whether it failed."""
    of_session = []
    for block in blocks_of(page):
        if block.language == "text" and not (block.title and walkthrough.is_session(page)):
            continue
        if block.excuse:
            print(f"not run {block.name}: {block.excuse}")
        elif runs_alone(block):
            started = time.monotonic()
            yield report(block, complaint_about(block, options), started)
        else:
            of_session.append(block)
    if of_session:
        started, work = time.monotonic(), WORK / Path(page).stem
        found = walkthrough.complaints(of_session, work, options.jar, environment_of(options), with_servers_of_tests)
        for number, block in enumerate(of_session):
            yield report(block, found.get(number), started)


def report(block: Block, complaint: str | None, started: float) -> bool:
    print(f"{'FAILED' if complaint else 'ok':<7} {block.name} {time.monotonic() - started:.1f} s", flush=True)
    if complaint:
        print("        " + complaint.replace("\n", "\n        "))
    return complaint is not None


if __name__ == "__main__":
    sys.exit(main())
