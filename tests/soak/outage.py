"""Services on an event loop while their store is stopped: how long the loop stalls, and what requests get.

    python3 outage.py [SECONDS] [--rate N]

A service in Python (asyncio) and one in Node share a namespace of a real Redis. Each takes N requests a second, 200 by
default; a request awaits one id. The server is stopped (SIGSTOP) for so many seconds, 60 by default, and goes on. Prints for
each service the ids, the codes, the longest stall of the loop, the longest request, and when ids came back; the last line
counts the facts that held, and the exit code is 1 when one did not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from issuers import ROOT

from polyflake.stores import init_namespace

sys.path.insert(0, str(ROOT / "tests"))
from servers import Redis

HERE = Path(__file__).parent
BEFORE_S, AFTER_S = 5, 8
TICK_S = 0.005
SERVICES = {
    "asyncio": [sys.executable, str(HERE / "outage_service.py")],
    "node": ["node", str(HERE / "outage_service.mjs")],
}
STALL_MS, REQUEST_MS, BACK_MS = 50, 1100, 2000


class Machine:
    """Sleeps, and notes how late the machine was to wake: no service can be earlier than that."""

    stall_ms = 0.0

    def sleep(self, seconds: float) -> None:
        last, end = time.monotonic(), time.monotonic() + seconds
        while last < end:
            time.sleep(TICK_S)
            now = time.monotonic()
            self.stall_ms = max(self.stall_ms, (now - last - TICK_S) * 1000)
            last = now


def facts_of(figures: dict[str, Any], seconds: int, late_ms: float) -> dict[str, bool]:
    answered = figures["ids"] + sum(figures["codes"].values())
    return {
        "every request was answered": answered == figures["requests"],
        "the codes are store_unavailable": set(figures["codes"]) == ({"store_unavailable"} if seconds > 12 else set()),
        f"no stall is longer than {STALL_MS} ms": figures["stall_ms"] <= STALL_MS + late_ms,
        f"no request takes longer than {REQUEST_MS} ms": figures["request_ms"] <= REQUEST_MS + late_ms,
        f"ids are back within {BACK_MS} ms": figures["back_ms"] <= BACK_MS + late_ms,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seconds", nargs="?", type=int, default=60)
    parser.add_argument("--rate", type=int, default=200, help="requests a second")
    options = parser.parse_args()
    machine = Machine()
    with Redis() as server:
        url = f"redis://127.0.0.1:{server.port}?namespace=orders"
        init_namespace(url, fresh=True)
        services = {
            name: subprocess.Popen(
                [*command, url, str(options.rate)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for name, command in SERVICES.items()
        }
        try:
            assert all(one.stdout.readline() == "open\n" for one in services.values())
            machine.sleep(BEFORE_S)
            server.pause()
            machine.sleep(options.seconds)
            server.resume()
            for one in services.values():
                one.stdin.write("healed\n")
                one.stdin.flush()
            machine.sleep(AFTER_S)
            ends = {name: one.communicate("end\n")[0] for name, one in services.items()}
        finally:
            for one in services.values():
                one.kill()
                one.wait()
    print(f"the machine was up to {machine.stall_ms:.0f} ms late, which the facts allow for")
    held = told = 0
    for name, end in ends.items():
        figures = json.loads(end)
        print(
            f"{name:8} {figures['requests']} requests, {figures['ids']} ids, {json.dumps(figures['codes'])}; longest stall "
            f"{figures['stall_ms']:.0f} ms, longest request {figures['request_ms']:.0f} ms, ids again after "
            f"{figures['back_ms']:.0f} ms"
        )
        for fact, holds in facts_of(figures, options.seconds, machine.stall_ms).items():
            told, held = told + 1, held + holds
            if not holds:
                print(f"         not so: {fact}")
    print(f"{held} passed, {told - held} failed")
    return 0 if held == told else 1


if __name__ == "__main__":
    sys.exit(main())
