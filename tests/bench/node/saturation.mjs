// As many ids as there are to be had: every id is kept and compared with all others.
//
// The share of the ceiling is, for ours, of what the ticks hold that these ids span; for peers, of what the
// milliseconds hold that passed. Keeping text costs as much as making it, so where ids are text, the CPU seconds
// are those of a second run that drops them.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Generator, Layout } from 'polyflake';
import { LIBRARY } from './calls.mjs';
import { Texts, Words, countDuplicates } from './kept.mjs';
import { timedLoop } from './loops.mjs';

export const WARM_UP_MS = 200;

const CAPACITY = 4096;
const STEP = 1024; // ids between two looks at the clock
const PEER_WORDS = 16_000_000; // room of a peer's run, in ids; who fills it is stopped early
const PEER_TEXTS = 6_000_000;

const layout = new Layout('polyflake');

const roomFor = (ms) => CAPACITY * (ms + 500);

/** Seconds that passed, and those of the process's CPU in microseconds, from here on. */
function stopwatch() {
  const before = process.cpuUsage();
  const begin = process.hrtime.bigint();
  return () => {
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    const { user, system } = process.cpuUsage(before);
    return { seconds, cpuMicroseconds: user + system };
  };
}

/**
 * Calls issue(from, to) for so long, or until there is no more room. How many ids that were, and the time by the
 * clock after the last one.
 */
export async function issueFor(ms, room, issue) {
  const end = Date.now() + ms;
  let count = 0;
  while (Date.now() < end && count + STEP <= room) {
    const ready = issue(count, count + STEP);
    if (ready instanceof Promise) await ready;
    count += STEP;
  }
  return { count, endMs: Date.now() };
}

function ownRow(key, name, parts, endMs, { seconds, cpuMicroseconds }) {
  const ids = new BigUint64Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((offset, part) => (ids.set(part, offset), offset + part.length), 0);
  const timesAt = (index) => parts.map((part) => layout.decode(part.at(index)).timeMs);
  const first = Math.min(...timesAt(0));
  const last = Math.max(...timesAt(-1));
  return {
    kind: 'saturated',
    key,
    library: LIBRARY,
    name,
    threads: parts.length,
    seconds,
    ids: ids.length,
    duplicates: countDuplicates(ids),
    share: ids.length / (CAPACITY * (last - first + 1)),
    ahead_ms: last - endMs,
    cpu_seconds_per_million: cpuMicroseconds / ids.length,
    price: '',
  };
}

/** The default layout on this thread. */
export async function oneThread(ms, key, name) {
  const kept = new Words(roomFor(ms));
  const fill = kept.filler('generator.nextId()', { generator: new Generator({ worker: 1 }) });
  await issueFor(WARM_UP_MS, kept.room, fill);
  const stop = stopwatch();
  const { count, endMs } = await issueFor(ms, kept.room, fill);
  return ownRow(key, name, [kept.first(count)], endMs, stop());
}

/** Two threads on one node id, which is one shared state. */
export async function twoThreads(ms, key, name) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const script = new URL('./saturating_thread.mjs', import.meta.url);
  const memories = [0, 1].map(() => new SharedArrayBuffer(8 * roomFor(ms)));
  const workers = memories.map((memory) => new Worker(script, { workerData: { gate, memory, ms } }));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const ends = workers.map((worker) => once(worker, 'message'));
  const stop = stopwatch();
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const issued = (await Promise.all(ends)).map(([end]) => end);
  const passed = stop();
  await Promise.all(workers.map((worker) => worker.terminate()));
  const parts = memories.map((memory, i) => new BigUint64Array(memory, 0, issued[i].count));
  return ownRow(key, name, parts, Math.max(...issued.map(({ endMs }) => endMs)), passed);
}

/** CPU seconds per million ids that nobody keeps. */
async function droppingCost(ms, call, scope) {
  const loop = timedLoop(call, scope);
  const drop = (from, to) => loop(to - from);
  await issueFor(WARM_UP_MS, Infinity, drop);
  const stop = stopwatch();
  const { count } = await issueFor(ms, Infinity, drop);
  return stop().cpuMicroseconds / count;
}

/** A peer on this thread. */
export async function peerRow(ms, { words, call, keptCall, text, scope, capacity, timeOf }) {
  const kept = text ? new Texts(PEER_TEXTS) : new Words(PEER_WORDS);
  const fill = kept.filler(keptCall, scope);
  await issueFor(WARM_UP_MS, kept.room, fill);
  const stop = stopwatch();
  const { count, endMs } = await issueFor(ms, kept.room, fill);
  const { seconds, cpuMicroseconds } = stop();
  const ids = kept.first(count);
  return {
    kind: 'saturated',
    ...words,
    threads: 1,
    seconds,
    ids: count,
    duplicates: countDuplicates(ids),
    share: capacity && count / (capacity * seconds * 1000),
    ahead_ms: timeOf && timeOf(ids.at(-1)) - endMs,
    cpu_seconds_per_million: text ? await droppingCost(ms / 2, call, scope) : cpuMicroseconds / count,
  };
}
