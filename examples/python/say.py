"""Prints what an id says: the id, then name=value for each of its parts."""

from polyflake import Layout


def say(id: int, layout: Layout) -> None:
    parts = layout.decode(id)
    fields = [f"{name}={value}" for name, value in parts.fields.items()]
    print(id, f"time_ms={parts.time_ms}", f"tick={parts.tick}", *fields, f"sequence={parts.sequence}")
