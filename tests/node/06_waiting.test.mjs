// Waiting on the real clock: how the event loop fares, and how long a call may take.
import './registry.mjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

const here = fileURLToPath(new URL('.', import.meta.url));

/** What a script of this folder prints, parsed; it is run in a process and with a registry folder of its own. */
async function answerOf(script, ...programArguments) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-waiting-'));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(here, script), ...programArguments], {
      env: { ...process.env, POLYFLAKE_HOME: folder },
    });
    return JSON.parse(stdout);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

for (const when of ['before', 'after']) {
  test(`nextIdAsync ends with every timer replaced by one that never fires, ${when} the package is loaded`, async () => {
    const { ids, waits } = await answerOf('fake_timers.cjs', when);
    assert.equal(new Set(ids).size, 12);
    assert.ok(waits >= 5, `${waits} waits`);
  });
}

for (const way of ['new', 'open']) {
  test(`the loop never stands still for 20 ms while host is opened by ${way} and gives its first id`, async (t) => {
    // The best of a few: how long a file takes to reach the disk is not ours to say.
    let best = { longestMs: Infinity };
    for (let run = 0; run < 5 && best.longestMs > 20; run++) {
      const { longestMs, tookMs } = await answerOf('loop_stalls.cjs', way);
      if (longestMs < best.longestMs) best = { longestMs, tookMs };
    }
    t.diagnostic(`longest stall: ${best.longestMs.toFixed(1)} ms, first id after ${best.tookMs.toFixed(0)} ms`);
    assert.ok(best.longestMs <= 20, `${best.longestMs} ms`);
    assert.ok(best.tookMs > 500, 'a node id of a fresh folder is waited for, or this measures nothing');
  });
}

for (const call of ['generator.nextId()', 'generator.nextIdString()', 'Array.from(generator.nextIds(3))']) {
  test(`new Generator() does not wait, ${call} does for what is left of a start`, async () => {
    const { openedMs, firstMs, state, early, ids, next } = await answerOf('first_id.cjs', call);
    assert.ok(openedMs < 500, `opening took ${openedMs} ms`);
    assert.equal(state.name, 'starting');
    assert.equal(early, null, 'tryNextId waits for nothing');
    assert.ok(firstMs > 500, `the first id came after ${firstMs} ms`);
    const issued = [...ids, next].map(BigInt);
    for (let i = 1; i < issued.length; i++) assert.ok(issued[i] > issued[i - 1] && issued[i - 1] > 0n);
  });
}
