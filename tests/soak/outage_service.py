"""A service of asyncio for outage.py: `python outage_service.py URL RATE`. Reads "healed" and "end" from stdin."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections import Counter

from polyflake import Generator, PolyflakeError

TICK_S = 0.005


async def serve(url: str, rate: int) -> None:
    loop = asyncio.get_running_loop()
    words: asyncio.Queue[str] = asyncio.Queue()
    threading.Thread(
        target=lambda: [loop.call_soon_threadsafe(words.put_nowait, line.strip()) for line in sys.stdin], daemon=True
    ).start()
    codes: Counter[str] = Counter()
    figures = {"requests": 0, "ids": 0, "stall_ms": 0.0, "request_ms": 0.0, "back_ms": float("inf")}
    healed_at = None
    tasks = set()

    async def request() -> None:
        began = time.monotonic()
        try:
            await generator.next_id_async()
            figures["ids"] += 1
            if healed_at is not None and figures["back_ms"] == float("inf"):
                figures["back_ms"] = (time.monotonic() - healed_at) * 1000
        except PolyflakeError as error:
            codes[error.code] += 1
        figures["request_ms"] = max(figures["request_ms"], (time.monotonic() - began) * 1000)

    async with await Generator.open(url) as generator:
        print("open", flush=True)
        began = last = time.monotonic()
        word = ""
        while word != "end":
            if word == "healed":
                healed_at = time.monotonic()
            await asyncio.sleep(TICK_S)
            word = "" if words.empty() else words.get_nowait()
            now = time.monotonic()
            figures["stall_ms"] = max(figures["stall_ms"], (now - last - TICK_S) * 1000)
            last = now
            while figures["requests"] < (now - began) * rate:
                figures["requests"] += 1
                task = loop.create_task(request())
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)
    print(json.dumps({**figures, "codes": codes}))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2])))
