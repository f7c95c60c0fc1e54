"""Values of a wrong type, for the languages that can pass them: the code says what the value was to be, not what it is.

A row is a call, one of its arguments, the code, and the values. They are wrong in all of these languages, so there is
no 1.0 (an integer in JavaScript), no integer for an id (right in Python), and no null for an option of a generator
(absent in Python). The order gives the numbers, so new rows, also for new values, go to the end.
"""

import json

LAYOUT, WORKER, FIELD = "layout_invalid", "worker_source_invalid", "field_out_of_range"
ID, TEXT, OPTION = "id_out_of_range", "text_invalid", "option_invalid"
CODES = (LAYOUT, WORKER, FIELD, ID, TEXT, OPTION)

ANY = (True, False, 1.5, [], {})
NO_NUMBER = (*ANY, "5", "", [5])
NO_TEXT = (*ANY, 7, 0)
NO_DATE = (*ANY, "2026-01-01T00:00:00Z", 7)
NO_OBJECT = (*ANY, 7, 0, "host", "")
NO_WORDS = (True, False, 1.5, {}, 7, "word", "", [7], [None], [["word"]])
NO_IDS = (True, False, 1.5, {}, "1", "", None, [True], [1.5], ["1"], [""], [None], [[1]])
NO_BUFFER = (*ANY, 8, "12345678", [0, 0], None)

ROWS = (
    ("generator", "layout", LAYOUT, (*NO_TEXT, ["polyflake"])),
    ("generator", "worker", WORKER, (True, False, 1.5, -0.5, "", [], [1])),
    ("generator", "max_wait_ms", OPTION, NO_NUMBER),
    ("generator", "max_lead_ms", OPTION, NO_NUMBER),
    ("generator", "sequence_spread", OPTION, NO_NUMBER),
    ("generator", "ordering", OPTION, (*NO_TEXT, ["strict"])),
    ("generator", "clock", OPTION, (*NO_OBJECT, {"time_ms": 5})),
    ("layout", "layout", LAYOUT, (*NO_TEXT, None, ["polyflake"])),
    ("decode", "id", ID, (*ANY, None, ["1"])),
    ("decode", "layout", LAYOUT, (*NO_TEXT, {"layout": "polyflake"}, ["polyflake"])),
    ("encode", "tick", FIELD, NO_NUMBER),
    ("encode", "sequence", FIELD, (*NO_NUMBER, None)),
    ("encode", "worker", FIELD, (*NO_NUMBER, None)),
    ("encode", "time_ms", OPTION, NO_NUMBER),
    ("encode", "time", OPTION, NO_DATE),
    ("first_id", "time", OPTION, (*NO_NUMBER, "2026-01-01T00:00:00Z", None)),
    ("last_id", "time", OPTION, (*NO_NUMBER, "2026-01-01T00:00:00Z", None)),
    ("to_text", "id", ID, (*ANY, "1", None)),
    ("to_text", "codec", OPTION, (*NO_TEXT, None, ["hex"])),
    ("from_text", "text", TEXT, (*NO_TEXT, None, ["1"])),
    ("from_text", "codec", OPTION, (*NO_TEXT, None, ["hex"])),
    ("next_ids", "count", OPTION, (*NO_NUMBER, None)),
    ("fill", "buffer", OPTION, NO_BUFFER),
    ("manual_clock", "time_ms", OPTION, (*NO_NUMBER, None)),
    ("clock_set", "time_ms", OPTION, (*NO_NUMBER, None)),
    ("clock_advance", "ms", OPTION, (*NO_NUMBER, None)),
    ("set_default", "generator", OPTION, (*NO_OBJECT, None)),
)
ROWS_OF_LISTS = (
    ("sqids", "alphabet", OPTION, (*NO_TEXT, None, ["abc"])),
    ("sqids", "min_length", OPTION, (*NO_NUMBER, None)),
    ("sqids", "blocklist", OPTION, NO_WORDS),
    ("sqids_encode", "ids", ID, NO_IDS),
    ("sqids_decode", "text", TEXT, (*NO_TEXT, None, ["86Rf07"])),
    ("hashids", "salt", OPTION, (*NO_TEXT, None, ["salt"])),
    ("hashids", "min_length", OPTION, (*NO_NUMBER, None)),
    ("hashids", "alphabet", OPTION, (*NO_TEXT, None, ["abc"])),
    ("hashids_encode", "ids", ID, NO_IDS),
    ("hashids_decode", "text", TEXT, (*NO_TEXT, None, ["o2fXhV"])),
)

