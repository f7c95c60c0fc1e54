"""Issues 25 000 ids into a file, one a line, and says what three of them mean. Begins when standard input does."""

import sys

from say import say

import polyflake

with polyflake.Generator() as generator:  # with a node id that no other process of this host has
    print(f"node id {generator.worker}", flush=True)
    sys.stdin.readline()
    ids = [generator.next_id() for _ in range(25_000)]

with open(sys.argv[1], "w") as file:
    file.writelines(f"{id}\n" for id in ids)

for id in (ids[0], ids[12_500], ids[-1]):
    say(id, generator.layout)
