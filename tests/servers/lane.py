"""One direction of one connection through a proxy: bytes wait here as long as the faults of the moment say."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

END = b""


@dataclass
class Faults:
    """What happens to the bytes of a direction, in all connections."""

    delay_s: float = 0.0  # infinite: until there is another
    dropped: bool = False


class Lane:
    """Takes bytes from one side to the other, in order. `arrived` decides about each piece, and calls put() or does not."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        faults: Faults,
        arrived: Callable[[bytes], None],
    ) -> None:
        self.faults = faults
        self.changed = asyncio.Event()  # new bytes or other faults
        self._reader, self._writer, self._arrived = reader, writer, arrived
        self._waiting: deque[tuple[float, bytes]] = deque()

    def put(self, data: bytes) -> None:
        self._waiting.append((time.monotonic(), data))
        self.changed.set()

    async def run(self) -> None:
        """Until the end of the one side has been told to the other. What waits is sent even if its sender has gone."""
        reading = asyncio.ensure_future(self._read())
        try:
            while (data := await self._next()) != END:
                await self._write(data)
            with contextlib.suppress(OSError):
                self._writer.write_eof()
        finally:
            reading.cancel()

    async def _read(self) -> None:
        data = b"?"
        while data != END:
            try:
                data = await self._reader.read(65536)
            except OSError:  # a reset is an end as well
                data = END
            if data == END:
                self.put(END)
            else:
                self._arrived(data)

    async def _next(self) -> bytes:
        while True:
            self.changed.clear()
            left = self._wait_s()
            if left <= 0:
                return self._waiting.popleft()[1]
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), None if left == math.inf else left)

    def _wait_s(self) -> float:
        if not self._waiting:
            return math.inf
        arrived, data = self._waiting[0]
        if data == END and self.faults.dropped:
            return math.inf
        return arrived + self.faults.delay_s - time.monotonic()

    async def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            if not self._writer.is_closing():
                self._writer.write(data)
                await self._writer.drain()
