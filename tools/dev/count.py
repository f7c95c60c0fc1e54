"""Counts the tests in the log of a runner: prints "passed failed skipped".

    python3 count.py EXIT_CODE LOG

Knows GoogleTest under `ctest --verbose`, pytest, node:test and Maven's surefire, several of them in one log, and the
line "N passed, N failed". A log with none of these is one test, judged by the exit code; an exit code that no counted
failure explains is one failure more.
"""

import re
import sys

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def of_ctest(lines):
    """One ctest entry is as many tests as the GoogleTest program in it says, else one."""
    passed = failed = skipped = 0
    inside = {}
    for line in lines:
        if found := re.match(r"(\d+): \[  (PASSED|FAILED|SKIPPED) ?\s*\] (\d+) tests?(\.|, listed below)", line):
            inside.setdefault(found[1], {})[found[2]] = int(found[3])
        elif found := re.match(r"\s*\d+/\d+ Test\s+#(\d+): (\S+) [ .]*(\**\w.*?)\s+[\d.]+ sec", line):
            said = inside.get(found[1], {})
            skipped += said.get("SKIPPED", 0)
            if found[3] == "Passed":
                passed += said.get("PASSED", 1)
            elif "Skipped" in found[3]:
                skipped += 1
            else:
                passed += said.get("PASSED", 0)
                failed += max(1, said.get("FAILED", 0))
    return passed, failed, skipped


def of_pytest(lines):
    passed = failed = skipped = 0
    for line in lines:
        if re.match(r"=*\s*(\d+ \w+, )*\d+ \w+ in [\d.]+s", line):
            words = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", line.split(" in ")[0])}
            passed += words.get("passed", 0)
            failed += words.get("failed", 0) + words.get("error", 0) + words.get("errors", 0)
            skipped += words.get("skipped", 0) + words.get("xfailed", 0)
    return passed, failed, skipped


def of_node(lines):
    counts = dict.fromkeys(("pass", "fail", "cancelled", "skipped", "todo"), 0)
    for line in lines:
        if found := re.match(r"(?:#|\u2139) (pass|fail|cancelled|skipped|todo) (\d+)$", line):
            counts[found[1]] += int(found[2])
    return counts["pass"], counts["fail"] + counts["cancelled"], counts["skipped"] + counts["todo"]


def of_surefire(lines):
    """The last line of all is the sum; the lines with a time are single classes."""
    last = (0, 0, 0)
    for line in lines:
        if found := re.search(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$", line):
            run, failures, errors, skipped = map(int, found.groups())
            last = (run - failures - errors - skipped, failures + errors, skipped)
    return last


def of_ours(lines):
    last = (0, 0, 0)
    for line in lines:
        if found := re.match(r"(\d+) passed, (\d+) failed$", line):
            last = (int(found[1]), int(found[2]), 0)
    return last


def main(exit_code, path):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [ANSI.sub("", line.rstrip("\n")) for line in file]
    counts = [count(lines) for count in (of_ctest, of_pytest, of_node, of_surefire, of_ours)]
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    if exit_code != 0 and failed == 0:
        failed = 1
    if passed + failed == 0:
        passed = 1
    print(passed, failed, skipped)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
