// Numbers that begin with the date, over the real server of each kind of store that has a clock.
import './registry.mjs';
import './patient_close.cjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { DateIds, open } from 'polyflake';
import { initCounter, initNamespace, raiseCounter } from 'polyflake/stores';
import { OFFSET, TODAY, ZONE, numbersOfToday, withDates } from './dates.mjs';
import { HANG_MS } from './patience.mjs';
import { code, isRefusal } from './refusal.mjs';
import { COUNTER, closed, openPatiently } from './segments.mjs';
import { STORES, address, endClients, freshName, server } from './stores.mjs';

const THREAD = fileURLToPath(new URL('segment_thread.mjs', import.meta.url));
const PATIENT = { timeoutMs: HANG_MS };

after(endClients);

for (const kind of ['redis', 'postgresql', 'mysql']) {
  test(`${kind}: two hosts take the numbers of a day in a named zone, and print them`, async () => {
    const { store, ...options } = { ...(await withDates(server(kind))), ...PATIENT };
    const orders = await open(`date:${store}`, { ...options, prefix: 'ORD' });
    const refunds = await DateIds.open({ ...options, store, prefix: 'REF', timeoutMs: HANG_MS + 1 });
    const numbers = [];
    for (let i = 0; i < 10; i++) numbers.push(await orders.nextIdAsync(), await refunds.nextIdAsync());
    assert.deepEqual(numbers, numbersOfToday(1, 20));
    assert.equal(refunds.numbers.text(numbers[19]), `REF${TODAY}000020`);
    assert.equal(orders.stats().held, 0);
    await Promise.all([orders, refunds].map(closed));

    const batches = await open('date', { ...options, store, step: 50 });
    assert.deepEqual([...(await batches.nextIdsAsync(120))], numbersOfToday(21, 120));
    await closed(batches);
    const next = await open('date', { ...options, store });
    assert.equal(await next.nextIdAsync(), numbersOfToday(141, 1)[0]);
    await closed(next);
  });

  test(`${kind}: operators set a counter in a named zone`, async () => {
    const { store, ...options } = await withDates(server(kind), { digits: 3 });
    await raiseCounter(store, COUNTER, { after: 998 });
    const ids = await open('date', { ...options, ...PATIENT, store });
    assert.equal(await ids.nextIdAsync(), numbersOfToday(999, 1, 3)[0]);
    await assert.rejects(ids.nextIdAsync(), code('range_exhausted'));
    await raiseCounter(store, COUNTER, { after: 41 });
    await closed(ids);
    const again = await open('date', { ...options, ...PATIENT, store });
    assert.equal(await again.nextIdAsync(), numbersOfToday(42, 1, 3)[0]);
    await closed(again);
    await assert.rejects(open('date', { ...options, store, zone: OFFSET }), isRefusal('layout_mismatch', ZONE));
  });

  test(`${kind}: processes and threads get each number of a day once`, async () => {
    const options = { ...(await withDates(server(kind))), ...PATIENT };
    const count = 100;
    const inThread = async (step) => {
      const workerData = { kind: 'date', options: { ...options, step }, count };
      const thread = new Worker(THREAD, { workerData });
      const [[numbers]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
      return numbers;
    };
    const inProcess = async (step) => {
      const argument = JSON.stringify({ kind: 'date', options: { ...options, step }, count });
      const { stdout } = await promisify(execFile)(process.execPath, [THREAD, argument]);
      return stdout.trim().split(' ').map(BigInt);
    };
    const here = async (step) => {
      const ids = await openPatiently({ ...options, step }, 'date');
      const numbers = await Promise.all(Array.from({ length: count }, () => ids.nextIdAsync()));
      await closed(ids);
      return numbers;
    };
    const all = (await Promise.all([here(1), here(7), inThread(2), inProcess(1)])).flat();
    assert.equal(new Set(all).size, 4 * count);
    assert.ok(all.every((one) => one / 1_000_000n === TODAY));
  });
}

for (const kind of ['zookeeper', 'etcd']) {
  test(`${kind}: a store without a clock keeps no dates`, async () => {
    const store = address({ namespace: freshName() }, server(kind));
    await initNamespace(store, { fresh: true });
    const options = { after: 0, kind: 'date', zone: ZONE };
    await assert.rejects(initCounter(store, COUNTER, options), isRefusal('option_invalid', 'clock'));
  });
}

test('a store object serves dates', async () => {
  const store = STORES['a Pool of pg'].make({ namespace: freshName() }, server('postgresql'));
  await initNamespace(store, { fresh: true });
  await initCounter(store, COUNTER, { after: 0, kind: 'date', zone: ZONE });
  const ids = await open('date', { store, name: COUNTER, zone: ZONE, ...PATIENT });
  assert.equal(await ids.nextIdAsync(), numbersOfToday(1, 1)[0]);
  await closed(ids);
});
