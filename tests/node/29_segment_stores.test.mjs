// Numbers of a counter over the real server of each kind of store, beside one in memory.
import './registry.mjs';
import './patient_close.cjs';
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Segment, open } from 'polyflake';
import { counters, initCounter, initNamespace, leases, raiseCounter } from 'polyflake/stores';
import { HANG_MS, eventually } from './patience.mjs';
import { code, isRefusal, refuses } from './refusal.mjs';
import { COUNTER, closed, numbersFrom, openPatiently, withCounter } from './segments.mjs';
import { ask } from './store_probe.mjs';
import { STORES, control, endClients, freshName, server } from './stores.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patientClose = path.join(root, 'tests/node/patient_close.cjs');
const THREAD = new URL('segment_thread.mjs', import.meta.url);

const PATIENT = { timeoutMs: HANG_MS };

after(endClients);

const SERVERS = {
  memory: () => undefined,
  ...Object.fromEntries(
    ['redis', 'zookeeper', 'etcd', 'postgresql', 'mysql'].map((kind) => [kind, () => server(kind)]),
  ),
};

for (const [kind, at] of Object.entries(SERVERS)) {
  test(`${kind}: numbers follow each other, and none is lost by closing`, async () => {
    const store = await withCounter(at());
    const ids = await open('segment', { store, name: COUNTER, ...PATIENT });
    const singles = [];
    for (let i = 0; i < 250; i++) singles.push(await ids.nextIdAsync());
    assert.deepEqual(singles, numbersFrom(1, 250));
    assert.deepEqual([...(await ids.nextIdsAsync(1000))], numbersFrom(251, 1000));
    const { issued, held, fetches, namespaceUuid } = ids.stats();
    assert.equal(issued, 1250);
    assert.ok(held > 0 && fetches > 0);
    assert.match(namespaceUuid, /^[0-9a-f]{32}$/);
    await closed(ids);

    const again = await open(`segment:${store}`, { name: COUNTER, ...PATIENT });
    assert.equal(again.nextId(), 1251n);
    assert.equal(again.tryNextId(), 1252n);
    assert.equal(again.nextIdString(), '1253');
    assert.deepEqual([...again.nextIds(10)], numbersFrom(1254, 10));
    await closed(again);
  });

  test(`${kind}: counters are listed, and none in an empty namespace`, async () => {
    const store = await withCounter(at());
    await initCounter(store, ['invoices', 'a.b'], { after: 41 });
    const found = await counters(store);
    assert.deepEqual(
      found.map(({ name, next }) => [name, next]),
      [
        ['a.b', 42n],
        ['invoices', 42n],
        [COUNTER, 1n],
      ],
    );
    const mayFailOver = ['redis', 'postgresql', 'mysql'].includes(kind);
    for (const { jumpTo, topUpAgeMs, next } of found) {
      assert.equal(topUpAgeMs !== null, mayFailOver);
      assert.ok(mayFailOver ? jumpTo > next + 10_000_000n : jumpTo === null);
    }
    const empty = `${store}-empty`;
    await initNamespace(empty, { fresh: true });
    assert.deepEqual(await counters(empty), []);
  });

  test(`${kind}: with a step of 1 numbers follow the calls of two hosts`, async () => {
    const store = await withCounter(at());
    const one = await Segment.open({ store, name: COUNTER, step: 1, ...PATIENT });
    const other = await Segment.open({ store, name: COUNTER, step: 1, timeoutMs: HANG_MS + 1 });
    const numbers = [];
    for (let i = 0; i < 10; i++) numbers.push(await one.nextIdAsync(), await other.nextIdAsync());
    assert.deepEqual(numbers, numbersFrom(1, 20));
    assert.equal(one.stats().held, 0);
    await Promise.all([one, other].map(closed));
  });

  test(`${kind}: sources with the same options share their numbers`, async () => {
    const store = await withCounter(at());
    const options = { store, name: COUNTER, step: 100, ...PATIENT };
    const [one, other] = await Promise.all([Segment.open(options), Segment.open(options)]);
    const numbers = Array.from({ length: 20 }, () => [one.nextId(), other.nextId()]).flat();
    assert.deepEqual(numbers, numbersFrom(1, 40));
    one.close();
    one.close();
    assert.throws(() => one.nextId(), code('generator_closed'));
    assert.equal(other.nextId(), 41n);
    await closed(other);
  });

  test(`${kind}: a counter that was never made is refused`, async () => {
    const store = await withCounter(at());
    const elsewhere = store.replace(/namespace=.*/, `namespace=${freshName()}`);
    const refused = [
      () => Segment.open({ store, name: 'invoices' }),
      () => Segment.open({ store: elsewhere, name: COUNTER }),
      () => initCounter(elsewhere, COUNTER, { after: 0 }),
      () => raiseCounter(store, 'invoices', { after: 0 }),
    ];
    for (const one of refused) await assert.rejects(one(), code('namespace_not_initialised'), String(one));
    await assert.rejects(
      Segment.open({ store: `${store}&uuid=${'0'.repeat(32)}`, name: COUNTER }),
      code('wrong_namespace'),
    );
  });

  test(`${kind}: operators make counters, and set them`, async () => {
    const store = await withCounter(at());
    const first = async (name) => {
      const ids = await Segment.open({ store, name, ...PATIENT });
      const number = ids.nextId();
      await closed(ids);
      return number;
    };
    assert.equal(await first(COUNTER), 1n);
    await initCounter(store, [COUNTER, 'more'], { after: 7n });
    assert.equal(await first(COUNTER), 2n);
    assert.equal(await first('more'), 8n);
    await raiseCounter(store, COUNTER, { after: 1_000_000_000_000_000_000n });
    assert.equal(await first(COUNTER), 1_000_000_000_000_000_001n);
    await raiseCounter(store, COUNTER, { after: 41 });
    assert.equal(await first(COUNTER), 42n);
  });
}

