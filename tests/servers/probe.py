"""Requests to a store as tests/core/store_probe.cpp makes them, carried by the adapter of Python."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

from polyflake._store_session import StoreSession

PROGRAM = Path(__file__).resolve().parents[2] / "build/cpp/tests/core/polyflake_store_probe"


class Probe:
    """One process that asks the store, over connections of its own. Thread safety: one call at a time."""

    def __init__(self, store: Any, timeout_s: float) -> None:
        self._program = subprocess.Popen(
            [PROGRAM, store.address.kind, store.placeholder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._sessions = defaultdict(lambda: StoreSession(self, store, timeout_s))  # type: ignore[arg-type]
        self._asked: dict[str, Any] = {}

    def ask(self, **request: Any) -> Any:
        """Returns the result of a request. Errors: ConnectionError."""
        self._say(request)
        assert self._program.stdout
        for line in self._program.stdout:
            self._asked = json.loads(line)
            if "result" in self._asked:
                return self._asked["result"]
            if "error" in self._asked:
                raise ConnectionError(self._asked["error"])
            self._sessions[self._asked["client"]].step()
        raise ConnectionError(f"{PROGRAM} has ended")

    def close(self) -> None:
        for session in self._sessions.values():
            session.disconnect()
        self._program.communicate()

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _say(self, line: dict[str, Any]) -> None:
        assert self._program.stdin
        self._program.stdin.write(json.dumps(line) + "\n")
        self._program.stdin.flush()

    # The adapter calls these, as those of a session of the core.

    def step(self) -> tuple[str, int, str, list[list[str]], int]:
        return "command", 0, self._asked["name"], self._asked["parts"], 0

    def setup(self) -> list[str]:
        return self._asked["setup"]

    def deliver(self, _: int, rows: Any) -> bool:
        self._say({"rows": [list(row) for row in rows]})
        return True

    def fail(self, _: int, code: str, reason: str) -> None:
        self._say({"code": code, "reason": reason})
