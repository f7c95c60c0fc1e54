// What Polyflake is compared with: the Snowflake packages of npm with more than 20,000 downloads a month. Each with a fixed
// node id and, where it can be chosen, the widths of our default layout.
//
// `price` is what the package does not do, from its code, tried with a clock that was set by hand. What all of them have
// in common is not repeated there: two generators of one node id, in one process or thread or in two, repeat each
// other's ids.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from 'polyflake';

export const LIBRARY = `polyflake ${version}`;

const EPOCH = Date.UTC(2020, 0, 1);
const timeOf = (id) => Number(id >> 22n) + EPOCH; // of all the packages here

// `numberOf`: of an id that is no BigInt. `keptCall`: where the call throws instead of waiting.
const peers = [
  {
    package: '@sapphire/snowflake',
    call: 'generator.generate()',
    open: ({ Snowflake }) => new Snowflake(EPOCH),
    price: 'repeats ids beyond 4096 in one ms; not ordered within a ms',
  },
  {
    package: '@akashrajpurohit/snowflake-id',
    call: 'generator.generate()',
    numberOf: BigInt,
    open: ({ SnowflakeId }) => SnowflakeId({ workerId: 1, epoch: EPOCH }),
    price: 'text only; throws while the clock is behind',
  },
  {
    package: 'flake-idgen',
    call: 'generator.next()',
    keptCall: 'unrefused(generator)',
    numberOf: (buffer) => buffer.readBigUInt64BE(),
    open: (FlakeId) => new FlakeId({ id: 1, epoch: EPOCH }),
    price: 'gives a Buffer; throws while a ms is full and while the clock is behind',
  },
  {
    package: 'nodejs-snowflake',
    call: 'generator.getUniqueID()',
    capacity: 1024,
    open: ({ Snowflake }) => new Snowflake({ custom_epoch: EPOCH, instance_id: 1 }),
    price: '1024 ids a ms; repeats ids when the clock steps back',
  },
  {
    package: '@skorotkiewicz/snowflake-id',
    call: 'await generator.generate()',
    numberOf: BigInt,
    timeOf: (id) => timeOf(id) - EPOCH,
    open: ({ Snowflake }) => new Snowflake(1),
    price: 'a promise for each id, text only; repeats ids when the clock steps back',
  },
  {
    package: 'simple-flakeid',
    call: 'generator.NextBigId()',
    open: ({ SnowflakeIdv1 }) =>
      new SnowflakeIdv1({ workerId: 1, workerIdBitLength: 10, seqBitLength: 12, maxSeqNumber: 4095, baseTime: EPOCH }),
    price: 'runs up to 2000 ms ahead, then one call waits that long; repeats ids after five steps of the clock back',
  },
  {
    package: 'snowyflake',
    call: 'generator.nextId()',
    open: ({ Snowyflake }) => new Snowyflake({ workerId: 1n, epoch: BigInt(EPOCH) }),
    price: 'repeats ids beyond 4096 in one ms and when the clock steps back',
  },
  {
    package: 'snowflake-id',
    call: 'generator.generate()',
    numberOf: BigInt,
    open: ({ default: Snowflake }) => new Snowflake({ mid: 1, offset: EPOCH }),
    price: 'text only; repeats an id whenever a ms is full, and ids when the clock steps back',
  },
];

function unrefused(generator) {
  for (;;) {
    try {
      return generator.next();
    } catch {
      // The millisecond is still full.
    }
  }
}

/** A package that is installed in `folder`, which holds node_modules: what it exports, and its name and version. */
export async function openPackage(folder, name) {
  const { resolve } = createRequire(path.resolve(folder, 'package.json'));
  const loaded = await import(pathToFileURL(resolve(name)));
  const manifest = path.join(folder, 'node_modules', name, 'package.json');
  const { version: of } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return { loaded: loaded.default ?? loaded, library: `${name} ${of}` };
}

/** Every peer, with a generator that is open. */
export function openPeers(folder) {
  const opened = peers.map(async (peer) => {
    const { loaded, library } = await openPackage(folder, peer.package);
    const scope = { generator: peer.open(loaded), unrefused };
    return { capacity: 4096, timeOf, keptCall: peer.call, ...peer, library, scope };
  });
  return Promise.all(opened);
}
