"""The trials of a release, on the packages of this machine: they pass, and each fails if something is wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/release"))
import compat  # noqa: E402
import trial  # noqa: E402

FILES = {"python": ["vectors.json", "untyped.json"], "node": ["vectors.json", "untyped.json"], "java": ["vectors.json"]}
NATIVES = {
    "python": r"polyflake/_core\..*\.so",
    "node": r"package/node/prebuilds/.*\.node",
    "java": r".*/native/linux/.*\.so",
}
Replace = Callable[[str, bytes], "bytes | None"]


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tarball")
    subprocess.run(["npm", "pack", "--silent", "--pack-destination", folder], cwd=ROOT, check=True)
    (wheel,) = (ROOT / "build/wheel").glob("*.whl")
    (tarball,) = folder.iterdir()
    (jar,) = (
        path for path in (ROOT / "java/target").glob("polyflake-*.jar") if re.fullmatch(r"polyflake-[\d.]+", path.stem)
    )
    return {"python": wheel, "node": tarball, "java": jar}


def interpreter(language: str) -> trial.Interpreter:
    program = sys.executable if language == "python" else shutil.which(language)
    return trial.Interpreter([program], [program])


def changed(archive: Path, folder: Path, replace: Replace) -> Path:
    """Returns a copy of an archive, in which each member has the content that `replace` returns, or is left out for None."""
    copy = folder / archive.name
    if archive.suffix == ".tgz":
        unpacked = folder / "unpacked"
        with tarfile.open(archive) as old:
            old.extractall(unpacked)
        for path in [path for path in unpacked.rglob("*") if path.is_file()]:
            content = replace(str(path.relative_to(unpacked)), path.read_bytes())
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content)
        with tarfile.open(copy, "w:gz") as new:
            new.add(unpacked / "package", "package")
    else:
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy, "w") as new:
            for member in old.infolist():
                content = replace(member.filename, old.read(member))
                if content is not None:
                    new.writestr(member, content)
    return copy


def number_of_vectors(document: dict) -> int:
    """Returns how many of these vectors the packages run: not those of the groups that all of them leave out."""
    left_out = [group for group in document.get("groups", []) if group["name"] in ("counter", "step")]
    return document["number_of_tests"] - sum(len(group["tests"]) for group in left_out)


@pytest.mark.parametrize("language", FILES)
def test_the_packages_of_this_machine_pass(language, archives):
    total = sum(number_of_vectors(json.loads((trial.VECTORS / name).read_text("ascii"))) for name in FILES[language])
    found = trial.tried(archives[language], interpreter(language))
    assert re.fullmatch(rf"{total} vectors, {language} \S+: 40000 ids, polyflake \S+", found), found


@pytest.mark.parametrize("language", FILES)
def test_a_vector_that_expects_another_id_fails(language, archives, tmp_path):
    vectors = shutil.copytree(trial.VECTORS, tmp_path / "vectors")
    document = json.loads((vectors / "vectors.json").read_text("ascii"))
    test = document["groups"][0]["tests"][0]
    number = int(test["expect"]["id"]) ^ 1
    test["expect"] = {"id": str(number), "hex": f"{number:016x}"}
    (vectors / "vectors.json").write_text(json.dumps(document), "ascii")
    total = number_of_vectors(document)
    says = "not ok 1 - vectors: layout\n" if language == "node" else f"vectors: {total - 1} of {total} passed"
    with pytest.raises(trial.Failed, match=says):
        trial.tried(archives[language], interpreter(language), vectors)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("python", r"cannot import name '_core'"),
        ("node", r"linux-(x64|arm64)-(glibc|musl)"),
        ("java", r"linux(-musl)?/(x86_64|aarch64)"),
    ],
)
def test_a_package_without_a_native_for_this_system_is_refused(language, says, archives, tmp_path):
    def without_natives(name: str, content: bytes) -> bytes | None:
        return None if re.fullmatch(NATIVES[language], name) else content

    with pytest.raises(trial.Failed, match=says):
        trial.tried(changed(archives[language], tmp_path, without_natives), interpreter(language))


# After more ids than a vector takes from one generator.
REPEATING = {
    "python": (
        "polyflake/__init__.py",
        """
