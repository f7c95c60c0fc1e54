"""Counts the claims of the event loop that block: runs blocked_claims.cpp."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "build/cpp/tests/server/polyflake_blocked_claims"


def blocked_claims(
    folder: Path, store: str = "", *, seconds: int, flush_ms: int = 0, keeper: bool = True
) -> dict[str, int]:
    """Claims 10 000 a second, with a node id of a store or of a registry in the folder.

    Returns how many claims gave an id, how many were told to wait, and in how many of all the thread was blocked.
    """
    registry = folder / "registry"
    registry.mkdir()
    worker = store or "host"
    head = "" if store else f'registry = "{registry}"\n'
    configuration = folder / "claims.toml"
    listener = '[[listener]]\nprotocol = "resp"\naddress = "127.0.0.1:0"\n'
    configuration.write_text(f'{head}[generator.orders]\nworker = "{worker}"\n{listener}')
    done = subprocess.run(
        [PROGRAM, configuration, str(seconds), str(flush_ms), str(int(keeper))],
        check=True,
        stdout=subprocess.PIPE,
        timeout=seconds + 120,
    )
    return json.loads(done.stdout)
