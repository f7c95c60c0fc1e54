import './registry.mjs';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Generator, Layout, ManualClock, decode, nextId } from 'polyflake';
import { refuses } from './refusal.mjs';

const START = Date.UTC(2026, 0, 1);

function manual(options = {}) {
  const clock = new ManualClock(START);
  return { clock, generator: new Generator({ worker: 7, sequenceSpread: 1, clock, ...options }) };
}

test('generators that take turns each issue their own ids, also in the place of one that was closed', () => {
  const workers = [1, 2, 3, 4];
  const generators = workers.map((worker) => manual({ worker }).generator);
  const take = (call) => generators.map((generator) => decode(BigInt(generator[call]())).node);
  for (let round = 0; round < 3; round++) {
    for (const call of ['nextId', 'nextIdString', 'tryNextId']) assert.deepEqual(take(call), [1n, 2n, 3n, 4n]);
  }
  generators[3].close();
  refuses('generator_closed', () => generators[3].nextId());
  generators[3] = manual({ worker: 9 }).generator;
  assert.deepEqual(take('nextId'), [1n, 2n, 3n, 9n]);
});

test('ids count up within a tick and follow the clock', () => {
  const { clock, generator } = manual();
  const first = generator.nextId();
  assert.deepEqual(decode(first), {
    time: new Date(START),
    timeMs: START,
    tick: BigInt(START) - 1577836800000n,
    sequence: 0,
    node: 7n,
    fields: { worker: 7 },
  });
  assert.equal(generator.nextId(), first + 1n);
  clock.advance(5);
  assert.equal(decode(generator.nextId()).timeMs, START + 5);
});

test('all ways of issuing continue each other', async () => {
  const { generator } = manual();
  const first = generator.nextId();
  assert.equal(generator.tryNextId(), first + 1n);
  assert.equal(generator.nextIdString(), String(first + 2n));
  assert.deepEqual(generator.nextIds(2), new BigUint64Array([first + 3n, first + 4n]));
  const array = new BigUint64Array(2);
  assert.equal(generator.fill(array), array);
  assert.deepEqual([...array], [first + 5n, first + 6n]);
  assert.equal(await generator.nextIdAsync(), first + 7n);
  assert.equal(generator.stats().issued, 8);
});

test('the sequence carries into the next tick', () => {
  const { clock, generator } = manual();
  const ids = generator.nextIds(4097);
  assert.equal(decode(ids[4095]).sequence, 4095);
  assert.deepEqual([decode(ids[4096]).timeMs, decode(ids[4096]).sequence], [START + 1, 0]);
  assert.equal(clock.timeMs, START + 1, 'waiting moved the manual clock');
});

test('tryNextId gives null where it would have to wait, and claims nothing', () => {
  const { clock, generator } = manual();
  const last = generator.nextIds(4096)[4095];
  assert.equal(generator.tryNextId(), null);
  assert.equal(clock.timeMs, START);
  clock.advance(1);
  assert.equal(generator.tryNextId(), layoutNext(last));
});

function layoutNext(id) {
  const { tick, node } = decode(id);
  return new Layout('polyflake').encode({ tick: tick + 1n, worker: Number(node) });
}

test('a batch may be empty, cross ticks, and be a part of an array', () => {
  const { generator } = manual();
  assert.equal(generator.nextIds(0).length, 0);
  const whole = new BigUint64Array(10);
  generator.fill(whole.subarray(3, 6));
  assert.deepEqual([...whole.map((id) => (id === 0n ? 0n : 1n))], [0n, 0n, 0n, 1n, 1n, 1n, 0n, 0n, 0n, 0n]);
  const many = generator.nextIds(10_000);
  for (let i = 1; i < many.length; i++) assert.ok(many[i] > many[i - 1]);
});

test('fill writes to shared memory, too', () => {
  const { generator } = manual();
  const shared = new BigUint64Array(new SharedArrayBuffer(16));
  generator.fill(shared);
  assert.equal(shared[1], shared[0] + 1n);
});

