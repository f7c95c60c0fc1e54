"""The functions of the default generator, and the names under which everything public is known."""

from __future__ import annotations

import builtins
import copy
import importlib
import pickle
import types

import pytest
from conftest import NOW_MS

import polyflake
from polyflake import Generator, ManualClock

SHORTCUTS = ("next_id", "next_id_string")


@pytest.mark.parametrize("name", [*(name for name in polyflake.__all__ if not name.startswith("__")), "open"])
def test_everything_public_is_known_under_the_name_it_is_imported_by(name):
    thing = getattr(polyflake, name)
    assert f"{thing.__module__}.{thing.__qualname__}" == f"polyflake.{name}"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(thing, protocol)) is thing
    assert copy.deepcopy(thing) is thing


@pytest.mark.parametrize("name", SHORTCUTS)
def test_a_name_written_down_leads_back_to_the_function(name):
    function = getattr(polyflake, name)
    assert isinstance(function, types.BuiltinFunctionType)  # no frame of Python between a caller and the id
    assert getattr(importlib.import_module(function.__module__), function.__qualname__) is function


def test_values_and_errors_are_pickled_under_public_names():
    layout, error = polyflake.Layout("twitter"), polyflake.ClockError("the clock is behind", "clock_behind")
    for value in (layout, layout.decode(1), error, Generator(1, clock=ManualClock(NOW_MS)).state()):
        text = pickle.dumps(value, 0)
        assert b"cpolyflake\n" in text
        assert b"polyflake." not in text
        assert str(pickle.loads(text)) == str(value)


def test_ids_of_both_shortcuts_are_of_one_generator_and_rise(run_script):
    run_script(
        """
import polyflake
ids = []
for _ in range(1000):
    ids += [polyflake.next_id(), polyflake.from_text(polyflake.next_id_string())]
assert ids == sorted(set(ids))
assert len({polyflake.decode(id).node for id in ids}) == 1
"""
    )


def test_the_default_generator_can_be_set_before_its_first_use(run_script):
    run_script(
        """
import polyflake
from polyflake import Generator, ManualClock
mine = Generator(77, layout="twitter", clock=ManualClock(1_767_225_600_123))
polyflake.set_default(mine)
polyflake.set_default(mine)
assert polyflake.decode(polyflake.next_id(), "twitter").node == 77
assert polyflake.decode(polyflake.next_id_string(), "twitter").time_ms == 1_767_225_600_123
assert mine.stats().issued == 2
mine.close()
try:
    polyflake.next_id()
except polyflake.StateError as error:
    assert error.code == "generator_closed"
else:
    raise AssertionError
"""
    )


def test_another_default_generator_is_refused_once_there_is_one(run_script):
    run_script(
        """
import polyflake
from polyflake import Generator
def code(generator):
    try:
        polyflake.set_default(generator)
    except polyflake.BadArgumentError as error:
        return error.code
one, other = Generator(1), Generator(2)
for nothing in (None, 1, "host", Generator, object()):
    assert code(nothing) == "option_invalid"
assert code(one) is None
assert code(other) == "option_invalid"
assert polyflake.decode(polyflake.next_id()).node == 1
assert code(other) == code(one) == "option_invalid"
"""
    )


def test_a_default_generator_in_use_cannot_be_replaced(run_script):
    run_script(
        """
import polyflake
polyflake.next_id()
try:
    polyflake.set_default(polyflake.Generator(1))
except polyflake.BadArgumentError as error:
    assert error.code == "option_invalid" and "in use" in str(error)
else:
    raise AssertionError
"""
    )


def test_a_default_generator_that_failed_to_open_is_tried_again(run_script):
    run_script(
        """
import os, polyflake
os.environ["POLYFLAKE_WORKER"] = "banana"
for _ in range(2):
    try:
        polyflake.next_id()
    except polyflake.BadArgumentError as error:
        assert error.code == "worker_source_invalid"
    else:
        raise AssertionError
os.environ["POLYFLAKE_WORKER"] = "7"
assert polyflake.decode(polyflake.next_id()).node == 7
"""
    )


def test_a_signal_handler_may_need_an_id_while_its_thread_opens_the_default_generator(run_script):
    run_script(
        """
import signal, polyflake
from polyflake import _default
ids = []
def handler(*_):
    _default.Generator = polyflake.Generator
    ids.append(polyflake.next_id())
def interrupted():
    signal.raise_signal(signal.SIGALRM)
    return polyflake.Generator()
_default.Generator = interrupted
signal.signal(signal.SIGALRM, handler)
ids.append(polyflake.next_id())
assert len(ids) == 2 and ids[0] < ids[1]
""",
    )


OWN_DEFAULT = """
import polyflake
from polyflake import Generator, ManualClock
now_ms = 1_767_225_600_123
own = "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2024-01-01T00:00:00.000Z"
id = polyflake.Layout(own).encode(time_ms=now_ms, worker=7)
"""


def test_there_is_no_default_generator_before_the_first_id_or_set_default(run_script):
    run_script(
        OWN_DEFAULT
        + """
assert polyflake.default_generator() is None
polyflake.decode(id)
assert polyflake.default_generator() is None
first = polyflake.next_id()
opened = polyflake.default_generator()
assert isinstance(opened, Generator) and polyflake.default_generator() is opened
assert opened.stats().issued == 1 and opened.state().name == "open"
assert opened.next_id() > first
"""
    )


def test_ids_are_decoded_by_the_layout_of_the_default_generator(run_script):
    run_script(
        OWN_DEFAULT
        + """
by_preset = polyflake.decode(id)
assert by_preset == polyflake.decode(id, "polyflake") == polyflake.decode(id, None) and by_preset.time_ms != now_ms
mine = Generator(7, layout=own, clock=ManualClock(now_ms))
polyflake.set_default(mine)
assert polyflake.default_generator() is mine
assert polyflake.decode(id).time_ms == polyflake.decode(str(id)).time_ms == now_ms
assert polyflake.decode(id, "polyflake") == by_preset
assert mine.stats().issued == 0
mine.close()
assert polyflake.default_generator() is mine and polyflake.decode(id).time_ms == now_ms
"""
    )


def test_neither_waits_for_a_thread_that_opens_the_default_generator(run_script):
    run_script(
        OWN_DEFAULT
        + """
import threading
from polyflake import _default
opening, go_on = threading.Event(), threading.Event()
def held_up():
    opening.set()
    assert go_on.wait(600)
    return Generator(7, layout=own, clock=ManualClock(now_ms))
_default.Generator = held_up
thread = threading.Thread(target=polyflake.next_id, daemon=True)
thread.start()
assert opening.wait(600)
assert polyflake.default_generator() is None
assert polyflake.decode(id) == polyflake.decode(id, "polyflake")
go_on.set()
thread.join()
assert polyflake.default_generator().stats().issued == 1
assert polyflake.decode(id).time_ms == now_ms
"""
    )


def test_a_forked_child_has_the_default_generator_of_its_parent(run_script):
    run_script(
        OWN_DEFAULT
        + """
import os
polyflake.set_default(Generator(7, layout=own, clock=ManualClock(now_ms)))
polyflake._default._choosing.acquire()
child = os.fork()
if child == 0:
    known = polyflake.default_generator() is not None and polyflake.decode(id).time_ms == now_ms
    os._exit(0 if known else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    )


def test_importing_everything_hides_no_builtin():
    names = {}
    exec("from polyflake import *", names)
    assert not set(names) & set(dir(builtins))
    assert polyflake.open("uuid4").kind == "uuid4"
