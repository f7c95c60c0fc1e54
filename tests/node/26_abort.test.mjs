// An AbortSignal ends what waits: an id, and an opening.
import './registry.mjs';
import './patient_close.cjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Generator, ManualClock, ObjectIds, Uuid4, Uuid7 } from 'polyflake';
import { initNamespace, leases } from 'polyflake/stores';
import { HANG_MS, eventually } from './patience.mjs';
import { code } from './refusal.mjs';
import { freshName } from './stores.mjs';

const NOW_MS = 1767225600000;
const REASON = new Error('the client is gone');
// Two ids a day.
const SLOW = 'timestamp:31 worker:20 sequence:1 tick=86400s epoch=2020-01-01T00:00:00.000Z';
const DAYS_MS = 2 ** 31 - 1;

/** A promise that is rejected with the reason itself. */
const withReason = (reason) => (error) => error === reason;
const listeners = (signal) => getEventListeners(signal, 'abort').length;

const sources = [
  new Generator({ worker: 1, clock: new ManualClock(NOW_MS) }),
  new Uuid7({ clock: new ManualClock(NOW_MS) }),
  new Uuid4(),
  new ObjectIds({ clock: new ManualClock(NOW_MS) }),
];

for (const source of sources) {
  test(`${source.kind}: an aborted signal takes no id, another one does no harm`, async () => {
    await assert.rejects(source.nextIdAsync({ signal: AbortSignal.abort(REASON) }), withReason(REASON));
    assert.equal(source.stats().issued, 0);
    const { signal } = new AbortController();
    assert.notEqual(await source.nextIdAsync({ signal }), await source.nextIdAsync({ signal: undefined }));
    assert.equal(listeners(signal), 0);
  });

  test(`${source.kind}: what is no AbortSignal is refused`, async () => {
    for (const signal of [null, 7, 'abort', true, {}, [], AbortSignal, new AbortController()]) {
      await assert.rejects(source.nextIdAsync({ signal }), code('option_invalid'));
    }
    for (const options of [null, 7, AbortSignal.abort(), { sginal: AbortSignal.abort() }]) {
      await assert.rejects(source.nextIdAsync(options), code('option_invalid'));
    }
  });
}

test('a signal ends the waits of nextIdAsync, and leaves no listener', async () => {
  const generator = new Generator({ worker: 2, layout: SLOW, maxWaitMs: DAYS_MS });
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = Array.from({ length: 3 }, () => generator.nextIdAsync({ signal }));
  assert.ok(listeners(signal) > 0);
  controller.abort(REASON);
  const outcomes = await Promise.allSettled(waiting);
  const reasons = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  assert.ok(reasons.length > 0);
  assert.deepEqual([...new Set(reasons)], [REASON]);
  assert.equal(listeners(signal), 0);
});

test('a wait that was aborted does not keep the process alive', async () => {
  const program = `
    import { Generator } from 'polyflake';
    const generator = new Generator({ worker: 3, layout: '${SLOW}', maxWaitMs: ${DAYS_MS} });
    const controller = new AbortController();
    const waiting = Array.from({ length: 3 }, () => generator.nextIdAsync({ signal: controller.signal }));
    controller.abort('enough');
    console.log((await Promise.allSettled(waiting)).at(-1).reason);`;
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const options = { cwd, timeout: HANG_MS };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
  assert.equal(stdout, 'enough\n');
});

for (const Source of [Generator, Uuid7]) {
  test(`${Source.name}.open: an aborted signal opens nothing, another one does no harm`, async () => {
    const worker = `memory://${freshName()}?namespace=orders`;
    await initNamespace(worker, { fresh: true });
    await assert.rejects(Source.open({ worker, signal: AbortSignal.abort(REASON) }), withReason(REASON));
    assert.deepEqual(await leases(worker), []);
    await assert.rejects(Source.open({ worker, signal: null }), code('option_invalid'));
    await assert.rejects(Source.open({ worker, sginal: undefined }), code('option_invalid'));
    assert.throws(() => new Source({ worker: 5, signal: AbortSignal.abort() }), code('option_invalid'));

    const { signal } = new AbortController();
    for (const given of [worker, 5]) {
      const source = await Source.open({ worker: given, signal });
      assert.equal(listeners(signal), 0);
      source.close();
    }
  });
}

test('a signal ends an opening on another thread', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const opening = Generator.open({ worker: 'host:40', signal });
  controller.abort(REASON);
  await assert.rejects(opening, withReason(REASON));
  assert.equal(listeners(signal), 0);
  const generator = await Generator.open({ worker: 'host:40' });
  assert.ok((await generator.nextIdAsync()) > 0n);
});

async function abortedOpening(worker) {
  const controller = new AbortController();
  const opening = Generator.open({ worker, signal: controller.signal });
  controller.abort(REASON);
  await assert.rejects(opening, withReason(REASON));
}

test('an opening that is aborted gives back what a store granted, and another one goes on', async () => {
  const worker = `memory://${freshName()}?namespace=orders&window_ms=600000`;
  await initNamespace(worker, { fresh: true });
  await abortedOpening(worker);
  await eventually(async () => (await leases(worker)).length === 0);

  const other = Generator.open({ worker });
  await abortedOpening(worker);
  const generator = await other;
  assert.ok((await generator.nextIdAsync()) > 0n);
  assert.equal((await leases(worker)).length, 1);
  generator.close();
});

test('an opening that is aborted leaves a store that does not answer', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const controller = new AbortController();
  const worker = `redis://127.0.0.1:${server.address().port}?namespace=orders`;
  const opening = Generator.open({ worker, signal: controller.signal });
  const [socket] = await once(server, 'connection');
  socket.resume().on('error', () => {});
  const closed = once(socket, 'close');
  controller.abort(REASON);
  await assert.rejects(opening, withReason(REASON));
  await closed;
  assert.equal(listeners(controller.signal), 0);
  server.close();
});