test('fill refuses an array whose memory was transferred, and looks at no length that is not its own', () => {
  const generator = new Generator({ worker: 5 });
  const transferred = new BigUint64Array(4);
  structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
  refuses('option_invalid', () => generator.fill(transferred), 'transferred');
  const lying = Object.defineProperty(new BigUint64Array(4), 'length', { value: 1e9 });
  generator.fill(lying);
  assert.equal(new Set(lying).size, 4);
  assert.equal(generator.fill(new BigUint64Array(0)).length, 0);
});

test('fill refuses what is no BigUint64Array', () => {
  const { generator } = manual();
  for (const wrong of [undefined, null, [], [1n], new BigInt64Array(1), new Float64Array(1), new ArrayBuffer(8), 5]) {
    refuses('option_invalid', () => generator.fill(wrong), 'BigUint64Array');
  }
  for (const wrong of [-1, 1.5, NaN, '5', 5n, undefined, null, 2 ** 53]) {
    refuses('option_invalid', () => generator.nextIds(wrong));
  }
});

test('a clock that went back by more than maxWaitMs is refused with the missing milliseconds', () => {
  const { clock, generator } = manual({ maxWaitMs: 5 });
  const before = generator.nextId();
  clock.advance(-100);
  refuses('clock_behind', () => generator.nextId(), '100');
  refuses('clock_behind', () => generator.fill(new BigUint64Array(1)), '100');
  clock.set(START);
  assert.ok(generator.nextId() > before);
});

test('maxLeadMs lets ids run ahead of the clock', () => {
  const { clock, generator } = manual({ maxLeadMs: 10n });
  const ids = generator.nextIds(3 * 4096);
  assert.equal(clock.timeMs, START);
  assert.equal(decode(ids.at(-1)).timeMs, START + 2);
  assert.equal(generator.stats().leadMs, 2);
});

test('a worker is a number, a BigInt, a value per field or a source', () => {
  const worker = (value, layout) => new Generator({ worker: value, layout, clock: new ManualClock(START) }).worker;
  assert.equal(worker(7), 7n);
  assert.equal(worker(7n), 7n);
  assert.equal(worker({ worker: 7 }), 7n);
  assert.equal(worker({ datacenter: 1, worker: 2n }, 'twitter'), 34n);
  assert.equal(worker('host:9'), 9n);
});

test('a generator tells its layout, given by text or by object', () => {
  const text = String(new Layout('twitter'));
  for (const layout of ['twitter', text, new Layout('twitter')]) {
    const { generator } = manual({ layout });
    assert.equal(String(generator.layout), text);
    assert.equal(generator.layout, generator.layout);
  }
});

test('POLYFLAKE_WORKER decides where no worker is given', (t) => {
  process.env.POLYFLAKE_WORKER = '5';
  t.after(() => delete process.env.POLYFLAKE_WORKER);
  assert.equal(new Generator({ clock: new ManualClock(START) }).worker, 5n);
});

