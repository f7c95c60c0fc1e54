"""Writes vectors.json from the reference model, untyped.json from its table, lease-scenarios.json, or checks those on disk.

    python3 reference.py            write all beside this file
    python3 reference.py --check    exit with 1 unless the files on disk are exactly that

Needs nothing but Python 3.9 or later.
"""

import argparse
import itertools
import json
import pathlib
import sys

sys.dont_write_bytecode = True

from cases_added import added_cases  # noqa: E402
from cases_generator import generator_cases  # noqa: E402
from cases_layout import layout_cases, published_cases  # noqa: E402
from cases_leases import FACTS, KINDS, scenarios  # noqa: E402
from cases_options import options_cases  # noqa: E402
from cases_text import codec_cases, layout_text_cases  # noqa: E402
from cases_untyped import untyped_cases  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ABOUT = (
    "Test vectors of Polyflake, the same for every language. Written by reference.py from a model that shares "
    "nothing with the library; see README.md for the format."
)
ABOUT_UNTYPED = (
    "Values of a wrong type and the codes of their refusals, the same for every language that can pass "
    "them. Written by reference.py; see README.md for the format."
)
ABOUT_SCENARIOS = (
    "What every store of leases answers, through every adapter of every language. Written by reference.py; see README.md "
    "for the format."
)
GROUPS = (
    "layout",
    "layout_text",
    "codec",
    "generator",
    "options",
    "published",
    "friendly",
    "explain",
    "sqids",
    "hashids",
    "seal",
    "kind_text",
    "uuid",
    "uuid_generator",
    "objectid",
    "id_text",
    "counter",
    "step",
    "date",
    "ticket",
)
FLAGS = {
    "after_year_9999": "The instant lies after the year 9999, beyond some date types: time_ms must still be exact.",
    "batch": "A batch gives exactly the ids that as many single calls would give, and waits as long as its size needs.",
    "before_epoch": "The clock stands before the epoch of the layout.",
    "beyond_signed": "The id is 2^63 or more: valid as an unsigned number, negative in a signed one.",
    "carry": "A full sequence carries into the next tick, then the call waits for that tick.",
    "clock_back": "The clock goes back: the last tick goes on, the call waits, or it says how much is missing.",
    "cycle_walk": "A number of 63 bits is sealed again until it is below 2^63.",
    "embedded_nul": "A NUL is a character like any other; text does not end at it.",
    "end_of_time": "The last ticks of a layout, and what comes after them.",
    "fresh_registry": "Needs an empty host registry of its own: POLYFLAKE_HOME is a new folder for this test alone.",
    "half_used": "At least half of the tick just before was used, or just less: does the new tick begin at 0?",
    "lead": "max_lead_ms: ids may run ahead of the clock without waiting.",
    "name_collision": "A field name that means something to a host language.",
    "non_canonical": "Understandable, but not the one accepted spelling.",
    "peer_failure": "Another library is known to get this wrong.",
    "per_thread": "A thread takes runs of a tick's sequence: what is left of a run is dropped when its tick is over.",
    "published_cipher": "What others published about FF1 with AES, radix 256 and 8 bytes.",
    "rounding": "A division that rounds towards zero instead of down would accept this.",
    "scripted": "A long arbitrary script: every rule against every other.",
    "spread": "Where the sequence of a new tick begins.",
    "try": "A call that never waits: where it would have to, it returns nothing and claims nothing.",
    "unicode": "Characters outside ASCII that some parsers take for digits, letters, signs or blanks.",
    "whole_ticks": "max_wait_ms and max_lead_ms count in whole ticks, rounded down.",
    "wraparound": "Passes where a number is cut to fewer bits or an addition overflows.",
}


def numbered_tests():
    """Every test with its group. The order gives the numbers, so it never changes; new tests go to cases_added.py."""
    cases = itertools.chain(
        layout_cases(),
        layout_text_cases(),
        codec_cases(),
        generator_cases(),
        options_cases(),
        published_cases(),
        added_cases(),
    )
    return [(group, {"id": number, **test}) for number, (group, test) in enumerate(cases, 1)]


def verify(tests):
    """What neither the model nor the schema can see: flags are explained and used, no test says the same as another."""
    used = {flag for _, test in tests for flag in test.get("flags", ())}
    assert used == set(FLAGS), f"flags unexplained or unused: {sorted(used ^ set(FLAGS))}"
    verify_distinct(tests)


def verify_distinct(tests):
    seen = {}
    for group, test in tests:
        said = group + json.dumps({key: value for key, value in test.items() if key not in ("id", "comment", "flags")})
        assert said not in seen, f"tests {seen[said]} and {test['id']} are the same"
        seen[said] = test["id"]


def one_a_line(tests, indent):
    return ",\n".join(indent + json.dumps(test) for test in tests)


def vectors():
    """The whole file: one test per line, ASCII only, so that changes are readable and bytes are the same everywhere."""
    tests = numbered_tests()
    verify(tests)
    head = {"about": ABOUT, "number_of_tests": len(tests), "flags": FLAGS}
    groups = []
    for name in GROUPS:
        lines = one_a_line((test for group, test in tests if group == name), "   ")
        groups.append(f'  {{"name": "{name}", "tests": [\n{lines}\n  ]}}')
    return json.dumps(head, indent=1)[:-2] + ',\n "groups": [\n' + ",\n".join(groups) + "\n ]\n}\n"


def untyped():
    """The same for the languages without static types."""
    tests = [{"id": number, **test} for number, test in enumerate(untyped_cases(), 1)]
    verify_distinct([("untyped", test) for test in tests])
    head = {"about": ABOUT_UNTYPED, "number_of_tests": len(tests)}
    return json.dumps(head, indent=1)[:-2] + ',\n "tests": [\n' + one_a_line(tests, "  ") + "\n ]\n}\n"


def lease_scenarios():
    """The scenarios of stores: one step per line."""
    described = [{"id": number, **scenario} for number, scenario in enumerate(scenarios(), 1)]
    assert len({scenario["name"] for scenario in described}) == len(described)
    head = {"about": ABOUT_SCENARIOS, "number_of_scenarios": len(described), "facts": FACTS, "kinds": KINDS}
    texts = []
    for scenario in described:
        steps = one_a_line(scenario.pop("steps"), "    ")
        texts.append(f'  {json.dumps(scenario)[:-1]}, "steps": [\n{steps}\n  ]}}')
    return json.dumps(head, indent=1)[:-2] + ',\n "scenarios": [\n' + ",\n".join(texts) + "\n ]\n}\n"


def check(path, text):
    """The reasons why the file on disk is not right; none if it is."""
    if not path.exists():
        return [f"{path.name} is missing"]
    return [] if path.read_bytes() == text.encode("ascii") else [f"{path.name} is not what reference.py writes"]


def main():
    parser = argparse.ArgumentParser(
        description="Writes or checks vectors.json, untyped.json and lease-scenarios.json."
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    checking, reasons = parser.parse_args().check, []
    files = {"vectors": vectors, "untyped": untyped, "lease-scenarios": lease_scenarios}
    for path, text in ((HERE / f"{name}.json", write()) for name, write in files.items()):
        if checking:
            reasons += check(path, text)
        else:
            path.write_bytes(text.encode("ascii"))
    for reason in reasons:
        print(reason, file=sys.stderr)
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
