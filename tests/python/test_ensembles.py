"""Ensembles of three that split: they keep every write that they confirmed, and so no id is repeated."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress

import pytest
from issuers import SHORT, equal_ids, holders
from patience import HANGS_S
from servers import Etcd, Galera, ServerError, ZooKeeper, start_all
from servers.waiting import within

from polyflake import PolyflakeError
from polyflake.stores import init_namespace

pytestmark = pytest.mark.usefixtures("patient_close")
# Fewer node ids than processes on both sides: those of the new side take over.
FOUR_NODE_IDS = "timestamp:41 worker:2 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"


@contextmanager
def ensemble(kind):
    """The leader of three members, and the others."""
    with ExitStack() as stack:
        members = kind.ensemble(3)
        for member in members:
            stack.callback(member.close)
        start_all(members)
        leaders = []
        assert within(HANGS_S, lambda: leaders.extend(filter(leads, members)) or leaders)
        yield leaders[0], [member for member in members if member is not leaders[0]]


def leads(member):
    with suppress(OSError, ServerError):
        return member.leads()


def confirms(member, place, **options):
    """Returns the uuid if it makes the namespace or has it; on a busy machine it may lack its majority just then."""
    with suppress(PolyflakeError):
        return init_namespace(f"{member.url}{place}", **options)


def node_ids(of_each):
    return {id >> 12 & 3 for ids in of_each for id in ids}


@pytest.mark.parametrize("kind", [Etcd, ZooKeeper, Galera])
def test_a_leader_that_lost_its_majority_and_comes_back_repeats_no_id(kind, namespace, tmp_path, capsys):
    """Holders of its side issue to the end of their windows, and what they asked for meanwhile is answered later."""
    place = f"?namespace={namespace}"
    with ensemble(kind) as (leader, others):
        assert within(HANGS_S, lambda: confirms(leader, f"{place}{SHORT}", layout=FOUR_NODE_IDS, fresh=True))
        old = holders(f"{leader.url}{place}", tmp_path, "old", layout=FOUR_NODE_IDS)
        for other in others:
            other.pause()
        cut_off = [one.count() for one in old]
        assert within(HANGS_S, lambda: all(one.count() > count for one, count in zip(old, cut_off)))
        leader.pause()
        for other in others:
            other.resume()
        assert within(HANGS_S, lambda: any(map(leads, others)))
        new = holders(f"{others[0].url}{place}", tmp_path, "new", 5000, FOUR_NODE_IDS)
        leader.resume()
        assert within(HANGS_S, lambda: confirms(leader, f"{place}2"))
        of_old, of_new = ([one.end()[0] for one in side] for side in (old, new))
    assert node_ids(of_old) & node_ids(of_new)
    equal, of = equal_ids([*of_old, *of_new])
    with capsys.disabled():
        print(f"\n{kind.name}, a leader without a majority: {equal} of {of} ids equal")
    assert equal == 0
