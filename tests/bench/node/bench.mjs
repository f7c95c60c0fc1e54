// The Node benchmarks: bench.mjs --bare FILE --modules DIR --json FILE [--quick] [--no-peers] [--only ROW]
//
// Work and its floor in turns: floor, work, floor, in chunks of about a millisecond. What is written are the times as they
// were taken, and counts; tests/bench/report makes ratios of them, and rows.py there says what each row means.
// --bare is the addon of the floor, --modules where the packages of peers/package.json were installed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Generator } from 'polyflake';
import { addCodecRows } from './codecs.mjs';
import { addCountedRows } from './counted.mjs';
import { addKindRows } from './kinds.mjs';
import { duplicatesAmong } from './kept.mjs';
import { batchLoop, timedLoop } from './loops.mjs';
import { LIBRARY, openPeers } from './peers.mjs';
import { peerSaturated, saturated } from './saturation.mjs';

const CHUNK_NS = 1e6;
const WARM_UP_NS = 1e8;
const FRESH = 2000; // calls in a chunk that begins with a millisecond

// A tick holds millions of ids, so that no call waits: what is measured is work.
const WIDE = 'timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z';
const WIDER = 'timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z';

const { values: options } = parseArgs({
  options: {
    bare: { type: 'string' },
    json: { type: 'string' },
    modules: { type: 'string' },
    'no-peers': { type: 'boolean', default: false },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const bare = createRequire(import.meta.url)(path.resolve(options.bare));
const memory = new BigUint64Array(bare.memory);
const rounds = options.quick ? 11 : 121;
const rows = [];

function add(row, { library, call, price = '' }, figures) {
  process.stderr.write(`${row} ${library} ${call}\n`);
  rows.push({ row, library, call: call.replace('generator.', ''), price, ...figures });
}

const wants = (row) => options.only === undefined || options.only === row;

function awaitFreshMs() {
  const now = Date.now();
  while (Date.now() === now);
}

/** The loop, compiled, with room for what as many calls give as take a chunk. */
async function prepared(loop, room) {
  let ids = room(500);
  for (let warm = 0; warm < WARM_UP_NS;) warm += await loop(ids.length, ids);
  while (Math.min(await loop(ids.length, ids), await loop(ids.length, ids)) < CHUNK_NS) ids = room(2 * ids.length);
  return { loop, ids };
}

/** The same for what has few ids in a millisecond: so many calls fit into it, and no more than two chunks. */
async function preparedForFreshMs(loop, room, most) {
  const few = room(500);
  let ns = Infinity;
  for (let warm = 0; warm < WARM_UP_NS; warm += CHUNK_NS + ns) {
    awaitFreshMs();
    ns = Math.min(ns, await loop(few.length, few));
  }
  return { loop, ids: room(Math.max(1, Math.min(most, Math.floor((2 * CHUNK_NS * few.length) / ns)))) };
}

/** Nanoseconds of one call. A loop that awaits nothing is not awaited either. */
async function chunkNs({ loop, ids, calls = ids.length }) {
  const ns = loop(calls, ids);
  return (ns instanceof Promise ? await ns : ns) / calls;
}

async function compare(row, subject, floor, work, { fresh = false, numberOf } = {}) {
  const { generator } = subject;
  const waitsBefore = generator?.stats().waits ?? 0;
  const times = [];
  const ids = [];
  for (let round = 0; round < rounds; round++) {
    const before = await chunkNs(floor);
    if (fresh) awaitFreshMs();
    const ns = await chunkNs(work);
    times.push([before, ns, await chunkNs(floor)]);
    ids.push(numberOf ? BigUint64Array.from(work.ids, numberOf) : work.ids.slice());
  }
  add(row, subject, {
    rounds: times,
    ids: ids.reduce((sum, part) => sum + part.length, 0),
    duplicates: duplicatesAmong(ids),
    waits: (generator?.stats().waits ?? 0) - waitsBefore,
  });
}

const words = (count) => new BigUint64Array(count);
const values = (count) => new Array(count).fill(null);
const bareLoop = () => timedLoop('(bare.work(), memory[0])', { bare, memory });

// The first row comes first: then the process has one generator, as many programs do, and V8 may make use of that.
if (wants('next_id')) {
  const generator = new Generator({ layout: WIDE, worker: 0 });
  const work = await prepared(timedLoop('generator.nextId()', { generator }), words);
  const floor = await prepared(bareLoop(), words);
  await compare('next_id', { library: LIBRARY, call: 'generator.nextId()', generator }, floor, work);
}
if (wants('fill_4096')) {
  const generator = new Generator({ layout: WIDER, worker: 0 });
  const ids = words(4096);
  const calls = 2000;
  const batch = (call) => ({ loop: batchLoop(call, { bare, generator, ids }), ids, calls });
  const [floor, work] = [batch('bare.fill(ids)'), batch('generator.fill(ids)')];
  for (let warm = 0; warm < 50; warm++) await chunkNs(warm % 2 ? floor : work);
  await compare('fill_4096', { library: LIBRARY, call: 'generator.fill()', generator }, floor, work);
}
const peers = options['no-peers'] ? [] : await openPeers(options.modules);
if (wants('call')) {
  const floor = { ...(await prepared(bareLoop(), words)), calls: FRESH };
  const generator = new Generator({ worker: 3 });
  const own = { library: LIBRARY, scope: { generator }, capacity: 4096 };
  const ours = [
    { ...own, call: 'generator.nextId()' },
    { ...own, call: 'generator.nextIdString()', numberOf: BigInt },
  ];
  for (const subject of [...ours, ...peers]) {
    const { call, scope, capacity, numberOf } = subject;
    const loop = timedLoop(call, scope);
    const work = await preparedForFreshMs(loop, numberOf ? values : words, Math.min(FRESH, capacity / 2));
    await compare('call', subject, floor, work, { fresh: true, numberOf });
  }
}
if (wants('saturated')) {
  const subject = { library: LIBRARY, call: 'generator.nextId()' };
  for (const threads of [1, 2]) add('saturated', subject, await saturated(threads, options.quick ? 200 : 2000));
  for (const peer of peers) add('saturated', peer, await peerSaturated(peer, options.quick ? 100 : 1000));
}
await addCodecRows({ add, wants, rounds }, options.modules, !options['no-peers']);
await addKindRows({ add, wants, rounds, prepared, chunkNs }, options.modules, !options['no-peers']);
await addCountedRows({ wants, compare, prepared, memory }, bare);
const report = { language: 'node', runtime: `Node ${process.version}`, time: bare.time, rows };
fs.writeFileSync(options.json, `${JSON.stringify(report)}\n`);
