"""Plants a fault in each room and sees that the parts which `./dev test --changed` chooses find it in time.

    python3 planted.py [ROOM ...]

Works in the clone in which it lies, whose sources must be as they were committed, and puts each file back. Prints a line for
each fault with the seconds of the run, builds included; the last line counts the faults that were found within their time.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CORE_S, PACKAGE_S = 300, 180


class Fault(NamedTuple):
    file: str
    right: str
    wrong: str
    at_most_s: int


FAULTS = {
    "bits": Fault("core/src/bits/object_id.cpp", "unix_ms / 1000)", "unix_ms / 1001)", CORE_S),
    "issue": Fault("core/src/issue/claim.cpp", "node.capacity() / 2", "node.capacity() / 4", CORE_S),
    "host": Fault("core/src/host/folder_mark.cpp", "record.used, node + 1", "record.used, node", CORE_S),
    "lease": Fault("core/src/lease/store_url.cpp", "kLongestName = 64", "kLongestName = 63", CORE_S),
    "count": Fault("core/src/count/ceiling.cpp", "Wide{record.next} + 1", "Wide{record.next}", CORE_S),
    "kinds": Fault("core/src/kinds/held_clock.cpp", "behind + kMostRiseMs", "behind", CORE_S),
    "facade": Fault("bindings/facade/layout.cpp", "layout_.first_id(", "layout_.last_id(", CORE_S),
    "cli": Fault("cli/range.cpp", ".last_id(", ".first_id(", PACKAGE_S),
    "server": Fault("server/ids/queue.cpp", "callers.push_back(", "callers.push_front(", PACKAGE_S),
    "bindings/python": Fault("bindings/python/layout.cpp", "Layout::first_id", "Layout::last_id", PACKAGE_S),
    "bindings/node": Fault("bindings/node/layout.cpp", "Layout::first_id", "Layout::last_id", PACKAGE_S),
    "python": Fault("python/polyflake/layout.py", "_native.first_id(", "_native.last_id(", PACKAGE_S),
    "node": Fault("node/layout.js", "native.firstId(", "native.lastId(", PACKAGE_S),
    "java": Fault("java/src/main/java/io/github/polyflake/Layout.java", "handle.firstId(", "handle.lastId(", PACKAGE_S),
}


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def complaint_about(fault: Fault) -> str:
    """Returns what is wrong with the choice; an empty text if the fault was found in time."""
    path = ROOT / fault.file
    text = path.read_text("utf-8")
    if fault.right not in text:
        return f"{fault.file} has no {fault.right}"
    path.write_text(text.replace(fault.right, fault.wrong), "utf-8")
    began = time.monotonic()
    try:
        done = run("./dev", "test", "--changed")
    finally:
        path.write_text(text, "utf-8")
    seconds = time.monotonic() - began
    print(f"        {seconds:.0f} s of {fault.at_most_s}: {done.stdout.splitlines()[-1]}", flush=True)
    if done.returncode == 0:
        return f"no part found it\n{done.stdout}"
    return "" if seconds <= fault.at_most_s else "it was found too late"


def main(names: list[str]) -> int:
    if run("git", "status", "--porcelain").stdout:
        sys.exit("what is not committed would be part of each change")
    found = 0
    for name in names or FAULTS:
        complaint = complaint_about(FAULTS[name])
        print(f"{'FAILED' if complaint else 'ok':<7} {name} {complaint}", flush=True)
        found += not complaint
    print(f"{found} passed, {len(names or FAULTS) - found} failed")
    return 0 if found == len(names or FAULTS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
