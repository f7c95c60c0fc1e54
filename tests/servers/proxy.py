"""A TCP proxy before a server, with faults that a test switches while it runs."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Coroutine
from typing import Any, Self

from .port import Port
from .relay import Relay

MOST_DELAY_MS = 60_000
FAULTS = ("drop", "delay", "hold", "refuse", "cut", "duplicate", "swap")


class Proxy:
    """Listens on a port of its own and connects to `to_port` of this host. Each fault is in force when its call returns.

    Faults add up; heal() ends them all. A direction is "requests", to the server, or "replies"; None: both. To drop one
    direction makes a half-open connection. Thread safety: any thread may call anything.
    """

    def __init__(self, to_port: int) -> None:
        self._port = Port()
        self._relay = Relay(self._port.number, to_port)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.heal()

    @property
    def port(self) -> int:
        return self._port.number

    @property
    def connections(self) -> int:
        """How many it has accepted so far."""
        return self._relay.accepted

    def heal(self) -> None:
        """No fault. What waits goes at once; what was dropped stays lost."""
        self._do(self._relay.heal())

    def drop(self, direction: str | None = None) -> None:
        """Swallows bytes and the ends of connections, and keeps connections. The ends are told when it is healed."""
        self._do(self._relay.set_faults(checked(direction), dropped=True))

    def delay(self, ms: float, direction: str | None = None) -> None:
        """Each piece comes so much later, up to a minute, even if its sender has gone meanwhile."""
        if not 0 <= ms <= MOST_DELAY_MS:
            raise ValueError(f"a delay of {ms} ms: it is from 0 to {MOST_DELAY_MS}")
        self._do(self._relay.set_faults(checked(direction), delay_s=ms / 1000))

    def hold(self, direction: str | None = None) -> None:
        """Keeps bytes until heal(), as a network does that is cut for a while and then sends again what was lost."""
        self._do(self._relay.set_faults(checked(direction), delay_s=math.inf))

    def refuse(self) -> None:
        """New connections are refused, as if nothing listened. Those that there are go on: see cut()."""
        self._do(self._relay.refuse())

    def cut(self) -> None:
        """Resets all connections that there are, on both sides. New ones are accepted."""
        self._do(self._relay.cut())

    def duplicate(self) -> None:
        """The next request is sent once more when its reply begins. The client gets the second reply, too."""
        self._do(self._relay.duplicate())

    def swap(self) -> None:
        """The next two replies, of one connection or of two, change places. A reply is what comes in one piece."""
        self._do(self._relay.swap())

    def command(self, line: str) -> None:
        """A fault as text, `pass` for heal(): "delay 500 replies", "drop requests". Errors: ValueError."""
        name, *words = line.split() or [""]
        if name not in (*FAULTS, "pass"):
            raise ValueError(f"there is no fault {name!r}, but: pass {' '.join(FAULTS)}")
        method = self.heal if name == "pass" else getattr(self, name)
        arguments: list[Any] = [
            float(word) if number == 0 and name == "delay" else word for number, word in enumerate(words)
        ]
        try:
            inspect.signature(method).bind(*arguments)
        except TypeError as error:
            raise ValueError(f"{line}: {error}") from error
        method(*arguments)

    def close(self) -> None:
        """Resets all connections and ends. A second call does nothing."""
        if self._loop.is_closed():
            return
        self._do(self._relay.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, change: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(change, self._loop).result()


def checked(direction: str | None) -> str | None:
    if direction not in (None, "requests", "replies"):
        raise ValueError(f"a direction is requests or replies, not {direction}")
    return direction
