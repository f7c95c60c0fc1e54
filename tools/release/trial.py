"""Installs an archive of a release as a stranger would, and uses it: on one interpreter.

    python3 trial.py ARCHIVE INTERPRETER...

ARCHIVE is a wheel, the tarball of Node or the jar. INTERPRETER is the program of the language with what has to stand before it or
be given to it, such as qemu-aarch64 with its options. Nothing but the archive, the standard library and a runner of tests is
there, and no compiler is on the PATH. All vectors pass through the public API by the tests of this repository, trials/try.*
issues ids, and the command line says its version. Prints one line; the exit code is 1 if anything fails.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import inputs
from inputs import ROOT

TRIALS = Path(__file__).with_name("trials")
MADE = ROOT / "build/trials"
VECTORS = ROOT / "tests/vectors"
JAVA_TESTS = ROOT / "java/src/test/java/io/github/polyflake"


class Failed(Exception):
    """A program failed: its command, and its output."""


@dataclass(frozen=True)
class Interpreter:
    """A command that runs programs of a language, and the command by which one that runs starts another."""

    command: list[str]
    within: list[str]


class Trial:
    """A folder for one installation, and programs that run in it."""

    def __init__(self, folder: Path, interpreter: list[str], **environment: str) -> None:
        self.folder = folder
        self.interpreter = interpreter
        home = folder / "registry"
        home.mkdir(mode=0o700)
        self.environment = {
            "PATH": str(folder / "bin"),
            "HOME": str(folder),
            "POLYFLAKE_HOME": str(home),
            **environment,
        }

    def run(self, *words: object) -> str:
        return run(*self.interpreter, *words, folder=self.folder, environment=self.environment)

    def copy(self, vectors: Path, *tests: str) -> None:
        shutil.copytree(vectors, self.folder / "tests/vectors")
        for path in tests:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.folder / path)


def python(wheel: Path, folder: Path, interpreter: Interpreter, vectors: Path) -> str:
    site, pytest = folder / "site", pure_pytest()
    # The host's pip unpacks a wheel for any Python.
    _, _, version, abi, platform = wheel.stem.split("-")
    pip("install", "--no-index", "--no-deps", "--target", site, "--implementation", "cp", "--python-version", version[2:],
        "--abi", abi, "--platform", platform, "--only-binary", ":all:", wheel)  # fmt: skip
    # With -S the packages of the interpreter are not there: one of them may be another polyflake.
    trial = Trial(folder, [*interpreter.command, "-S"], PYTHONPATH=f"{site}:{pytest}", PYTHONDONTWRITEBYTECODE="1")
    trial.copy(vectors, "tests/python/test_vectors.py")
    passed = trial.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, "tests/python/test_vectors.py"
    )
    return report(passed, trial.run(TRIALS / "try.py"), trial.run("-m", "polyflake", "--version"))


def node(tarball: Path, folder: Path, interpreter: Interpreter, vectors: Path) -> str:
    (folder / "package.json").write_text('{"private": true}\n', "utf-8")
    run(
        "npm",
        "install",
        "--ignore-scripts",
        "--offline",
        "--omit=peer",
        "--no-audit",
        "--cache",
        folder / "cache",
        tarball,
        folder=folder,
    )
    trial = Trial(folder, interpreter.command)
    trial.copy(
        vectors,
        *(
            f"tests/node/{name}.mjs"
            for name in ("05_vectors.test", "date_vectors", "kind_vectors", "vector_checks", "registry", "refusal")
        ),
    )
    shutil.copy(TRIALS / "try.mjs", folder)
    passed = trial.run("tests/node/05_vectors.test.mjs")
    return report(
        passed, trial.run("try.mjs", *interpreter.within), trial.run("node_modules/.bin/polyflake", "--version")
    )


def java(jar: Path, folder: Path, interpreter: Interpreter, vectors: Path) -> str:
    classes = compiled_tests(jar)
    (folder / "target").mkdir()  # of what those start
    trial = Trial(folder, [*interpreter.command, "-Xmx256m", f"-Dpolyflake.java={' '.join(interpreter.within)}"])
    on_path = ["-cp", ":".join(map(str, (classes, jar, inputs.fetch("gson"), inputs.fetch("junit"))))]
    trial.copy(vectors)
    passed = trial.run("-Dpolyflake.vectors=tests/vectors/vectors.json", *on_path, "org.junit.platform.console.ConsoleLauncher",
                       "--disable-banner", "--details=none", "--select-class", "io.github.polyflake.VectorsTest")  # fmt: skip
    return report(passed, trial.run(*on_path, "Try"), trial.run("-jar", jar, "--version"))


def report(vectors: str, ids: str, version: str) -> str:
    counts = re.findall(r"vectors: (\d+) of (\d+) passed", vectors)
    if not counts or any(passed != total for passed, total in counts):
        raise Failed(f"the vectors did not pass: {vectors}")
    released = re.search(r"polyflake (\S+)$", ids)
    if f"polyflake {released[1]}" not in version:
        raise Failed(f"the command line says {version}, the package {released[1]}")
    return f"{sum(int(passed) for passed, _ in counts)} vectors, {ids.strip()}"


def run(*command: object, folder: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    words = list(map(str, command))
    done = subprocess.run(words, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def pip(*words: object) -> None:
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words)


def made(path: Path, sources: Iterable[bytes], make: Callable[[Path], None]) -> Path:
    """Returns a folder below the path that is made once for these sources."""
    folder = path / hashlib.sha256(b"".join(sources)).hexdigest()[:16]
    if not folder.exists():
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path) as temporary:
            make(Path(temporary) / "made")
            (Path(temporary) / "made").rename(folder)
    return folder


def pure_pytest() -> Path:
    """Returns a folder with pytest for any Python: it and what it needs has no natives."""
    needed = Path(__file__).with_name("pytest.txt")
    return made(
        MADE / "pytest",
        [needed.read_bytes()],
        lambda folder: pip("install", "--no-deps", "--target", folder, "-r", needed),
    )


def compiled_tests(jar: Path) -> Path:
    """Returns a folder with the classes of the vectors and of Try, for Java 8."""
    sources = [jar, TRIALS / "Try.java", *sorted(JAVA_TESTS.glob("*.java"))]

    def compile_into(folder: Path) -> None:
        class_path = ":".join(map(str, (jar, inputs.fetch("gson"), inputs.fetch("junit"))))
        run("javac", "--release", "8", "-Xlint:-options", "-d", folder, "-cp", class_path, "-sourcepath", JAVA_TESTS.parents[2],
            JAVA_TESTS / "VectorsTest.java", TRIALS / "Try.java")  # fmt: skip

    return made(MADE / "classes", (path.read_bytes() for path in sources), compile_into)


LANGUAGES = {".whl": python, ".tgz": node, ".jar": java}


def tried(archive: Path, interpreter: Interpreter, vectors: Path = VECTORS) -> str:
    """Returns what the trial of an archive found. Errors: Failed."""
    with tempfile.TemporaryDirectory() as folder:
        return LANGUAGES[archive.suffix](archive.resolve(), Path(folder), interpreter, vectors)


if __name__ == "__main__":
    program, *given = sys.argv[2:]
    command = [os.path.abspath(shutil.which(program) or program), *given]  # it runs in another folder
    try:
        print(tried(Path(sys.argv[1]), Interpreter(command, command)))
    except Failed as error:
        sys.exit(str(error))
