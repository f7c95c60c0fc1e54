"""The scenarios of stores: each outcome, and each rule of one step over a namespace and a node."""

from __future__ import annotations

from model_leases import HOUR_MS, LAYOUT, LONG_AGO_MS, Scenario, namespace, node

# What a kind of store has: scenarios that need something else are not for it.
FACTS = {
    "incarnation": "It says which store it is, and refuses a request for another.",
    "clock": "It has a clock, and refuses by it: too_far and busy.",
    "no_clock": "It refuses nothing by a clock. It may have one to be read.",
    "still_clock": "Its clock stands still, so that the very millisecond can be told.",
}
KINDS = {
    "redis": ["incarnation", "clock"],
    "postgresql": ["incarnation", "clock"],
    "mysql": ["incarnation", "clock"],
    "zookeeper": ["no_clock"],
    "etcd": ["incarnation", "no_clock"],
    "memory": ["incarnation", "no_clock"],
    "own_store": ["incarnation", "clock"],
    "host": ["incarnation", "clock"],
    "memory_with_clock": ["incarnation", "clock", "still_clock"],
}
LARGEST = 2**63 - 1
LABELS = (
    "",
    " ",
    "  spaces around  ",
    "'single' \"double\" `back`",
    "''; DROP TABLE polyflake_nodes; --",
    "%s %d %(name)s %% 100%",
    "back\\slash \\n \\0 \\' \\\\",
    "$1 $$ ${x} $tag$",
    "? ?? ?1 :name @name",
    "{} {0} {name} #{x} {{}}",
    "/* */ -- # ;",
    "name=value",
    "null",
    "&amp; <b> | > ~ ^ [1] (2)",
    "!" * 128,
    "\\" * 128,
    "'" * 128,
)
NODES_IN_ONE_READ = 100  # the most that are ever asked for
ANOTHER = namespace(uuid="another uuid", nonce="another nonce", term="another term")


def begun(name, *needs, node_until_ms=None, record=None):
    """A namespace, and node 0 in it where it is wanted."""
    scenario = Scenario(name, *needs)
    scenario.read()
    scenario.make()
    if node_until_ms is not None:
        record = node("record 1", until_ms=node_until_ms)
    if record is not None:
        create(scenario, record)
    return scenario


def create(scenario, record, id=0, used=0, nonce="nonce 1", outcome="ok", **conditions):
    """Creates a node in the namespace as it is under `nonce`, which becomes the next one."""
    names = namespace(nonce=next_nonce(nonce), used=max(used, id + 1), **conditions.pop("names", {}))
    scenario.cas(outcome, names_nonce=nonce, names=names, node=id, record=record, **conditions)


def next_nonce(nonce):
    return f"nonce {int(nonce.split()[1]) + 1}"


def making():
    scenario = Scenario("before a namespace is made there is nothing")
    scenario.read()
    scenario.read(0, 7)
    scenario.cas("wrong_namespace", node=0, record=node("record 1"), node_nonce="record 0")
    scenario.cas("wrong_namespace", names_nonce="nonce 1", names=namespace(nonce="nonce 2"))
    scenario.read(0, 7)
    yield scenario

    scenario = Scenario("a namespace is made once")
    scenario.read()
    scenario.make()
    scenario.read()
    scenario.make("conflict", ANOTHER)
    scenario.read(client="second")
    scenario.make("conflict", ANOTHER, client="second")
    scenario.read(0)
    yield scenario

    scenario = Scenario("a namespace that somebody else made in between stays as it is")
    scenario.read()
    scenario.read(client="second")
    scenario.make(client="second")
    scenario.make("conflict", ANOTHER)
    scenario.read()
    yield scenario

    for incarnation in ("", "present", "another store"):
        scenario = Scenario(f"a namespace that is not settled is settled later, whatever its incarnation: {incarnation}")
        scenario.read()
        scenario.make(names=namespace(settled=0, incarnation=incarnation))
        scenario.read()
        scenario.read(client="second")
        confirmed = namespace(settled=0, incarnation=incarnation, nonce="nonce 2")
        scenario.cas("ok", names_nonce="nonce 1", names=confirmed)
        scenario.read()
        settled = namespace(nonce="nonce 3", floor_ms=LONG_AGO_MS)
        scenario.cas("ok", names_nonce="nonce 2", names=settled)
        scenario.read(0)
        scenario.read(0, client="second")
        yield scenario

    scenario = Scenario("a namespace is settled also where its incarnation is empty")
    scenario.read()
    scenario.make(names=namespace(incarnation=""))
    scenario.read()
    scenario.cas("ok", names_nonce="nonce 1", names=namespace(nonce="nonce 2", used=1), node=0, record=node("record 1"))
    scenario.read(0, client="second")
    yield scenario


