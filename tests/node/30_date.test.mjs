// Numbers that begin with the date: what concerns no client of a store.
import { freshRegistry } from './registry.mjs';
import './patient_close.cjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { DateIds, DateNumbers, Segment, kinds, open, openSync } from 'polyflake';
import { initCounter, raiseCounter } from 'polyflake/stores';
import { opened } from '../../node/stores/url.js';
import { OFFSET, TODAY, ZONE, numbersOfToday, withDates } from './dates.mjs';
import { HANG_MS, eventually } from './patience.mjs';
import { code, isRefusal, refuses } from './refusal.mjs';
import { COUNTER, closed, withCounter } from './segments.mjs';

const require = createRequire(import.meta.url);
const native = require('../../node/native.js');
const { carryOut } = require('../../node/store_session.js');
const { tellOffset } = require('../../node/zones.js');
const root = fileURLToPath(new URL('../..', import.meta.url));
const THREAD = new URL('segment_thread.mjs', import.meta.url);

test('numbers, their parts and their texts', () => {
  const dates = new DateNumbers({ prefix: 'ORD' });
  const first = dates.number(20230414, 1);
  assert.equal(first, 20230414000001n);
  assert.equal(dates.number(20230414n, 1n), first);
  assert.deepEqual(dates.parts(first), { label: 20230414, count: 1 });
  assert.equal(dates.text(first), 'ORD20230414000001');
  assert.equal(dates.parse('ORD20230414000001'), first);
  assert.deepEqual({ ...dates }, { period: 'yyyyMMdd', digits: 6, prefix: 'ORD' });
  assert.equal(String(dates), "DateNumbers({ period: 'yyyyMMdd', digits: 6, prefix: 'ORD' })");
  assert.equal(inspect(Object.create(DateNumbers.prototype)), 'DateNumbers {}');
  assert.throws(() => Object.assign(dates, { digits: 5 }), TypeError);

  const widest = new DateNumbers({ period: 'yyyyMM', digits: 10n });
  assert.deepEqual(widest.parts(widest.number(999912, 9_999_999_999)), { label: 999912, count: 9_999_999_999 });
});

test('what is no number of a date is refused', () => {
  const dates = new DateNumbers();
  const first = 20230414000001n;
  for (const wrong of [20230432, 202304, -1, -1n, 1.5, '20230414', null, undefined, 2n ** 64n, 2 ** 53]) {
    refuses('field_out_of_range', () => dates.number(wrong, 1));
    refuses('field_out_of_range', () => dates.number(20230414, wrong === 202304 || wrong > 2e7 ? 10 ** 6 : wrong));
  }
  for (const wrong of [0n, 1n, -first, first - 1n, 2n ** 63n, 2n ** 64n + first, Number(first), String(first), null]) {
    refuses('field_out_of_range', () => dates.parts(wrong));
    refuses('field_out_of_range', () => dates.text(wrong));
  }
  for (const wrong of [first, 5, null, undefined, '', '20230414', 'ORD20230414000001']) {
    refuses('text_invalid', () => dates.parse(wrong));
  }
  assert.throws(() => dates.parse('20230431000001'), { ...code('text_invalid'), position: 0 });
  const options = [
    null,
    'yyyyMMdd',
    { period: 'day' },
    { period: null },
    { digits: 0 },
    { digits: 11 },
    { digits: '6' },
  ];
  for (const wrong of [...options, { prefix: 7 }, { prefix: 'ORD-2023/' }, { perfix: 'ORD' }, { zone: ZONE }]) {
    refuses('option_invalid', () => new DateNumbers(wrong));
  }
});

test('two sources of a counter take the numbers of a day in turn, and print them', async () => {
  const options = await withDates();
  const orders = await open('date', { ...options, prefix: 'ORD' });
  const refunds = await DateIds.open({ ...options, prefix: 'REF', timeoutMs: 60_000 });
  const numbers = [];
  for (let i = 0; i < 5; i++) numbers.push(await orders.nextIdAsync(), await refunds.nextIdAsync());
  assert.deepEqual(numbers, numbersOfToday(1, 10));
  const [last] = numbers.slice(-1);
  assert.equal(orders.numbers.text(last), `ORD${TODAY}000010`);
  assert.equal(refunds.numbers.parse(`REF${TODAY}000010`), last);
  assert.deepEqual(orders.numbers.parts(last), { label: Number(TODAY), count: 10 });
  assert.deepEqual([...(await orders.nextIdsAsync(20))], numbersOfToday(11, 20));
  await Promise.all([orders, refunds].map(closed));
});

