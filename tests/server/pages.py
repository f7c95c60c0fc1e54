"""Blocks of the pages, for tests that run them."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text("ascii")


def block_with(name: str, words: str) -> str:
    """Returns the one block of a page that has these words."""
    (found,) = [text for text in re.findall(r"^```[^\n]+\n(.*?)^```$", page(name), re.M | re.S) if words in text]
    return str(found)


def moved(text: str, addresses: dict[str, int]) -> str:
    """Returns the text with other ports of this host in place of addresses, each of which it has."""
    for address in addresses:
        assert address in text
    places = "|".join(map(re.escape, addresses))
    return re.sub(rf"(?<![\w.])(?:{places})(?!\d)", lambda found: f"127.0.0.1:{addresses[found[0]]}", text)


def with_ports(text: str, ports: dict[str, int]) -> str:
    """Returns the text with other numbers in place of these, wherever they stand as words."""
    return re.sub(rf"\b(?:{'|'.join(ports)})\b", lambda found: str(ports[found[0]]), text)
