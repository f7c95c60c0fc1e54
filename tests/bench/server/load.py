"""Runs polyflake_load, and sees that ids also rise from one run to the next."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from measured import Measured
from servers import Redis

Figures = dict[str, Any]  # what polyflake_load prints


class Load:
    """polyflake_load against one polyflaked or Redis, whose CPU time and memory it reports."""

    def __init__(self, program: Path, server: Measured | Redis) -> None:
        self._program, self._server = program, server
        self._largest: dict[str, int] = {}  # by what gives the ids

    def run(self, protocol: str, seconds: float, *options: object) -> Figures:
        """Errors: SystemExit if an id came twice or did not rise, or if the server cannot be reached."""
        return self.end(protocol, self.begin(protocol, seconds, *options))

    def begin(self, protocol: str, seconds: float, *options: object) -> subprocess.Popen[str]:
        """A run beside others; end() takes its figures."""
        server = self._server
        address = server.address(protocol) if isinstance(server, Measured) else f"{server.host}:{server.port}"
        words = ["--protocol", protocol, "--address", address, "--pid", server.pid, "--seconds", seconds, *options]
        return subprocess.Popen(
            [str(self._program), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def end(self, protocol: str, running: subprocess.Popen[str]) -> Figures:
        out, err = running.communicate()
        if running.returncode != 0:
            raise SystemExit(f"{self._server.name} over {protocol}: {err}{out}")
        figures = json.loads(out)
        if "smallest" in figures:
            source = "snowflakes" if protocol == "thrift" else "orders"
            if int(figures["smallest"]) <= self._largest.get(source, 0):
                raise SystemExit(f"{self._server.name} gave {figures['smallest']}, which is not above the run before")
            self._largest[source] = int(figures["largest"])
        return figures
