"""The reference model of counters: a record, the three steps of a store, and what a process makes of a record.

A record is a dict of texts, as the vectors have it. Reckoning is done with Python's own numbers, which have no width.
"""

from model import Refused
from model_dates import DIGITS, PERIODS, check_zone

GREATEST_TOP = 2**63 - 2
END_OF_TIME_MS = 2**53
DAY_S = 86_400
WITNESS_MS = 60_000
OLD_HEAD_MS = 60_000
BACK_OVER_MIDNIGHT_MS = 600_000
DEFAULTS = {"kind": "segment", "failover": "jump"}
SEGMENT = {"rate": 1_000_000, "burst": 10_000_000, "top": GREATEST_TOP}
DATE = {"period": "yyyyMMdd", "digits": 6, "zone": "+00:00"}
SHAPE = ("kind", *DATE)
FIELDS = (*SHAPE, "failover", "rate", "burst", "top", "base", "topped_up_ms", "label", "start_ms", "until_ms", "next", "room",
          "incarnation", "term", "head_nonce", "nonce")  # fmt: skip


def need(condition, code="option_invalid"):
    if not condition:
        raise Refused(code)


def number(record, name):
    return int(record[name])


def is_date(record):
    return record["kind"] == "date"


def texts(**fields):
    return {name: str(value) for name, value in fields.items()}


# The ceiling


def growth(record, time_ms):
    if is_date(record):
        start, end = number(record, "start_ms"), number(record, "until_ms")
        return (time_ms - start) * number(record, "rate") // (end - start)
    return time_ms * number(record, "rate") // 1000


def ceiling(record, time_ms):
    return number(record, "base") + growth(record, time_ms)


def room_at(record, time_ms):
    """Returns the numbers from `next` to the ceiling, or to `top` if that is nearer or with trust."""
    bound = number(record, "top") + 1
    return (min(ceiling(record, time_ms), bound) if "base" in record else bound) - number(record, "next")


def time_above(record, value):
    """The first ms at which the ceiling is above the value: found by trying, from a place just below it."""
    per, begin = 1000, 0
    if is_date(record):
        begin = number(record, "start_ms")
        per = number(record, "until_ms") - begin
    time_ms = begin + (value - number(record, "base")) * per // number(record, "rate") - 1
    while ceiling(record, time_ms) <= value:
        time_ms += 1
    assert ceiling(record, time_ms - 1) <= value
    return time_ms


def wait_for_room(record, now):
    """Returns the ms until a top-up gives room; None if there is room, or if only an operator can help."""
    if number(record, "room") or number(record, "next") > number(record, "top"):
        return None
    return min(time_above(record, number(record, "next")), number(record, "until_ms")) - now


def waiting_for(wait_ms):
    return {} if wait_ms is None else {"wait_ms": str(wait_ms)}


# Making one


def checked(options):
    """The options of a counter, with those that are missing."""
    given = {**DEFAULTS, **options}
    need(given["kind"] in ("segment", "date") and given["failover"] in ("jump", "stop", "trust"))
    date = given["kind"] == "date"
    need("after" in given and not set(given) & set(SEGMENT if date else DATE))
    given = {**(DATE if date else SEGMENT), **given}
    if date:
        need(given["period"] in PERIODS and given["digits"] in DIGITS)
        check_zone(given["zone"])
        tenth = 10 ** (given["digits"] - 1)
        given.update(rate=9 * tenth, burst=tenth, top=10 * tenth - 1)
    need(given["rate"] >= 1 and given["burst"] >= 1 and 0 <= given["after"] <= given["top"] <= GREATEST_TOP)
    if not date and given["failover"] == "jump":
        need(given["top"] - given["after"] >= given["burst"] + given["rate"] * DAY_S)
    return given


def begun(record, first, now):
    """Returns the record of a counter that begins at `first`."""
    burst = number(record, "burst")
    record = {**record, **texts(next=first, room=0, topped_up_ms=now)}
    if record["failover"] != "trust":
        record["base"] = str(first + burst - growth(record, now))
    return {**record, "room": str(room_at(record, now))}


def of_period(within):
    return {"label": within["label"], "start_ms": within["start_ms"], "until_ms": within["end_ms"]}


def init(existing, options, now, incarnation, fresh, within=None):
    given = checked(options)
    after = given.pop("after")
    record = texts(**given)
    if existing is not None:
        need(all(existing.get(name) == record.get(name) for name in SHAPE), "layout_mismatch")
        return existing, {}
    record.update(of_period(within) if within else {"until_ms": str(END_OF_TIME_MS)})
    record.update(incarnation=incarnation, term=fresh, head_nonce=fresh, nonce=fresh)
    return begun(record, after + 1, now), {}


def raise_counter(record, after, now, incarnation, fresh, within=None):
    need(0 <= after <= number(record, "top"))
    words = {"incarnation": incarnation, "term": fresh, "head_nonce": fresh, "nonce": fresh}
    return begun({**record, **words, **(of_period(within) if within else {})}, after + 1, now), {}


# A store


def add(record, asks, now, incarnation, fresh):
    if record is None:
        return record, {"why": "absent"}
    why = (
        "incarnation" if not record["incarnation"] == incarnation == asks["incarnation"]
        else "term" if record["term"] != asks["term"]
        else "until" if now >= number(record, "until_ms") or record["until_ms"] != asks["until_ms"]
        else "room" if number(record, "room") < int(asks["n"])
        else None
    )  # fmt: skip
    if why:
        return record, {"why": why}
    return moved(record, int(asks["n"]), fresh), {"first": record["next"]}


