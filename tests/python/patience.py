"""Patience with a busy machine.

At its end a lease has half a second to give its node id back. A test of what is given back must not
depend on how fast the machine is.
"""

from __future__ import annotations

from servers.waiting import within

from polyflake import PolyflakeError

HANGS_S = 60  # what has not come about by then never does

# A script that begins with this gives its leases as long to close; so do its forked children.
PATIENT_CLOSE = f"""
from polyflake import _lease_runners, _lease, _lease_asyncio
for _module in (_lease_runners, _lease, _lease_asyncio):
    _module.CLOSING_S = {HANGS_S}
"""


def patiently(call):
    """Returns what the call does, which gives up after some seconds. A busy store may need more."""
    results = []

    def succeeds():
        try:
            results.append(call())
        except PolyflakeError as error:
            assert error.code == "store_unavailable"
            return False
        return True

    assert within(HANGS_S, succeeds)
    return results[0]


def renew(source):
    """Renews the lease of a source."""
    patiently(source.renew)
