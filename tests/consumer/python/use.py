"""What a stranger's first program does: issues, decodes, handles an error."""

import asyncio
import sys
from array import array
from datetime import datetime, timezone

import polyflake

issued = [polyflake.next_id(), polyflake.from_text(polyflake.next_id_string())]
assert issued == sorted(issued)
with polyflake.Generator(7, layout="twitter", max_wait_ms=100) as generator:
    ids = [next(generator), *generator.next_ids(5000), asyncio.run(generator.next_id_async())]
    buffer = array("Q", bytes(8 * 5000))
    generator.fill(buffer)
    ids += buffer
assert ids == sorted(set(ids))

parts = polyflake.decode(str(ids[0]), "twitter")
assert parts.fields == {"datacenter": 0, "worker": 7}
assert abs((datetime.now(timezone.utc) - parts.time).total_seconds()) < 60

try:
    polyflake.Generator(2000)
except ValueError as error:
    assert isinstance(error, polyflake.BadArgumentError)
    assert error.code == "field_out_of_range"
else:
    sys.exit("a node id beyond the layout was taken")
assert "polyflake._lease" not in sys.modules  # what leases need is not there before there is one
try:
    polyflake.Generator("redis://127.0.0.1/0?namespace=orders")
except ImportError as error:
    assert "pip install 'polyflake[redis]'" in str(error), error
else:
    sys.exit("a lease was had without a client of its store")
print("used", polyflake.__version__)
