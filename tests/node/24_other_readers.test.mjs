// What other libraries make of the ids that are made here: npm's uuid, and bson for MongoDB.
import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectId } from 'bson';
import { Generator, Layout, ObjectIds, Uuid4, Uuid7 } from 'polyflake';
import { parse, stringify, validate, version } from 'uuid';

const COUNT = 20_000;

const UUIDS = {
  uuid7: [new Uuid7(), 7],
  'uuid7 with a worker': [new Uuid7({ worker: 9, maxWaitMs: 10_000 }), 7],
  uuid4: [new Uuid4(), 4],
};

for (const [name, [ids, expected]] of Object.entries(UUIDS)) {
  test(`uuid takes ids of ${name}`, () => {
    for (const id of [ids.nextId(), ids.nextIdString(), ids.tryNextId() ?? ids.nextId(), ...ids.nextIds(COUNT)]) {
      assert.ok(validate(id), id);
      assert.equal(version(id), expected);
      assert.equal(stringify(parse(id)), id);
    }
  });

  test(`uuid reads the bytes that ${name} fills`, () => {
    const memory = ids.fill(new Uint8Array(16 * 1000));
    for (let at = 0; at < memory.length; at += 16) assert.equal(version(stringify(memory, at)), expected);
  });
}

test('uuid takes the ends of a range, and ids as UUIDs', () => {
  const ids = new Uuid7();
  const layout = new Layout('polyflake');
  const made = [...new Generator({ worker: 9 }).nextIds(1000)].map((id) => layout.toUuid(id));
  for (const id of [ids.firstId(0), ids.lastId(0), ids.firstId(Date.now()), ids.lastId(2 ** 48 - 1), ...made]) {
    assert.ok(validate(id), id);
    assert.equal(version(id), 7);
  }
});

test('bson takes ids of objectid, and reads the same time', () => {
  const ids = new ObjectIds();
  for (const id of [ids.nextId(), ids.firstId(0), ids.lastId(Date.UTC(2100, 0, 1)), ...ids.nextIds(COUNT)]) {
    const read = new ObjectId(id);
    assert.equal(read.toHexString(), id);
    assert.deepEqual(read.getTimestamp(), ids.decode(id).time);
  }
  const memory = ids.fill(new Uint8Array(12 * 1000));
  for (let at = 0; at < memory.length; at += 12) {
    const bytes = memory.subarray(at, at + 12);
    assert.equal(new ObjectId(bytes).toHexString(), Buffer.from(bytes).toString('hex'));
  }
});

test('ids of objectid read what bson makes', () => {
  const ids = new ObjectIds();
  for (let i = 0; i < 1000; i++) {
    const theirs = new ObjectId();
    const { time, counter, process: processBits } = ids.decode(theirs.toHexString());
    assert.deepEqual(time, theirs.getTimestamp());
    const low = (processBits << 24n) | BigInt(counter);
    assert.equal(low, BigInt(`0x${theirs.toHexString().slice(8)}`));
  }
});
