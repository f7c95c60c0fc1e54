"""Galera: MariaDB in an ensemble whose members confirm together."""

from __future__ import annotations

import os
import re
import subprocess
from typing import ClassVar, Self

from .guarded import ServerError
from .mariadb import MariaDB
from .port import Port
from .server import START_S
from .waiting import within

PROVIDER = "/usr/lib/galera/libgalera_smm.so"
# Two members run this when one joins: the one that gives it the data, and the one that joins. Here all begin with equal
# data of one position, and take what came later from the log.
NOTHING_TO_HAND_OVER = """#!/bin/sh
while [ $# -gt 1 ]; do
  case $1 in --role) role=$2 ;; --address) address=$2 ;; --gtid) gtid=$2 ;; esac
  shift
done
if [ "$role" = joiner ]; then
  echo "ready $address"
  echo "POSITION 0"
else
  echo continue
  echo "done $gtid"
fi
"""


class Galera(MariaDB):
    """A member of an ensemble. It confirms a transaction once every member that it is connected with has it."""

    name: ClassVar[str] = "galera"

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        self._group, self._transfer = Port(), Port()
        self._members: list[Galera] = [self]

    @classmethod
    def ensemble(cls, size: int) -> list[Self]:
        """The members of one ensemble, which start at once: `start_all`. The first one runs once before."""
        members = [cls() for _ in range(size)]
        first = members[0]
        for member in members:
            member._members = list(members)
            member.password = first.password
        first.start()  # makes the state that the others begin with
        first.stop()
        for member in members[1:]:
            member._prepared = True
            member._guarded.write("first.sql", "")
            subprocess.run(["cp", "-a", first.data, member.data], check=True)
        position = ":".join(re.findall(r"^(?:uuid|seqno): +(\S+)", (first.data / "grastate.dat").read_text(), re.M))
        for member in members:
            script = member._guarded.write("wsrep_sst_nothing", NOTHING_TO_HAND_OVER.replace("POSITION", position))
            script.chmod(0o700)
        return members

    def command(self) -> list[str]:
        first = self._members[0]
        cluster = "" if self is first else f"{first.host}:{first._group.number}"
        group = {
            "gmcast.listen_addr": f"tcp://{self.host}:{self._group.number}",
            "ist.recv_addr": f"{self.host}:{self._transfer.number}",
            "evs.keepalive_period": "PT0.5S",
            "evs.suspect_timeout": "PT2S",
            "evs.inactive_timeout": "PT6S",
            "evs.install_timeout": "PT3S",
            "gcache.size": "16M",
        }
        settings = {
            "wsrep-on": "ON",
            "wsrep-provider": PROVIDER,
            "wsrep-cluster-name": "polyflake",
            "wsrep-cluster-address": f"gcomm://{cluster}",
            "wsrep-node-address": f"{self.host}:{self._group.number}",
            "wsrep-provider-options": ";".join(f"{name}={value}" for name, value in group.items()),
            "wsrep-sst-method": "nothing",
            "binlog-format": "ROW",
            "innodb-autoinc-lock-mode": "2",
        }
        return [*super().command(), *(f"--{name}={value}" for name, value in settings.items())]

    def start(self) -> None:
        first = self._members[0]
        if self is not first and not within(START_S, first._answers_now):
            raise ServerError(f"{self.name} has no first member")
        super().start()

    def environment(self) -> dict[str, str]:
        return {"PATH": f"{self.folder}:{os.environ.get('PATH', os.defpath)}"}

    def answers(self) -> bool:
        return super().answers() and self._status("wsrep_ready") == "ON"

    def leads(self) -> bool:
        """Returns True if it is in the majority, as far as it knows: none leads alone. Errors: ServerError."""
        return self._status("wsrep_cluster_status") == "Primary"

    def _status(self, name: str) -> str:
        return self.ask(f"SHOW STATUS LIKE '{name}'").partition("\t")[2]

    def close(self) -> None:
        super().close()
        self._group.close()
        self._transfer.close()
