"""Runs a command beside servers:  tests/servers/run NAME... -- COMMAND [ARGUMENT ...]

A NAME is redis, zookeeper, etcd, postgresql or mariadb; the second of a name is redis2, and so on. After postgresql it may be
pgbouncer, which leads to that server. They start at once. Their URLs are in the environment of the command:
POLYFLAKE_TEST_REDIS, _ZOOKEEPER, _ETCD, _POSTGRESQL, _MYSQL and _PGBOUNCER, of the second POLYFLAKE_TEST_REDIS2.
POLYFLAKE_TEST_CONTROL is the HOST:PORT where they obey what control.py says. Ends them with the command, and with its status.
Without a command it prints these lines and waits for the end of its input.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, suppress

from . import KINDS, PgBouncer, PostgreSQL, Server, ServerError, start_all
from .control import Control
from .guard import die_with_parent


def named(names: list[str]) -> dict[str, Server]:
    """Servers that have not started. A second one of a name gets its number."""
    count: Counter[str] = Counter()
    servers: dict[str, Server] = {}
    for name in names:
        count[name] += 1
        servers[name if count[name] == 1 else f"{name}{count[name]}"] = made(name, servers)
    return servers


def made(name: str, before: dict[str, Server]) -> Server:
    if name != PgBouncer.name:
        return KINDS[name]()
    server = before["postgresql"]
    assert isinstance(server, PostgreSQL)
    return PgBouncer(server, 20)


def in_variables(server: Server) -> str:
    return (server.name if isinstance(server, PgBouncer) else server.scheme).upper()


def variables(servers: dict[str, Server], control: Control) -> dict[str, str]:
    found = {"POLYFLAKE_TEST_CONTROL": control.address}
    for name, server in servers.items():
        found[f"POLYFLAKE_TEST_{in_variables(server)}{name.removeprefix(server.name)}"] = server.url
    return found


def run(command: list[str], environment: dict[str, str]) -> int:
    """Returns the status of the command; as a shell does if a signal ended it."""
    child = subprocess.Popen(command, env={**os.environ, **environment}, preexec_fn=die_with_parent)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    signal.signal(signal.SIGINT, lambda *_: None)  # the terminal has sent it to the command, too
    status = child.wait()
    return status if status >= 0 else 128 - status


def main() -> int:
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    names, command = words[:at], words[at + 1 :]
    known = [*KINDS, PgBouncer.name]
    if not names or not set(names) <= set(known):
        print(f"{__doc__}\nnot {' '.join(names)}, but: {' '.join(known)}", file=sys.stderr)
        return 2
    if PgBouncer.name in names and "postgresql" not in names[: names.index(PgBouncer.name)]:
        print("pgbouncer needs a postgresql before it", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with ExitStack() as stack:
        servers = named(names)
        for server in servers.values():
            stack.callback(server.close)
        try:
            start_all(servers.values())
        except ServerError as error:
            print(error, file=sys.stderr)
            return 1
        environment = variables(servers, stack.enter_context(Control(servers)))
        if command:
            return run(command, environment)
        print(*(f"{name}={value}" for name, value in environment.items()), sep="\n", flush=True)
        with suppress(KeyboardInterrupt):
            sys.stdin.read()
        return 0


if __name__ == "__main__":
    sys.exit(main())
