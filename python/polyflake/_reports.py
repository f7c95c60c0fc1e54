"""The state of a lease for logging.getLogger("polyflake"): one line for each change."""

from __future__ import annotations

from contextlib import suppress


def log(level: str, text: str) -> None:
    """Logs a line of a lease. Blocks: as the handlers of the application."""
    import logging  # imported here: most leases never report

    logger = logging.getLogger("polyflake")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())  # else logging prints warnings by itself
    with suppress(Exception):  # of a handler or filter: it must not end the lease
        logger.log(logging.WARNING if level == "warning" else logging.INFO, "%s", text)