def moved(record, n, fresh):
    return {**record, **texts(next=number(record, "next") + n, room=number(record, "room") - n), "nonce": fresh}


def back(record, asks, incarnation, fresh):
    why = (
        "incarnation" if not record["incarnation"] == incarnation == asks["incarnation"]
        else "term" if record["term"] != asks["term"]
        else "nonce" if record["nonce"] != asks["nonce"]
        else None
    )  # fmt: skip
    return (record, {"why": why}) if why else (moved(record, -int(asks["n"]), fresh), {})


def head(record, asks, writes, incarnation, fresh):
    why = (
        "incarnation" if incarnation != asks["incarnation"]
        else "term" if record["term"] != asks["term"]
        else "head" if record["head_nonce"] != asks["head_nonce"]
        else None
    )  # fmt: skip
    if why:
        return record, {"why": why}
    plain = {name: value for name, value in writes.items() if name != "room_by"}
    record = {**record, **plain, "incarnation": incarnation, "head_nonce": fresh}
    record["room"] = str(number(record, "room") + int(writes["room_by"]))
    return ({**record, "nonce": fresh} if "next" in writes else record), {}


# A process


def top_up(record, now, fresh):
    next_, room, top = (number(record, name) for name in ("next", "room", "top"))
    need(room > 0 or next_ <= top, "range_exhausted")
    topped = {**record, "topped_up_ms": str(max(now, number(record, "topped_up_ms"))), "head_nonce": fresh}
    if "base" in record:
        lowered = next_ + max(number(record, "burst"), room) - growth(record, now)
        topped["base"] = str(min(number(record, "base"), lowered))
    topped["room"] = str(max(room, room_at(topped, now)))
    wait = wait_for_room(topped, now)
    return (topped, {}) if wait is None else (record, waiting_for(wait))


def jump(record, now, incarnation, tolerance, fresh):
    need(record["failover"] != "stop", "store_went_back")
    taken = {**record, "incarnation": incarnation, "head_nonce": fresh}
    if record["failover"] == "trust":
        return taken, {}
    if now < number(record, "topped_up_ms"):
        return record, waiting_for(number(record, "topped_up_ms") - now)
    return above_all_lost(record, taken, now, tolerance, fresh)


def above_all_lost(record, taken, now, tolerance, fresh):
    """Goes on at the ceiling of 2S later, if the period does not end meanwhile."""
    if now + 2 * tolerance >= number(taken, "until_ms"):
        return record, waiting_for(number(taken, "until_ms") - now)
    above = max(number(taken, "next"), ceiling(taken, now + 2 * tolerance))
    taken.update(texts(next=min(above, number(taken, "top") + 1), room=0), nonce=fresh)
    return taken, waiting_for(wait_for_room(taken, now))


def new_period(record, now, incarnation, tolerance, fresh, within):
    opened = {**record, **of_period(within), "incarnation": incarnation, "head_nonce": fresh, "nonce": fresh}
    if record["incarnation"] == incarnation or record["failover"] == "trust":
        return begun(opened, 1, now), {}
    need(record["failover"] != "stop", "store_went_back")
    opened.update(texts(next=1, base=1 + number(record, "burst"), topped_up_ms=now))
    return above_all_lost(record, opened, now, tolerance, fresh)


def take(record, now, wall, incarnation, step, waiting, within=None):
    """Returns the first thing to do, if callers wait for `waiting` numbers."""
    witnessed = abs(wall - now) <= WITNESS_MS
    room = number(record, "room")
    if is_date(record):
        over = now >= number(record, "until_ms")
        if now < number(record, "start_ms") - BACK_OVER_MIDNIGHT_MS or (over and within["label"] <= record["label"]):
            return record, {"do": "wait"}
        if over:
            need(witnessed, "clock_skew")
            return record, {"do": "new_period"}
    if record["incarnation"] != incarnation:
        need(record["failover"] != "stop", "store_went_back")
        need(witnessed, "clock_skew")
        return record, {"do": "jump"}
    if room == 0 or now - number(record, "topped_up_ms") > OLD_HEAD_MS:
        if witnessed:
            return record, {"do": "top_up"}
        need(room > 0, "clock_skew")
    n = min(max(step, waiting), max(min(waiting, room), room // 8))
    return record, {"do": "add", "n": str(n)} if n else {"do": "nothing"}


def rest(ranges):
    """Returns how many numbers are given back: those left of the last range, and of the range before if it is one piece."""
    n, begin = 0, None
    for first, end, unused in reversed(ranges):
        if begin is not None and end != begin:
            break
        n += end - unused
        if unused != first:
            break
        begin = first
    return {"n": str(n)}


def keep(first, last=None):
    need(last is None or first > last, "store_went_back")
    return {}


# The adaptive step


def steps(fetches, hold_ms=30_000, min_step=100, max_step=1_000_000, step=None):
    """The step at first, and after each fetch of (used, ms)."""
    if step is not None:
        need(step >= 1)
        return [step] * (len(fetches) + 1)
    need(hold_ms >= 1 and 1 <= min_step <= max_step)
    known = [min_step]
    for used, ms in fetches:
        least, most = max(min_step, known[-1] // 2), min(max_step, 8 * known[-1])
        known.append(min(max(used * 2 * hold_ms // max(ms, 1), least), most))
    return known
