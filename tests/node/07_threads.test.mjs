import './registry.mjs';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Generator } from 'polyflake';
import { assertIncreasing, assertUnique } from './uniqueness.mjs';

const script = new URL('./issuing_thread.mjs', import.meta.url);

/** Runs one worker thread to its end. */
async function issue(workerData) {
  const worker = new Worker(script, { workerData });
  const [code] = await once(worker, 'exit');
  assert.equal(code, 0);
}

for (const worker of [8, 'host:8']) {
  test(`four worker threads on ${worker}, two million ids each: no duplicate, increasing in each`, async () => {
    const count = 2_000_000;
    const memory = new SharedArrayBuffer(4 * count * 8);
    // Waiting for another's I/O counts, too.
    const options = { worker, layout: 'polyflake', maxWaitMs: 60_000 };
    await Promise.all([0, 1, 2, 3].map((i) => issue({ options, memory, count, offset: i * count })));
    const ids = new BigUint64Array(memory);
    for (let i = 0; i < 4; i++) assertIncreasing(ids.subarray(i * count, (i + 1) * count));
    assertUnique(ids);
  });
}

for (const layout of ['polyflake', 'timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z']) {
  test(`four worker threads with ordering per_thread, ${layout}: no duplicate, increasing in each`, async () => {
    const count = 250_000;
    const memory = new SharedArrayBuffer(4 * count * 8);
    const options = { worker: 0, layout, ordering: 'per_thread', maxWaitMs: 60_000 };
    await Promise.all([0, 1, 2, 3].map((i) => issue({ options, memory, count, offset: i * count })));
    const ids = new BigUint64Array(memory);
    for (let i = 0; i < 4; i++) assertIncreasing(ids.subarray(i * count, (i + 1) * count));
    assertUnique(ids);
  });
}

test('a thread that starts after another ended goes on where that one stopped', async () => {
  const count = 100;
  const memory = new SharedArrayBuffer(10 * count * 8);
  // Seconds as ticks: all the ids share one or two ticks, so a state that was lost would repeat them.
  const options = { worker: 9, layout: 'game', maxLeadMs: 1000 };
  for (let i = 0; i < 10; i++) await issue({ options, memory, count, offset: i * count });
  assertIncreasing(new BigUint64Array(memory));
});

for (const [kind, options] of Object.entries({
  snowflake: { worker: 16, maxWaitMs: 60_000 },
  uuid7: {},
  objectid: {},
})) {
  test(`${kind}: a call that ended before another began, on whatever thread, gave the smaller id`, async () => {
    const threads = 4;
    const count = 100_000;
    const counter = new SharedArrayBuffer(8);
    const history = new SharedArrayBuffer(2 * threads * count * 8);
    const calls = await Promise.all(
      Array.from({ length: threads }, async () => {
        const workerData = { kind, options, counter, history, threads, count };
        const worker = new Worker(new URL('./ordering_thread.mjs', import.meta.url), { workerData });
        return (await once(worker, 'message'))[0];
      }),
    );
    const endOf = new Int32Array(2 * threads * count);
    for (const { begins, ends } of calls) begins.forEach((begin, i) => (endOf[begin] = ends[i]));
    const events = new BigUint64Array(history);
    let largest = 0n; // of the calls that have ended
    for (let at = 0; at < events.length; at++) {
      if (events[at] !== 0n) largest = events[at] > largest ? events[at] : largest;
      else if (events[endOf[at]] <= largest) assert.fail(`${events[endOf[at]]} was issued after ${largest}`);
    }
    assert.equal(new Set(events).size, threads * count + 1);
  });
}

test('main thread and worker threads share the state of a node id', async () => {
  const options = { worker: 10, layout: 'game' };
  const memory = new SharedArrayBuffer(8 * 10);
  const generator = new Generator(options);
  const before = generator.nextId();
  await issue({ options, memory, count: 10 });
  const ids = new BigUint64Array(memory);
  assert.ok(ids[0] > before);
  assert.ok(generator.nextId() > ids[9]);
});

for (const worker of [11, 'host']) {
  test(`a new generator for each of many ids on ${worker}: no duplicate`, () => {
    const ids = new BigUint64Array(200_000);
    for (let i = 0; i < ids.length; i++) ids[i] = new Generator({ worker, maxWaitMs: 60_000 }).nextId();
    assertIncreasing(ids);
  });
}

test('threads that are terminated while they issue, wait or open leave the process alone', async () => {
  const scripts = [
    `for (;;) new Generator({ worker: 12 }).nextId();`,
    `const g = new Generator({ worker: 13, layout: 'timestamp:40 worker:20 sequence:1 tick=500ms epoch=2020-01-01T00:00:00.000Z', maxWaitMs: 9000 });
     for (;;) g.nextId();`,
    `(async () => { for (let i = 0; i < 9; i++) Generator.open({ worker: 'host:' + (40 + i) }); })();`,
    `const g = new Generator({ worker: 14 }); for (;;) try { g.decode; g.fill(5); } catch {}`,
    `const g = new Generator({ worker: 15, maxWaitMs: 9000 }); (async () => { for (;;) await g.nextIdAsync(); })();`,
  ];
  for (const body of scripts) {
    for (let round = 0; round < 4; round++) {
      const code = `const { Generator } = require('polyflake');
        require('node:worker_threads').parentPort.postMessage('up'); ${body}`;
      const worker = new Worker(code, { eval: true });
      await once(worker, 'message');
      await new Promise((resolve) => setTimeout(resolve, round * 10));
      await worker.terminate();
    }
  }
  assert.ok(new Generator({ worker: 12 }).nextId() > 0n);
});

for (const [name, call] of Object.entries({
  'nextId, which blocks': 'for (;;) g.nextId();',
  nextIdAsync: '(async () => { for (;;) await g.nextIdAsync(); })();',
})) {
  test(`a thread that waits in ${name}, ends at once when it is terminated`, async () => {
    const code = `const { Generator } = require('polyflake');
      const layout = 'timestamp:31 worker:20 sequence:1 tick=86400s epoch=2020-01-01T00:00:00.000Z';
      const g = new Generator({ layout, worker: { worker: 17 }, maxWaitMs: 2 ** 31 - 1 });
      require('node:worker_threads').parentPort.postMessage('up'); ${call}`;
    const worker = new Worker(code, { eval: true });
    await once(worker, 'message');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = performance.now();
    await worker.terminate();
    const ms = performance.now() - before;
    assert.ok(ms < 30_000, `${ms} ms`);
  });
}
