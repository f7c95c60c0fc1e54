"""A starting process makes a namespace a second time after it was deleted by hand under a holder."""

from __future__ import annotations

import pytest
from by_hand import KINDS, delete_namespace
from patience import HANGS_S
from refusals import code_of
from servers.waiting import within

import polyflake
from polyflake import Generator
from polyflake.stores import init_namespace

WINDOW_MS, TOLERANCE_MS = 3000, 100
FIRST_ID = "import sys, polyflake; print(polyflake.Generator(sys.argv[1]).next_id())"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.scheme)
def test_the_first_id_of_a_namespace_made_a_second_time_is_after_the_window_of_before(kind, run_script):
    with kind() as server:
        namespace = "deleted"
        url = f"{server.url}?namespace={namespace}&window_ms={WINDOW_MS}&tolerance_ms={TOLERANCE_MS}"
        init_namespace(url, fresh=True)
        with Generator(url) as holder:
            before = holder.next_ids(1000)
            delete_namespace(server, namespace)
            # Nothing that it asked for is on its way any more.
            assert within(HANGS_S, lambda: code_of(holder.renew) in ("namespace_not_initialised", "lease_lost"))
            until_ms = holder.stats().until_ms
            first = int(run_script(FIRST_ID, f"{url}&auto_init=1"))
            assert polyflake.decode(first).time_ms >= until_ms
            assert first not in before
