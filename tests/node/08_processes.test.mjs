import './registry.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generator } from 'polyflake';
import { assertIncreasing, assertUnique } from './uniqueness.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script, given as text, in a process of its own. */
function run(script, environment = {}) {
  return runProgram(['-e', script], environment);
}

async function runProgram(programArguments, environment = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, programArguments, { cwd: root, env, timeout: 120_000 });
  const began = performance.now();
  let out = '';
  let err = '';
  let lastByte = began;
  child.stdout.on('data', (data) => {
    out += data;
    lastByte = performance.now();
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, err, msAfterOutput: performance.now() - lastByte };
}

// Far below the minute that a call may wait, and far above what a busy machine needs.
const SOON_MS = 20_000;

const load = `const { Generator, nextId } = require('polyflake');`;

test('four cluster workers on host take four node ids and issue no duplicate', async () => {
  const { code, out, err } = await runProgram([path.join(root, 'tests/node/issuing_cluster.cjs')]);
  assert.equal(code, 0, err);
  const seen = JSON.parse(out);
  assert.equal(new Set(seen.map(({ worker }) => worker)).size, 4);
  assertUnique(BigUint64Array.from(seen.flatMap(({ ids }) => ids.map(BigInt))));
});

test('a second process on the same host:N is refused and told who holds it', async () => {
  const generator = new Generator({ worker: 'host:21' });
  generator.nextId();
  const { out } = await run(
    `${load} try { new Generator({ worker: 'host:21' }) } catch (e) { console.log(e.code, e.message) }`,
  );
  assert.match(out, /^ERR_POLYFLAKE_WORKER_IN_USE /);
  assert.ok(out.includes(String(process.pid)), out);
});

test('a node id is free again when its process has ended, and its ids go on rising', async () => {
  let last = 0n;
  for (let i = 0; i < 3; i++) {
    const { out, err } = await run(
      `${load} console.log(String(new Generator({ worker: 'host:22', maxWaitMs: 5000 }).nextId()))`,
    );
    assert.ok(BigInt(out) > last, err);
    last = BigInt(out);
  }
});

test('the state of a node id outlives the only thread that had loaded the addon', async () => {
  // Each thread runs ahead of the clock by more than the time until the next one begins: a state that was lost
  // would issue the same ticks again.
  const { code, out, err } = await run(`
    const { Worker } = require('node:worker_threads');
    const issue = \`${load} const layout = 'timestamp:41 worker:10 sequence:2 tick=1ms epoch=2020-01-01T00:00:00.000Z';
      const ids = new Generator({ worker: 3, layout, maxLeadMs: 60000 }).nextIds(20000);
      require('node:worker_threads').parentPort.postMessage([ids[0], ids[19999]])\`;
    const ids = [];
    (function next() {
      if (ids.length === 10) return console.log(ids.join());
      new Worker(issue, { eval: true }).on('message', (few) => ids.push(...few)).on('exit', next);
    })();`);
  assert.equal(code, 0, err);
  assertIncreasing(out.split(',').map(BigInt));
});

for (const [name, script] of Object.entries({
  'an open generator': `const g = new Generator({ worker: 'host:23' }); g.nextId(); console.log('x'); process.exit(3);`,
  'a pending nextIdAsync': `const g = new Generator({ worker: 1, maxWaitMs: 600000, layout:
      'timestamp:40 worker:20 sequence:1 tick=60s epoch=2020-01-01T00:00:00.000Z' });
    for (let i = 0; i < 6; i++) g.nextIdAsync(); console.log('x'); process.exit(3);`,
  'an opening under way': `Generator.open({ worker: 'host:24' });
    setTimeout(() => { console.log('x'); process.exit(3); }, 100);`,
  'worker threads that issue': `const { Worker } = require('node:worker_threads');
    for (let i = 0; i < 2; i++) new Worker("const { Generator } = require('polyflake'); const g = new Generator({ worker: 2 }); for (;;) g.nextId()", { eval: true });
    setTimeout(() => { console.log('x'); process.exit(3); }, 200);`,
  'the default generator': `nextId(); console.log('x'); process.exit(3);`,
})) {
  test(`process.exit() with ${name} ends the process`, async () => {
    const { code, out, err, msAfterOutput } = await run(load + script);
    assert.equal(code, 3, err);
    assert.equal(out, 'x\n');
    assert.ok(msAfterOutput < SOON_MS, `${msAfterOutput} ms`);
  });
}

