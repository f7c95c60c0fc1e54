"""Errors: one class per kind, the code of the core unchanged, and safe to hand between processes."""

from __future__ import annotations

import copy
import pickle

import pytest

import polyflake
from polyflake import _core, errors

KINDS = {
    "argument": polyflake.BadArgumentError,
    "clock": polyflake.ClockError,
    "worker": polyflake.WorkerError,
    "state": polyflake.StateError,
    "lease": polyflake.LeaseError,
}
TABLE = _core.error_kinds()


@pytest.mark.parametrize("code", TABLE)
def test_every_code_of_the_core_has_its_class(code):
    with pytest.raises(polyflake.PolyflakeError, match=rf"^{code}: a message$") as raised:
        _core.fail(code, "a message")
    assert type(raised.value) is KINDS[TABLE[code]]
    assert raised.value.code == code and raised.value.args == ("a message",)
    assert raised.value.kind == TABLE[code]


def test_the_table_in_the_documentation_is_that_of_the_core():
    rows, name = {}, ""
    for line in (errors.__doc__ or "").splitlines():
        first, _, rest = line.partition(" ")
        if first in {kind.__name__ for kind in KINDS.values()}:
            name, line = first, rest
        if name and not line.startswith("="):
            rows.setdefault(name, set()).update(word.strip(",") for word in line.split())
        elif line.startswith("="):
            name = ""
    expected = {}
    for code, kind in TABLE.items():
        expected.setdefault(KINDS[kind].__name__, set()).add(code)
    assert rows == expected


def test_bad_arguments_are_value_errors_and_nothing_else_is():
    assert [kind for kind, error in KINDS.items() if issubclass(error, ValueError)] == ["argument"]
    assert all(issubclass(error, polyflake.PolyflakeError) for error in KINDS.values())


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_can_be_copied_and_pickled(duplicate):
    error = polyflake.ClockError("the clock is behind", "clock_behind")
    error.hint = "wait"
    twin = duplicate(error)
    assert (type(twin), str(twin), twin.code, twin.hint) == (type(error), str(error), "clock_behind", "wait")
    assert twin.kind == error.kind == "clock"


def test_what_is_no_failure_of_the_library_is_no_error_of_the_library():
    with pytest.raises(RuntimeError) as raised:
        _core.fail("no_such_code", "a message")
    assert not isinstance(raised.value, polyflake.PolyflakeError)
