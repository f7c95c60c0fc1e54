"""The package is fully typed, and its stub says what the extension module has."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import polyflake
from polyflake import _core

ALLOWED = Path(__file__).with_name("stubtest-allowed.txt")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs a module in a folder, with what mypy has learnt from the runs before; returns the exit code and the output."""
    learnt = {"MYPYPATH": "", "MYPY_CACHE_DIR": str(tmp_path_factory.mktemp("mypy"))}

    def in_folder(*command, folder):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=folder,
            env={**os.environ, **learnt},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    return in_folder


def test_the_package_is_clean_under_mypy_strict(run, tmp_path):
    code, output = run("mypy", "--strict", "-p", "polyflake", folder=tmp_path)
    assert code == 0, output


@pytest.mark.skipif(
    sys.version_info < (3, 10), reason="the mypy of that time judges re-exports of the standard library"
)
def test_the_stub_agrees_with_the_extension_module(run, tmp_path):
    code, output = run("mypy.stubtest", "polyflake", "--allowlist", str(ALLOWED), folder=tmp_path)
    assert code == 0, output


def documented(name):
    """A class of the stub with the documentation of its public members, and those of its bases."""
    stub = ast.parse((Path(polyflake.__file__).parent / "_core.pyi").read_text())
    described = next(node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == name)
    inherited = [documented(base.id) for base in described.bases]
    own = {member.name: ast.get_docstring(member) for member in described.body if not member.name.startswith("_")}
    return {name: text for members in (*inherited, own) for name, text in members.items()}


@pytest.mark.parametrize("name", ["Codec", "Sqids", "Hashids", "Seal", "SealRing"])
def test_the_stub_documents_what_is_inherited_as_the_extension_module_does(name):
    def documentation(member):
        signature, blank, rest = inspect.getdoc(getattr(getattr(_core, name), member)).partition("\n\n")
        return rest.strip() if signature.startswith(f"{member}(") else signature + blank + rest

    assert documented(name) == {member: documentation(member) for member in documented(name)}


def test_a_misspelled_option_or_a_wrong_type_is_found_by_mypy(run, tmp_path):
    (tmp_path / "user.py").write_text("""from __future__ import annotations
import polyflake
polyflake.Generator(max_wait=5)
polyflake.Generator(max_wait_ms="5")
polyflake.Generator(7, layout="twitter", max_wait_ms=5).next_id().bit_length()
text: str = polyflake.decode(1).tick
code: str | None = polyflake.Generator(1).state().code
polyflake.set_default(polyflake.Generator(1))
polyflake.set_default(1)
async def opened() -> int:
    return await (await polyflake.Generator.open(7, layout="twitter")).next_id_async()
""")
    _, output = run("mypy", "--strict", "user.py", folder=tmp_path)
    assert [line.split(":")[1] for line in output.splitlines() if "error:" in line] == ["3", "4", "6", "9"], output


def test_a_misspelled_option_reads_well_in_mypy(run, tmp_path):
    (tmp_path / "user.py").write_text("""
import polyflake
polyflake.Generator(max_wait=5)
polyflake.Generator(epoch=5)
async def opened() -> polyflake.Generator:
    return await polyflake.Generator.open(max_wait=5)
""")
    _, output = run("mypy", "--strict", "user.py", folder=tmp_path)
    errors = [line.partition("error: ")[2] for line in output.splitlines() if "error:" in line]
    assert errors == [
        'Unexpected keyword argument "max_wait" for "Generator"; did you mean "max_wait_ms"?  [call-arg]',
        'Unexpected keyword argument "epoch" for "Generator"  [call-arg]',
        'Unexpected keyword argument "max_wait" for "open" of "Generator"; did you mean "max_wait_ms"?  [call-arg]',
    ], output


def named(name, node):
    """The functions of this name in a module or class."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [one for one in ast.walk(node) if isinstance(one, kinds) and one.name == name]


def arguments_of(function):
    """The arguments as text, without the first one: `self`, `cls` or the kind."""
    return ast.unparse(function.args).partition(", ")[2].removeprefix("/, ")


def test_open_is_declared_with_the_arguments_of_the_constructor():
    folder = Path(polyflake.__file__).parent
    pages = [ast.parse((folder / f"{page}.py").read_text()) for page in ("generator", "_uuids", "_sources")]
    classes = {node.name: node for page in pages for node in ast.walk(page) if isinstance(node, ast.ClassDef)}
    declared = [(name, one) for name, node in classes.items() for one in named("open", node)]
    declared += [(ast.unparse(one.returns), one) for one in named("open", pages[-1])]
    compared = [(name, arguments_of(one)) for name, one in declared if name in classes and not one.args.kwarg]
    assert [name for name, _ in compared] == ["Generator", "Uuid7", "Uuid7", "Uuid4", "ObjectIds"]
    for name, arguments in compared:
        assert arguments == arguments_of(named("__init__", classes[name])[0])


def test_open_of_a_kind_knows_the_options_of_its_class(run, tmp_path):
    (tmp_path / "user.py").write_text("""
import polyflake
good: polyflake.Generator = polyflake.open("snowflake", 7, layout="twitter", max_wait_ms=5)
misspelled: polyflake.Generator = polyflake.open("snowflake", max_wait=5)
of_another_type: polyflake.Generator = polyflake.open("snowflake", max_wait_ms="5")
unknown: polyflake.Uuid7 = polyflake.open("uuid7", sequence_spread=5)
""")
    _, output = run("mypy", "--strict", "user.py", folder=tmp_path)
    assert [line.split(":")[1] for line in output.splitlines() if "error:" in line] == ["4", "5", "6"], output


def test_every_public_name_is_known_to_mypy(run, tmp_path):
    (tmp_path / "user.py").write_text(
        "\n".join(["import polyflake", *(f"polyflake.{name}" for name in polyflake.__all__)])
    )
    code, output = run("mypy", "--strict", "user.py", folder=tmp_path)
    assert code == 0, output


def test_the_options_of_a_generator_are_the_parameters_of_its_constructor_that_have_a_name():
    page = (Path(polyflake.__file__).parent / "generator.py").read_text()
    declared = re.search(r"class GeneratorOptions\(.*\n.*\n\n((?: +\w+: .*\n)+)", page)[1]
    parameters = inspect.signature(polyflake.Generator.__init__).parameters.values()
    assert re.findall(r"(\w+): (.*)", declared) == [
        (parameter.name, parameter.annotation) for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY
    ]


def test_every_public_name_has_documentation():
    for name in (*polyflake.__all__, "open"):
        thing = getattr(polyflake, name)
        if not name.startswith("__"):
            assert thing.__doc__, name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
    for member in ("next_id", "next_id_string", "try_next_id", "fill", "renew", "close", "closed", "worker"):
        assert getattr(polyflake.Generator, member).__doc__, member


def test_the_library_is_silent_and_says_its_version(run_script):
    assert run_script("import polyflake; polyflake.next_id(); polyflake.Generator(1).next_ids(10000)") == ""
    cmake = (Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text()
    assert f"project(polyflake VERSION {polyflake.__version__} " in cmake
