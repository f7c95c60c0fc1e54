"""redis-py, driven by lines as client_programs.py says."""

from __future__ import annotations

import sys
from typing import Any

import redis


def opened(port: str, protocol: str, *token: str) -> redis.Redis:
    login = dict(zip(("username", "password"), token, strict=False))
    return redis.Redis(port=int(port), protocol=int(protocol), decode_responses=True, **login)


def flat(reply: Any) -> list[Any]:
    """A map comes as a dict over RESP 3, as a list over RESP 2."""
    return [word for pair in reply.items() for word in pair] if isinstance(reply, dict) else reply


def answer(client: redis.Redis, verb: str, key: str, *count: str) -> list[Any]:
    if verb == "incr":
        return [client.incr(key)]
    if verb == "next":
        return [client.execute_command("POLYFLAKE.NEXT", key)]
    if verb == "batch":
        return client.execute_command("POLYFLAKE.NEXT", key, *count)
    if verb == "decode":
        return flat(client.execute_command("POLYFLAKE.DECODE", key))
    pipeline = client.pipeline(transaction=False)
    for _ in range(int(*count)):
        pipeline.incr(key) if verb == "incrs" else pipeline.execute_command("POLYFLAKE.NEXT", key)
    return pipeline.execute()


def main() -> None:
    client = None
    for line in sys.stdin:
        verb, *words = line.split()
        try:
            if verb == "open":
                client = opened(*words)
                said = ["redis-py", redis.__version__]
            else:
                said = answer(client, verb, *words)
            print("=", *said, flush=True)
        except Exception as error:
            print("!", " ".join(str(error).split()), flush=True)


main()
