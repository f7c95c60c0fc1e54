"""Group `counter`, second part: what a process makes of a record."""

from cases_counter import (
    DAY_MS,
    HERE,
    HOUR_MS,
    MIDNIGHT,
    NOW,
    SMALL,
    THERE,
    TODAY,
    TOMORROW,
    add,
    back,
    counter,
    dated,
    init,
    jump,
    keep,
    made,
    new_period,
    take,
    top_up,
)


def takes():
    record = made(NOW, after=0, rate=1000, burst=8000)
    at = NOW + 1000
    for what, n, options in (
        ("the step", 100, {}), ("more callers than the step", 150, {"waiting": 150}),
        ("a step larger than an eighth of the room", 1000, {"step": 5000}),
        ("more callers than an eighth of the room", 2000, {"step": 5000, "waiting": 2000}),
        ("callers for all the room", 8000, {"step": 100_000, "waiting": 8000}),
        ("more callers than room", 8000, {"step": 100_000, "waiting": 9000}),
        ("a prefetch, with nobody waiting", 1000, {"step": 5000, "waiting": 0}),
    ):
        yield counter(f"how many: {what}", record, take(at, {"do": "add", "n": n}, **options))
    little = {**record, "next": "7995", "room": "6"}
    yield counter("how many: room below 8 for those who wait", little, take(at, {"n": 1}), take(at, {"n": 6}, waiting=6),
                  take(at, {"n": 6}, waiting=100), take(at, {"n": 1}, step=1))
    yield counter("nobody waits, and an eighth of the room is nothing", little, take(at, {"do": "nothing", "n": None}, waiting=0))
    yield counter("an eighth is rounded down", {**record, "room": "7999"}, take(at, {"n": 999}, step=5000))
    yield counter("the largest room is no trouble", {**record, "room": str(2**63 - 3)}, take(at, {"n": 1_000_000}, step=1_000_000))
    empty = {**record, "next": "8001", "room": "0"}
    yield counter("no room", empty, take(at, {"do": "top_up"}), take(at, {"do": "top_up"}, waiting=0))
    yield counter("a head of 60 s is not old, of a ms more it is", record, take(NOW + 60_000, {"do": "add"}),
                  take(NOW + 60_001, {"do": "top_up"}), take(NOW + 60_001, {"do": "top_up"}, waiting=0))
    yield counter("one's own clock may be 60 s away", empty, take(at, {"do": "top_up"}, wall=60_000),
                  take(at, {"do": "top_up"}, wall=-60_000), take(at, "clock_skew", wall=60_001), take(at, "clock_skew", wall=-60_001))
    yield counter("an old head and a clock that is wrong: what there is", record,
                  take(NOW + 60_001, {"do": "add", "n": 100}, wall=60_001), take(NOW + 60_001, {"do": "add"}, wall=-DAY_MS))
    yield counter("an add looks at no clock but the store's", record, take(at, {"do": "add"}, wall=HOUR_MS))
    yield counter("another store", record, take(at, {"do": "jump"}, incarnation=THERE),
                  take(at, "clock_skew", wall=60_001, incarnation=THERE))
    yield counter("another store, and stop", made(NOW, after=0, failover="stop"), take(at, "store_went_back", incarnation=THERE))
    end = int(TODAY["end_ms"])
    yield counter("the end of a period", dated(end - 1000), take(end - 1, {"do": "add"}, within=TODAY),
                  take(end, {"do": "new_period"}, within=TOMORROW), take(end, "clock_skew", wall=-60_001, within=TOMORROW))
    yield counter("the end of a period in another store", dated(end - 1000),
                  take(end, {"do": "new_period"}, within=TOMORROW, incarnation=THERE))
    same = {**TODAY, "end_ms": str(end + HOUR_MS)}
    yesterday = {"label": "20231113", "start_ms": str(MIDNIGHT - DAY_MS), "end_ms": str(MIDNIGHT)}
    yield counter("a period is not opened again", dated(end - 1000), take(end, {"do": "wait"}, within=same))
    yield counter("a label below the recorded one is not opened", dated(end - 1000), take(end, {"do": "wait"}, within=yesterday))
    yield counter("a clock that is back over midnight goes on in the recorded period", dated(),
                  take(MIDNIGHT - 1, {"do": "add"}, within=yesterday), take(MIDNIGHT - 300_000, {"do": "add"}, within=yesterday),
                  take(MIDNIGHT - 600_001, {"do": "wait"}, within=yesterday), take(MIDNIGHT - DAY_MS, {"do": "wait"}, within=yesterday))
    yield counter("a range that begins above all that was kept", None, keep(21, 20), keep(1, None), keep(2**53 + 2, 2**53 + 1))
    yield counter("a range that begins at or below what was kept", None, keep(20, 20, "store_went_back"),
                  keep(1, 20, "store_went_back"), keep(2**53 + 1, 2**53 + 1, "store_went_back"))


