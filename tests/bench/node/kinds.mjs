// The rows of kinds of ids, each beside npm's packages and Node's own function for the same. The floor is a reading of
// the clock that gives a BigInt. `price` is what the others do not do, from their code.
import { randomUUID } from 'node:crypto';
import { ObjectIds, Uuid4, Uuid7 } from 'polyflake';
import { duplicateTexts } from './kept.mjs';
import { batchLoop, timedLoop } from './loops.mjs';
import { LIBRARY, openPackage } from './peers.mjs';

// In a chunk, of the floor too: more texts, all of them kept, would measure the garbage collector.
const CALLS = 2000;
const BATCH = 4096;
const FILLS = 10; // in a chunk

// A tick holds millions of ids, so that no call waits: what is measured is work.
const WIDE = 'timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z';

const SOURCES = {
  uuid7: () => new Uuid7(),
  'uuid7.worker': () => new Uuid7({ worker: 0, layout: WIDE, maxWaitMs: 1000 }),
  uuid4: () => new Uuid4(),
  objectid: () => new ObjectIds(),
};

const ofNode = { library: `Node ${process.version}`, call: 'randomUUID()', open: () => ({ randomUUID }) };
const peers = [
  { ...ofNode, row: 'uuid7', price: 'of version 4: no order' },
  {
    row: 'uuid7',
    package: 'uuid',
    call: 'v7()',
    open: ({ v7 }) => ({ v7 }),
    price: 'worker threads have no order in common',
  },
  {
    row: 'uuid7',
    package: 'ulid',
    call: 'ulid()',
    open: ({ ulid }) => ({ ulid }),
    price: 'text of its own, 26 characters; no order within a ms',
  },
  {
    row: 'uuid7',
    package: 'ulid',
    call: 'monotonicFactory()()', // of a function that is kept
    expression: 'next()',
    open: ({ monotonicFactory }) => ({ next: monotonicFactory() }),
    price: 'text of its own, 26 characters; worker threads have no order in common',
  },
  { ...ofNode, row: 'uuid4', price: '' },
  { row: 'uuid4', package: 'uuid', call: 'v4()', open: ({ v4 }) => ({ v4 }), price: '' },
  {
    row: 'objectid',
    package: 'bson',
    call: 'new ObjectId().toHexString()',
    open: ({ ObjectId }) => ({ ObjectId }),
    price: 'its counter goes round, within a second too; worker threads have no order in common',
  },
];

const texts = (count) => new Array(count).fill('');
const words = (count) => new BigUint64Array(count);

async function preparedFloor(prepared) {
  return { ...(await prepared(timedLoop('process.hrtime.bigint()', { process }), words)), calls: CALLS };
}

/** The times of the rounds: `nsOf` of the work between two of the floor. `keep` is called after each round. */
async function timesOf(rounds, floor, work, chunkNs, perCall, keep) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const before = await chunkNs(floor);
    const ns = (await chunkNs(work)) / perCall;
    times.push([before, ns, await chunkNs(floor)]);
    keep();
  }
  return times;
}

/** The ids of an array, as bytes that the garbage collector has nothing to do with. */
const packed = (ids) => ({ count: ids.length, bytes: Buffer.from(ids.join(''), 'latin1') });

async function compareSingles({ add, rounds, prepared, chunkNs }, row, subject, scope, call) {
  const floor = await preparedFloor(prepared);
  const { loop } = await prepared(timedLoop(call, scope), texts);
  const work = { loop, ids: texts(CALLS) };
  const kept = [];
  const waitsBefore = scope.generator?.stats().waits ?? 0;
  const times = await timesOf(rounds, floor, work, chunkNs, 1, () => kept.push(packed(work.ids)));
  add(row, subject, {
    rounds: times,
    ids: kept.reduce((sum, { count }) => sum + count, 0),
    duplicates: duplicateTexts(kept),
    waits: (scope.generator?.stats().waits ?? 0) - waitsBefore,
  });
}

async function compareFill({ add, rounds, prepared, chunkNs }, row, generator) {
  const ids = new Uint8Array(BATCH * 16);
  const floor = await preparedFloor(prepared);
  const work = { loop: batchLoop('generator.fill(ids)', { generator, ids }), ids, calls: FILLS };
  for (let warm = 0; warm < 200; warm++) await chunkNs(work);
  const kept = [];
  const waitsBefore = generator.stats().waits;
  const keep = () => kept.push({ count: BATCH, bytes: Buffer.from(Buffer.from(ids).toString('hex'), 'latin1') });
  const times = await timesOf(rounds, floor, work, chunkNs, BATCH, keep);
  add(
    row,
    { library: LIBRARY, call: 'generator.fill()' },
    {
      rounds: times,
      ids: kept.length * BATCH,
      duplicates: duplicateTexts(kept),
      waits: generator.stats().waits - waitsBefore,
    },
  );
}

/** `bench`: { add, wants, rounds, prepared, chunkNs }, as in bench.mjs. */
export async function addKindRows(bench, modules, withPeers) {
  for (const [row, open] of Object.entries(SOURCES)) {
    if (!bench.wants(row)) continue;
    const generator = open();
    await compareSingles(
      bench,
      row,
      { library: LIBRARY, call: 'generator.nextId()' },
      { generator },
      'generator.nextId()',
    );
    for (const peer of withPeers ? peers.filter((other) => other.row === row) : []) {
      const { library, loaded } = peer.package ? await openPackage(modules, peer.package) : peer;
      await compareSingles(bench, row, { ...peer, library }, peer.open(loaded), peer.expression ?? peer.call);
    }
  }
  for (const row of ['uuid7.fill', 'uuid4.fill']) {
    if (bench.wants(row)) await compareFill(bench, row, SOURCES[row.replace('.fill', '')]());
  }
}
