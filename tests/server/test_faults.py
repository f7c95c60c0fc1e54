"""A few rounds of each fault of tests/soak/server.py, which runs longer."""

from __future__ import annotations

import pytest
from server import FAULTS, Fleet

ROUNDS = {"kills": 4, "restarts": 3, "stops": 2, "store": 3, "network": 4, "clocks": 3}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_id_comes_twice(fault: str) -> None:
    with Fleet(fault) as fleet:
        for _ in range(ROUNDS[fault]):
            fleet.round()
        fleet.finish()
    duplicates = fleet.duplicates()
    assert len(duplicates) == 12 and not any(duplicates.values()), duplicates
    assert fleet.falls() == 0
    assert not fleet.other_codes()
