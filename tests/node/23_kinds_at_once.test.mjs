// Kinds on many threads and in many processes.
import './registry.mjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ObjectIds, Uuid7, openSync } from 'polyflake';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

const SOURCES = {
  uuid7: { kind: 'uuid7', idBytes: 16 },
  'uuid7 on host': { kind: 'uuid7', idBytes: 16, options: { worker: 'host', maxWaitMs: 10_000 } },
  uuid4: { kind: 'uuid4', idBytes: 16, unordered: true },
  objectid: { kind: 'objectid', idBytes: 12 },
};

async function issue(workerData) {
  const worker = new Worker(here('kinds_thread.mjs'), { workerData });
  const [code] = await once(worker, 'exit');
  assert.equal(code, 0);
}

for (const [name, { unordered, ...source }] of Object.entries(SOURCES)) {
  test(`four worker threads on ${name}: no duplicate, and rising in each where there is an order`, async () => {
    const count = 50_000;
    const { idBytes } = source;
    const memory = new SharedArrayBuffer(4 * count * idBytes);
    await Promise.all([0, 1, 2, 3].map((i) => issue({ ...source, memory, count, offset: i * count })));
    const bytes = Buffer.from(memory);
    const all = new Set();
    let previous;
    for (let i = 0; i < 4 * count; i++) {
      const id = bytes.hexSlice(i * idBytes, (i + 1) * idBytes);
      if (!unordered && i % count !== 0) assert.ok(id > previous, `id ${i}: ${id} after ${previous}`);
      previous = id;
      all.add(id);
    }
    assert.equal(all.size, 4 * count);
  });
}

test('the process bytes of an ObjectId are those of the process, on all its threads', async () => {
  const memory = new SharedArrayBuffer(100 * 12);
  const ids = new ObjectIds();
  const processOf = (id) => id.slice(8, 18);
  const ours = processOf(ids.nextId());
  await issue({ ...SOURCES.objectid, memory, count: 100, offset: 0 });
  const bytes = Buffer.from(memory);
  for (let i = 0; i < 100; i++) assert.equal(processOf(bytes.hexSlice(i * 12, (i + 1) * 12)), ours);
  assert.ok(ids.nextId() > bytes.hexSlice(99 * 12), 'and the order is one');
});

test('sixteen processes have no tail and no process bytes in common', async () => {
  const count = 500;
  const runs = await Promise.all(
    Array.from({ length: 16 }, () => run(process.execPath, [here('kinds_process.cjs'), String(count)])),
  );
  const perProcess = runs.map(({ stdout }) => stdout.trimEnd().split('\n'));
  for (const lines of perProcess) assert.equal(lines.length, 3 * count);
  const all = (from, of) => perProcess.flatMap((lines) => lines.slice(from, from + count).map(of));
  const tails = all(0, (uuid) => uuid.slice(20));
  assert.equal(new Set(tails).size, tails.length);
  assert.equal(new Set(all(count, (uuid) => uuid)).size, 16 * count);
  assert.equal(new Set(all(2 * count, (id) => id.slice(8, 18))).size, 16);
});

for (const kind of ['uuid7', 'objectid']) {
  test(`${kind}: the clock of the system is stepped, and ids go on rising`, async (t) => {
    const libraries = fs.readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`);
    const library = libraries.find((name) => fs.existsSync(name));
    assert.ok(library, 'libfaketime is not installed');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-clock-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'offset');
    fs.writeFileSync(file, '+0\n');
    const steps = ['+0', '+10', '+0', '-3600', '-86400', '+3600', '+0'];
    const env = { ...process.env, KIND: kind, LD_PRELOAD: library };
    const { stdout } = await run(process.execPath, [here('stepping_clock.cjs'), ...steps], {
      env: { ...env, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    });
    const { outcomes, stats } = JSON.parse(stdout);
    const ids = outcomes.flatMap((outcome) => outcome.ids ?? assert.fail(outcome.message));
    for (let i = 1; i < ids.length; i++) assert.ok(ids[i] > ids[i - 1], `${ids[i]} after ${ids[i - 1]}`);
    assert.ok(stats.heldMs > 3_500_000, `held by ${stats.heldMs} ms`);
  });
}

test('worker threads that are terminated while they issue leave the process alone', async () => {
  for (const kind of ['uuid7', 'uuid4', 'objectid']) {
    const body = `const { openSync } = require('polyflake'); const ids = openSync('${kind}');
      require('node:worker_threads').parentPort.postMessage('up');
      for (;;) { ids.nextId(); ids.nextIds(100); ids.fill(new Uint8Array(4800)); }`;
    const worker = new Worker(body, { eval: true });
    await once(worker, 'message');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await worker.terminate();
    assert.ok(openSync(kind).nextId());
  }
});

test('a source is closed here while another thread issues from its own', async () => {
  const memory = new SharedArrayBuffer(10_000 * 16);
  const issuing = issue({ ...SOURCES.uuid7, memory, count: 10_000, offset: 0 });
  for (let i = 0; i < 200; i++) {
    const ids = new Uuid7();
    ids.nextId();
    ids.close();
    await new Promise(setImmediate);
  }
  await issuing;
});

test('process.exit() with open sources, and one that waits, ends the process at once', async () => {
  const script = `const { Uuid7, ObjectIds, Uuid4 } = require('polyflake');
    const slow = 'timestamp:40 worker:20 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z';
    const ids = [new Uuid7(), new ObjectIds(), new Uuid4(), new Uuid7({ worker: 'host:61' })];
    for (const one of ids) one.nextId();
    const waits = new Uuid7({ worker: 3, layout: slow, maxWaitMs: 60000 });
    for (let i = 0; i < 2000; i++) waits.nextIdAsync();
    process.exit(3);`;
  await assert.rejects(run(process.execPath, ['-e', script], { cwd: here('../..'), timeout: 20_000 }), { code: 3 });
});