def conditions_of_the_namespace():
    wrong = (
        ("uuid", {"uuid": "another uuid"}, "wrong_namespace"),
        ("term", {"term": "another term"}, "conflict"),
        ("layout", {"layout": LAYOUT + 1}, "layout"),
        ("nonce", {"names_nonce": "another nonce"}, "conflict"),
        ("incarnation", {"incarnation": "another store"}, "incarnation"),
        ("empty incarnation", {"incarnation": ""}, "incarnation"),
    )
    for what, condition, outcome in wrong:
        needs = ("incarnation",) if "incarnation" in what else ()
        scenario = begun(f"nothing is written under a wrong {what}", *needs, node_until_ms=LONG_AGO_MS)
        names = namespace(nonce="nonce 3", used=9, floor_ms=5)
        scenario.cas(outcome, **{"names_nonce": "nonce 2", **condition}, names=names)
        scenario.cas(
            outcome, **{"names_nonce": "nonce 2", **condition}, names=names, node=1, record=node("record 2")
        )
        if what != "nonce":
            scenario.cas(outcome, **condition, node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"))
            scenario.cas(outcome, **condition, node=0, node_nonce="record 1", record=node("record 2"))
        scenario.read(0, 1)
        scenario.read(0, 1, client="second")
        yield scenario

    scenario = begun("what another client finds wrong is told in the same words", node_until_ms=LONG_AGO_MS)
    scenario.read(client="second")
    for what, condition, outcome in wrong[:4]:
        given = {"names_nonce": "nonce 2", **condition}
        scenario.cas(outcome, **given, names=namespace(nonce="nonce 3"), client="second")
        if what != "nonce":
            taken = node("record 2", owner="owner 2")
            scenario.cas(outcome, **condition, node=0, node_nonce="record 1", record=taken, client="second")
    scenario.read(0)
    yield scenario

    scenario = begun("of two wrong conditions the first is told: uuid, layout, term", node_until_ms=LONG_AGO_MS)
    taken = {"node": 0, "node_nonce": "another record", "record": node("record 2")}
    scenario.cas("wrong_namespace", uuid="another", layout=1, term="another", **taken)
    scenario.cas("layout", layout=1, term="another", **taken)
    scenario.cas("conflict", term="another", **taken)
    scenario.read(0)
    yield scenario

    scenario = begun("a namespace is not made for another incarnation", "incarnation")
    scenario.read(namespace="other")
    scenario.make("incarnation", namespace="other", incarnation="another store")
    scenario.make("incarnation", namespace="other", incarnation="")
    scenario.read(namespace="other")
    scenario.make(namespace="other")
    scenario.read(namespace="other")
    scenario.make("conflict", ANOTHER, namespace="other", incarnation="another store")
    scenario.read()
    yield scenario

    scenario = begun("a condition that is not on the nonce of the namespace outlasts its writes", node_until_ms=LONG_AGO_MS)
    scenario.read(0)
    scenario.read(client="second")
    scenario.cas("ok", names_nonce="nonce 2", names=namespace(nonce="nonce 3", used=1), client="second")
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2"))
    scenario.read(0)
    yield scenario


def creating():
    scenario = begun("a node is created at used, which is raised in the same step")
    create(scenario, node("record 1"))
    scenario.read(0, 1)
    create(scenario, node("record 2", owner="owner 2"), id=1, nonce="nonce 2")
    scenario.read(0, 1, 2)
    yield scenario

    scenario = begun("nothing is created where there is a record, and used stays", node_until_ms=LONG_AGO_MS)
    create(scenario, node("record 2"), nonce="nonce 2", used=2, outcome="conflict")
    scenario.read(client="second")
    create(scenario, node("record 2"), nonce="nonce 2", used=2, outcome="conflict", client="second")
    scenario.read(0, 1)
    yield scenario

    scenario = begun("a record is created below used, where it was lost")
    scenario.cas("ok", names_nonce="nonce 1", names=namespace(nonce="nonce 2", used=5))
    scenario.read(0, 3)
    create(scenario, node("record 1"), id=3, used=5, nonce="nonce 2")
    scenario.read(0, 3, 4)
    yield scenario

    scenario = begun("two create at once: one has a conflict, and nothing of it is written")
    scenario.read(0)
    scenario.read(0, 1, client="second")
    create(scenario, node("record 1"))
    create(scenario, node("record 2", owner="owner 2"), client="second", outcome="conflict")
    create(scenario, node("record 2", owner="owner 2"), id=1, client="second", outcome="conflict")
    scenario.read(0, 1)
    create(scenario, node("record 2", owner="owner 2"), id=1, nonce="nonce 2", client="second")
    scenario.read(0, 1)
    yield scenario

    scenario = begun("used is raised alone")
    scenario.cas("ok", names_nonce="nonce 1", names=namespace(nonce="nonce 2", used=1))
    scenario.read(0)
    scenario.cas("conflict", names_nonce="nonce 1", names=namespace(nonce="nonce 3", used=2))
    scenario.read(0)
    yield scenario


def taking_over():
    scenario = begun("a record is taken over by its nonce", node_until_ms=LONG_AGO_MS)
    theirs = node("record 2", owner="owner 2", until_ms=LONG_AGO_MS + 7, label="host-2/1")
    scenario.cas("ok", node=0, node_nonce="record 1", record=theirs)
    scenario.read(0)
    yield scenario

    scenario = begun("a record is not taken over by another nonce", node_until_ms=LONG_AGO_MS)
    theirs = node("record 2", owner="owner 2")
    scenario.cas("conflict", node=0, node_nonce="record 0", record=theirs)
    scenario.cas("conflict", node=0, node_nonce="nonce 2", record=theirs)
    scenario.cas("conflict", node=1, node_nonce="record 1", record=theirs)
    scenario.read(0, 1)
    yield scenario

    scenario = begun("who was taken over renews no more", node_until_ms=LONG_AGO_MS)
    scenario.read(0)
    scenario.read(0, client="second")
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"), client="second")
    scenario.cas("conflict", node=0, node_nonce="record 1", record=node("record 3"))
    scenario.cas("conflict", node=0, node_nonce="record 1", record=node("record 3"))
    scenario.read(0)
    yield scenario

    scenario = begun("who never read a record takes it over by a nonce it was told", node_until_ms=LONG_AGO_MS)
    scenario.read(client="second")
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"), client="second")
    scenario.cas("ok", node=0, node_nonce="record 2", record=node("record 3", owner="owner 2"), client="second")
    scenario.read(0)
    yield scenario

    scenario = begun("an owner renews as often as it likes, also while its window lasts", node_until_ms="+2000")
    for n in range(1, 5):
        scenario.cas("ok", node=0, node_nonce=f"record {n}", record=node(f"record {n + 1}", until_ms=f"+{4000 + n}"))
    scenario.read(0)
    yield scenario

    scenario = begun("release lowers until", node_until_ms="+60000")
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", until_ms=LONG_AGO_MS))
    scenario.read(0)
    scenario.cas("ok", node=0, node_nonce="record 2", record=node("record 3", owner="owner 2"))
    scenario.read(0)
    yield scenario


def clocks():
    scenario = begun("a live owner is not taken over", "clock", node_until_ms="+1800000")
    theirs = node("record 2", owner="owner 2", until_ms="+1900000")
    scenario.cas("busy", node=0, node_nonce="record 1", record=theirs)
    scenario.read(client="second")
    scenario.cas("busy", node=0, node_nonce="record 1", record=theirs, client="second")
    scenario.cas("busy", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"))
    scenario.cas("conflict", node=0, node_nonce="record 0", record=theirs)
    scenario.read(0)
    yield scenario

    scenario = begun("an owner whose window is just over is taken over", "clock", node_until_ms="+0")
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"))
    scenario.read(0)
    yield scenario

    scenario = begun("an owner is taken over from the millisecond its window is over", "still_clock", node_until_ms="+1")
    scenario.cas("busy", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"))
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", until_ms="+0"))
    scenario.cas("ok", node=0, node_nonce="record 2", record=node("record 3", owner="owner 2"))
    scenario.read(0)
    yield scenario

    scenario = begun("without a clock whoever has the nonce takes over", "no_clock", node_until_ms="+1800000")
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2", until_ms="+90000000"))
    scenario.read(0)
    yield scenario

    scenario = begun("no window reaches too far ahead, and used stays", "clock", node_until_ms=LONG_AGO_MS)
    far = f"+{2 * HOUR_MS}"
    create(scenario, node("record 2", until_ms=far), id=1, nonce="nonce 2", outcome="too_far")
    create(scenario, node("record 2", until_ms=LARGEST), id=1, nonce="nonce 2", outcome="too_far")
    scenario.cas("too_far", node=0, node_nonce="record 1", record=node("record 2", until_ms=far))
    scenario.cas("too_far", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2", until_ms=far))
    scenario.cas("too_far", longest_ms=0, node=0, node_nonce="record 1", record=node("record 2", until_ms="+60000"))
    scenario.read(0, 1)
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", until_ms=f"+{HOUR_MS}"))
    create(scenario, node("record 3", until_ms=f"+{HOUR_MS}"), id=1, nonce="nonce 2")
    scenario.read(0, 1)
    yield scenario

    scenario = begun("a window reaches as far as is allowed, to the millisecond", "still_clock", node_until_ms=LONG_AGO_MS)
    scenario.cas("too_far", node=0, node_nonce="record 1", record=node("record 2", until_ms=f"+{HOUR_MS + 1}"))
    scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", until_ms=f"+{HOUR_MS}"))
    floor = namespace(nonce="nonce 3", used=1, floor_ms=f"+{HOUR_MS + 1}")
    scenario.cas("too_far", names_nonce="nonce 2", names=floor)
    scenario.cas("ok", names_nonce="nonce 2", names={**floor, "floor_ms": f"+{HOUR_MS}"})
    scenario.read(0)
    yield scenario

    scenario = begun("a window that reaches too far already may stay", "clock", node_until_ms=LONG_AGO_MS)
    far = LONG_AGO_MS * 3
    scenario.cas("ok", bounded=0, node=0, node_nonce="record 1", record=node("record 2", until_ms=far))
    scenario.cas("too_far", node=0, node_nonce="record 2", record=node("record 3", until_ms=far + 1))
    scenario.cas("ok", node=0, node_nonce="record 2", record=node("record 3", until_ms=far))
    scenario.cas("ok", node=0, node_nonce="record 3", record=node("record 4", until_ms=far - 1))
    scenario.cas("too_far", node=0, node_nonce="record 4", record=node("record 5", until_ms=far))
    scenario.read(0)
    yield scenario

    scenario = begun("no floor reaches too far ahead, but an operator's may, and stays", "clock")
    far = LONG_AGO_MS * 3
    scenario.cas("too_far", names_nonce="nonce 1", names=namespace(nonce="nonce 2", floor_ms=far))
    create(scenario, node("record 1"), names={"floor_ms": far}, outcome="too_far")
    scenario.read(0)
    scenario.cas("ok", bounded=0, names_nonce="nonce 1", names=namespace(nonce="nonce 2", floor_ms=far))
    scenario.cas("too_far", names_nonce="nonce 2", names=namespace(nonce="nonce 3", floor_ms=far + 1))
    create(scenario, node("record 1"), nonce="nonce 2", names={"floor_ms": far})
    scenario.read(0)
    yield scenario

    scenario = begun("without a clock nothing reaches too far", "no_clock", node_until_ms=LARGEST)
    scenario.cas("ok", names_nonce="nonce 2", names=namespace(nonce="nonce 3", used=1, floor_ms=LARGEST))
    scenario.read(0)
    yield scenario

    scenario = begun("of two reasons the first is told: nonce, too far, busy", "clock", node_until_ms="+1800000")
    far = node("record 2", owner="owner 2", until_ms=f"+{2 * HOUR_MS}")
    scenario.cas("conflict", node=0, node_nonce="record 0", record=far)
    scenario.cas("too_far", node=0, node_nonce="record 1", record=far)
    scenario.cas("incarnation", incarnation="another store", node=0, node_nonce="record 0", record=far)
    scenario.read(0)
    yield scenario


def terms():
    scenario = begun("a raised floor ends the term: nothing is written any more under the former", node_until_ms=LONG_AGO_MS)
    scenario.read(0)
    scenario.read(0, client="second")
    raised = namespace(nonce="nonce 3", term="term 2", used=1, floor_ms=LONG_AGO_MS * 3)
    scenario.cas("ok", bounded=0, names_nonce="nonce 2", names=raised, client="second")
    scenario.cas("conflict", node=0, node_nonce="record 1", record=node("record 2"))
    scenario.cas("conflict", node=0, node_nonce="record 1", record=node("record 2", owner="owner 2"))
    create(scenario, node("record 2"), id=1, nonce="nonce 2", outcome="conflict")
    create(scenario, node("record 2"), id=1, nonce="nonce 3", outcome="conflict")
    scenario.read(0, 1)
    scenario.cas("ok", term="term 2", node=0, node_nonce="record 1", record=node("record 2"))
    later = {**raised, "nonce": namespace(nonce="nonce 4")["nonce"], "used": "2"}
    scenario.cas("ok", term="term 2", names_nonce="nonce 3", names=later, node=1, record=node("record 3"))
    scenario.read(0, 1)
    yield scenario

    scenario = begun("terms follow each other")
    for n in range(1, 4):
        following = namespace(nonce=f"nonce {n + 1}", term=f"term {n + 1}", floor_ms=LONG_AGO_MS + n)
        scenario.cas("ok", term=f"term {n}", names_nonce=f"nonce {n}", names=following)
    scenario.read()
    scenario.cas("conflict", term="term 3", names_nonce="nonce 4", names=namespace(nonce="nonce 5"))
    scenario.read()
    yield scenario


def names_of_namespaces():
    for other in ("other", "node", "0.a_b-c"):
        scenario = begun(f"a namespace of another name is left alone: {other}", node_until_ms=LONG_AGO_MS)
        scenario.read(0, namespace=other)
        scenario.make(namespace=other)
        scenario.read(0, namespace=other)
        create(scenario, node("record 1", owner="owner 9"), namespace=other)
        create(scenario, node("record 2"), id=1, nonce="nonce 2")
        scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 9", owner="owner 9"), namespace=other)
        scenario.read(0, 1)
        scenario.read(0, 1, namespace=other)
        yield scenario


def values():
    scenario = Scenario("numbers of 19 digits are told exactly")
    scenario.read()
    scenario.make(names=namespace(window_ms=LARGEST, tolerance_ms=LARGEST - 1, used=LARGEST - 3))
    scenario.read()
    raised = namespace(window_ms=LARGEST, tolerance_ms=LARGEST - 1, used=LARGEST - 2, nonce="nonce 2", floor_ms=LARGEST - 5)
    record = node("record 1", until_ms=LARGEST - 4)
    scenario.cas("ok", bounded=0, names_nonce="nonce 1", names=raised, node=7, record=record)
    scenario.read(7)
    scenario.cas("ok", node=7, node_nonce="record 1", record=node("record 2", until_ms=LARGEST - 6))
    scenario.read(7)
    yield scenario

    for layout in (0, 1, 2**63, 2**64 - 1):
        scenario = Scenario(f"a layout is all 64 bits of its number: {layout:x}")
        scenario.read()
        scenario.make(names=namespace(layout=layout))
        record = node("record 1", layout=layout)
        raised = namespace(layout=layout, nonce="nonce 2", used=1)
        wrong = layout ^ 1
        scenario.cas("layout", layout=wrong, names_nonce="nonce 1", names=raised, node=0, record=record)
        scenario.cas("ok", layout=layout, names_nonce="nonce 1", names=raised, node=0, record=record)
        scenario.read(0)
        yield scenario

    for label in LABELS:
        scenario = begun(f"a label is told as it is: {label}", record=node("record 1", label=label))
        scenario.read(0)
        scenario.cas("ok", node=0, node_nonce="record 1", record=node("record 2", label="of another" + label[:100]))
        scenario.cas("ok", node=0, node_nonce="record 2", record=node("record 3", label=label))
        scenario.read(0, client="second")
        yield scenario

    for incarnation in ("x" * 128, "it's \"one\" %s $1 ? {} \\", " ", "a=b:c"):
        scenario = Scenario(f"the incarnation of a namespace is told as it is: {incarnation}")
        scenario.read()
        scenario.make(names=namespace(incarnation=incarnation))
        scenario.read()
        yield scenario

    for id in (1, 9, 10, 1023, 2**31, 2**40, 2**53 + 1):
        scenario = begun(f"a node id may be {id}")
        create(scenario, node("record 1"), id=id)
        scenario.read(id, 0)
        scenario.cas("ok", node=id, node_nonce="record 1", record=node("record 2", owner="owner 2"))
        scenario.read(id - 1, id, id + 1)
        yield scenario


def many_nodes():
    some = (0, 1, 10, 50, NODES_IN_ONE_READ - 1)
    scenario = begun("many nodes are read at once, in any order")
    for n, id in enumerate(some, 1):
        create(scenario, node(f"record {id}", until_ms=LONG_AGO_MS + id), id=id, used=id, nonce=f"nonce {n}")
    scenario.read(*range(NODES_IN_ONE_READ))
    scenario.read(*reversed(range(NODES_IN_ONE_READ)), client="second")
    scenario.read(50, 2**40, 10, 0, 2, 1)
    yield scenario


GROUPS = (making, conditions_of_the_namespace, creating, taking_over, clocks, terms, names_of_namespaces, values, many_nodes)


def scenarios():
    for group in GROUPS:
        for scenario in group():
            assert set(scenario.needs) <= set(FACTS)
            needs = {"needs": list(scenario.needs)} if scenario.needs else {}
            yield {"name": scenario.name, **needs, "steps": scenario.steps}
