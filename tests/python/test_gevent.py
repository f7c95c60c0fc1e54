"""Greenlets of gevent: a call that waits for a late window lets the runner of the lease go on, which is a greenlet, too."""

from __future__ import annotations

# Renewals wait for the event `go_on`; the window ends meanwhile.
SCRIPT = """
from gevent import monkey
monkey.patch_all()
import secrets, threading, time
import gevent
from polyflake import Generator, PolyflakeError, _lease
from polyflake.stores import init_namespace

url = f"memory://{secrets.token_hex(8)}?namespace=orders&window_ms=1000"
init_namespace(url, fresh=True)
generator = Generator(url + "&renew_wait_ms=60000")
go_on = threading.Event()
step = _lease.StoreSession.step
def step_later(session):
    go_on.wait()
    return step(session)
_lease.StoreSession.step = step_later
last = generator.next_id()
while generator.try_next_id() is not None:
    gevent.sleep(0.01)
turns = 0
def others():
    global turns
    for turns in range(1, 11):
        gevent.sleep(0.01)
    go_on.set()
gevent.spawn(others)
assert generator.next_id() > last
assert turns == 10, turns
assert len(generator.next_ids(100)) == 100
generator.close()
"""


def test_a_call_that_waits_for_a_late_window_lets_other_greenlets_go_on(run_script):
    run_script(SCRIPT, timeout=120)