def top_ups():
    record = made(1000, **SMALL)
    yield counter("an idle counter lowers its base: the burst is the most", record,
                  top_up(61_000, {"base": -60_949, "room": 50}), top_up(121_000, {"base": -120_949, "room": 50}))
    yield counter("the base never rises", record, add(1000, 50), top_up(1020, {"base": -949, "room": 20, "next": 51}),
                  add(1020, 20), top_up(1040, {"base": -949, "room": 20}), top_up(1050, {"base": -949, "room": 30}))
    yield counter("a top-up after a jump gives no fresh burst", record, add(1000, 20), jump(1030, {"next": 91}, tolerance=5),
                  top_up(1040, {"wait_ms": 1}), top_up(1041, {"room": 1, "base": -949}), top_up(1051, {"room": 11, "base": -949}))
    yield counter("the last number below the ceiling", record, add(1000, 50), top_up(1001, {"room": 1}), add(1001, 1, {"first": 51}),
                  add(1001, 1, {"why": "room"}), top_up(1001, {"wait_ms": 1}))
    yield counter("a clock that goes back leaves room as it was", record, add(1000, 20), top_up(990, {"room": 30, "base": -949}))
    yield counter("a clock that goes back, and no room", record, add(1000, 50), top_up(400, {"wait_ms": 601}))
    yield counter("room beyond the burst is not lost, and stays below the ceiling", record, add(1000, 20), top_up(1020, {"room": 50}),
                  back(20, {"next": 1, "room": 70}, nonce="w1"), top_up(2000, {"room": 70, "base": -1929}),
                  jump(2000, {"next": 91}, tolerance=10))
    near = made(1000, top=86_400_050, next="86400045", room="0", base="86399095", **SMALL)
    yield counter("`top` bounds room", near, top_up(1005, {"room": 6}), add(1005, 6, {"first": 86_400_045}),
                  top_up(2000, "range_exhausted"))
    yield counter("`top` bounds room before the ceiling does", {**near, "base": "86399041"}, top_up(1005, {"room": 1}),
                  add(1005, 1), top_up(1006, {"room": 1}))
    yield counter("2^63 - 2 is the last number", made(1000, next=str(2**63 - 3), room="0", base=str(2**63), **SMALL),
                  top_up(1000, {"room": 2}))
    slow = made(1000, after=0, rate=1, burst=1)
    yield counter("one number a second", slow, add(1000, 1, {"first": 1}), top_up(1000, {"wait_ms": 1000}),
                  top_up(1999, {"wait_ms": 1}), top_up(2000, {"room": 1}))
    yield counter("a rate of 7 a second is rounded down", made(0, after=0, rate=7, burst=50), add(0, 50), top_up(0, {"wait_ms": 143}),
                  top_up(142, {"wait_ms": 1}), top_up(143, {"room": 1}), add(143, 1), top_up(143, {"wait_ms": 143}),
                  top_up(999, {"room": 5}), top_up(1000, {"room": 6}))


