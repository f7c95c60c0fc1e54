"""In Java the command line is a library of its own, which a program that issues ids does not load."""

from __future__ import annotations

import re
import subprocess

import pytest
from conftest import ROOT, Entry


def loaded(*command: str) -> str:
    return subprocess.check_output(command, text=True, cwd=ROOT)


def test_a_start_of_java_that_fails_is_one_line(entry):
    if entry.name != "java":
        pytest.skip("the others extract nothing")
    nowhere = Entry(entry.name, [entry.prefix[0], "-Djava.io.tmpdir=/nowhere", *entry.prefix[1:]], entry.home, "")
    result = nowhere.run("presets")
    assert (result.exit_code, result.out) == (1, "")
    assert re.fullmatch(r"polyflake: .* cannot be extracted below java.io.tmpdir .*\n", result.err)


JAVA = """
class Look {
  public static void main(String[] arguments) {
    Runtime.getRuntime().addShutdownHook(new Thread(Look::show));
    if (arguments.length == 0) {
      io.github.polyflake.Polyflake.decode(1);
    } else {
      io.github.polyflake.Main.main(arguments);
    }
  }

  static void show() {
    try {
      System.out.println(java.nio.file.Files.readString(java.nio.file.Path.of("/proc/self/maps")));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
"""


def test_java_loads_it_for_the_command_alone(pytestconfig, tmp_path):
    entries = dict(option.split("=", 1) for option in pytestconfig.getoption("entry"))
    if "java" not in entries:
        pytest.skip("no jar is given")
    program = tmp_path / "Look.java"
    program.write_text(JAVA)
    look = ["java", "-cp", entries["java"].split(" -jar ")[1], str(program)]
    maps = loaded(*look)
    assert "libpolyflake-jni" in maps
    assert "libpolyflake-command" not in maps
    maps = loaded(*look, "--version")
    assert "libpolyflake-command" in maps
