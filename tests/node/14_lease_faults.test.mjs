// What calls for ids meet when a store is gone for a while. A server of its own: others are not to notice.
import './registry.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generator } from 'polyflake';
import { leases } from 'polyflake/stores';
import { address, control, freshName, server } from './stores.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OURS = 'redis2';
const worker = (options = {}) => address({ namespace: freshName(), autoInit: 'fresh', ...options }, server(OURS));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
    const generator = await Generator.open({ worker: worker({ windowMs: 1500 }) });
    await idsUntil(generator, (ids) => ids.length >= 20);
    await control(`${begin} ${OURS}`);
    const { untilMs } = generator.stats();
    const before = await idsUntil(generator, (ids, codes) => codes.length >= 20);
    assert.ok(before.ids.length > 20, 'the window goes on');
    assert.deepEqual([...new Set(before.codes)], ['ERR_POLYFLAKE_STORE_UNAVAILABLE']);
    assert.ok(generator.layout.decode(before.ids.at(-1)).timeMs < untilMs);
    assert.equal(generator.state().code, 'ERR_POLYFLAKE_STORE_UNAVAILABLE');
    await assert.rejects(generator.nextIdAsync(), { code: 'ERR_POLYFLAKE_STORE_UNAVAILABLE' });

    await control(`${end} ${OURS}`);
    const healed = performance.now();
    const after = await idsUntil(generator, (ids) => ids.length >= 20);
    // A server that was started again may have lost what it had confirmed: then nothing is issued for its window and 1 s.
    assert.ok(performance.now() - healed < 4500, `${performance.now() - healed} ms`);
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

/** Starts a program that holds a lease, and has it end after `interlude`; resolves to { status, ms }. */
async function endOf(end, url, interlude) {
  const source = `
    const { Generator } = require('polyflake');
    const another = { worker: ${JSON.stringify(url)}, layout: 'twitter' };
    Generator.open({ worker: ${JSON.stringify(url)} }).then((generator) => {
      console.log(generator.nextId());
      process.stdin.once('data', () => { ${end} });
    });`;
  const program = spawn(process.execPath, ['-e', source], { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  await once(program.stdout, 'data');
  await interlude();
  const before = performance.now();
  program.stdin.write('end\n');
  const [status] = await once(program, 'exit');
  return { status, ms: performance.now() - before };
}

for (const [how, { end, givesBack, status = 0 }] of Object.entries(ENDS)) {
  test(`a process that ${how} ends within a second, also where its store does not answer`, async () => {
    const url = worker();
    const ended = await endOf(end, url, () => sleep(50));
    assert.equal(ended.status, status);
    assert.ok(ended.ms < 1000, `${ended.ms} ms`);
    if (givesBack !== undefined) assert.equal((await leases(url)).length, givesBack ? 0 : 1);
    const stopped = await endOf(end, url, () => control(`pause ${OURS}`)).finally(() => control(`resume ${OURS}`));
    assert.equal(stopped.status, status);
    assert.ok(stopped.ms < 1000, `${stopped.ms} ms`);
  });
}
