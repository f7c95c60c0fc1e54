"""Redis with replicas whose primary lives on after a failover: two sides, each with clients, and no id twice."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, contextmanager

from patience import HANGS_S, patiently
from refusals import code_of, refused
from servers import Redis, start_all
from servers.waiting import within

from polyflake import Generator, PolyflakeError
from polyflake.stores import init_namespace, raise_floor

WINDOW_MS, TOLERANCE_MS = 1500, 200
LAYOUT = "timestamp:42 worker:1 sequence:10 tick=1ms epoch=2020-01-01T00:00:00.000Z"  # so few node ids that both sides have the same
BATCH = 32  # ids of a line
ISSUER = f"""
import os, sys, threading, time
import polyflake

def end():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=end, daemon=True).start()
out = open(sys.argv[2], "w", buffering=1)
while True:
    try:
        with polyflake.Generator(sys.argv[1], layout=sys.argv[3]) as generator:
            while True:
                out.write(" ".join(map(str, generator.next_ids({BATCH}))) + "\\n")
                time.sleep(0.002)
    except polyflake.PolyflakeError as error:
        out.write(f"! {{error.code}} {{error}}\\n")
"""


class Issuer:
    """A process that issues without end, and says why it cannot."""

    def __init__(self, server, namespace, path):
        self._path = path
        self._process = subprocess.Popen(
            [sys.executable, "-c", ISSUER, url_of(server, namespace), str(path), LAYOUT], stdin=subprocess.PIPE
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(HANGS_S)

    def lines(self):
        return self._path.read_text().splitlines(keepends=True) if self._path.exists() else []

    def ids(self):
        whole = (line for line in self.lines() if line.endswith("\n") and not line.startswith("!"))
        return [int(word) for line in whole for word in line.split()]

    def count(self):
        """Returns how many ids there are, at less cost than ids()."""
        return BATCH * sum(line.endswith("\n") and not line.startswith("!") for line in self.lines())

    def refusals(self):
        return [line for line in self.lines() if line.startswith("!")]

    def goes_on(self, ms=3 * WINDOW_MS):
        """Blocks until it has issued for so long, or says that it cannot."""
        wanted, refused = self.count() + ids_in(ms), len(self.refusals())
        assert within(2 * HANGS_S, lambda: self.count() > wanted or len(self.refusals()) > refused)
        return self.count() > wanted

    def issues(self, ms=0):
        """Blocks until it has issued for so long; refusals meanwhile do not count."""
        wanted = self.count() + ids_in(ms)
        return within(2 * HANGS_S, lambda: self.count() > wanted)


def ids_in(ms):
    return BATCH * ms // 8  # less than an idle machine issues


def url_of(server, namespace, renew_wait_ms=50):
    return f"{server.url}?namespace={namespace}&acquire_timeout_ms={3 * WINDOW_MS}&renew_wait_ms={renew_wait_ms}"


def equal(*issuers):
    all_ids = [one for issuer in issuers for one in issuer.ids()]
    return len(all_ids) - len(set(all_ids))


@contextmanager
def primary_and(count, window_ms=WINDOW_MS):
    """A primary and so many servers, the first two of which are its replicas; the namespace is there on all three."""
    with ExitStack() as stack:
        servers = [Redis() for _ in range(1 + count)]
        for server in servers:
            stack.callback(server.close)
        start_all(servers)
        primary, *others = servers
        for replica in others[:2]:
            replica.replica_of(primary)
        assert within(HANGS_S, lambda: primary.info("replication")["connected_slaves"] == "2")
        url = f"{primary.url}?namespace=n&window_ms={window_ms}&tolerance_ms={TOLERANCE_MS}"
        init_namespace(url, layout=LAYOUT, fresh=True)
        assert within(HANGS_S, lambda: all(one.ask("EXISTS", "polyflake:{n}:names") for one in others[:2]))
        yield primary, *others


def check_one_side_counts(primary, promoted, stranger, tmp_path):
    """The promoted replica has a server behind it that is not a copy; the old primary and the other replica go on."""
    with Issuer(primary, "n", tmp_path / "old") as old, Issuer(promoted, "n", tmp_path / "new") as new:
        assert old.issues()
        confirmed = new.goes_on()
        assert old.issues(3 * WINDOW_MS)
    assert equal(old, new) == 0
    assert not confirmed
    said = next(line for line in new.refusals() if line.startswith("! store_unavailable"))
    assert f"127.0.0.1:{promoted.port} confirmed" in said
    assert f"127.0.0.1:{primary.port}" in said.partition(" confirmed, ")[2].partition(" did not")[0]
    assert f"not among them: 127.0.0.1:{stranger.port}" in said
    assert "raise_floor(copies=[...])" in said


def test_a_promoted_replica_with_a_newcomer_behind_it_confirms_nothing(tmp_path):
    with primary_and(3) as (primary, promoted, _, newcomer):
        promoted.promote()
        newcomer.replica_of(promoted)
        check_one_side_counts(primary, promoted, newcomer, tmp_path)


def test_a_promoted_replica_with_a_replica_of_its_own_confirms_nothing(tmp_path):
    with primary_and(3) as (primary, promoted, _, behind):
        behind.replica_of(promoted)
        promoted.promote()
        assert within(HANGS_S, lambda: promoted.info("replication")["connected_slaves"] == "1")
        check_one_side_counts(primary, promoted, behind, tmp_path)


def test_ids_flow_through_a_planned_failover(tmp_path):
    with primary_and(2) as (primary, promoted, other), Issuer(primary, "n", tmp_path / "old") as old:
        assert old.issues()
        promoted.promote()
        primary.replica_of(promoted)
        other.replica_of(promoted)
        with Issuer(promoted, "n", tmp_path / "new") as new:
            assert new.issues(3 * WINDOW_MS)
        assert equal(old, new) == 0


def test_a_copy_that_is_pointed_back_at_the_old_primary(tmp_path):
    with primary_and(2) as (primary, promoted, other):
        with Issuer(primary, "n", tmp_path / "old") as old:
            assert old.issues()
            promoted.promote()
            other.replica_of(promoted)
            assert within(2 * HANGS_S, old.refusals)  # so that its node id is free
            with Issuer(promoted, "n", tmp_path / "new") as new:
                assert new.issues()
                for back, at in ((primary, old), (promoted, new), (primary, old)):
                    other.replica_of(back)
                    assert at.issues()
        assert equal(old, new) == 0


def test_a_replica_that_starts_again_stops_no_holder(tmp_path):
    window_ms = 6000  # a busy machine is late for shorter ones
    with primary_and(2, window_ms) as (primary, replica, _), Issuer(primary, "n", tmp_path / "ids") as holder:
        assert holder.issues()
        replica.kill()
        replica.restart()
        replica.follow(primary.port)
        assert within(HANGS_S, replica.is_linked)
        assert holder.goes_on(2 * window_ms)
        assert equal(holder) == 0


def test_one_of_two_copies_alone_confirms_nothing():
    with Redis() as primary, Redis() as replica:
        replica.replica_of(primary)
        url = f"{primary.url}?namespace=n&acquire_timeout_ms=1000&window_ms={WINDOW_MS}"
        init_namespace(url, fresh=True)
        replica.kill()
        assert within(HANGS_S, lambda: primary.info("replication")["connected_slaves"] == "0")
        why = f"127.0.0.1:{primary.port} confirmed, 127.0.0.1:{replica.port} did not"
        # If an answer is late, it says that instead.
        assert within(HANGS_S, lambda: why in str(refused(lambda: Generator(url), PolyflakeError)))
        assert code_of(lambda: Generator(url)) == "store_unavailable"


def test_without_replicas_a_window_takes_as_many_commands_as_it_has_steps():
    with Redis() as server:
        url = f"{server.url}?namespace=n&window_ms=60000"
        init_namespace(url, fresh=True)
        server.ask("CONFIG", "RESETSTAT")
        with Generator(url) as generator:
            generator.next_id()
            server_side = {
                name: int(said.split("=")[1].split(",")[0]) for name, said in server.info("commandstats").items()
            }
        assert server_side["cmdstat_eval"] == 3  # the namespace, a sample of node ids, the write
        assert not {"cmdstat_wait", "cmdstat_client|info", "cmdstat_config|get"} & set(server_side)


def test_an_operator_names_other_copies(tmp_path):
    with primary_and(3) as (primary, replica, lost, newcomer):
        url = url_of(primary, "n")
        lost.kill()
        newcomer.replica_of(primary)
        copies = [f"127.0.0.1:{server.port}" for server in (primary, replica, newcomer)]
        raise_floor(url, layout=LAYOUT, copies=copies)
        assert primary.ask("HGET", "polyflake:{n}:names", "copies") == ",".join(sorted(copies))
        replica.kill()
        with patiently(lambda: Generator(url_of(primary, "n", renew_wait_ms=60_000), layout=LAYOUT)) as generator:
            generator.next_id()
        for wrong in ([], "10.0.0.1:6379", ["10.0.0.1"], ["10.0.0.1:0"], ["10.0.0.1:6379", "127.0.0.1:6379"]):
            assert code_of(lambda wrong=wrong: raise_floor(url, layout=LAYOUT, copies=wrong)) == "option_invalid"


def test_where_primaries_are_fenced_any_replica_counts():
    with Redis() as primary, Redis() as replica, Redis() as newcomer:
        replica.replica_of(primary)
        # A replica says that it follows before its primary lists it.
        assert within(HANGS_S, lambda: primary.info("replication")["connected_slaves"] == "1")
        url = f"{primary.url}?namespace=n&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}"
        init_namespace(url, fresh=True, replicas="fenced")
        assert primary.ask("HGET", "polyflake:{n}:names", "confirm") == "fenced"
        assert within(HANGS_S, lambda: replica.ask("EXISTS", "polyflake:{n}:names"))
        replica.promote()
        newcomer.replica_of(replica)
        with Generator(f"{replica.url}?namespace=n") as generator:
            generator.next_id()
        assert code_of(lambda: init_namespace(url, replicas="some")) == "option_invalid"
        elsewhere = "zookeeper://127.0.0.1:9?namespace=n"
        assert code_of(lambda: init_namespace(elsewhere, replicas="fenced")) == "option_invalid"
