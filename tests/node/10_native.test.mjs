// The addon's own functions, called with anything: an exception at worst, never a crash.
import './registry.mjs';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Generator, Layout, ManualClock, ObjectIds, PolyflakeError, Uuid4, Uuid7 } from 'polyflake';

const native = createRequire(import.meta.url)('../../node/native.js');
const generatorToClaimFrom = new Uint32Array(native.claimed, 12, 1);
const openKind = (kind) => native.openSource({ kind });
const functions = Object.keys(native).filter((name) => typeof native[name] === 'function');

const hostile = {
  get length() {
    throw new Error('length');
  },
  valueOf() {
    throw new Error('valueOf');
  },
};
const trap = new Proxy([], {
  get() {
    throw new Error('get');
  },
});
const JUNK = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  2,
  7,
  1.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e300,
  0n,
  1n,
  -1n,
  2n ** 63n,
  2n ** 64n,
  -(2n ** 63n),
  2n ** 1000n,
  '',
  '0',
  'host:7',
  'decimal',
  'hex',
  'polyflake',
  '\ud800',
  '\0',
  'x'.repeat(100_000),
  {},
  [],
  [[], []],
  [['worker'], [1n]],
  [['worker'], [1]],
  [['worker'], []],
  [undefined],
  new BigUint64Array(3),
  new BigUint64Array(0),
  new BigInt64Array(3),
  new Uint8Array(24),
  new ArrayBuffer(24),
  new DataView(new ArrayBuffer(24)),
  new SharedArrayBuffer(24),
  new Date(),
  Symbol('s'),
  () => 1,
  class {},
  hostile,
  trap,
  new Proxy({}, {}),
  new Error('e'),
  Promise.resolve(),
  globalThis,
  new Map(),
  /x/,
  Object.create(null),
];

/** Options of a source, never those of the default one; sometimes no object at all. */
function junkOptions(roll) {
  const fields = ['worker', 'layout', 'ordering', 'clock', 'numbers', 'kind', 'entropy'];
  if (roll(4) === 0) return ['', null, 7, 1n, undefined, true][roll(6)];
  const options = Object.fromEntries(fields.map((field) => [field, JUNK[roll(roll(2) ? 1 : JUNK.length)]]));
  return { ...options, worker: options.worker ?? 7n };
}

