"""The last line of `./dev test` counts what the runners leave; here is what they leave and what has to come of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import project

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="6" failures="3" disabled="0" skipped="1" hostname="" time="9">
  <testcase name="core_unit" classname="core_unit" status="run"><system-out>[  FAILED  ] no</system-out></testcase>
  <testcase name="core_fork" classname="core_fork" status="fail"><failure message=""/></testcase>
  <testcase name="core_crash" classname="core_crash" status="fail"><failure message="SegFault"/></testcase>
  <testcase name="core_slow" classname="core_slow" status="fail"><failure message="Timeout"/></testcase>
  <testcase name="consumer" classname="consumer" status="run"/>
  <testcase name="elsewhere" classname="elsewhere" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>
"""
UNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="0" disabled="1" errors="0" name="AllTests"><testsuite name="Layout" tests="4">
  <testcase name="packs" status="run" result="completed" classname="Layout" />
  <testcase name="unpacks" status="run" result="completed" classname="Layout" />
  <testcase name="elsewhere" status="run" result="skipped" classname="Layout"><skipped message="why"/></testcase>
  <testcase name="DISABLED_never" status="notrun" result="suppressed" classname="Layout" />
</testsuite></testsuites>
"""
FORK = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="2" name="AllTests"><testsuite name="Fork" tests="3">
  <testcase name="child" status="run" result="completed" classname="Fork" />
  <testcase name="grandchild" status="run" classname="Fork"><failure message="1"/><failure message="2"/></testcase>
  <testcase name="twin" status="run" classname="Fork"><failure message="1"/></testcase>
</testsuite></testsuites>
"""
PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="2" tests="5">
  <testcase classname="test_layout" name="test_packs"/>
  <testcase classname="test_layout" name="test_unpacks"><failure message="assert 1 == 2">E</failure></testcase>
  <testcase classname="test_layout" name="test_cleans"><error message="failed on teardown">E</error></testcase>
  <testcase classname="test_layout" name="test_there"><skipped type="pytest.skip" message="why"/></testcase>
  <testcase classname="test_layout" name="test_one_day"><skipped type="pytest.xfail" message="why"/></testcase>
</testsuite></testsuites>
"""
NODE = """<?xml version="1.0" encoding="utf-8"?>
<testsuites>
  <testcase name="packs" time="0.1" classname="test"/>
  <testcase name="unpacks" time="0.1" classname="test" failure="\x1b[31m1"><failure message="\x1b[31m1">E</failure></testcase>
  <testcase name="one day" time="0.1" classname="test"><skipped type="todo" message="true"/></testcase>
  <testsuite name="threads" tests="2" failures="0"><testcase name="one"/><testcase name="two"/></testsuite>
  <testcase name="tests/node/crash.test.mjs" classname="test" failure="test failed"><failure message="failed"/></testcase>
  <!-- tests 7 -->
</testsuites>
"""
SUREFIRE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="io.github.polyflake.VectorsTest" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="surefire.test.class.path" value="x"/></properties>
  <testcase name="packs" classname="io.github.polyflake.VectorsTest"><system-out>2 passed, 1 failed</system-out></testcase>
  <testcase name="unpacks" classname="io.github.polyflake.VectorsTest"><failure type="E">E</failure></testcase>
  <testcase name="closes" classname="io.github.polyflake.VectorsTest"><error type="E">E</error></testcase>
  <testcase name="there" classname="io.github.polyflake.VectorsTest"><skipped message="why"/></testcase>
</testsuite>
"""
ALL_OF_CTEST = {"ctest-beside.xml": CTEST, "googletest/core_unit.xml": UNIT, "googletest/core_fork.xml": FORK}
CASES = (  # results, log, exit code, passed failed skipped
    (ALL_OF_CTEST, "", 8, "4 4 2"),  # GoogleTest's 2 and 1 and a consumer; its 2, a crash and a timeout
    ({**ALL_OF_CTEST, "googletest/core_crash.xml": UNIT}, "", 8, "6 4 3"),  # a crash after the last test
    ({**ALL_OF_CTEST, "googletest/core_fork_1.xml": FORK}, "", 8, "4 4 2"),  # what a copy of the program wrote
    ({"python.xml": PYTEST}, "", 1, "1 2 2"),
    ({"node.xml": NODE}, "", 1, "3 2 1"),
    ({"TEST-io.github.polyflake.VectorsTest.xml": SUREFIRE}, "", 1, "1 2 1"),
    ({"TEST-a.xml": SUREFIRE, "TEST-b.xml": SUREFIRE}, "", 1, "2 4 2"),
    ({"node.xml": NODE, "python.xml": PYTEST}, "x\n3 passed, 0 failed\n", 1, "7 4 3"),
    ({"python.xml": PYTEST[:-40]}, "", 2, "0 1 0"),  # a runner that was killed while it wrote
    ({}, "40 passed, 3 failed\n\x1b[0m6 passed, 1 failed\n", 1, "6 1 0"),
    ({}, "    6 passed, 1 failed\nabout 6 passed, 1 failed\n", 0, "1 0 0"),
    ({}, "12 passed, 0 failed\n", 1, "12 1 0"),  # a runner that fails without naming a test
    ({"ctest.xml": UNIT}, "", 8, "2 1 1"),
    ({}, "", 0, "1 0 0"),
    ({"windows.xml": '<testsuite><testcase name="windows"><skipped/></testcase></testsuite>'}, "", 0, "0 0 1"),
    ({}, "bash: command not found\n", 127, "0 1 0"),
)


def counted(results: dict[str, str], log: str, exit_code: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**results, "log": log}.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="ascii")
        command = [sys.executable, project.ROOT / "tools/dev/count.py", str(exit_code), folder, path]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def check_what_all_runners_leave_is_counted_right():
    for results, log, exit_code, wanted in CASES:
        found = counted(results, log, exit_code)
        if found != wanted:
            yield f"counted {found}, not {wanted}: exit code {exit_code}, {list(results)}, {log!r}"
