"""No message, cause, warning, log or repr shows a text that was passed at the wrong place: it may hold a secret."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
import string
import traceback
import warnings

import pytest
from patience import HANGS_S

import polyflake
from polyflake import ManualClock, PolyflakeError, Seal, stores

SPELLINGS = 10_000  # of all parameters together
WINDOW = 8  # as many characters of a secret in a row are a leak
STRANGE = "!#$%^&*()+=[]{};:'\"|,<>?`~ @"  # of these a word has none
NOW_MS = 1_767_225_600_123
KEY = bytes(range(16))

# Values for the other parameters of a call, by name. A new parameter without a default needs one here.
VALID = {
    "name": "base62",
    "text": "7",
    "texts": ["7"],
    "text_or_preset": "polyflake",
    "id": 7,
    "ids": [7],
    "sealed": 7,
    "time": NOW_MS,
    "time_ms": NOW_MS,
    "ms": 1,
    "n": 1,
    "uuid": "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
    "buffer": bytearray(16),
    "key": KEY,
    "key_id": "k1",
    "path": "/dev/null",
    "seals": [Seal(KEY, key_id="k1")],
    "kind": "snowflake",
    "factory": dict,
    "generator": None,
    "url_or_store": "redis://127.0.0.1:1?namespace=orders",
    "time_or_ms": NOW_MS,
    "store": "memory://secrets?namespace=shop",
    "label": 20230414,
    "count": 1,
    "number": 20230414000001,
    "text_": "20230414000001",
}

# How a secret comes in a text that is meant to be an address, a file, a number or a list.
ADDRESSES = [
    "redis:/user:{}@host",
    "user:{}@host",
    "user:{}",
    "host=h password={}",
    "redis//user:{}@host",
    "redis://user:{}",
    "redis://user:{}@host",
    "redis://user:{}@host?namespace=A",
    "rediss://host?namespace=orders&password={}&namespace=orders",
    "postgresql://user:{}@host/db?namespace=orders&window_ms=x",
    "postgresql+psycopg://user:{}@host/db?namespace=orders",
    "mysql://user:{}@host?namespace=orders&db=1",
    "zookeeper://user:{}@h1,h2/a/?namespace=orders",
    "etcd://user:{}@host?namespace=orders&{}=1",
    "redis://127.0.0.1:1?namespace=orders&{}=1",
    "host:{}",
    "ordinal:{}",
    "uuid7:{}",
    "{}\n",
    " {}",
    '{{"worker": "{}"}}',
    "timestamp:41 worker:{} sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z",
]


def secrets_of(seed):
    """Random secrets: words of 25 and more characters, or texts with a character that no word has."""
    draw = random.Random(seed)
    letters = string.ascii_letters + string.digits
    while True:
        length = draw.randint(25, 60)
        yield "".join(draw.choice(letters) for _ in range(length))
        yield "".join(draw.choice(letters + STRANGE) for _ in range(length)) + draw.choice(STRANGE)
        yield "".join(draw.choice("0123456789abcdef") for _ in range(draw.choice([32, 48, 64])))


def forms_of(secret, draw):
    """Returns what is passed: the secret alone, in an address, or in a value of another type."""
    address = draw.choice(ADDRESSES).replace("{}", secret).replace("{{", "{").replace("}}", "}")
    return [secret, address, [secret], {secret: 1}, {"worker": secret}, secret.encode(), (7, secret)]


def pieces_of(secret):
    return {secret[i : i + WINDOW] for i in range(len(secret) - WINDOW + 1)}


def public_calls():
    """Returns all public functions, methods and constructors that take something."""
    for module in (polyflake, stores):
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing) or name == "IdSource":
                continue
            if not inspect.isclass(thing):
                yield name, thing, None
            elif not issubclass(thing, (tuple, BaseException)):
                yield name, thing, None
                for method in dir(thing):
                    if (
                        not method.startswith("_")
                        and callable(getattr(thing, method))
                        and method != "default_blocklist"
                    ):
                        yield f"{name}.{method}", getattr(thing, method), thing


def parameters_of(call):
    try:
        return list(inspect.signature(call).parameters.values())
    except ValueError:  # a built-in without a signature
        return []


CALLS = {name: (call, owner) for name, call, owner in public_calls() if parameters_of(call)}


def counted():
    """Returns the address of a store with counters."""
    address = VALID["store"]
    stores.init_namespace(address)
    stores.init_counter(address, "orders", after=0)
    stores.init_counter(address, "dates", after=0, kind="date")
    return address


OWNERS = {
    "Codec": lambda: polyflake.Codec("base62"),
    "DateIds": lambda: polyflake.DateIds(counted(), name="dates"),
    "DateNumbers": polyflake.DateNumbers,
    "Generator": lambda: polyflake.Generator(worker=1),
    "Hashids": lambda: polyflake.Hashids("salt"),
    "Layout": lambda: polyflake.Layout("polyflake"),
    "ManualClock": lambda: ManualClock(NOW_MS),
    "ObjectIds": polyflake.ObjectIds,
    "Seal": lambda: Seal(KEY, key_id="k1"),
    "Segment": lambda: polyflake.Segment(counted(), name="orders"),
    "SealRing": lambda: polyflake.SealRing([Seal(KEY, key_id="k1")]),
    "Sqids": polyflake.Sqids,
    "Tickets": lambda: polyflake.Tickets("mysql://127.0.0.1:1/db"),
    "Uuid4": polyflake.Uuid4,
    "Uuid7": polyflake.Uuid7,
}


def made_with(call, own, parameter, value):
    """Makes the call with this value for one parameter, and valid values for those without a default."""
    given, named = [], {}
    for other in parameters_of(call):
        if other.name == "self":
            given.append(own)
        elif other.kind is other.VAR_POSITIONAL or other.kind is other.VAR_KEYWORD:
            if other.name == parameter and other.kind is other.VAR_KEYWORD and isinstance(value, dict):
                named.update(value)
        elif other.name == parameter:
            if other.kind is other.POSITIONAL_ONLY or (given and other.kind is not other.KEYWORD_ONLY):
                given.append(value)
            else:
                named[other.name] = value
        elif other.default is other.empty:
            given.append(VALID[other.name])
    result = call(*given, **named)
    return asyncio.run(result) if inspect.iscoroutine(result) else result


def said_of(call, own, parameter, value):
    """Returns all that is said of a call: its error with causes and contexts, or the repr of its result."""
    try:
        result = made_with(call, own, parameter, value)
    except Exception as error:
        shown = [
            f"{type(one).__name__}: {one} {one.args!r} {getattr(one, '__notes__', '')}" for one in with_causes(error)
        ]
        return error, " ".join(shown) + "".join(traceback.format_exception_only(type(error), error))
    close = getattr(result, "close", None)
    said = repr(result) if not isinstance(result, (str, bytes, list, tuple)) else ""  # a result has what was asked for
    if close is not None:
        close()
    return None, said


def with_causes(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.fixture
def logs():
    records = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    yield records
    root.removeHandler(handler)
    root.setLevel(level)


def test_all_public_calls_are_known():
    assert len(CALLS) > 60
    assert {owner.__name__ for _, owner in CALLS.values() if owner is not None} <= {*OWNERS, "Store"}


def test_no_call_shows_a_secret(logs, registry):
    places = [
        (name, parameter.name)
        for name, (call, owner) in CALLS.items()
        for parameter in parameters_of(call)
        if parameter.name != "self" and owner is not stores.Store
    ]
    given, refused, leaks, draw, secrets = 0, 0, [], random.Random(1), secrets_of(2)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        while given < SPELLINGS:
            for name, parameter in places:
                secret = next(secrets)
                call, owner = CALLS[name]
                for value in draw.sample(forms_of(secret, draw), 3):
                    own = OWNERS[owner.__name__]() if owner is not None else None
                    error, said = said_of(call, own, parameter, value)
                    given += 1
                    refused += isinstance(error, PolyflakeError)
                    said += repr(own) + " ".join([*logs, *(str(one.message) for one in warned)])
                    leaks += [(name, parameter, value, said)] if any(part in said for part in pieces_of(secret)) else []
                    getattr(own, "close", tuple)()
    assert not leaks, f"{len(leaks)} of {given}, for example {leaks[:3]}"
    assert refused > given / 2  # else this is no test


@pytest.mark.parametrize("address", [address for address in ADDRESSES if "{}" in address])
def test_no_secret_of_the_environment_is_shown(address, run_script):
    """A process of its own: the environment is read once."""
    for secret in [next(secrets_of(seed)) for seed in range(2)]:
        script = """
import traceback, polyflake
try:
    print(polyflake.next_id())
except Exception:
    traceback.print_exc(file=__import__("sys").stdout)
"""
        given = address.replace("{}", secret).replace("{{", "{").replace("}}", "}")
        said = run_script(script, POLYFLAKE_WORKER=given, timeout=HANGS_S)
        assert "\npolyflake." in said and "Error: " in said, said
        assert not any(part in said for part in pieces_of(secret)), said
