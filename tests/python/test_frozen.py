"""Known ids in the tests of an application: polyflake.testing and the fixture of pytest."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone

import pytest
from conftest import NOW_MS

import polyflake
from polyflake import BadArgumentError, Generator, ManualClock, StateError
from polyflake.testing import frozen

pytest_plugins = ("pytester",)
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
OWN = "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2024-01-01T00:00:00.000Z"


def known(count, time=NOW, worker=0, layout="polyflake"):
    return Generator(worker, layout=layout, clock=ManualClock(time)).next_ids(count)


def test_ids_are_the_same_in_each_run_and_the_clock_is_the_tests():
    with frozen(NOW) as clock:
        ids = [polyflake.next_id(), int(polyflake.next_id_string())]
        assert polyflake.default_generator().worker == 0
        clock.advance(timedelta(hours=1))
        later = polyflake.next_id()
    assert ids == known(2)
    assert later == known(1, NOW + timedelta(hours=1))[0]
    with frozen(NOW_MS, worker=5, layout="twitter"):
        assert [polyflake.next_id()] == known(1, NOW_MS, 5, "twitter")
        assert polyflake.decode(polyflake.next_id()).fields["worker"] == 5


def test_the_module_documents_a_real_id():
    import polyflake.testing as module

    with frozen(NOW):
        assert f"polyflake.next_id() == {polyflake.next_id()}\n" in module.__doc__


def test_a_decorated_function_gets_known_ids_at_each_call():
    @frozen(NOW)
    def issue():
        return polyflake.next_id()

    assert [issue(), issue()] == known(1) * 2


def test_a_coroutine_gets_known_ids():
    async def issue():
        with frozen(NOW):
            await asyncio.sleep(0)
            return await polyflake.default_generator().next_id_async()

    assert [asyncio.run(issue())] == known(1)


def test_what_is_frozen_ends_with_its_block():
    with pytest.raises(KeyError), frozen(NOW):
        inner = polyflake.default_generator()
        raise KeyError
    with pytest.raises(StateError):
        inner.next_id()
    assert polyflake.default_generator() is not inner
    with frozen(NOW):
        pass


def test_another_one_is_refused_and_so_is_set_default():
    with frozen(NOW):
        with pytest.raises(BadArgumentError) as refused, frozen(NOW):
            pass
        assert refused.value.code == "option_invalid"
        with pytest.raises(BadArgumentError):
            polyflake.set_default(Generator(1, clock=ManualClock(NOW)))
        assert [polyflake.next_id()] == known(1)


@pytest.mark.parametrize(
    ("arguments", "options", "code"),
    [
        ([datetime(2026, 1, 1)], {}, "option_invalid"),
        (["2026-01-01"], {}, "option_invalid"),
        ([NOW], {"worker": 1024}, "field_out_of_range"),
        ([NOW], {"layout": "twiter"}, "unknown_preset"),
    ],
)
def test_a_wrong_argument_freezes_nothing(arguments, options, code):
    with pytest.raises(BadArgumentError) as refused, frozen(*arguments, **options):
        pass
    assert refused.value.code == code
    with frozen(NOW):
        assert [polyflake.next_id()] == known(1)


PROGRAM = f"""
import polyflake
from polyflake import Generator, ManualClock
from polyflake.testing import frozen
own, now_ms = "{OWN}", {NOW_MS}
"""


def test_the_default_generator_of_before_goes_on(run_script):
    run_script(
        PROGRAM
        + """
first, text = polyflake.next_id(), polyflake.next_id_string()
opened = polyflake.default_generator()
with frozen(now_ms):
    assert polyflake.default_generator() is not opened
    assert polyflake.decode(polyflake.next_id()).time_ms == now_ms
    assert polyflake.decode(polyflake.next_id_string()).time_ms == now_ms
assert polyflake.default_generator() is opened
assert polyflake.next_id() > int(text) > first
assert opened.stats().issued == 3
"""
    )


def test_a_generator_that_was_set_and_not_used_may_still_be_used(run_script):
    run_script(
        PROGRAM
        + """
mine = Generator(7, layout=own, clock=ManualClock(now_ms + 5))
with frozen(now_ms):
    assert str(polyflake.default_generator().layout) == str(polyflake.Layout("polyflake"))
assert polyflake.default_generator() is None
polyflake.set_default(mine)
with frozen(now_ms):
    assert str(polyflake.default_generator().layout) == own
    assert polyflake.decode(polyflake.next_id()).time_ms == now_ms
assert polyflake.default_generator() is mine and mine.stats().issued == 0
assert polyflake.decode(polyflake.next_id()).time_ms == now_ms + 5
"""
    )


def test_a_call_whose_frozen_generator_has_ended_gets_an_id_of_the_one_before(run_script):
    run_script(
        PROGRAM
        + """
import threading
from polyflake import _default
first_use, inside, ended, ids = _default._first_use, threading.Event(), threading.Event(), []
def slow():
    generator = first_use()
    inside.set()
    ended.wait()
    return generator
polyflake.set_default(Generator(3, clock=ManualClock(now_ms)))
with frozen(now_ms):
    _default._first_use = slow
    thread = threading.Thread(target=lambda: ids.append(polyflake.next_id()))
    thread.start()
    inside.wait()
_default._first_use = first_use
ended.set()
thread.join()
ids.append(polyflake.next_id())
assert [polyflake.decode(id).node for id in ids] == [3, 3], ids
"""
    )


def test_other_threads_get_known_ids_too_and_none_is_lost_or_repeated(run_script):
    run_script(
        PROGRAM
        + """
import threading
ids, stop = [], threading.Event()
def issue():
    mine = []
    while not stop.is_set():
        mine.append(polyflake.next_id())
    ids.append(mine)
threads = [threading.Thread(target=issue) for _ in range(2)]
for thread in threads:
    thread.start()
for i in range(200):
    with frozen(now_ms - 86_400_000 * i):  # other ids each time
        polyflake.next_id()
stop.set()
for thread in threads:
    thread.join()
assert len(set(ids[0]) | set(ids[1])) == len(ids[0]) + len(ids[1])
"""
    )


def test_the_fixture_gives_the_clock_and_puts_the_default_back(pytester):
    pytester.makepyfile(
        """
import datetime
import polyflake
import pytest

known = []

def test_a(frozen_ids):
    known.append(polyflake.next_id())
    assert polyflake.decode(known[0]).time.isoformat() == "2026-01-01T00:00:00+00:00"
    frozen_ids.advance(datetime.timedelta(seconds=1))
    assert polyflake.decode(polyflake.next_id()).time_ms == 1767225601000

def test_b(frozen_ids):
    assert polyflake.next_id() == known[0]

@pytest.mark.frozen_ids(datetime.datetime(2026, 2, 1, tzinfo=datetime.timezone.utc), worker=7)
def test_c(frozen_ids):
    parts = polyflake.decode(polyflake.next_id())
    assert (parts.time.month, parts.node) == (2, 7)

def test_d():
    assert not polyflake._default._is_frozen
"""
    )
    pytester.runpytest_subprocess("--strict-markers", "-p", "no:cacheprovider").assert_outcomes(passed=4)


def test_production_imports_neither_pytest_nor_the_module_for_tests(run_script):
    run_script(
        """
import sys, polyflake
polyflake.next_id()
assert not {"pytest", "polyflake.testing", "polyflake._pytest_plugin"} & set(sys.modules)
"""
    )
