"""The fixtures of pytest. Its entry point loads this module, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone

import pytest

from polyflake.clock import ManualClock
from polyflake.testing import frozen

_BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "frozen_ids(time, *, worker, layout): arguments of polyflake.testing.frozen().")


@pytest.fixture
def frozen_ids(request: pytest.FixtureRequest) -> Iterator[ManualClock]:
    """Known ids of polyflake.next_id(): the clock of a polyflake.testing.frozen() around the test.

    It begins at 2026-01-01T00:00:00Z, or at the time of a mark: @pytest.mark.frozen_ids(time).
    """
    mark = request.node.get_closest_marker("frozen_ids")
    arguments = (_BEGIN,) if mark is None or not mark.args else mark.args
    with frozen(*arguments, **({} if mark is None else mark.kwargs)) as clock:
        yield clock
