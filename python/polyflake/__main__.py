"""The command line: ``python -m polyflake``, and the script ``polyflake``.

The core (cli/) does the work; this module answers its requests for stores, with the clients of
Python.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from polyflake import stores
from polyflake._core import Command
from polyflake.errors import PolyflakeError
from polyflake.generator import Generator

TYPE_CHECKING = False  # typing is not imported: see values.py
if TYPE_CHECKING:
    from typing import Any

# Signals that end the command, except SIGKILL. None on Windows: a thread cannot wait for them
# there.
_STOPS = {signal.SIGINT, signal.SIGTERM} if hasattr(signal, "pthread_sigmask") else set()


class Host:
    """Carries out requests (cli/command.hpp)."""

    def __init__(self) -> None:
        self._generator: Generator | None = None
        self._at_work = threading.Lock()

    def carry_out(self, operation: str, store: str, layout: str, arguments: list[str]) -> list[list[str]]:
        rows: list[list[str]] = []
        if operation == "next":
            with self._at_work:
                if self._generator is None:
                    self._give_back_at_a_stop()
                    self._generator = Generator(store, layout=layout)
                rows = [[str(id)] for id in self._generator.next_ids(int(arguments[0]))]
        elif operation == "leases":
            rows = [[str(one.node), str(one.until_ms), one.label] for one in stores.leases(store, layout=layout)]
        elif operation == "init":
            rows = [[stores.init_namespace(store, layout=layout, fresh=arguments == ["fresh"])]]
        elif operation == "counters":
            rows = [[_text(member) for member in one] for one in stores.counters(store)]
        elif operation == "init_counter":
            _init_counter(store, [argument.split("=", 1) for argument in arguments])
        elif operation == "raise_counter":
            name, after, period = arguments
            stores.raise_counter(store, name, after=int(after), period=int(period) if period else None)
        elif operation in ("raise_floor", "lower_floor"):
            stores.raise_floor(store, layout=layout, time_ms=int(arguments[0]), lower=operation == "lower_floor")
        else:
            raise NotImplementedError(operation)
        return rows

    def close(self) -> None:
        if self._generator is not None:
            self._generator.close()

    def _give_back_at_a_stop(self) -> None:
        """Makes SIGINT and SIGTERM give the node id back before they end the process as always.

        A thread waits for them: Python runs no handler while the command is in a call.
        """
        if _STOPS:
            signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)  # in this thread and in later ones
            threading.Thread(target=self._await_a_stop, daemon=True).start()

    def _await_a_stop(self) -> None:
        stop = signal.sigwait(_STOPS)
        # a second signal ends the process at once
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
        # never released: a closed generator answers no request
        if self._at_work.acquire(timeout=1):
            self.close()
        os.kill(os.getpid(), stop)


def _text(member: object) -> str:
    """Returns a member of a state in the words of cli/command.hpp."""
    if isinstance(member, bool):
        return "true" if member else "false"
    return "" if member is None else str(member)


def _init_counter(store: str, arguments: list[list[str]]) -> None:
    options: dict[str, Any] = {
        name: int(value) if name in ("after", "rate", "burst", "top", "digits") else value
        for name, value in arguments
        if name != "name"
    }
    stores.init_counter(store, [value for name, value in arguments if name == "name"], **options)


def answer(command: Command, host: Host, request: tuple[str, str, str, list[str]]) -> None:
    """Carries out a request, and tells the command the result."""
    try:
        rows = host.carry_out(*request)
    except PolyflakeError as error:
        command.fail(error.code, error.args[0])
    except Exception as error:  # of a client, or of one that is not installed
        command.fail("", f"{type(error).__name__}: {error}")
    else:
        command.deliver(rows)


def main() -> int:
    """Runs the command of ``sys.argv``; returns its exit code."""
    # the command does not return to Python for a handler
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    command = Command([os.fsencode(argument) for argument in sys.argv[1:]])
    host = Host()
    try:
        while (request := command.step()) is not None:
            answer(command, host, request)
    finally:
        host.close()
    return command.exit_code


if __name__ == "__main__":
    sys.exit(main())
