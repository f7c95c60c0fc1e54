// Numbers of a counter, in the memory of this process: what concerns no client of a store.
import './registry.mjs';
import './patient_close.cjs';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { Segment, kinds, open, openSync } from 'polyflake';
import { counters, initCounter, raiseCounter } from 'polyflake/stores';
import { eventually } from './patience.mjs';
import { code, isRefusal, refuses } from './refusal.mjs';
import { COUNTER, closed, numbersFrom, withCounter } from './segments.mjs';

const native = createRequire(import.meta.url)('../../node/native.js');
const THREAD = new URL('segment_thread.mjs', import.meta.url);

test('without numbers nextId throws at once, and is served later', async () => {
  const ids = await Segment.open({ store: await withCounter(), name: COUNTER });
  const numbers = [];
  const takeAll = () => {
    for (;;) numbers.push(ids.nextId());
  };
  assert.throws(takeAll, isRefusal('store_unavailable', 'nextIdAsync()'));
  assert.deepEqual(numbers, numbersFrom(1, 100));
  refuses('store_unavailable', () => ids.nextIdString());
  refuses('store_unavailable', () => ids.nextIds(1));
  assert.equal(ids.tryNextId(), null);
  await eventually(() => ids.stats().held > 0);
  assert.equal(ids.nextId(), 101n);
  await closed(ids);
});

test('a number that is asked for between a step of the runner and its sleep is fetched', async (t) => {
  const ids = await Segment.open({ store: await withCounter(), name: COUNTER, step: 1 });
  const { step } = native;
  const taken = [];
  t.mock.method(native, 'step', (index) => {
    const done = step(index);
    if (taken.length === 0 && ids.stats().held > 0) taken.push(ids.tryNextId(), ids.tryNextId());
    return done;
  });
  assert.equal(ids.tryNextId(), null);
  await eventually(() => ids.stats().fetches === 2);
  assert.deepEqual(taken, [1n, null]);
  await closed(ids);
});

test('many numbers at once are all of those asked for, or none', async () => {
  const ids = await Segment.open({ store: await withCounter(), name: COUNTER, step: 10 });
  refuses('store_unavailable', () => ids.nextIds(11), '11', '10');
  const memory = new BigUint64Array(12).fill(7n);
  refuses('store_unavailable', () => ids.fill(memory));
  assert.ok(memory.every((one) => one === 7n));
  assert.deepEqual([...ids.nextIds(10)], numbersFrom(1, 10));
  assert.equal(ids.nextIds(0).length, 0);
  await eventually(() => ids.stats().held >= 10);
  const part = new BigUint64Array(4);
  assert.equal(ids.fill(part.subarray(1, 3)).length, 2);
  assert.deepEqual([...part], [0n, 11n, 12n, 0n]);
  assert.deepEqual([...(await ids.nextIdsAsync(1000))], numbersFrom(13, 1000));
  assert.equal((await ids.nextIdsAsync(0)).length, 0);
  const together = await Promise.all([ids.nextIdsAsync(500), ids.nextIdAsync(), ids.nextIdsAsync(500)]);
  assert.equal(new Set(together.flatMap((one) => (typeof one === 'bigint' ? [one] : [...one]))).size, 1001);
  for (const wrong of [undefined, null, -1, 1.5, '5', 5n]) {
    refuses('option_invalid', () => ids.nextIds(wrong));
    await assert.rejects(ids.nextIdsAsync(wrong), code('option_invalid'));
  }
  for (const wrong of [undefined, [], new Uint8Array(8), new BigInt64Array(1)]) {
    refuses('option_invalid', () => ids.fill(wrong));
  }
  await closed(ids);
});

test('what it says of itself', async () => {
  const store = await withCounter();
  const ids = await Segment.open({ store, name: COUNTER });
  assert.equal(ids.kind, 'segment');
  assert.ok(kinds().includes('segment'));
  assert.deepEqual(ids.state(), { name: 'open', code: null });
  assert.match(inspect(ids), /^Segment \{ state: 'open' \}$/);
  assert.equal(inspect(Object.create(Segment.prototype)), 'Segment {}');
  ids.nextIds(60);
  await eventually(() => ids.stats().fetches === 2);
  const { issued, held, step, jumps, left, storeFailures } = ids.stats();
  assert.deepEqual([issued, jumps, storeFailures], [60, 0, 0]);
  assert.equal(held, 40 + step);
  assert.ok(left > 2 ** 62);
  assert.equal(ids.closed, false);
  await closed(ids);
  assert.equal(ids.closed, true);
  assert.deepEqual(ids.state(), { name: 'closed', code: code('generator_closed').code });
});

