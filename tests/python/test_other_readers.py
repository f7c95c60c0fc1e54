"""What others make of the ids that are made here: Python's own uuid, MongoDB's bson, and PostgreSQL's columns."""

from __future__ import annotations

import os
import uuid
from datetime import datetime, timedelta, timezone

import bson
import psycopg
import pytest

import polyflake

COUNT = 20_000


@pytest.mark.parametrize(
    ("source", "version"),
    [(polyflake.Uuid7(), 7), (polyflake.Uuid7(9, max_wait_ms=10_000), 7), (polyflake.Uuid4(), 4)],
    ids=["uuid7", "uuid7 with a worker", "uuid4"],
)
def test_python_takes_uuids(source, version):
    for id in [source.next_id(), *source.next_ids(COUNT)]:
        again = uuid.UUID(str(id))
        assert (again, again.version, again.variant) == (id, version, uuid.RFC_4122)
    assert uuid.UUID(source.next_id_string()).version == version
    memory = bytearray(16 * 100)
    source.fill(memory)
    assert {uuid.UUID(bytes=bytes(memory[at : at + 16])).version for at in range(0, len(memory), 16)} == {version}


def test_python_takes_the_ends_of_a_range_and_ids_as_uuids():
    ids, layout = polyflake.Uuid7(), polyflake.Layout("polyflake")
    made = [layout.to_uuid(id) for id in polyflake.Generator(9).next_ids(1000)]
    for id in [ids.first_id(0), ids.last_id(0), ids.last_id(2**48 - 1), *made]:
        assert (uuid.UUID(str(id)).version, uuid.UUID(str(id)).variant) == (7, uuid.RFC_4122)


def test_mongodb_takes_object_ids():
    source = polyflake.ObjectIds()
    ids = source.next_ids(COUNT)
    taken = [bson.ObjectId(id) for id in ids]
    assert [str(id) for id in taken] == ids
    assert taken == sorted(taken)
    assert taken[0].generation_time == source.decode(ids[0]).time
    memory = bytearray(12 * 100)
    source.fill(memory)
    assert bson.ObjectId(bytes(memory[:12])).binary == bytes(memory[:12])
    assert bson.decode(bson.encode({"_id": taken[0]})) == {"_id": taken[0]}
    begin, end = (bson.ObjectId(id) for id in (source.first_id(0), source.last_id((2**32 - 1) * 1000)))
    assert begin < taken[0] < end


def test_a_uuid_column_of_postgresql_takes_and_sorts_them():
    source = polyflake.Uuid7()
    first, second = source.next_ids(1000), [str(id) for id in source.next_ids(1000)]
    random = polyflake.Uuid4().next_ids(10)
    with psycopg.connect(os.environ["POLYFLAKE_TEST_POSTGRESQL"]) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE documents (id uuid PRIMARY KEY)")
        cursor.executemany("INSERT INTO documents VALUES (%s)", [(id,) for id in [*first, *second, *random]])
        cursor.execute("SELECT id FROM documents WHERE substr(id::text, 15, 1) = '7' ORDER BY id")
        assert [id for (id,) in cursor] == [*first, *map(uuid.UUID, second)]
        today = datetime.now(timezone.utc)
        bounds = source.first_id(today - timedelta(hours=1)), source.last_id(today + timedelta(hours=1))
        cursor.execute("SELECT count(*) FROM documents WHERE id BETWEEN %s AND %s", bounds)
        assert cursor.fetchone() == (2000,)
