"""Scripts in processes that fork from one that has loaded Polyflake and the clients of stores.

To load them takes longer than most scripts. That process has opened nothing, and runs no threads.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["forked", "polyflake", "kazoo.client", "psycopg", "pymysql", "redis"])


class Forked:
    """A process that runs a script as `python -c` does. Its standard input is open until communicate()."""

    def __init__(self, script: str, *words: str):
        self._error = tempfile.NamedTemporaryFile("r")  # noqa: SIM115 - it lives as long as this
        theirs, self._stdin = _FORKS.Pipe(duplex=False)
        self._process = _FORKS.Process(target=_run, args=(script, words, theirs, self._error.name))
        self._process.start()
        theirs.close()
        self.pid = self._process.pid

    def communicate(self) -> tuple[None, str]:
        """Ends the standard input, waits for the end of the process, and returns its standard error."""
        self._stdin.close()
        self._process.join()
        self._error.seek(0)
        return None, self._error.read()


def _run(script, words, stdin, error) -> None:
    sys.stdin = os.fdopen(stdin.fileno(), closefd=False)
    with open(error, "w") as file:
        os.dup2(file.fileno(), 2)
    sys.argv[:] = ["-c", *words]
    exec(script, {"__name__": "__main__"})
