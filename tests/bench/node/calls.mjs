// What is measured of Polyflake call by call.
import { Generator, version } from 'polyflake';
import { ratioRow } from './pairing.mjs';

export const LIBRARY = `polyflake ${version}`;

// A tick holds a million ids or more, so that no call waits: what is measured is work.
const EPOCH = 'tick=1ms epoch=2020-01-01T00:00:00.000Z';
const WIDE = `timestamp:41 sequence:22 ${EPOCH}`;
// Batches are fast enough to use up that.
const WIDER = `timestamp:39 sequence:24 ${EPOCH}`;
const WIDE_WITH_WORKER = `timestamp:41 worker:2 sequence:20 ${EPOCH}`;

const open = (layout = WIDE) => new Generator({ layout, worker: 0 });
const ours = (key, group, name, call, scope, more = {}) => ({
  key,
  group,
  library: LIBRARY,
  name,
  price: '',
  call,
  scope,
  ...more,
});

function single(key, name, call) {
  return ours(key, 'single call', name, call, { generator: open() });
}

/** A row, which says so itself if calls of it had to wait. */
async function unwaiting(operation, settings) {
  const row = await ratioRow(operation, settings);
  for (const generator of operation.scope.generators ?? [operation.scope.generator]) {
    const { waits } = generator.stats();
    if (waits > 0) row.price = `${waits} calls had to wait, so this is not work alone`;
    generator.close();
  }
  return row;
}

// The first row comes first: then the process has one generator, as many programs do, and V8 may make use of that.
// In all the others it has several.
const measured = [
  () => single('node.next_id', 'nextId()', 'generator.nextId()'),
  () =>
    ours('node.next_id.four', 'single call', 'nextId(), four generators in turn', 'generators[i & 3].nextId()', {
      generators: [0, 1, 2, 3].map((worker) => new Generator({ layout: WIDE_WITH_WORKER, worker })),
    }),
  () => single('node.next_id_string', 'nextIdString()', 'generator.nextIdString()'),
  () => single(null, 'tryNextId()', 'generator.tryNextId()'),
  () => {
    const scope = { generator: open(WIDER) };
    return ours(null, 'batch', 'nextIds(1000), the whole call', 'generator.nextIds(1000)', scope, { chunkNs: 1e7 });
  },
  () => {
    const scope = { generator: open(WIDER), ids: new BigUint64Array(64) };
    return ours(null, 'batch', 'fill(64 ids), the whole call', 'generator.fill(ids)', scope);
  },
  () => {
    const scope = { generator: open(WIDER), ids: new BigUint64Array(4096) };
    return ours('node.fill_4096_per_id', 'batch', 'fill(4096 ids), per id', 'generator.fill(ids)', scope, { per: 4096 });
  },
];

export async function callRows(settings) {
  const rows = [];
  for (const operation of measured) rows.push(await unwaiting(operation(), settings));
  return rows;
}

/** For a process with POLYFLAKE_TICK_CACHE=off, which the library reads once. */
export async function plainRows(settings) {
  return [await unwaiting(single('node.next_id.plain', 'nextId(), plain clock', 'generator.nextId()'), settings)];
}
