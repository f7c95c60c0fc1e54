"""What the core says once after an opening becomes a RuntimeWarning that names the line which opened."""

from __future__ import annotations

import asyncio
import inspect
import os
import warnings

import pytest
from conftest import NOW_MS

from polyflake import Generator, ManualClock, _core

TEXT = "other containers issue the same ids"


@pytest.fixture(autouse=True)
def text_for_one(monkeypatch):
    texts = [TEXT]
    monkeypatch.setattr(_core, "take_warning", lambda: texts.pop() if texts else "")


def warnings_of(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return caught


def the_line_of(function):
    lines, first = inspect.getsourcelines(function)
    return first + next(number for number, line in enumerate(lines) if "HERE" in line)


def open_plainly():
    Generator(1, clock=ManualClock(NOW_MS))  # HERE


def open_a_class_of_ones_own():
    class Mine(Generator):
        def __init__(self):
            super().__init__(1, clock=ManualClock(NOW_MS))  # HERE

    Mine()


def open_in_a_coroutine():
    async def run():
        await Generator.open(1, clock=ManualClock(NOW_MS))  # HERE

    asyncio.run(run())


@pytest.mark.parametrize("opening", [open_plainly, open_a_class_of_ones_own, open_in_a_coroutine])
def test_a_warning_names_the_line_that_opens(opening):
    (warning,) = warnings_of(opening)
    assert (warning.category, str(warning.message)) == (RuntimeWarning, TEXT)
    assert (warning.filename, warning.lineno) == (__file__, the_line_of(opening))
    assert warnings_of(opening) == []


def test_a_second_process_with_the_same_number_is_told_once(run_script):
    layout = f"timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.{os.getpid() % 1000:03}Z"
    with pytest.warns(RuntimeWarning, match=TEXT):
        first = Generator(77, layout=layout)
    run_script(
        """
import sys, warnings
from polyflake import Generator
warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as caught:
    Generator(78, layout=sys.argv[1]).next_id()
    assert caught == []
    Generator(77, layout=sys.argv[1]).next_id()
    (warning,) = caught
    assert "has opened node id 77 of this layout by its number, too" in str(warning.message)
    Generator(77, layout=sys.argv[1])
    assert len(caught) == 1
""",
        layout,
    )
    first.close()


def test_a_warning_of_the_default_generator_names_the_line_of_the_first_id(run_script):
    printed = run_script(
        """
import warnings, polyflake
texts = ["copies"]
polyflake._core.take_warning = lambda: texts.pop() if texts else ""
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    polyflake.next_id()
    polyflake.next_id()
print(len(caught), caught[0].filename == __file__, caught[0].lineno)
"""
    )
    assert printed.split() == ["1", "True", "7"]
