"""Group `date`: periods by the store's time, numbers that begin with a label, their text, and what is refused."""

from model import case, outcome
from model_dates import checked, period_of, read, write

DAY_MS = 86_400_000
SEED = 1681488000000  # 2023-04-14T16:00:00Z


def d(comment, op, options, given, call, error=None, flags=""):
    return case("date", comment, flags, {"op": op, "options": options, **given, **outcome(error, lambda: call(checked(options)))})


def m(comment, error=None, flags="", **options):
    return d(comment, "make", options, {}, lambda made: made, error, flags)


def p(comment, time_ms, label, hours=None, **options):
    test = d(comment, "period", options, {"time_ms": str(time_ms)}, lambda made: period_of(made, time_ms))
    expect = test[1]["expect"]
    assert expect["label"] == label, f"meant {label}, the model says {expect}"
    assert hours in (None, (int(expect["end_ms"]) - int(expect["start_ms"])) // 3_600_000)
    return test


def w(comment, label, n, meant, error=None, **options):
    test = d(comment, "write", options, {"label": label, "n": str(n)}, lambda made: write(made, label, n), error)
    assert error or test[1]["expect"]["text"] == meant, f"meant {meant}, the model says {test}"
    return test


def r(comment, text, error=None, flags="", **options):
    return d(comment, "read", options, {"text": text}, lambda made: read(made, text), error, flags)


def both(comment, label, n, text, **options):
    yield w(f"{comment} is written", label, n, text, **options)
    yield r(f"{comment} is read", text, **options)


def numbers():
    yield from both("the first number of a day", "20230414", 1, "20230414000001")
    yield from both("a number with a prefix", "20230414", 1, "ORD20230414000001", prefix="ORD")
    yield from both("the last number of a day", "20230414", 999_999, "20230414999999")
    yield from both("a number behind a failover", "20261123", 103_764, "ORD20261123103764", prefix="ORD")
    yield from both("the first number of the next day with four digits", "20230415", 1, "202304150001", digits=4)
    yield from both("a month", "202304", 42, "202304000042", period="yyyyMM")
    yield from both("a year", "2023", 42, "2023000042", period="yyyy")
    yield from both("a leap day", "20240229", 7, "20240229000007")
    for digits in range(1, 11):
        yield from both(f"the first number of {digits} digits", "20230414", 1, "20230414" + "1".rjust(digits, "0"), digits=digits)
        yield from both(f"the last number of {digits} digits", "20230414", 10**digits - 1, "20230414" + "9" * digits, digits=digits)
        yield w(f"a number beyond {digits} digits", "20230414", 10**digits, None, "field_out_of_range", digits=digits)
    assert int("99991231" + "9" * 7) < 2**53 < int("99991231" + "9" * 8)
    yield from both("with 7 digits the last number of all stays below 2^53", "99991231", 9_999_999, "999912319999999", digits=7)
    yield from both("with 8 digits it does not", "99991231", 99_999_999, "9999123199999999", digits=8)
    yield from both("with 10 digits it stays below 2^63", "99991231", 9_999_999_999, "999912319999999999", digits=10)
    yield from both("digits of the prefix are not those of the label", "20230414", 1, "20230414-_az20230414000001", prefix="20230414-_az")
    yield from both("the longest prefix", "20230414", 1, "ABCDEFGHIJKLMNOP20230414000001", prefix="ABCDEFGHIJKLMNOP")
    yield w("n is not 0", "20230414", 0, None, "field_out_of_range")
    yield w("n is not negative", "20230414", -1, None, "field_out_of_range")
    yield w("n does not carry into the date", "20230414", 10_001, None, "field_out_of_range", digits=4)
    yield w("n of 2^53 and more", "20230414", 2**53 + 1, None, "field_out_of_range", digits=10)


def broken_texts():
    for what, text in (("nothing", ""), ("a label alone", "20230414"), ("a digit less", "2023041400001"), ("a digit more", "202304140000001"),
                       ("n of 0", "20230414000000"), ("a month of 0", "20230014000001"), ("a month of 13", "20231314000001"),
                       ("a day of 0", "20230400000001"), ("the 31st of April", "20230431000001"), ("no leap day", "20230229000001"),
                       ("no leap day in 2100", "21000229000001"), ("a blank in front", " 20230414000001"), ("a blank behind", "20230414000001 "),
                       ("a line feed behind", "20230414000001\n"), ("a sign", "+2023041400001"), ("hyphens", "2023-04-14000001"),
                       ("a letter", "2023041400000a"), ("a prefix that was not given", "ORD20230414000001")):
        yield r(f"{what} is refused", text, "text_invalid")
    for what, text in (("without its prefix", "20230414000001"), ("with a prefix in lower case", "ord20230414000001"),
                       ("with half of its prefix", "OR20230414000001"), ("with its prefix alone", "ORD"),
                       ("with its prefix twice", "ORDORD20230414000001"), ("with a blank behind its prefix", "ORD 20230414000001")):
        yield r(f"a text {what} is refused", text, "text_invalid", prefix="ORD")
    yield r("a month of 13 in a label of six digits", "202313000001", "text_invalid", period="yyyyMM")
    yield r("a day where a month is due", "20230414000001", "text_invalid", period="yyyyMM")
    yield r("a NUL behind", "20230414000001\0", "text_invalid", "embedded_nul")
    yield r("Arabic digits", "2023041400000\u0661", "text_invalid", "unicode")
    yield r("full-width digits", "\uff1220230414000001"[1:] + "\uff11", "text_invalid", "unicode")


def options():
    yield m("the options that are not given")
    yield m("all options", period="yyyyMM", digits=10, prefix="ORD-2_x", zone="+05:45")
    for period in ("yyyyMMdd", "yyyyMM", "yyyy"):
        yield m(f"the period {period}", period=period)
    for period in ("", "yyyymmdd", "YYYYMMDD", "yyyyMMddHH", "yyMMdd", "yyyy-MM-dd", " yyyy", "day"):
        yield m(f"the period {period!r} is refused", "option_invalid", period=period)
    for digits in (1, 2, 5, 10):
        yield m(f"{digits} digits", digits=digits)
    for digits in (0, 11, -1, 2**31, 2**32 + 6, 2**53 - 1):
        yield m(f"{digits} digits are refused", "option_invalid", "wraparound" if digits > 11 else "", digits=digits)
    for prefix in ("A", "ORD", "a-b_c", "0", "-", "_", "x" * 16):
        yield m(f"the prefix {prefix}", prefix=prefix)
    for prefix in ("x" * 17, " ", "ORD ", "a.b", "a/b", "a:b", "%s", "a\n", "@", "[", "`", "{"):
        yield m(f"the prefix {prefix!r} is refused", "option_invalid", prefix=prefix)
    yield m("a NUL in a prefix", "option_invalid", "embedded_nul", prefix="a\0")
    yield m("an umlaut in a prefix", "option_invalid", "unicode", prefix="\u00c4")
    for zone in ("+00:00", "-00:30", "+08:00", "-03:30", "+05:45", "+14:00", "-12:00", "+23:59", "-23:59"):
        yield m(f"the zone {zone}", zone=zone)
    for zone in ("", "Z", "00:00", "+0800", "+8:00", "+08", "+24:00", "+08:60", "+08:00 ", " +08:00", "+08:00:00", "+08-00", "++8:00", "+ 8:00"):
        yield m(f"the zone {zone!r} is refused", "option_invalid", zone=zone)
    yield m("a minus sign that is none", "option_invalid", "unicode", zone="\u221208:00")


def periods():
    yield p("a day at +00:00", SEED, "20230414", 24)
    yield p("the same ms at +08:00 is the first of the next day", SEED, "20230415", 24, zone="+08:00")
    yield p("one ms before", SEED - 1, "20230414", 24, zone="+08:00")
    yield p("the last ms of a day", 1681516799999, "20230414", 24)
    yield p("midnight", 1681516800000, "20230415", 24)
    yield p("the first ms of 1970", 0, "19700101", 24)
    yield p("the first ms of 1970 to the east", 0, "19700101", 24, zone="+14:00")
    yield p("an offset of 5 h 45 min, just before midnight", 1681496099999, "20230414", 24, zone="+05:45")
    yield p("an offset of 5 h 45 min, at midnight", 1681496100000, "20230415", 24, zone="+05:45")
    yield p("an offset of -3 h 30 min, just before midnight", 1681529399999, "20230414", 24, zone="-03:30")
    yield p("an offset of -3 h 30 min, at midnight", 1681529400000, "20230415", 24, zone="-03:30")
    yield p("an offset of -30 min, just before midnight", 1681518599999, "20230414", 24, zone="-00:30")
    yield p("an offset of -30 min, at midnight", 1681518600000, "20230415", 24, zone="-00:30")
    yield p("the largest offset to the east", SEED, "20230415", 24, zone="+23:59")
    yield p("the largest offset to the west", SEED, "20230413", 24, zone="-23:59")
    for year, march, days in ((2023, 1677628800000, 28), (2024, 1709251200000, 29), (2000, 951868800000, 29), (2100, 4107542400000, 28)):
        yield p(f"the last ms of February {year}", march - 1, f"{year}02{days}", 24)
        yield p(f"February {year} as a month", march - 1, f"{year}02", 24 * days, period="yyyyMM")
        yield p(f"March {year} from its first ms", march, f"{year}03", 24 * 31, period="yyyyMM")
    for year, begin, days in ((1970, 0, 365), (2023, 1672531200000, 365), (2024, 1704067200000, 366), (2100, 4102444800000, 365)):
        yield p(f"the first ms of {year}", begin, str(year), 24 * days, period="yyyy")
        yield p(f"the last ms of {year}", begin + days * DAY_MS - 1, str(year), 24 * days, period="yyyy")
    yield p("the last ms of a year is one of December", 1704067199999, "202312", 24 * 31, period="yyyyMM")
    yield p("the last ms of a year is one of the 31st", 1704067199999, "20231231", 24)
    yield p("a year ends earlier to the east", 1704049200000, "2024", 24 * 366, period="yyyy", zone="+05:00")
    yield p("a year ends later to the west", 1704067200000, "2023", 24 * 365, period="yyyy", zone="-00:01")
    yield p("a month begins earlier to the east", 1709229600000, "202403", 24 * 31, period="yyyyMM", zone="+06:00")
    yield p("a leap day to the west", 1709251200000, "20240229", 24, zone="-01:00")
    yield p("a month of 30 days", 1682899199999, "202304", 24 * 30, period="yyyyMM")
    yield p("beyond 32 bits of seconds", 4294967296000, "21060207", 24)
    yield p("the year 9998", 253339228800000, "9998", 24 * 365, period="yyyy")


def date_cases():
    for cases in (numbers, broken_texts, options, periods):
        yield from cases()
