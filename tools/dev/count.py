"""Counts the tests of a part of `./dev test`: prints "passed failed skipped".

    python3 count.py EXIT_CODE RESULTS LOG

RESULTS is a folder with the JUnit XML of the part's runners, one file or more each. ctest knows programs, not tests: its
entry counts as what GoogleTest wrote about the program of that name into RESULTS/googletest, else as one test. The
scripts of this repository end with a line "N passed, M failed" in LOG instead.

A part with none of these is one test, judged by the exit code. A file that cannot be read is a failure, and so is an
exit code that no counted failure explains.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

# Colours, which Maven writes into a log and node into XML, and whatever else XML does not know.
NOT_TEXT = re.compile(r"\x1b\[[0-9;]*m|[\x00-\x08\x0b\x0c\x0e-\x1f]")


def text_of(path):
    return NOT_TEXT.sub("", path.read_text("utf-8", errors="replace"))


def outcome(case):
    if any(case.find(kind) is not None for kind in ("failure", "error")):
        return "failed"
    if case.find("skipped") is not None:
        return "skipped"
    return "disabled" if case.get("status") == "notrun" else "passed"


def cases_of(path):
    """The name and the outcome of each test in a file."""
    try:
        root = ElementTree.fromstring(text_of(path))
    except ElementTree.ParseError:
        return [(path.name, "failed")]
    return [(case.get("name"), outcome(case)) for case in root.iter("testcase")]


def outcomes_of_ctest(results, path):
    for name, said in cases_of(path):
        program = results / "googletest" / f"{name}.xml"
        inside = [within for _, within in cases_of(program)] if program.exists() else [said]
        yield from inside
        if said == "failed" and "failed" not in inside:  # at its end: a sanitizer, a crash
            yield "failed"


def outcomes(results, log):
    for path in sorted(results.glob("*.xml")):
        yield from (
            outcomes_of_ctest(results, path) if path.name.startswith("ctest") else (said for _, said in cases_of(path))
        )
    for passed, failed in re.findall(r"^(\d+) passed, (\d+) failed$", log, re.M)[-1:]:
        yield from ["passed"] * int(passed) + ["failed"] * int(failed)


def main(exit_code, results, log):
    counts = Counter(outcomes(Path(results), text_of(Path(log))))
    if exit_code != 0 and not counts["failed"]:
        counts["failed"] = 1
    if not counts["passed"] + counts["failed"] + counts["skipped"]:
        counts["passed"] = 1
    print(counts["passed"], counts["failed"], counts["skipped"])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
