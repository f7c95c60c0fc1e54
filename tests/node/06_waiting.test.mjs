// Waiting on the real clock: how the event loop fares, and how long a call may take.
import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Generator } from 'polyflake';

// Two ids a tick of 20 ms: nearly every call must wait.
const SLOW = 'timestamp:40 worker:20 sequence:1 tick=20ms epoch=2020-01-01T00:00:00.000Z';

test('nextIdAsync lets the event loop go on', async () => {
  const generator = new Generator({ layout: SLOW, worker: 1, maxWaitMs: 1000 });
  let turns = 0;
  let longest = 0;
  let previous = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - previous);
    previous = now;
    turns += 1;
  }, 1);
  const ids = [];
  for (let i = 0; i < 12; i++) ids.push(await generator.nextIdAsync());
  clearInterval(timer);
  assert.ok(turns > 30, `the loop turned ${turns} times`);
  assert.ok(generator.stats().waits >= 5);
  for (let i = 1; i < ids.length; i++) assert.ok(ids[i] > ids[i - 1]);
});

test('many nextIdAsync at once give different ids', async () => {
  const generator = new Generator({ layout: SLOW, worker: 2, maxWaitMs: 2000 });
  const ids = await Promise.all(Array.from({ length: 40 }, () => generator.nextIdAsync()));
  assert.equal(new Set(ids).size, 40);
});

test('close() ends what nextIdAsync waits for', async () => {
  const generator = new Generator({ layout: SLOW, worker: 3, maxWaitMs: 1000 });
  const pending = Array.from({ length: 6 }, () => generator.nextIdAsync());
  generator.close();
  const settled = await Promise.allSettled(pending);
  const ids = settled.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
  const codes = settled.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.code);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...new Set(codes)], ['ERR_POLYFLAKE_GENERATOR_CLOSED']);
});

test('nextId blocks until its tick and no longer than a tick beyond maxWaitMs', () => {
  const generator = new Generator({ layout: SLOW, worker: 4, maxWaitMs: 0 });
  for (let i = 0; i < 10; i++) {
    const before = performance.now();
    generator.nextId();
    assert.ok(performance.now() - before < 500);
  }
  const { waits, waitedMs } = generator.stats();
  assert.ok(waits > 0 && waitedMs > 0);
});

test('an id is never handed out before its tick', () => {
  const generator = new Generator({ layout: SLOW, worker: 5 });
  for (let i = 0; i < 10; i++) {
    const { timeMs } = generator.layout.decode(generator.nextId());
    assert.ok(timeMs <= Date.now());
  }
});

test('a saturated generator is refused at the limit of waiting, not queued without bound', () => {
  const generator = new Generator({ layout: SLOW, worker: 6, maxWaitMs: 40 });
  const outcomes = Array.from({ length: 20 }, () => generator.nextIdAsync());
  return Promise.allSettled(outcomes).then((settled) => {
    const codes = settled.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.code);
    assert.ok(codes.length > 0);
    assert.deepEqual([...new Set(codes)], ['ERR_POLYFLAKE_CLOCK_BEHIND']);
    const ids = settled.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
    assert.equal(new Set(ids).size, ids.length);
  });
});

test('open() does not block the event loop', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  const before = performance.now();
  const generator = await Generator.open({ worker: 'host:33' });
  const ms = performance.now() - before;
  clearInterval(timer);
  assert.ok(turns >= Math.floor(ms / 100), `${turns} turns in ${ms} ms`);
  assert.equal(generator.worker, 33n);
  assert.ok(generator.nextId() > 0n);
});

test('a replaced setTimeout is not used', async (t) => {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = () => assert.fail('a timer of the test was used');
  t.after(() => {
    globalThis.setTimeout = setTimeout;
  });
  const generator = new Generator({ layout: SLOW, worker: 7, maxWaitMs: 1000 });
  for (let i = 0; i < 3; i++) await generator.nextIdAsync();
});