def large_numbers():
    many = {"after": 0, "rate": 10**14, "burst": 10**15}
    yield counter("a growth beyond 64 bits", None, init(NOW, {"room": 10**15, "base": 1 + 10**15 - NOW * 10**11}, **many),
                  add(NOW, 10**15), top_up(NOW + 1, {"room": 10**11}), flags="wraparound")
    yield counter("a jump with a growth beyond 64 bits", made(NOW, **many),
                  jump(NOW + 1, {"next": 1 + 10**15 + 1001 * 10**11}), flags="wraparound")
    yield counter("the latest time", made(NOW, **many), top_up(2**53 - 1, {"base": 1 + 10**15 - (2**53 - 1) * 10**11, "room": 10**15}),
                  flags="wraparound")
    yield counter("the latest time with the rate that is given by default", made(NOW, after=0),
                  top_up(2**53 - 1, {"base": 10**7 + 1 - (2**53 - 1) * 1000}))
    yield counter("a jump ends at `top`", made(NOW, **many, top=10**15 + 10**14 * 86_400),
                  jump(NOW + 86_400_000, {"next": 10**15 + 10**14 * 86_400 + 1, "room": 0, "wait_ms": None}),
                  top_up(NOW + 86_400_001, "range_exhausted"), flags="wraparound")
    yield counter("a jump far beyond 64 bits ends at `top`", made(NOW, **many),
                  jump(NOW + 10**12, {"next": 2**63 - 1, "room": 0, "wait_ms": None}), flags="wraparound")
    yield counter("a ceiling far beyond 64 bits", made(NOW, next=str(2**62), room="0", base=str(2**62), **many),
                  top_up(NOW, {"base": 2**62 + 10**15 - NOW * 10**11, "room": 10**15}), flags="wraparound")


def jumps():
    record = made(1000, **SMALL)
    yield counter("jumps in a row stay on one line", record, jump(1030, {"next": 91, "base": -949}, tolerance=5),
                  jump(1030, {"next": 91, "incarnation": "i3"}, tolerance=5, incarnation="i3"),
                  jump(1041, {"next": 102, "base": -949}, tolerance=5, incarnation="i4"))
    yield counter("a survivor and the successor that was lost", made(1000, next="1", room="50", **SMALL),
                  jump(1100, {"next": 171}, tolerance=10), top_up(1130, {"room": 10, "base": -949}),
                  jump(1130, {"next": 201, "room": 0}, tolerance=10, incarnation="i3"))
    yield counter("a jump never goes below `next`", made(1000, next="500", room="0", **SMALL),
                  jump(1030, {"next": 500, "room": 0, "wait_ms": 420}, tolerance=5))
    yield counter("room of before is gone", record, jump(1000, {"room": 0, "next": 51}, tolerance=0),
                  add(1000, 1, {"why": "room"}, THERE))
    yield counter("after a jump adds of before are refused", record, jump(1030, tolerance=5), add(1030, 1, {"why": "incarnation"}),
                  top_up(1050, {"room": 10}), add(1050, 10, {"first": 91}, THERE))
    yield counter("no jump before the time of the last top-up", record, jump(999, {"wait_ms": 1, "next": 1}, tolerance=5),
                  jump(400, {"wait_ms": 600, "next": 1}, tolerance=5), jump(1000, {"next": 61, "wait_ms": 11}, tolerance=5))
    yield counter("a replica 30 s behind", made(NOW, after=0), top_up(NOW + 50_000, {"topped_up_ms": NOW + 50_000}),
                  jump(NOW + 20_000, {"wait_ms": 30_000}), jump(NOW + 50_000, {"next": 11_000_001}))
    yield counter("a jump with a tolerance of a minute", made(NOW, after=0), jump(NOW, {"next": 130_000_001, "wait_ms": 120_001},
                                                                                   tolerance=60_000))
    yield counter("stop: another store is refused", made(1000, after=0, rate=1000, burst=50, failover="stop"),
                  jump(1030, "store_went_back"), add(1030, 1, {"why": "incarnation"}, THERE))
    yield counter("trust: another store is written down, and nothing else", made(1000, after=0, top=100, failover="trust"),
                  add(1000, 20, {"room": 80}), add(1030, 20, {"why": "incarnation"}, THERE),
                  jump(1030, {"next": 21, "room": 80, "incarnation": THERE, "nonce": "w1", "head_nonce": "w3", "wait_ms": None}),
                  add(1030, 80, {"first": 21}, THERE))


