"""The event loop never blocks in a claim: not for the registry of this host, not for a store."""

from __future__ import annotations

from pathlib import Path

from blocked_claims import blocked_claims
from servers import Redis

CLAIMS = 40_000  # in four seconds; a busy machine is late, and leaves none out
PREEMPTED = 1  # the other thread lost its processor while it had a lock for a moment


def test_no_claim_waits_for_a_slow_disk(tmp_path: Path) -> None:
    found = blocked_claims(tmp_path, seconds=4, flush_ms=20)
    assert found["claims"] + found["waits"] == CLAIMS
    assert found["claims"] > CLAIMS // 2
    assert found["blocked"] <= PREEMPTED


def test_the_count_finds_those_that_write(tmp_path: Path) -> None:
    """Without the thread that writes ahead of need."""
    assert blocked_claims(tmp_path, seconds=4, flush_ms=20, keeper=False)["blocked"] > PREEMPTED


def test_no_claim_waits_for_a_store(tmp_path: Path) -> None:
    with Redis() as redis:
        found = blocked_claims(tmp_path, f"{redis.url}/0?namespace=claims&auto_init=1&window_ms=2000", seconds=4)
    assert found["claims"] + found["waits"] == CLAIMS
    assert found["claims"] > CLAIMS // 2
    assert found["blocked"] <= PREEMPTED