test('sources that differ in their prefix alone share what they hold', async () => {
  const options = { ...(await withDates()), step: 100 };
  const one = await open('date', { ...options, prefix: 'A-' });
  const alike = { ...options, prefix: 'B_', period: 'yyyyMMdd', digits: 6n, timeoutMs: undefined };
  const other = await open('date', alike);
  assert.equal(one.nextIdString(), `A-${TODAY}000001`);
  assert.equal(other.nextIdString(), `B_${TODAY}000002`);
  assert.equal(one.tryNextId(), numbersOfToday(3, 1)[0]);
  assert.deepEqual([...other.nextIds(5)], numbersOfToday(4, 5));
  assert.deepEqual([...one.fill(new BigUint64Array(2))], numbersOfToday(9, 2));
  const apart = await open('date', { ...options, step: 50 });
  assert.equal(apart.nextId(), numbersOfToday(101, 1)[0]);
  await Promise.all([one, other, apart].map(closed));
});

test('without a step nothing is held ahead of need', async () => {
  const ids = await DateIds.open(await withDates());
  assert.equal(ids.stats().held, 0);
  refuses('store_unavailable', () => ids.nextIdString(), 'nextIdAsync()');
  await eventually(() => ids.stats().held > 0);
  assert.equal(ids.nextIdString(), `${TODAY}000001`);
  refuses('store_unavailable', () => ids.nextId());
  await closed(ids);
});

test('what it says of itself', async () => {
  const ids = await open('date', { ...(await withDates(undefined, { digits: 3 })), step: 10 });
  assert.equal(ids.kind, 'date');
  assert.ok(kinds().includes('date'));
  assert.ok(ids.numbers instanceof DateNumbers);
  assert.deepEqual(ids.state(), { name: 'open', code: null });
  assert.equal(inspect(ids), "DateIds { state: 'open' }");
  assert.equal(inspect(Object.create(DateIds.prototype)), 'DateIds {}');
  assert.equal(ids.nextId(), numbersOfToday(1, 1, 3)[0]);
  const { issued, held, left } = ids.stats();
  assert.deepEqual([issued, held, left], [1, 9, 998]);
  await closed(ids);
  assert.equal(ids.closed, true);
  assert.deepEqual(ids.state(), { name: 'closed', code: code('generator_closed').code });
  for (const call of [() => ids.nextId(), () => ids.nextIdString(), () => ids.tryNextId(), () => ids.nextIds(1)]) {
    refuses('generator_closed', call);
  }
  await assert.rejects(ids.nextIdAsync(), code('generator_closed'));
});

test('a period whose numbers are used up', async () => {
  const { store, ...options } = await withDates(undefined, { digits: 2, period: 'yyyy' });
  const year = TODAY / 10_000n;
  await raiseCounter(store, COUNTER, { after: 97 });
  const ids = await open(`date:${store}`, options);
  assert.deepEqual([...(await ids.nextIdsAsync(2))], [year * 100n + 98n, year * 100n + 99n]);
  await assert.rejects(ids.nextIdAsync(), isRefusal('range_exhausted', 'period'));
  assert.equal(ids.stats().left, 0);
  await closed(ids);
  await assert.rejects(raiseCounter(store, COUNTER, { after: 100 }), code('option_invalid'));
});

test('a source of another shape is refused', async () => {
  const options = await withDates();
  const others = [{ period: 'yyyyMM' }, { digits: 7 }, { zone: OFFSET }, { zone: '+00:00' }, { zone: 'Africa/Cairo' }];
  for (const other of others) {
    await assert.rejects(open('date', { ...options, ...other }), isRefusal('layout_mismatch', ZONE));
    await assert.rejects(
      initCounter(options.store, COUNTER, { after: 0, kind: 'date', zone: ZONE, ...other }),
      code('layout_mismatch'),
    );
  }
  await assert.rejects(Segment.open({ store: options.store, name: COUNTER }), code('layout_mismatch'));
  await assert.rejects(open('date', { store: await withCounter(), name: COUNTER }), code('layout_mismatch'));
  await initCounter(options.store, COUNTER, { after: 0, kind: 'date', zone: ZONE, period: 'yyyyMMdd', digits: 6n });
});

test('an offset is a zone of its own', async () => {
  const ids = await open('date', await withDates(undefined, { zone: OFFSET }));
  assert.equal(await ids.nextIdAsync(), numbersOfToday(1, 1)[0]);
  await closed(ids);
});

test('options are checked', async () => {
  const right = await withDates();
  const wrong = [
    { prefix: 'x'.repeat(17) },
    { prefix: 7 },
    { period: 'day' },
    { period: 8 },
    { digits: 0 },
    { digits: '6' },
    { zone: '+8:00' },
    { zone: 8 },
    { zone: null },
    { zone: '' },
    { step: 0 },
    { step: 1.5 },
    { timeoutMs: 0 },
    { timeoutMs: '5' },
    { name: 'Orders' },
    { name: undefined },
    { store: undefined },
    { store: 'host' },
    { signal: 5 },
    { holdMs: 1000 },
    { minStep: 1 },
    { maxStep: 1 },
    { zoen: ZONE },
  ];
  for (const one of wrong) {
    await assert.rejects(open('date', { ...right, ...one }), code('option_invalid'), inspect(one));
  }
  await assert.rejects(open('date', { ...right, zoen: ZONE }), isRefusal('option_invalid', 'zone'));
  refuses('option_invalid', () => openSync('date', right), 'await DateIds.open(');
  refuses('option_invalid', () => new DateIds(right), 'await DateIds.open(');
  const aborted = AbortSignal.abort(new Error('the client is gone'));
  await assert.rejects(open('date', { ...right, signal: aborted }), /the client is gone/);
});