test('a nextIdAsync that waits keeps the process alive until its id is there, and no longer', async () => {
  const { code, out, err, msAfterOutput } = await run(`${load}
    const layout = 'timestamp:40 worker:20 sequence:1 tick=100ms epoch=2020-01-01T00:00:00.000Z';
    const g = new Generator({ layout, worker: 1, maxWaitMs: 10_000 });
    Promise.all(Array.from({ length: 12 }, () => g.nextIdAsync())).then((ids) => console.log(new Set(ids).size))`);
  assert.deepEqual([code, out], [0, '12\n'], err);
  assert.ok(msAfterOutput < SOON_MS, `${msAfterOutput} ms`);
});

test('a generator that is merely there does not keep the process alive', async () => {
  const { code, signal } = await run(`${load} new Generator({ worker: 1 }).nextId();`);
  assert.deepEqual([code, signal], [0, null]);
});

test('the library prints nothing', async () => {
  const { code, out, err } = await run(
    `${load} (async () => {
      const g = await Generator.open({ worker: 'host' });
      g.nextIds(10000); g.stats(); g.close();
      try { g.nextId() } catch {}
      try { new Generator({ worker: 'nope' }) } catch {}
    })()`,
  );
  assert.deepEqual([code, out, err], [0, '', '']);
});

test('the time zone of the process changes nothing', async () => {
  const script = `const { Layout } = require('polyflake');
    console.log(new Layout('shardingsphere').decode(1n << 40n).time.toISOString(),
      String(new Layout('shardingsphere').encode({ time: new Date('2026-03-29T01:30:00Z') })));`;
  const zones = await Promise.all(['UTC', 'Asia/Shanghai', 'America/St_Johns'].map((TZ) => run(script, { TZ })));
  assert.equal(new Set(zones.map(({ out }) => out)).size, 1);
  assert.notEqual(zones[0].out, '');
});

test('a clock that is stepped never repeats an id: small steps are waited out, others are named', async (t) => {
  const libraries = fs.readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`);
  const library = libraries.find((name) => fs.existsSync(name));
  assert.ok(library, 'libfaketime is not installed');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-clock-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'offset');
  fs.writeFileSync(file, '+0\n');
  // Steps but the second are far longer than the pauses of a busy machine, which move the clock on.
  const steps = ['+0', '+900', '+899.995', '+0', '-3600', '@1990-01-01 00:00:00', '+900', '+3600', '+900', '+3600'];
  const { code, out, err } = await runProgram([path.join(root, 'tests/node/stepping_clock.cjs'), ...steps], {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
  });
  assert.equal(code, 0, err);
  const { outcomes, stats } = JSON.parse(out);
  const behind = 'ERR_POLYFLAKE_CLOCK_BEHIND';
  const none = undefined;
  const codes = [none, none, none, behind, behind, 'ERR_POLYFLAKE_CLOCK_BEFORE_EPOCH', none, none, behind, none];
  assert.deepEqual(
    outcomes.map((outcome) => outcome.code),
    codes,
  );
  assert.match(outcomes[4].message, /4[45]\d{5} ms/);
  assertIncreasing(outcomes.flatMap(({ ids = [] }) => ids.map(BigInt)));
  assert.ok(stats.clockStepsBack >= 2); // steps with no id between them count as one
  assert.ok(stats.largestStepBackMs > 3_500_000);
});
