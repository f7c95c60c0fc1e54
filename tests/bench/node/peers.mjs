// What Polyflake is compared with: the Snowflake packages of npm with more than 20,000 downloads a month, and what
// people take instead. Each with a fixed node id and, where it can be chosen, the widths of our default layout.
//
// `price` is what the package does not do, from its code, tried with a clock that was set by hand. What all
// these Snowflake packages have in common is not repeated there: two generators of one node id, in one process
// or thread or in two, repeat each other's ids.
import crypto from 'node:crypto';
import { Generator } from 'polyflake';
import { LIBRARY } from './calls.mjs';

const EPOCH = Date.UTC(2020, 0, 1);
const timeOf = (id) => Number(BigInt(id) >> 22n) + EPOCH; // of all the Snowflake packages here

const snowflakes = [
  {
    package: '@sapphire/snowflake',
    call: 'generator.generate()',
    open: ({ Snowflake }) => new Snowflake(EPOCH),
    price: 'repeats ids beyond 4096 in one ms; not ordered within a ms',
  },
  {
    package: '@akashrajpurohit/snowflake-id',
    call: 'generator.generate()',
    text: true,
    open: ({ SnowflakeId }) => SnowflakeId({ workerId: 1, epoch: EPOCH }),
    price: 'text only; throws while the clock is behind',
  },
  {
    package: 'flake-idgen',
    call: 'generator.next()',
    keptCall: 'unrefused(generator)',
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
    text: true,
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
    text: true,
    open: ({ default: Snowflake }) => new Snowflake({ mid: 1, offset: EPOCH }),
    price: 'text only; repeats an id whenever a ms is full, and ids when the clock steps back',
  },
].map((peer) => ({ capacity: 4096, timeOf, ...peer }));

const others = [
  {
    package: 'uuid',
    call: 'generator.v7()',
    open: (uuid) => ({ v7: uuid.v7 }),
    timeOf: (id) => parseInt(id.replaceAll('-', '').slice(0, 12), 16),
    price: '128 bits, as text; unique by chance',
  },
  {
    package: 'nanoid',
    call: 'generator.nanoid()',
    open: ({ nanoid }) => ({ nanoid }),
    price: '126 bits, as text; random: not ordered, unique by chance',
  },
  {
    package: null, // Node's own
    call: 'generator.randomUUID()',
    open: () => ({ randomUUID: crypto.randomUUID }),
    price: '128 bits, as text; random: not ordered, unique by chance',
  },
].map((peer) => ({ capacity: null, timeOf: null, text: true, ...peer }));

/** flake-idgen throws while a millisecond is full; its ids are kept as the numbers they stand for. */
function unrefused(generator) {
  for (;;) {
    try {
      return generator.next().readBigUInt64BE();
    } catch {
      // The millisecond is still full.
    }
  }
}

async function opened(peer, packages) {
  const { package: name, call, keptCall = call, open, capacity, text = false, price } = peer;
  const generator = open(name === null ? null : await packages.load(name));
  return {
    words: {
      key: null,
      library: name === null ? `node:crypto ${process.version}` : packages.label(name),
      name: call.replace('generator.', ''),
      price,
    },
    call,
    keptCall,
    text,
    capacity,
    timeOf: peer.timeOf,
    scope: { generator, unrefused },
  };
}

/** Every peer, with a generator that is open. */
export function openPeers(packages) {
  return Promise.all([...snowflakes, ...others].map((peer) => opened(peer, packages)));
}

/** For interleavedRows(): ours with the default layout and a node id of its own, then the peers. */
export function peerOperations(peers) {
  const generator = new Generator({ worker: 3 });
  const ours = ['nextId()', 'nextIdString()'].map((name) => ({
    words: { key: null, library: LIBRARY, name, price: '' },
    call: `generator.${name}`,
    capacity: 4096,
    scope: { generator },
  }));
  return [...ours, ...peers].map(({ words, call, capacity, scope }) => ({
    group: 'peers',
    ...words,
    call,
    capacity,
    scope,
  }));
}