class Generator(Generator):
    issued = 0

    def next_id(self):
        self.issued += 1
        return super().next_id() if self.issued < 10_000 else 1 << 62
""",
    ),
    "node": (
        "package/node/generator.js",
        """
const issued = new WeakMap();
const next = Generator.prototype.nextId;
Generator.prototype.nextId = function () {
  issued.set(this, 1 + (issued.get(this) ?? 0));
  return issued.get(this) < 10_000 ? next.call(this) : 1n << 62n;
};
""",
    ),
}


@pytest.mark.parametrize("language", REPEATING)
def test_a_package_that_repeats_an_id_is_found(language, archives, tmp_path):
    file, more = REPEATING[language]

    def with_more(name: str, content: bytes) -> bytes:
        return content + more.encode() if name == file else content

    with pytest.raises(trial.Failed, match="the ids are not in order"):
        trial.tried(changed(archives[language], tmp_path, with_more), interpreter(language))


def test_a_child_that_issues_what_its_parent_issued_is_found(archives, tmp_path):
    more = """
import os

class Generator(Generator):
    process = os.getpid()

    def next_id(self):
        self.last = super().next_id()
        return self.last

    def next_ids(self, count):
        return super().next_ids(count) if os.getpid() == self.process else [self.last] * count
"""

    def with_more(name: str, content: bytes) -> bytes:
        return content + more.encode() if name == "polyflake/__init__.py" else content

    with pytest.raises(trial.Failed, match="an id was issued twice"):
        trial.tried(changed(archives["python"], tmp_path, with_more), interpreter("python"))


def test_a_command_line_of_another_version_is_found():
    with pytest.raises(trial.Failed, match=r"the command line says polyflake 0\.0\.9\n, the package 0\.1\.0"):
        trial.report("vectors: 2 of 2 passed", "java 8: 4 ids, polyflake 0.1.0\n", "polyflake 0.0.9\n")


def test_vectors_that_were_not_run_are_found():
    for said in ("", "vectors: 1 of 2 passed"):
        with pytest.raises(trial.Failed, match="the vectors did not pass"):
            trial.report(said, "java 8: 4 ids, polyflake 0.1.0\n", "polyflake 0.1.0\n")


def rows_of(monkeypatch, capsys, folder: Path, *words: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["compat.py", *words[:-1], str(folder), words[-1]])
    return compat.main(), capsys.readouterr().out


def test_a_release_knows_what_was_tried_on_this_machine(archives, tmp_path, monkeypatch, capsys):
    shutil.copy(archives["node"], tmp_path / f"polyflake-{compat.VERSION}.tgz")
    status, said = rows_of(monkeypatch, capsys, tmp_path, "--tried", str(tmp_path / "tried.json"), "node-here")
    assert status == 0, said
    assert json.loads((tmp_path / "tried.json").read_text()) == {f"polyflake-{compat.VERSION}.tgz": [compat.here()]}


def test_a_row_without_an_archive_has_failed(tmp_path, monkeypatch, capsys):
    status, said = rows_of(monkeypatch, capsys, tmp_path, "--tried", str(tmp_path / "tried.json"), "java-here")
    assert status == 1
    assert re.match(r"java-here +failed: .*No such file or directory", said), said
    assert said.endswith("\n0 passed, 1 failed\n")
    assert json.loads((tmp_path / "tried.json").read_text()) == {}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("{tarball}", r"the SHA-256 of polyflake-\S+ is \w{64}, not 0{64}"),
        ("{tarball}.missing", r"npm does not give \S+: npm (error|ERR!) code ENOENT"),
    ],
)
def test_a_row_that_cannot_be_fetched_has_failed(asked, says, archives, tmp_path, monkeypatch, capsys):
    shutil.copy(archives["node"], tmp_path / f"polyflake-{compat.VERSION}.tgz")
    locked = {"node-18-x64": ("0" * 64, "npm", asked.format(tarball=archives["node"]))}
    monkeypatch.setattr(compat.inputs, "locked", lambda: locked)
    status, said = rows_of(monkeypatch, capsys, tmp_path, "node-18-x64-glibc")
    assert status == 1
    assert re.match(rf"node-18-x64-glibc +failed: node-18-x64: {says}", said), said
