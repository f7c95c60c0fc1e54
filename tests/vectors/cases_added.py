"""Tests added after the first numbering, in that order: always append, so that no number ever changes."""

from cases_generator import g
from cases_options import o


def added_cases():
    yield o("a worker source of digits beyond 64 bits is still no number", "1" * 30, "worker_source_invalid")
    yield g("sonyflake: two machines at one instant differ in their lowest bits", "next 3", "sonyflake", 6,
            at="2026-01-01T00:00:00.120Z")