for (const [kind, at] of Object.entries(SERVERS).slice(1)) {
  test(`${kind}: hosts, processes and threads get each number once`, async () => {
    const store = await withCounter(at());
    const options = (step) => ({ store, name: COUNTER, step, timeoutMs: HANG_MS });
    const count = 200;
    const inThread = async (step) => {
      const thread = new Worker(THREAD, { workerData: { options: options(step), count } });
      const [[numbers]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
      return numbers;
    };
    const inProcess = async (step) => {
      const argument = JSON.stringify({ options: options(step), count });
      const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(THREAD), argument]);
      return stdout.trim().split(' ').map(BigInt);
    };
    const here = async (step) => {
      const ids = await openPatiently(options(step));
      const numbers = await Promise.all(Array.from({ length: count }, () => ids.nextIdAsync()));
      await closed(ids);
      return numbers;
    };
    const all = await Promise.all([here(2), here(7), inThread(50), inThread(51), inProcess(3), inProcess(49)]);
    assert.equal(new Set(all.flat()).size, 6 * count);
  });

  test(`${kind}: a process that has nothing left to do gives back what it holds`, async () => {
    const store = await withCounter(at());
    const run = (end) => {
      const source = `
        const { Segment } = require('polyflake');
        (async () => {
          const ids = await Segment.open({ store: ${JSON.stringify(store)}, name: '${COUNTER}', timeoutMs: ${HANG_MS} });
          console.log(String(ids.nextId()));
          ${end}
        })();`;
      const options = { cwd: root, encoding: 'utf8', timeout: HANG_MS };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', patientClose, '-e', source], options);
      assert.equal(stderr, '');
      assert.equal(status, 0);
      return stdout.trim();
    };
    assert.deepEqual(['', 'ids.close();', 'ids.nextIds(60);', 'process.exit();', ''].map(run), [
      '1',
      '2',
      '3',
      '64',
      '164',
    ]);
  });
}

// As many that each outcome is among their answers.
const RANDOM = { counter: 'random', requests: 80, seed: 1 };
const OUTCOMES = ['absent', 'conflict', 'incarnation', 'ok', 'room', 'term', 'until', 'wrong_namespace'];

for (const [name, { kind, at = kind, make }] of Object.entries(STORES)) {
  test(`random requests are answered by the rules over ${name}`, async () => {
    const namespace = freshName();
    const worker = make({ namespace }, server(at));
    await initNamespace(worker, { fresh: true });
    const { differences, ...outcomes } = await ask(kind, worker, { namespace, ...RANDOM });
    assert.deepEqual(differences, []);
    assert.deepEqual(Object.keys(outcomes).sort(), OUTCOMES);
  });
}

test('a store object serves leases and counters', async () => {
  const store = STORES['a client of ioredis'].make({ namespace: freshName() }, server('redis'));
  await initNamespace(store, { fresh: true });
  await initCounter(store, COUNTER, { after: 10 });
  const ids = await Segment.open({ store, name: COUNTER, ...PATIENT });
  assert.equal(ids.nextId(), 11n);
  assert.deepEqual(await leases(store), []);
  await closed(ids);
});

// A server that was started again may have lost numbers: the counter goes on above them once the
// clock allows it.
const WAITS = ['store_unavailable', 'clock_behind'].map((name) => code(name).code);

for (const [begin, end] of [
  ['pause', 'resume'],
  ['kill', 'start'],
]) {
  test(`after ${begin} what is held goes on, then calls wait for their time limit, and after ${end} are served`, async (t) => {
    const OURS = 'redis3'; // others stop the second one
    const store = await withCounter(server(OURS));
    const ids = await openPatiently({ store, name: COUNTER, timeoutMs: 400 });
    await control(`${begin} ${OURS}`);
    t.after(() => control(`${end} ${OURS}`).catch(() => {})); // it may run again already
    const numbers = [];
    for (let one = ids.tryNextId(); one !== null; one = ids.tryNextId()) numbers.push(one);
    assert.ok(numbers.length >= 100, String(numbers.length));

    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    t.after(() => clearInterval(turning));
    const began = performance.now();
    const waiting = await Promise.allSettled(Array.from({ length: 50 }, () => ids.nextIdAsync()));
    const took = performance.now() - began;
    for (const { reason } of waiting) isRefusal('store_unavailable')(reason);
    assert.ok(took >= 350, `${took} ms`);
    assert.ok(turns > 5, `the event loop turned ${turns} times in ${took} ms`); // one that is blocked turns once
    await eventually(() => ids.state().code === code('store_unavailable').code);
    assert.equal(ids.state().name, 'waiting');
    refuses('store_unavailable', () => ids.nextId(), 'nextIdAsync()', 'redis');
    assert.equal(ids.tryNextId(), null);
    assert.ok(ids.stats().storeFailures > 0);

    const another = await Segment.open({ store, name: COUNTER, timeoutMs: 400 }).catch((error) => error);
    isRefusal('store_unavailable')(another);
    await control(`${end} ${OURS}`);
    await eventually(async () => {
      try {
        numbers.push(await ids.nextIdAsync());
        return true;
      } catch (error) {
        assert.ok(WAITS.includes(error.code), error.code);
        return false;
      }
    });
    numbers.push(...(await ids.nextIdsAsync(500)));
    assert.ok(numbers.every((number, i) => i === 0 || number > numbers[i - 1]));
    await closed(ids);
  });
}
