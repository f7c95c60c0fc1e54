// What calls for ids meet when a store is gone for a while. A server of its own: others are not to notice.
import './registry.mjs';
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generator } from 'polyflake';
import { initNamespace, leases } from 'polyflake/stores';
import { HANG_MS, eventually, sleep } from './patience.mjs';
import { address, control, fresh, freshName, server } from './stores.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OURS = 'redis2';
const worker = (options = {}) => address({ namespace: freshName(), ...options }, server(OURS));
const patientClose = path.join(root, 'tests/node/patient_close.cjs');
const require = createRequire(import.meta.url);

/** Takes ids until `enough` says so; returns them and what calls said that gave none. */
async function idsUntil(generator, enough) {
  const ids = [];
  const codes = [];
  while (!enough(ids, codes)) {
    try {
      ids.push(generator.nextId());
    } catch (error) {
      codes.push(error.code);
    }
    await sleep(5);
  }
  return { ids, codes };
}

for (const [begin, end] of [
  ['kill', 'start'],
  ['pause', 'resume'],
]) {
  test(`after ${begin} ids flow to the end of the window, and soon after ${end} again`, async () => {
    const namespace = freshName();
    await initNamespace(worker({ namespace, windowMs: 4000 }), { fresh: true });
    const generator = await Generator.open({ worker: worker({ namespace }) });
    await idsUntil(generator, (ids) => ids.length >= 20);
    const states = [];
    subscribe('polyflake:state', (state) => states.push(state));
    await control(`${begin} ${OURS}`);
    const { untilMs } = generator.stats();
    const before = await idsUntil(generator, (ids, codes) => codes.length >= 20);
    assert.ok(before.ids.length > 20, 'the window goes on');
    const [first] = states.filter(({ message }) => message.includes(namespace));
    assert.equal(first.level, 'warning');
    assert.match(first.message, /Ids go on until the window ends$/);
    assert.deepEqual([...new Set(before.codes)], ['ERR_POLYFLAKE_STORE_UNAVAILABLE']);
    assert.ok(generator.layout.decode(before.ids.at(-1)).timeMs < untilMs);
    assert.equal(generator.state().code, 'ERR_POLYFLAKE_STORE_UNAVAILABLE');
    await assert.rejects(generator.nextIdAsync(), { code: 'ERR_POLYFLAKE_STORE_UNAVAILABLE' });

    await control(`${end} ${OURS}`);
    // A server that was started again may have lost what it had confirmed: then nothing is issued
    // for its window and 1 s.
    const healed = performance.now();
    const after = await idsUntil(generator, (ids) => ids.length >= 20);
    assert.ok(performance.now() - healed < HANG_MS / 2, `${performance.now() - healed} ms`);
    assert.equal(new Set([...before.ids, ...after.ids]).size, before.ids.length + after.ids.length);
    generator.close();
  });
}

const NOTHING_LEFT = 'process.stdin.destroy();';
const ENDS = {
  'has nothing left to do': { end: NOTHING_LEFT, givesBack: true },
  'closes and has nothing left to do': { end: `generator.close(); ${NOTHING_LEFT}`, givesBack: true },
  'disposes and exits': { end: 'generator[Symbol.asyncDispose]().then(() => process.exit());', givesBack: true },
  exits: { end: 'process.exit();', givesBack: false },
  'exits while it opens another lease': { end: 'Generator.open(another); setImmediate(() => process.exit());' },
  'is to exit at an error': {
    end: 'process.exitCode = 1; setImmediate(() => { throw new Error("end"); });',
    status: 1,
  },
};

/**
 * Starts a program that holds a lease, and has it end after `interlude`; resolves to its status,
 * null if it hangs.
 */
async function endOf(end, url, interlude, ...nodeArguments) {
  const source = `
    const { Generator } = require('polyflake');
    const another = { worker: ${JSON.stringify(url)}, layout: 'twitter' };
    Generator.open({ worker: ${JSON.stringify(url)} }).then((generator) => {
      console.log(generator.nextId());
      process.stdin.once('data', () => { ${end} });
    });`;
  const options = { cwd: root, stdio: ['pipe', 'pipe', 'ignore'], timeout: HANG_MS };
  const program = spawn(process.execPath, [...nodeArguments, '-e', source], options);
  await once(program.stdout, 'data');
  await interlude();
  program.stdin.write('end\n');
  const [status] = await once(program, 'exit');
  return status;
}

for (const [how, { end, givesBack, status = 0 }] of Object.entries(ENDS)) {
  test(`a process that ${how} waits for no answer of a store that does not answer`, async () => {
    const url = await fresh(worker({ windowMs: 600_000 }));
    assert.equal(await endOf(end, url, () => sleep(50), '-r', patientClose), status);
    if (givesBack !== undefined) assert.equal((await leases(url)).length, givesBack ? 0 : 1);
    const stopped = endOf(end, url, () => control(`pause ${OURS}`)).finally(() => control(`resume ${OURS}`));
    assert.equal(await stopped, status);
  });
}

test('close() gives a store that does not answer half a second, and no other end waits longer', async (t) => {
  const { Alarm } = require('../../node/wait.js');
  const generator = await Generator.open({ worker: await fresh(worker({ windowMs: 600_000 })) });
  await control(`pause ${OURS}`);
  t.after(() => control(`resume ${OURS}`));
  const sleeps = t.mock.method(Alarm.prototype, 'sleep');
  await generator[Symbol.asyncDispose]();
  const ms = sleeps.mock.calls.map(({ arguments: [one] }) => one);
  assert.ok(ms.includes(500), String(ms));
});

for (const name of ['redis', 'ioredis']) {
  test(`over ${name} a reply that comes twice costs a connection and no lease`, async (t) => {
    const url = await control(`proxy ${OURS}`);
    const { RedisStore } = require('polyflake/stores/redis');
    const client = name === 'redis' ? require(name).createClient({ url }) : new (require(name).Redis)(url);
    client.on('error', () => {});
    if (name === 'ioredis') t.after(() => client.disconnect());
    const store = new RedisStore(client, { namespace: freshName(), autoInit: true, windowMs: 3000, toleranceMs: 100 });
    await initNamespace(store, { fresh: true });
    const generator = await Generator.open({ worker: store });
    await control(`fault ${url} duplicate`);
    const before = generator.stats().renewals;
    await eventually(() => {
      generator.renew();
      return generator.stats().renewals > before + 3;
    });
    assert.ok(generator.nextId() > 0n);
    generator.close();
  });
}
