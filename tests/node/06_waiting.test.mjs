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

/** Counts the turns of the event loop until stop(). */
function turningLoop() {
  const loop = { turns: 0, stop: () => (stopped = true) };
  let stopped = false;
  const turn = () => {
    loop.turns += 1;
    if (!stopped) setImmediate(turn);
  };
  setImmediate(turn);
  return loop;
}

test('nextIdAsync lets the event loop go on', async () => {
  const generator = new Generator({ layout: SLOW, worker: 1, maxWaitMs: 1000 });
  const loop = turningLoop();
  const turnsOfWaits = [];
  const ids = [];
  while (turnsOfWaits.length < 5) {
    const [waits, turns] = [generator.stats().waits, loop.turns];
    ids.push(await generator.nextIdAsync());
    if (generator.stats().waits > waits) turnsOfWaits.push(loop.turns - turns);
  }
  loop.stop();
  // A wait that was over when it began, since the machine was busy, is not one of those.
  assert.ok(
    turnsOfWaits.some((turns) => turns > 0),
    `the loop stood still in ${turnsOfWaits.length} waits`,
  );
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
  const tookMs = Array.from({ length: 10 }, () => {
    const before = performance.now();
    generator.nextId();
    return performance.now() - before;
  });
  // Not all of them: the machine may be busy.
  assert.ok(tookMs.filter((ms) => ms < 500).length >= 5, String(tookMs));
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
  const loop = turningLoop();
  for (let worker = 33; worker < 38; worker++) {
    const generator = await Generator.open({ worker: `host:${worker}` });
    assert.equal(generator.worker, BigInt(worker));
    assert.ok(generator.nextId() > 0n);
  }
  loop.stop();
  assert.ok(loop.turns > 0);
});

const here = fileURLToPath(new URL('.', import.meta.url));

/** What a script of this folder prints, parsed; it is run in a process and with a registry folder of its own. */
async function answerOf(script, ...programArguments) {
  const memory = '/dev/shm'; // else a busy disk takes part of a stall
  const folder = fs.mkdtempSync(path.join(fs.existsSync(memory) ? memory : os.tmpdir(), 'polyflake-waiting-'));
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
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(waits >= 5, `${waits} waits`);
  });
}

const LONGEST_WORK_MS = 20;
// Blocking until the first window would take 2 s.
const LONGEST_STALL_MS = 1000;

for (const way of ['new', 'open']) {
  test(`the loop works for less than 20 ms while host is opened by ${way}, and its first id is waited for off it`, async (t) => {
    let answer;
    // One run is enough: the machine may be busy.
    for (let run = 0; run < 5; run++) {
      answer = await answerOf('loop_stalls.cjs', way);
      if (answer.workMs <= LONGEST_WORK_MS && answer.stallMs <= LONGEST_STALL_MS) break;
    }
    const { workMs, stallMs, tookMs } = answer;
    t.diagnostic(
      `work ${workMs.toFixed(1)} ms, stall ${stallMs.toFixed(1)} ms, first id after ${tookMs.toFixed(0)} ms`,
    );
    assert.ok(workMs <= LONGEST_WORK_MS, `${workMs} ms`);
    assert.ok(stallMs <= LONGEST_STALL_MS, `${stallMs} ms`);
    assert.ok(tookMs > 500, 'a node id of a fresh folder is waited for, or this measures nothing');
  });
}

for (const call of ['generator.nextId()', 'generator.nextIdString()', 'Array.from(generator.nextIds(3))']) {
  test(`new Generator() does not wait, ${call} does for what is left of a start`, async () => {
    const { firstMs, state, early, ids, next } = await answerOf('first_id.cjs', call);
    assert.equal(state.name, 'starting', 'after opening its window has not begun');
    assert.equal(early, null, 'tryNextId waits for nothing');
    assert.ok(firstMs > 500, `the first id came after ${firstMs} ms`);
    const issued = [...ids, next].map(BigInt);
    for (let i = 1; i < issued.length; i++) assert.ok(issued[i] > issued[i - 1] && issued[i - 1] > 0n);
  });
}
