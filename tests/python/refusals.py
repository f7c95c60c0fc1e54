"""Expects that calls are refused."""

from __future__ import annotations

import pytest

from polyflake import BadArgumentError, PolyflakeError


def refused(call, kind=BadArgumentError):
    """Returns the error that the call raises, which has to be of this class."""
    with pytest.raises(kind) as raised:
        call()
    return raised.value


def code_of(call):
    return refused(call, PolyflakeError).code
