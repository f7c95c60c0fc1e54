"""A port of this host that stays ours while the server behind it is down."""

from __future__ import annotations

import contextlib
import random
import socket
from pathlib import Path

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
LOWEST = 10_240


class Port:
    """The number of a free port of 127.0.0.1.

    Other tests of this kind do not take it: an abstract socket of its name is bound until close(), or until this process
    ends. The system does not give it to outgoing connections: it is below those that it gives.
    """

    def __init__(self) -> None:
        below = max(int(RANGE.read_text().split()[0]), LOWEST + 1000)
        for _ in range(1000):
            self.number = random.randrange(LOWEST, below)
            self._claim = socket.socket(socket.AF_UNIX)
            with contextlib.suppress(OSError), socket.socket() as trial:
                self._claim.bind(f"\0polyflake-test-port-{self.number}")
                trial.bind(("127.0.0.1", self.number))
                return
            self._claim.close()
        raise OSError(f"no port is free from {LOWEST} to {below}")

    def close(self) -> None:
        self._claim.close()