test('a closed generator refuses to issue', async () => {
  const { generator } = manual();
  assert.equal(generator.closed, false);
  generator.nextId();
  generator.close();
  generator.close();
  assert.equal(generator.closed, true);
  refuses('generator_closed', () => generator.nextId());
  refuses('generator_closed', () => generator.tryNextId());
  refuses('generator_closed', () => generator.nextIdString());
  refuses('generator_closed', () => generator.nextIds(1));
  await assert.rejects(generator.nextIdAsync(), { code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
  assert.equal(generator.worker, 7n);
  assert.equal(generator.stats().issued, 1);
});

test('state() tells whether ids can be had', () => {
  const { generator } = manual();
  assert.deepEqual(generator.state(), { name: 'open', code: null });
  generator.close();
  assert.deepEqual(generator.state(), { name: 'closed', code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
});

test('renew() changes nothing that a user sees, and is refused once the generator is closed', () => {
  for (const generator of [manual().generator, new Generator({ worker: 'host:901' })]) {
    const before = generator.nextId();
    assert.equal(generator.renew(), undefined);
    assert.ok(generator.nextId() > before);
    generator.close();
    refuses('generator_closed', () => generator.renew());
  }
});

test('generators and clocks print what they are', () => {
  const { clock, generator } = manual({ layout: 'twitter' });
  assert.equal(inspect(clock), `ManualClock { timeMs: ${START} }`);
  const text = inspect(generator);
  for (const part of ['Generator {', 'worker: 7n', 'datacenter:5', "state: 'open'"])
    assert.ok(text.includes(part), text);
  generator.close();
  assert.match(inspect([generator]), /'closed'/);
  assert.equal(inspect(Object.create(Generator.prototype)), 'Generator {}', 'what is none can be printed, too');
  assert.equal(inspect(Object.create(ManualClock.prototype)), 'ManualClock {}');
});

test('a warning of the core goes out through process.emitWarning', async (t) => {
  const native = createRequire(import.meta.url)('../../node/native.js');
  const texts = ['other containers may issue the same ids', ''];
  t.mock.method(native, 'takeWarning', () => texts.shift() ?? '');
  const warnings = [];
  const keep = (warning) => warnings.push(warning);
  process.on('warning', keep);
  manual();
  await Generator.open({ worker: 902 });
  await setImmediate();
  process.off('warning', keep);
  assert.equal(warnings.length, 1);
  const [warning] = warnings;
  assert.equal(warning.name, 'PolyflakeWarning');
  assert.equal(warning.code, 'POLYFLAKE_HOST_ON_OVERLAY');
  assert.equal(warning.message, 'other containers may issue the same ids');
  assert.equal(native.takeWarning.mock.callCount(), 2, 'asked for after each opening');
});

test('closing one generator leaves others of the same node id alone', () => {
  const one = new Generator({ worker: 900 });
  const other = new Generator({ worker: 900 });
  const id = one.nextId();
  one.close();
  assert.ok(other.nextId() > id);
});

test('Symbol.dispose closes, where it exists', { skip: !Symbol.dispose }, () => {
  const { generator } = manual();
  generator[Symbol.dispose]();
  assert.equal(generator.closed, true);
});

test('stats has the nouns of the core', () => {
  const stats = manual().generator.stats();
  assert.deepEqual(Object.keys(stats), [
    'issued',
    'waits',
    'waitedMs',
    'sequenceExhaustions',
    'clockStepsBack',
    'largestStepBackMs',
    'leadMs',
    'untilMs',
    'yearsLeft',
    'renewals',
    'storeFailures',
    'heldMs',
    'held',
    'step',
    'fetches',
    'lastFetchMs',
    'jumps',
    'left',
  ]);
  for (const value of Object.values(stats)) assert.equal(typeof value, 'number');
  assert.ok(stats.yearsLeft > 60 && stats.yearsLeft < 70);
});

test('a manual clock is set, advanced and read', () => {
  const clock = new ManualClock(5n);
  clock.advance(3);
  assert.equal(clock.timeMs, 8);
  clock.set(1);
  clock.advance(-1n);
  assert.equal(clock.timeMs, 0);
  for (const wrong of [1.5, NaN, '5', null, undefined, {}, 2n ** 63n]) {
    refuses('option_invalid', () => new ManualClock(wrong));
    refuses('option_invalid', () => clock.set(wrong));
    refuses('option_invalid', () => clock.advance(wrong));
  }
});

test('a manual clock takes a Date', () => {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00.001Z'));
  assert.equal(clock.timeMs, 1767225600001);
  clock.set(new Date(-5));
  assert.equal(clock.timeMs, -5);
  for (const wrong of [() => new ManualClock(new Date(NaN)), () => clock.set(new Date(NaN))]) {
    refuses('option_invalid', wrong);
  }
  refuses('option_invalid', () => clock.advance(new Date(5)));
  assert.equal(clock.timeMs, -5);
});

test('a generator keeps its manual clock alive', () => {
  const { generator } = manual({ clock: new ManualClock(START) });
  assert.ok(generator.nextId() > 0n);
});

test('the default generator issues with a node id of this host', () => {
  const first = nextId();
  const second = nextId();
  assert.ok(second > first);
  assert.ok(Math.abs(decode(second).timeMs - Date.now()) < 60_000);
});
