"""A program of Windows that issues ids from the host registry, and starts a second one that asks for the same node id.

The second, python.exe smoke.py WORKER, must be refused.
"""

import subprocess
import sys

import polyflake

if sys.argv[1:]:
    try:
        polyflake.Generator(f"host:{sys.argv[1]}")
    except polyflake.PolyflakeError as error:
        assert error.code == "worker_in_use", error
    else:
        sys.exit("was not refused")
else:
    generator = polyflake.Generator("host")
    ids = [generator.next_id() for _ in range(1000)]
    assert ids == sorted(set(ids))
    assert {polyflake.decode(one).node for one in ids} == {generator.worker}
    subprocess.run([sys.executable, __file__, str(generator.worker)], check=True)