test('a closed source refuses to issue', async () => {
  const ids = await Segment.open({ store: await withCounter(), name: COUNTER });
  ids.close();
  const memory = new BigUint64Array(1);
  const calls = [() => ids.nextId(), () => ids.tryNextId(), () => ids.nextIdString(), () => ids.nextIds(1000)];
  for (const call of [...calls, () => ids.nextIds(0), () => ids.fill(memory)]) refuses('generator_closed', call);
  await assert.rejects(ids.nextIdAsync(), code('generator_closed'));
  await assert.rejects(ids.nextIdsAsync(3), code('generator_closed'));
});

test('a call that waits for a number hears that the source is closed', async () => {
  const ids = await Segment.open({ store: await withCounter(), name: COUNTER, step: 1 });
  const waiting = ids.nextIdsAsync(1000);
  ids.close();
  await assert.rejects(waiting, code('generator_closed'));
});

test('the last number of a counter', async () => {
  const store = await withCounter();
  await initCounter(store, 'short', { after: 0, top: 5, failover: 'trust' });
  const ids = await Segment.open({ store, name: 'short' });
  assert.deepEqual(await Promise.all(Array.from({ length: 5 }, () => ids.nextIdAsync())), numbersFrom(1, 5));
  await assert.rejects(ids.nextIdAsync(), code('range_exhausted'));
  refuses('range_exhausted', () => ids.nextId());
  await closed(ids);
  await assert.rejects(Segment.open({ store, name: 'short' }), code('range_exhausted'));
});

test('options are checked', async () => {
  const store = await withCounter();
  const right = { store, name: COUNTER };
  const wrong = [
    undefined,
    null,
    5,
    [],
    {},
    { name: COUNTER },
    { store },
    { ...right, store: '' },
    { ...right, store: 'host' },
    { ...right, store: 7 },
    { ...right, name: 'Orders' },
    { ...right, name: 7 },
    { ...right, setp: 5 },
    { ...right, step: 0 },
    { ...right, step: 1.5 },
    { ...right, step: '5' },
    { ...right, minStep: -1 },
    { ...right, minStep: 10, maxStep: 9 },
    { ...right, holdMs: 0 },
    { ...right, timeoutMs: 0 },
    { ...right, signal: 5 },
  ];
  for (const options of wrong) {
    await assert.rejects(Segment.open(options), code('option_invalid'), inspect(options));
    await assert.rejects(open('segment', options), code('option_invalid'), inspect(options));
  }
  await assert.rejects(
    Segment.open({ store: 'secret:pass@host', name: COUNTER }),
    ({ message }) => !/pass/.test(message),
  );
  await assert.rejects(open(`segment:${store}`, right), code('option_invalid'));
  await assert.rejects(open('segment:', { name: COUNTER }), code('text_invalid'));
  await assert.rejects(open('segment:host', { name: COUNTER }), code('option_invalid'));
  refuses('option_invalid', () => openSync('segment', right), 'await Segment.open(');
  refuses('option_invalid', () => openSync(`segment:${store}`, { name: COUNTER }), 'await Segment.open(');
  refuses('option_invalid', () => new Segment(right), 'await Segment.open(');

  const all = { step: undefined, holdMs: 1000n, minStep: 10, maxStep: 20n, timeoutMs: 500, signal: undefined };
  const ids = await Segment.open({ ...right, ...all });
  assert.equal(ids.stats().held, 10);
  await closed(ids);
});

test('options of operators are checked', async () => {
  const store = await withCounter();
  const wrong = [
    {},
    { after: undefined },
    { after: -1 },
    { after: 1.5 },
    { after: '5' },
    { after: 2 ** 53 },
    { after: 2n ** 63n },
    { after: 0, from: 1 },
    { after: 0, kind: 'snowflake' },
    { after: 0, failover: 'wait' },
    { after: 0, rate: 0 },
    { after: 0, rate: -1 },
    { after: 0, top: 1000 },
    { after: 10, top: 5, failover: 'trust' },
  ];
  for (const options of wrong) {
    await assert.rejects(initCounter(store, 'wrong', options), code('option_invalid'), inspect(options));
  }
  for (const name of [undefined, 7, 'Orders', '', [7]]) {
    await assert.rejects(initCounter(store, name, { after: 0 }), code('option_invalid'), inspect(name));
  }
  for (const options of [undefined, {}, { after: -1 }, { after: 0, rate: 5 }]) {
    await assert.rejects(raiseCounter(store, COUNTER, options), code('option_invalid'), inspect(options));
  }
  await assert.rejects(initCounter(7, COUNTER, { after: 0 }), code('option_invalid'));
  await assert.rejects(initCounter(store, COUNTER, { after: 0, kind: 'date' }), code('layout_mismatch'));
});

