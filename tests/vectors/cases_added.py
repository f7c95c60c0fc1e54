"""Tests added after the first numbering, in that order: always append, so that no number ever changes."""

from cases_codec import codec_option_cases, foreign_check_symbols, spellings_of_check_symbols
from cases_counter import counter_cases
from cases_counter_rules import counter_rule_cases
from cases_date import date_cases
from cases_friendly import explain_cases, friendly_cases
from cases_generator import EPOCH, SHORT, TINY, g
from cases_id_text import id_text_cases
from cases_kinds import kind_text_cases
from cases_objectid import objectid_cases
from cases_options import o
from cases_seal import keys_that_are_none, rings_of_tweaks, seal_cases
from cases_sqids import hashids_cases, sqids_cases
from cases_step import step_cases
from cases_ticket import ticket_cases
from cases_uuid import uuid_cases
from cases_uuid_generator import rises_while_held_cases, uuid_generator_cases


def added_cases():
    yield o("a worker source of digits beyond 64 bits is still no number", "1" * 30, "worker_source_invalid")
    yield g("sonyflake: two machines at one instant differ in their lowest bits", "next 3", "sonyflake", 6,
            at="2026-01-01T00:00:00.120Z")
    yield from ordering_cases()
    yield from codec_option_cases()
    yield from friendly_cases()
    yield from explain_cases()
    yield from sqids_cases()
    yield from hashids_cases()
    yield from seal_cases()
    yield from spellings_of_check_symbols()
    yield from foreign_check_symbols()
    yield from rings_of_tweaks()
    yield from kind_text_cases()
    yield from uuid_cases()
    yield from uuid_generator_cases()
    yield from objectid_cases()
    yield from rises_while_held_cases()
    yield from keys_that_are_none()
    yield from id_text_cases()
    yield from counter_cases()
    yield from counter_rule_cases()
    yield from step_cases()
    yield from date_cases()
    yield from ticket_cases()


def ordering_cases():
    def p(comment, script, layout="polyflake", flags="", worker=1, **options):
        return g("per_thread: " + comment, script, layout, worker, flags=("per_thread " + flags).strip(), ordering="per_thread",
                 **options)

    for text in ("strict", "per_thread"):
        yield o(f"ordering {text}", 1, ordering=text)
    for text in ("", "none", "Strict", "per-thread", "perThread", "PER_THREAD", " strict", "per_thread ", "per_thread\0"):
        yield o(f"ordering {text!r} is refused", 1, "option_invalid", ordering=text)
    eight_bits = f"timestamp:41 worker:2 sequence:8 tick=1ms {EPOCH}"  # runs of 4
    yield p("ids of one thread are those of strict order", "next 40; next 40; advance 1; next 5")
    yield p("in a sequence of less than 128 every run is one position", "next 5; set -1; next 5", TINY, "clock_back")
    yield p("what is left of a run ends with its tick", "next 3; advance 1; next 3; advance 1; next 3", eight_bits)
    yield p("a step back drops what is left", "next 3; set -1; next 2; set +0; next 2", eight_bits, "clock_back")
    yield p("a run of the tick to which the clock comes back stays dropped", "next 1; advance 1; next 1; set +0; next 1; "
            "advance 1; next 2", eight_bits, "clock_back")
    yield p("a try takes a run too", "try; try; advance 1; try; next 4", eight_bits, "try")
    yield p("a try where only a wait would help gives nothing", "upto 255; try => nothing; next", eight_bits, "try carry")
    yield p("the last run of a tick is what the tick has left", "next 2; upto 253; next 3; next", eight_bits, "carry")
    yield p("a full sequence carries and waits", "next 40; next 40; next 40; next 40; next 40; next 40; next 20",
            eight_bits, "carry")
    yield p("a batch begins with what is left and takes no more than it needs", "next 2; batch 7; next 3; batch 1; set -1; "
            "next", eight_bits, "batch clock_back")
    yield p("a batch over several ticks", "next 3; batch 600; next 2", eight_bits, "batch carry")
    yield p("ahead of the clock positions are taken one by one", "upto 255; next 3; advance 1; next 3; advance 1; next 3",
            eight_bits, "lead", max_lead_ms=5)
    yield p("a refused call leaves the next one where it would be", "next 2; set -100; next => clock_behind; set +0; next 2",
            eight_bits, "clock_back")
    yield p("before the epoch nothing is left of a run", "next 2; set 2019-12-31T23:59:59.999Z; next => clock_before_epoch; "
            "set +0; next 2", eight_bits, "before_epoch")
    yield p("runs are at most 256 long", "next 2; advance 1; next; set -1; next", "mastodon", "clock_back", worker=0)
    yield p("the end of time", "set 2020-01-01T00:00:07.999Z; next 4; next => time_exhausted", SHORT, "end_of_time")
