"""Clients that take ids while servers fail, and what must hold for all that they got."""

from __future__ import annotations

import itertools
import ssl
import threading
from collections import Counter

from servers.waiting import within
from wire_clients import CLIENTS, Client, Refused


class Load:
    """Threads that take ids until stop(), each on a connection. One that is lost is replaced by one to the next port."""

    def __init__(
        self,
        protocol: str,
        ports: list[int],
        threads: int = 2,
        timeout_s: float = 60.0,
        tls: ssl.SSLContext | None = None,
        pause_s: float = 0.001,
    ) -> None:
        self.ids: list[list[int]] = []
        self.failures: list[Refused] = []  # besides connections that are refused or end
        self.lost = 0
        self._protocol, self._ports, self._timeout_s = protocol, ports, timeout_s
        self._tls, self._pause_s = tls, pause_s
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(at,), daemon=True) for at in range(threads)]
        for thread in self._threads:
            thread.start()

    def _run(self, at: int) -> None:
        for port in itertools.cycle(self._ports[at % len(self._ports) :] + self._ports[: at % len(self._ports)]):
            if self._ending.is_set():
                return
            try:
                with CLIENTS[self._protocol](port, self._timeout_s, self._tls) as client:
                    self._take(client)
            except OSError:
                self.lost += 1

    def _take(self, client: Client) -> None:
        ids: list[int] = []
        self.ids.append(ids)
        while not self._ending.wait(self._pause_s):
            ids += self._answer(client)

    def _answer(self, client: Client) -> list[int]:
        try:
            return client.take(10)
        except Refused as refusal:
            self.failures.append(refusal)
            return []

    def count(self) -> int:
        return sum(map(len, self.ids))

    def more(self, count: int = 500) -> bool:
        """Returns true if it takes so many more in a minute."""
        before = self.count()
        return within(60, lambda: self.count() >= before + count)

    def stop(self) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()

    def refused(self) -> Counter[str]:
        return Counter(refusal.code for refusal in self.failures)

    def codes(self) -> set[str]:
        return set(self.refused())

    def expect_good(self, *codes: str) -> None:
        """No id came twice, those of a connection rise, and requests were refused for these reasons only."""
        assert self.codes() <= set(codes), self.failures[:3]
        expect_unique(self.ids)


def expect_unique(batches: list[list[int]]) -> None:
    """No id is twice in all lists, and each of them rises."""
    every = [one for ids in batches for one in ids]
    assert len(set(every)) == len(every) > 0
    assert all(ids == sorted(ids) for ids in batches)