test('options of operators are checked', async () => {
  const { store } = await withDates();
  const wrong = [{ period: 'day' }, { digits: 11 }, { digits: -1 }, { zone: '+24:00' }, { zone: 7 }, { rate: 5 }];
  for (const one of [...wrong, { burst: 5 }, { top: 5 }, { after: 1_000_000 }, { zoen: ZONE }]) {
    const options = { after: 0, kind: 'date', ...one };
    await assert.rejects(initCounter(store, 'wrong', options), code('option_invalid'), inspect(one));
  }
  for (const one of [{ period: 'yyyy' }, { digits: 6 }, { zone: ZONE }]) {
    await assert.rejects(initCounter(store, 'wrong', { after: 0, ...one }), isRefusal('option_invalid', 'date'));
  }
});

test('a zone that Intl does not know is refused before the store is asked', async () => {
  const nowhere = 'redis://127.0.0.1:1/0?namespace=orders';
  for (const zone of ['Mars/Olympus', 'europe/berlin', 'utc', 'Europe', 'Z', `A${'x'.repeat(99)}`]) {
    const refused = isRefusal('option_invalid', 'zone');
    await assert.rejects(open('date', { store: nowhere, name: COUNTER, zone }), refused, zone);
    await assert.rejects(initCounter(nowhere, COUNTER, { after: 0, kind: 'date', zone }), refused, zone);
  }
  for (const zone of [
    'UTC',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'US/Pacific',
    'Etc/GMT+5',
    'America/Argentina/Buenos_Aires',
  ]) {
    const ids = await open('date', await withDates(undefined, { zone }));
    assert.equal(String(await ids.nextIdAsync()).slice(8), '000001');
    await closed(ids);
  }
});

test('a counter in a zone that only others know has no period', async () => {
  const { store } = await withDates();
  const { address, placeholder } = opened(store);
  const task = native.initCounterTask(address, 'mars', 0n, ['kind', 'zone'], ['date', 'Mars/Olympus'], placeholder);
  await assert.rejects(carryOut(task, opened(store)), code('time_exhausted'));
  native.forgetSession(task);
});

test('offsets are in whole seconds, and unknown beyond what Date can show', (t) => {
  refuses('option_invalid', () => native.tellOffset(2 ** 31, 3600)); // no such conversation
  const told = [];
  t.mock.method(native, 'tellOffset', (_session, seconds) => told.push(seconds));
  const change = Date.UTC(2026, 2, 29, 1); // Berlin's clocks are set forward
  const asked = [
    ['Europe/Berlin', change - 1, 3600],
    ['Europe/Berlin', change, 7200],
    ['Asia/Kolkata', change, 19_800],
    ['America/New_York', -1, -18_000],
    ['Africa/Monrovia', 0, -2670],
    ['Mars/Olympus', change, null],
    ['Europe/Berlin', 8.64e15, null],
    ['Europe/Berlin', 2 ** 62, null],
  ];
  for (const [name, number] of asked) tellOffset(0, { number, name });
  assert.deepEqual(
    told,
    asked.map(([, , seconds]) => seconds),
  );
});

test('each thread has numbers of its own, and gives them back at its end', async () => {
  const options = { ...(await withDates()), step: 100 };
  const ids = await open('date', options);
  assert.equal(ids.nextId(), numbersOfToday(1, 1)[0]);
  const thread = new Worker(THREAD, { workerData: { kind: 'date', options, count: 50 } });
  const [[numbers]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
  assert.deepEqual(numbers, numbersOfToday(101, 50));
  const next = await open('date', { ...options, step: 5 });
  assert.equal(next.nextId(), numbersOfToday(151, 1)[0]);
  await Promise.all([ids, next].map(closed));
});

test('numbers that are held are dropped at midnight, and those of the next day rise', async () => {
  const file = path.join(freshRegistry(), 'clock');
  fs.writeFileSync(file, new BigInt64Array(1 + 2 * 2 ** 16)); // as tests/soak/stepped_clock.cpp reads it
  const library = path.join(root, 'build/cpp/tests/soak/libpolyflake_stepped_clock.so');
  const env = { ...process.env, LD_PRELOAD: library, SOAK_CLOCK: file };
  const options = { cwd: root, env, timeout: HANG_MS, maxBuffer: 2 ** 26 }; // a fast machine takes many
  const { stdout } = await promisify(execFile)(process.execPath, ['tests/node/midnight.cjs'], options);
  const numbers = stdout.trim().split(' ').map(BigInt);
  assert.ok(numbers.every((number, i) => i === 0 || number > numbers[i - 1]));
  const days = new Set(numbers.map((number) => number / 1_000_000n));
  days.delete(20310309n); // a machine that is slow opens the source on the next day
  assert.deepEqual([...days], [20310310n]);
});