/** A small generator of pseudo-random numbers, so that a failure can be repeated. */
function dice(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

test('every function of the addon survives any arguments', async () => {
  // Objects 0 to 2 of each kind exist, so that arguments get past the first check, too.
  const held = [0, 1, 2].flatMap((i) => {
    const clock = new ManualClock(1.8e12);
    const openOne = [() => new Generator({ worker: 40, clock }), () => new Uuid7({ clock }), () => new ObjectIds()][i];
    return [new Layout('polyflake'), clock, new Uuid4(), openOne()];
  });
  const pending = [];
  let refused = 0;
  for (const name of functions) {
    if (name === 'setError' || name.startsWith('forget')) continue;
    const roll = dice(name.length);
    for (let round = 0; round < 1500; round++) {
      const values = Array.from({ length: roll(7) }, () => JUNK[roll(JUNK.length)]);
      if (roll(2)) values[0] = roll(3);
      if (name.startsWith('openSource')) values[0] = junkOptions(roll);
      try {
        const result = native[name](...values);
        if (result instanceof Promise) pending.push(result.catch(() => {}));
      } catch (error) {
        assert.ok(error instanceof Error);
        refused += 1;
      }
    }
  }
  await Promise.all(pending);
  assert.ok(refused > 10_000, `only ${refused} calls were refused`);
  assert.equal(held.length, 12);
});

test('numbers that refer to nothing are refused', () => {
  generatorToClaimFrom[0] = 1e6; // for claim(), which takes no argument
  for (const index of [-1, 1e6, 2 ** 32 - 1, 2 ** 32, NaN, undefined, '0', {}]) {
    for (const call of [
      () => native.claim(index),
      () => native.tryClaim(index),
      () => native.fill(index, new BigUint64Array(1)),
      () => native.waitNs(index, 1n),
      () => native.close(index),
      () => native.renew(index),
      () => native.state(index),
      () => native.stats(index),
    ]) {
      if (Number.isNaN(index) || index === 2 ** 32) continue; // Node-API reads these as 0
      assert.throws(call, { code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
    }
  }
  assert.throws(() => native.describeLayout(1e6), PolyflakeError);
  assert.throws(() => native.clockTime(1e6), PolyflakeError);
});

test('a forgotten number is refused until it is given away again', () => {
  const index = native.newLayout('twitter');
  native.forgetLayout(index);
  native.forgetLayout(index);
  assert.throws(() => native.describeLayout(index), PolyflakeError);
  assert.equal(native.newLayout('tsid'), index);
  assert.match(native.describeLayout(index).text, /node:10/);
  native.forgetLayout(index);
});

test('ids are never written outside their array', () => {
  const kinds = [
    { source: native.openSource({ worker: 50n }), array: new BigUint64Array(8), zero: 0n, width: 1 },
    { source: openKind('uuid7'), array: new Uint8Array(128), zero: 0, width: 16 },
    { source: openKind('uuid4'), array: new Uint8Array(128), zero: 0, width: 16 },
  ];
  for (const { source, array, zero, width } of kinds) {
    native.fill(source, array.subarray(2 * width, 5 * width));
    const written = [0, 1, 2, 3, 4, 5, 6, 7].map((at) =>
      array.subarray(at * width, (at + 1) * width).some((part) => part !== zero),
    );
    assert.deepEqual(written, [false, false, true, true, true, false, false, false]);
    const more = array.slice();
    native.fill(source, array.subarray(0, width), true); // of an array that is full: nothing is left to write
    assert.deepEqual(array, more);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    native.fill(source, array);
    const others = [new Uint8Array(17), new Float64Array(2), [], undefined];
    for (const other of others) {
      assert.throws(() => native.fill(source, other), { code: 'ERR_POLYFLAKE_OPTION_INVALID' });
    }
    native.forgetSource(source);
  }
});

test('a generator whose positions are ids spells nothing', () => {
  const generator = native.openSource({ worker: 52n });
  generatorToClaimFrom[0] = generator;
  for (const call of [
    () => native.claimSpelled(),
    () => native.trySpelled(generator),
    () => native.fill(generator, new Uint8Array(16)),
  ]) {
    assert.throws(call, { code: 'ERR_POLYFLAKE_OPTION_INVALID' });
  }
  native.forgetSource(generator);
  assert.throws(() => native.trySpelled(generator), { code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
});

test('random ids have no positions to claim', () => {
  const source = openKind('uuid4');
  generatorToClaimFrom[0] = source;
  for (const call of [() => native.claim(), () => native.claimText(), () => native.tryClaim(source)]) {
    assert.throws(call, { code: 'ERR_POLYFLAKE_OPTION_INVALID' });
  }
  native.forgetSource(source);
});

test('a number whose generator is gone refuses to claim, also where it claimed last', () => {
  const generator = native.openSource({ worker: 51n });
  generatorToClaimFrom[0] = generator;
  native.claim();
  native.forgetSource(generator);
  for (const gone of [generator, 1e6, 2 ** 32 - 1]) {
    generatorToClaimFrom[0] = gone;
    assert.throws(() => native.claim(), { code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
    assert.throws(() => native.claimText(), { code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
  }
});

test('an error class that cannot be called still gives an exception', () => {
  for (const broken of [
    () => {},
    class {
      constructor() {
        throw new RangeError('mine');
      }
    },
  ]) {
    native.setError(broken);
    generatorToClaimFrom[0] = 1e6;
    assert.throws(() => native.claim(), Error);
    assert.throws(() => native.toText(5), Error);
  }
  assert.throws(() => native.setError(5), Error);
  native.setError(PolyflakeError);
  assert.throws(() => native.claim(), PolyflakeError);
});

test('objects that nobody holds any more give their numbers back', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 2000; i++) {
      const clock = new ManualClock(1.8e12);
      new Generator({ worker: 60, clock });
      new Layout('polyflake');
    }
    await setImmediate();
    collect();
    await setImmediate();
  }
  for (const number of [native.newLayout('polyflake'), native.newClock(0n), native.openSource({ worker: 60n })]) {
    assert.ok(number < 10_000, `number ${number} after 20000 objects`);
  }
});