def busy_tenth(now, room):
    return top_up(now, {"room": room}), add(now, room)


def periods():
    end = int(TODAY["end_ms"])
    noon = MIDNIGHT + DAY_MS // 2
    yield counter("a date is made at midnight", None,
                  init(MIDNIGHT, {"next": 1, "room": 100_000, "base": 100_001, "rate": 900_000, "burst": 100_000, "top": 999_999,
                                  "until_ms": end}, within=TODAY, kind="date", after=0))
    yield counter("a date is made at noon behind a number", None,
                  init(noon, {"next": 4712, "room": 100_000, "base": 4712 + 100_000 - 450_000}, within=TODAY, kind="date", after=4711))
    yield counter("a date is made behind its last number", None,
                  init(noon, {"next": 1_000_000, "room": 0}, within=TODAY, kind="date", after=999_999),
                  top_up(noon, "range_exhausted"), new_period(end, TOMORROW, {"next": 1, "room": 100_000}))
    for what, options in (("a rate", {"rate": 1000}), ("a burst", {"burst": 50}), ("a `top`", {"top": 999}), ("no digits", {"digits": 0}),
                          ("eleven digits", {"digits": 11}), ("negative digits", {"digits": -1}), ("another period", {"period": "yyyyMMddHH"}),
                          ("an empty period", {"period": ""}), ("a period in upper case", {"period": "YYYYMMDD"}),
                          ("a number of 7 digits", {"after": 1_000_000}), ("a negative number", {"after": -1}),
                          ("an offset of a day", {"zone": "+24:00"}), ("an offset without a colon", {"zone": "+0800"})):
        yield counter(f"a date is not made with {what}", None,
                      init(noon, "option_invalid", within=TODAY, **{"kind": "date", "after": 0, **options}))
    yield counter("a new day, from midnight or later", dated(next="777", room="5"),
                  new_period(end, TOMORROW, {"next": 1, "base": 100_001, "room": 100_000, "until_ms": end + DAY_MS, "label": "20231115"}),
                  add(end, 1, {"first": 1}))
    yield counter("a new day at noon", dated(), new_period(noon + DAY_MS, TOMORROW, {"base": 100_001 - 450_000, "room": 100_000}))
    yield counter("a new day in another store: the base is that of midnight, and the jump is above all that was lost", dated(),
                  new_period(noon + DAY_MS, TOMORROW, {"base": 100_001, "next": 550_011, "room": 0, "wait_ms": 1056}, incarnation=THERE),
                  add(noon + DAY_MS, 1, {"why": "room"}, THERE))
    yield counter("a new day in another store, at its first ms", dated(),
                  new_period(end, TOMORROW, {"base": 100_001, "next": 100_011, "room": 0}, incarnation=THERE))
    yield counter("a new day in another store, at its end", dated(),
                  new_period(end + DAY_MS - 1000, TOMORROW, {"wait_ms": 1000, "next": 1, "label": "20231114"}, incarnation=THERE))
    yield counter("no jump within 2S of the end of the period", dated(), jump(end - 1, {"wait_ms": 1, "incarnation": HERE}),
                  jump(end - 1000, {"wait_ms": 1000, "incarnation": HERE}), jump(end - 1001, {"next": 1_000_000, "incarnation": THERE, "wait_ms": None}))
    yield counter("a jump just before that", dated(), jump(end - 2000, {"next": 999_990, "room": 0, "wait_ms": 1040}))
    yield counter("the jump waits for midnight, then opens the day", dated(end - HOUR_MS), jump(end - 500, {"wait_ms": 500}),
                  new_period(end, TOMORROW, {"next": 100_011, "base": 100_001}, incarnation=THERE))
    yield counter("stop: no new day in another store", made(MIDNIGHT, TODAY, kind="date", after=0, failover="stop"),
                  new_period(end, TOMORROW, "store_went_back", incarnation=THERE), new_period(end, TOMORROW, {"next": 1}))
    yield counter("trust: a date has no ceiling", made(MIDNIGHT, TODAY, kind="date", after=0, failover="trust"),
                  add(MIDNIGHT, 999_999, {"first": 1, "room": 0}), top_up(noon, "range_exhausted"),
                  new_period(end, TOMORROW, {"next": 1, "room": 999_999, "incarnation": THERE}, incarnation=THERE))
    yield counter("a day that was idle has its burst at the end", dated(), top_up(end - 1, {"room": 100_000}), add(end - 1, 100_000),
                  top_up(end - 1, {"wait_ms": 1}))
    busy = [each for tenth in range(1, 10) for each in busy_tenth(MIDNIGHT + tenth * DAY_MS // 10, 90_000)]
    yield counter("a busy day is filled exactly", dated(), add(MIDNIGHT, 100_000), *busy, *busy_tenth(end - 1, 89_999),
                  top_up(end - 1, "range_exhausted"), new_period(end, TOMORROW, {"next": 1}))
    yield counter("an idle night and a failover leave most of the day", dated(), top_up(MIDNIGHT + 8 * HOUR_MS, {"base": -199_999}),
                  jump(MIDNIGHT + 8 * HOUR_MS, {"next": 100_011}))
    yield counter("the wait for a number", dated(next="100001", room="0"), top_up(MIDNIGHT, {"wait_ms": 96}),
                  top_up(MIDNIGHT + 95, {"wait_ms": 1}), top_up(MIDNIGHT + 96, {"room": 1}))
    yield counter("a long wait for a number", dated(next="500000", room="0", base="1"), top_up(MIDNIGHT, {"wait_ms": 48_000_000}),
                  top_up(MIDNIGHT + 47_999_999, {"wait_ms": 1}), top_up(MIDNIGHT + 48_000_000, {"room": 1}))
    yield counter("where the ceiling comes too late the wait is for the period's end", dated(next="900000", room="0", base="-1"),
                  top_up(end - 1000, {"wait_ms": 1000}))
    for hours, label, start in ((23, "20240331", 1711839600000), (25, "20241027", 1729980000000)):
        long = {"label": label, "start_ms": str(start), "end_ms": str(start + hours * HOUR_MS)}
        yield counter(f"a day of {hours} h", made(start, long, kind="date", after=0), add(start, 100_000),
                      *busy_tenth(start + hours * HOUR_MS // 10, 90_000), *busy_tenth(start + hours * HOUR_MS // 5, 90_000),
                      top_up(start + hours * HOUR_MS // 5 + 1, {"wait_ms": 91 if hours == 23 else 99}),
                      add(start + hours * HOUR_MS, 1, {"why": "until"}))
    for digits, rate in ((1, 9), (2, 90), (10, 9 * 10**9)):
        yield counter(f"{digits} digits", None,
                      init(noon, {"rate": rate, "room": rate // 9, "top": 10 * rate // 9 - 1, "base": rate // 9 + 1 - rate // 2}, within=TODAY, kind="date", after=0,
                           digits=digits),
                      add(noon, rate // 9), top_up(end - 1, {"room": rate // 9}))
    year = {"label": "2024", "start_ms": "1704067200000", "end_ms": "1735689600000"}
    yield counter("a leap year with 10 digits grows beyond 64 bits on the way", None,
                  init(1704067200000, {"base": 10**9 + 1}, within=year, kind="date", after=0, digits=10, period="yyyy"),
                  add(1704067200000, 10**9), jump(1719878400000 - 1000, {"next": 5_500_000_001}), flags="wraparound")


def counter_rule_cases():
    for cases in (takes, top_ups, large_numbers, jumps, periods):
        yield from cases()
