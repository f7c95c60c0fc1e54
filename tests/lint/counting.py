"""The last line of `./dev test` counts what the runners say; here is what they say and what has to come of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import project

CTEST = """
1: [==========] 3 tests from 1 test suite ran. (1 ms total)
1: [  PASSED  ] 3 tests.
1/3 Test #1: core_unit ........................   Passed    0.01 sec
2: [  PASSED  ] 4 tests.
2: [  SKIPPED ] 1 test, listed below:
2: [  FAILED  ] 2 tests, listed below:
2/3 Test #2: core_fork ........................***Failed    0.20 sec
3/3 Test #3: consumer .........................   Passed    1.00 sec
"""
CRASHED = """
1/2 Test #1: core_unit ........................***Exception: SegFault  0.01 sec
2: [  PASSED  ] 5 tests.
2/2 Test #2: core_stress ......................***Timeout   9.00 sec
"""
NODE = "# tests 9\n# pass 6\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n"
PYTEST = "...\n3 failed, 40 passed, 2 skipped, 1 error in 12.34s\n"
SUREFIRE = """
[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in io.github.polyflake.VectorsTest
[ERROR] Tests run: 12, Failures: 1, Errors: 2, Skipped: 3
"""
CASES = (  # log, exit code, passed failed skipped
    (CTEST, 8, "8 2 1"),
    (CRASHED, 8, "5 2 0"),
    (NODE, 1, "6 2 1"),
    (PYTEST, 1, "40 4 2"),
    ("200 passed in 61.00s (0:01:01)\n", 0, "200 0 0"),
    (SUREFIRE, 1, "6 3 3"),
    (NODE + "12 passed in 3.1s\n3 passed, 0 failed\n", 1, "21 2 1"),
    ("12 passed in 3.1s\n", 1, "12 1 0"),  # a runner that fails without naming a test
    ("", 0, "1 0 0"),
    ("bash: command not found\n", 127, "0 1 0"),
)


def check_the_logs_of_all_runners_are_counted_right():
    for log, exit_code, wanted in CASES:
        with tempfile.NamedTemporaryFile("w", suffix=".log") as file:
            file.write(log)
            file.flush()
            command = [sys.executable, project.ROOT / "tools/dev/count.py", str(exit_code), file.name]
            found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        if found != wanted:
            yield f"counted {found}, not {wanted}:\n{log}"
