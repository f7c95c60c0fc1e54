"""Issues ids on a lease until it is told to end: lease.py ADDRESS LAYOUT FILE. Each id is in the file before the next is made."""

import os
import sys
import time

import polyflake

address, layout, path = sys.argv[1:]
generator = polyflake.Generator(address, layout=layout)
until_ms = 0
with open(path, "wb", buffering=0) as file:
    while True:
        file.write(b"%d\n" % generator.next_id())
        if generator.stats().until_ms != until_ms:
            until_ms = generator.stats().until_ms
            os.write(1, f"{generator.worker} {until_ms}\n".encode())  # node id, and where its window ends now
        time.sleep(0.005)