ADDED = (
    ("friendly", "id", ID, (*ANY, None, ["1"])),
    ("from_friendly", "text", TEXT, (*NO_TEXT, None, ["20220320133617924-5-0"])),
    ("explain", "id", ID, (*ANY, None, ["1"])),
    ("explain", "now", OPTION, NO_DATE),
)


ROWS_OF_SEALS = (
    ("new_seal", "key", OPTION, (*NO_BUFFER, [0] * 16)),
    ("new_seal", "tweak", OPTION, (*NO_TEXT, None, ["order"])),
    ("new_seal", "bits", OPTION, (*NO_NUMBER, None)),
    ("new_seal", "key_id", OPTION, (*NO_TEXT, ["k1"])),
    ("seal_file", "path", OPTION, (*NO_TEXT, None, ["key"])),
    ("seal", "id", ID, (*ANY, "1", None)),
    ("unseal", "id", ID, (*ANY, "1", None)),
    ("seal_encode", "id", ID, (*ANY, "1", None)),
    ("seal_encode", "codec", OPTION, (*NO_TEXT, None, ["hex"])),
    ("seal_decode", "text", TEXT, (*NO_TEXT, None, ["1"])),
    ("seal_decode", "codec", OPTION, (*NO_TEXT, None, ["hex"])),
    ("new_ring", "seals", OPTION, (*ANY, 7, "", "seal", None, [7], ["seal"], [None], [[]])),
    ("ring_unseal", "id", ID, (*ANY, "1", None)),
    ("ring_unseal", "key_id", OPTION, (*NO_TEXT, ["k1"])),
    ("ring_decode", "text", TEXT, (*NO_TEXT, None, ["1"])),
)


NO_LIST = (True, False, 1.5, {}, 7, "1", "123", "", None)
NO_LIST_OF_IDS = (*NO_LIST, [True], [1.5], ["1"], [None], [[1]])
NO_LIST_OF_TEXTS = (*NO_LIST, [True], [7], [None], [["1"]])
ROWS_OF_MANY = (
    ("encode_many", "ids", ID, NO_LIST_OF_IDS),
    ("decode_many", "texts", TEXT, NO_LIST_OF_TEXTS),
    ("seal_encode_many", "ids", ID, NO_LIST_OF_IDS),
    ("seal_decode_many", "texts", TEXT, NO_LIST_OF_TEXTS),
)
ROWS_OF_BORDERS = (("id_from_text", "text", TEXT, (*NO_TEXT, None, ["1"])),)


def case(op, argument, value, error, **also_given):
    assert error in CODES
    comment = f"{op}: {argument} is {json.dumps(value)}"
    return {"comment": comment, "op": op, "given": {**also_given, argument: value}, "error": error}


def untyped_cases():
    for op, argument, error, values in ROWS:
        for value in values:
            yield case(op, argument, value, error)
    for value in (*NO_NUMBER, None):
        yield case("generator", "worker", {"worker": value}, FIELD)
    for value in (True, 1.5, "1"):
        yield case("generator", "worker", {"datacenter": value, "worker": 7}, FIELD, layout="twitter")
    for op, argument, error, values in (*ADDED, *ROWS_OF_LISTS, *ROWS_OF_SEALS, *ROWS_OF_MANY, *ROWS_OF_BORDERS):
        for value in values:
            yield case(op, argument, value, error)
