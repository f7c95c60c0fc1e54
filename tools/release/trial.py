"""Installs an archive of a release as a stranger would, and uses it: on one interpreter.

    python3 trial.py ARCHIVE INTERPRETER...

ARCHIVE is a wheel, the tarball of Node or the jar. INTERPRETER is the program of the language with what has to stand before it or
be given to it, such as qemu-aarch64 with its options. Nothing but the archive and the standard library is there, and no compiler
is on the PATH. All vectors pass through the public API by the tests of this repository, trials/try.* issues ids, and the command
line says its version. Prints one line; the exit code is 1 if anything fails.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import inputs
from inputs import ROOT

TRIALS = Path(__file__).with_name("trials")
PYTEST = ROOT / "build/trial-pytest"
CLASSES = ROOT / "build/trial-classes"
JAVA_TESTS = "java/src/test/java"


class Failed(Exception):
    """What a program said that did not end well."""


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
        command = [*self.interpreter, *map(str, words)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, check=False, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def copy(self, *paths: str) -> None:
        for path in paths:
            copy = shutil.copytree if (ROOT / path).is_dir() else shutil.copy
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / path, self.folder / path)


def python(wheel: Path, folder: Path, interpreter: Interpreter) -> str:
    site, pytest = folder / "site", pure_pytest()
    # The host's pip unpacks a wheel for any Python.
    _, _, version, abi, platform = wheel.stem.split("-")
    pip("install", "--no-index", "--no-deps", "--target", site, "--implementation", "cp", "--python-version", version[2:],
        "--abi", abi, "--platform", platform, "--only-binary", ":all:", wheel)  # fmt: skip
    trial = Trial(folder, interpreter.command, PYTHONPATH=f"{site}:{pytest}", PYTHONDONTWRITEBYTECODE="1")
    trial.copy("tests/vectors", "tests/python/test_vectors.py")
    vectors = trial.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, "tests/python/test_vectors.py"
    )
    return report(vectors, trial.run(TRIALS / "try.py"), trial.run("-m", "polyflake", "--version"))


def node(tarball: Path, folder: Path, interpreter: Interpreter) -> str:
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
        "tests/vectors",
        *(
            f"tests/node/{name}.mjs"
            for name in ("05_vectors.test", "kind_vectors", "vector_checks", "registry", "refusal")
        ),
    )
    shutil.copy(TRIALS / "try.mjs", folder)
    vectors = trial.run("tests/node/05_vectors.test.mjs")
    return report(
        vectors, trial.run("try.mjs", *interpreter.within), trial.run("node_modules/.bin/polyflake", "--version")
    )


def java(jar: Path, folder: Path, interpreter: Interpreter) -> str:
    classes = compiled_tests(jar)
    (folder / "target").mkdir()
    trial = Trial(folder, [*interpreter.command, "-Xmx256m"])
    on_path = ["-cp", ":".join(map(str, (classes, jar, inputs.fetch("gson"), inputs.fetch("junit"))))]
    trial.copy("tests/vectors")
    vectors = trial.run("-Dpolyflake.vectors=tests/vectors/vectors.json", *on_path, "org.junit.platform.console.ConsoleLauncher",
                        "--disable-banner", "--details=none", "--select-class", "io.github.polyflake.VectorsTest")  # fmt: skip
    return report(vectors, trial.run(*on_path, "Try"), trial.run("-jar", jar, "--version"))


def report(vectors: str, ids: str, version: str) -> str:
    counts = re.findall(r"vectors: (\d+) of (\d+) passed", vectors)
    if not counts or any(passed != total for passed, total in counts):
        raise Failed(f"the vectors did not pass: {vectors}")
    released = re.search(r"polyflake (\S+)$", ids)
    if f"polyflake {released[1]}" not in version:
        raise Failed(f"the command line says {version}, the package {released[1]}")
    return f"{sum(int(passed) for passed, _ in counts)} vectors, {ids.strip()}"


def run(*command: object, folder: Path = ROOT) -> None:
    done = subprocess.run(list(map(str, command)), cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")


def pip(*words: object) -> None:
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words)


def made(path: Path, make: Callable[[Path], None]) -> Path:
    """Returns a folder that is made once."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as temporary:
            make(Path(temporary) / "made")
            (Path(temporary) / "made").rename(path)
    return path


def pure_pytest() -> Path:
    """Returns a folder with pytest for any Python: it and what it needs has no natives."""
    needed = Path(__file__).with_name("pytest.txt")
    return made(PYTEST, lambda folder: pip("install", "--no-deps", "--target", folder, "-r", needed))


def compiled_tests(jar: Path) -> Path:
    """Returns a folder with the classes of the vectors and of Try, for Java 8."""

    def compile_into(folder: Path) -> None:
        class_path = ":".join(map(str, (jar, inputs.fetch("gson"), inputs.fetch("junit"))))
        run("javac", "--release", "8", "-Xlint:-options", "-d", folder, "-cp", class_path, "-sourcepath", JAVA_TESTS,
            f"{JAVA_TESTS}/io/github/polyflake/VectorsTest.java", TRIALS / "Try.java")  # fmt: skip

    return made(CLASSES, compile_into)


LANGUAGES = {".whl": python, ".tgz": node, ".jar": java}


def tried(archive: Path, interpreter: Interpreter) -> str:
    """Returns what the trial of an archive found. Errors: Failed."""
    with tempfile.TemporaryDirectory() as folder:
        return LANGUAGES[archive.suffix](archive.resolve(), Path(folder), interpreter)


if __name__ == "__main__":
    try:
        print(tried(Path(sys.argv[1]), Interpreter(sys.argv[2:], sys.argv[2:])))
    except Failed as error:
        sys.exit(str(error))