test('counters are listed by name', async () => {
  const store = await withCounter();
  await initCounter(store, ['invoices', '9-lives'], { after: 41n });
  await initCounter(store, { refunds: 7, 'a.b': 8n });
  await initCounter(store, new Map([['zero', 2n ** 62n]]), { failover: 'trust' });
  const found = await counters(store);
  assert.deepEqual(
    found.map(({ name, next }) => [name, next]),
    [
      ['9-lives', 42n],
      ['a.b', 9n],
      ['invoices', 42n],
      [COUNTER, 1n],
      ['refunds', 8n],
      ['zero', 2n ** 62n + 1n],
    ],
  );
  const { incarnation, ...zero } = found.at(-1);
  assert.equal(typeof incarnation, 'string');
  assert.deepEqual(zero, {
    name: 'zero',
    kind: 'segment',
    next: 2n ** 62n + 1n,
    room: 2n ** 62n - 2n,
    top: 2n ** 63n - 2n,
    failover: 'trust',
    topUpAgeMs: null,
    incarnationChanged: false,
    jumpTo: null,
    period: null,
    digits: null,
    zone: null,
    periodLabel: null,
  });
  await raiseCounter(store, COUNTER, { after: 99, period: undefined });
  assert.equal((await counters(store))[3].next, 100n);
  await assert.rejects(counters(`${store}-2`), code('namespace_not_initialised'));
  for (const wrong of [undefined, 7, {}]) await assert.rejects(counters(wrong), code('option_invalid'));
});

test('nothing is made of a list with a wrong name', async () => {
  const store = await withCounter();
  const wrong = [
    [[], { after: 0 }],
    [{}, {}],
    [new Map(), {}],
    [{ good: 1 }, { after: 0 }],
    [{ good: 1, bad: -1 }, {}],
    [{ good: 1, Bad: 1 }, {}],
    [['good', 'Bad'], { after: 0 }],
    [['good', 7], { after: 0 }],
    [new Map([['good', undefined]]), {}],
    [null, { after: 0 }],
    ['good', { after: 0, digits: 4 }],
    ['good', { after: 0, period: 7 }],
  ];
  for (const [name, options] of wrong) {
    await assert.rejects(initCounter(store, name, options), code('option_invalid'), inspect([name, options]));
  }
  for (const period of [0, -1, '2026', 1.5, 2026]) {
    await assert.rejects(raiseCounter(store, COUNTER, { after: 0, period }), code('option_invalid'), inspect(period));
  }
  assert.deepEqual(
    (await counters(store)).map(({ name }) => name),
    [COUNTER],
  );
});

test('an AbortSignal ends what waits, and takes no number', async () => {
  const reason = new Error('the client is gone');
  const isReason = (error) => error === reason;
  const store = await withCounter();
  const ids = await Segment.open({ store, name: COUNTER, step: 1 });
  const aborted = AbortSignal.abort(reason);
  await assert.rejects(ids.nextIdAsync({ signal: aborted }), isReason);
  await assert.rejects(ids.nextIdsAsync(2, { signal: aborted }), isReason);
  await assert.rejects(Segment.open({ store, name: COUNTER, signal: aborted }), isReason);
  const controller = new AbortController();
  const waiting = ids.nextIdAsync({ signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(waiting, isReason);
  for (const signal of [null, 7, {}]) await assert.rejects(ids.nextIdAsync({ signal }), code('option_invalid'));
  await assert.rejects(ids.nextIdAsync({ sginal: aborted }), code('option_invalid'));
  const opening = new AbortController();
  const late = Segment.open({ store, name: COUNTER, holdMs: 999, signal: opening.signal });
  opening.abort(reason);
  await assert.rejects(late, isReason);
  assert.equal(await ids.nextIdAsync({ signal: new AbortController().signal }), 1n);
  await closed(ids);
});

test('a source that is dropped gives back what it holds', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const store = await withCounter();
  await initCounter(store, 'short', { after: 0, top: 1000, failover: 'trust' });
  const left = async () => {
    const ids = await Segment.open({ store, name: 'short', step: 1 }); // takes none
    const found = ids.stats().left;
    await closed(ids);
    return found;
  };
  const take = async () => (await Segment.open({ store, name: 'short', step: 50 })).nextId();
  assert.equal(await left(), 1000);
  assert.equal(await take(), 1n);
  await eventually(async () => {
    await setImmediate();
    collect();
    return (await left()) === 999;
  });
});

test('each thread has numbers of its own, and gives them back at its end', async () => {
  const store = await withCounter();
  const options = { store, name: COUNTER, step: 100 };
  const ids = await Segment.open(options);
  assert.equal(ids.nextId(), 1n);
  const thread = new Worker(THREAD, { workerData: { options, count: 50 } });
  const [[numbers]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
  assert.deepEqual(numbers, numbersFrom(101, 50));
  const next = await Segment.open({ ...options, step: 5 });
  assert.equal(next.nextId(), 151n);
  await Promise.all([ids, next].map(closed));
});
