"""The connections of a proxy and what goes wrong with them; all of it runs in the proxy's event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct

from .lane import Faults, Lane

HOST = "127.0.0.1"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing throws away what waits, and resets
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Link:
    """A client's connection and the one to the server for it."""

    def __init__(self, relay: Relay, client: Streams, server: Streams) -> None:
        self.writers = (client[1], server[1])
        self.request = b""  # what came since duplicate() was called
        self.requests = Lane(client[0], server[1], relay.faults["requests"], lambda data: relay.requested(self, data))
        self.replies = Lane(server[0], client[1], relay.faults["replies"], lambda data: relay.replied(self, data))

    async def run(self) -> None:
        try:
            await asyncio.gather(self.requests.run(), self.replies.run())
        finally:
            for writer in self.writers:
                writer.close()


def reset(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    writer.transport.abort()


class Relay:
    """Accepts connections on one port and takes their bytes to and from another, as the faults of the moment say."""

    def __init__(self, port: int, to_port: int) -> None:
        self.faults = {"requests": Faults(), "replies": Faults()}
        self.accepted = 0
        self._port, self._to_port = port, to_port
        self._links: dict[asyncio.Task[None], Link] = {}
        self._listener: asyncio.Server | None = None
        self._duplicating = self._swapping = False
        self._held: tuple[Lane, bytes] | None = None  # the first of two replies to swap

    async def heal(self) -> None:
        self._duplicating = self._swapping = False
        self._let_held_go()
        await self.set_faults(None, delay_s=0.0, dropped=False)
        if self._listener is None:
            self._listener = await asyncio.start_server(self._accept, HOST, self._port)

    async def set_faults(
        self, direction: str | None, delay_s: float | None = None, dropped: bool | None = None
    ) -> None:
        for each in self.faults if direction is None else (direction,):
            faults = self.faults[each]
            faults.delay_s = faults.delay_s if delay_s is None else delay_s
            faults.dropped = faults.dropped if dropped is None else dropped
        for link in self._links.values():
            link.requests.changed.set()
            link.replies.changed.set()

    async def refuse(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    async def cut(self) -> None:
        for task, link in list(self._links.items()):
            for writer in link.writers:
                reset(writer)
            task.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)

    async def close(self) -> None:
        """Also ends connections that are just being made."""
        await self.refuse()
        await self.cut()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def duplicate(self) -> None:
        self._duplicating = True
        for link in self._links.values():
            link.request = b""

    async def swap(self) -> None:
        self._let_held_go()
        self._swapping = True

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        try:
            server = await asyncio.open_connection(HOST, self._to_port)
        except OSError:
            reset(writer)
            return
        link = Link(self, (reader, writer), server)
        task = asyncio.ensure_future(link.run())
        self._links[task] = link
        task.add_done_callback(self._links.pop)

    def requested(self, link: Link, data: bytes) -> None:
        if self._duplicating:
            link.request += data
        if not self.faults["requests"].dropped:
            link.requests.put(data)

    def replied(self, link: Link, data: bytes) -> None:
        if self._duplicating and link.request:
            self._duplicating = False
            link.requests.put(link.request)
        if self.faults["replies"].dropped:
            return
        if not self._swapping:
            link.replies.put(data)
        elif self._held is None:
            self._held = (link.replies, data)
        else:
            (lane, earlier), self._held, self._swapping = self._held, None, False
            lane.put(data)
            link.replies.put(earlier)

    def _let_held_go(self) -> None:
        if self._held is not None:
            lane, data = self._held
            lane.put(data)
            self._held = None
