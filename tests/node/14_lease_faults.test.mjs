// What calls for ids meet when a store is gone for a while. A server of its own: others are not to notice.
import './registry.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generator } from 'polyflake';
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

test('a process whose store does not answer ends at once', async () => {
  const source = `
    const { Generator } = require('polyflake');
    Generator.open({ worker: ${JSON.stringify(worker())} }).then((generator) => {
      console.log(generator.nextId());
      process.stdin.once('data', () => {
        generator.close();
        process.stdin.destroy();
      });
    });`;
  const program = spawn(process.execPath, ['-e', source], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  await once(program.stdout, 'data');
  await control(`pause ${OURS}`);
  const before = performance.now();
  program.stdin.write('close\n');
  const [status] = await once(program, 'exit');
  await control(`resume ${OURS}`);
  assert.equal(status, 0);
  assert.ok(performance.now() - before < 1000, `${performance.now() - before} ms`);
});
