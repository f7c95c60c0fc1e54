// As many ids as there are to be had: every id is kept and compared with all others.
//
// What was possible is, for ours, what the ticks hold that these ids span; for peers, what the milliseconds hold that
// passed. This file is also the program of the threads that issue ours.
import { once } from 'node:events';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Generator, Layout } from 'polyflake';
import { duplicatesAmong } from './kept.mjs';
import { keepingLoop } from './loops.mjs';

const WARM_UP_MS = 200;
const CAPACITY = 4096;
const STEP = 1024; // ids between two looks at the clock
const PEER_ROOM = 16_000_000; // ids; who fills it is stopped early

/** Calls issue(ids, from, to) for so long, or until there is no more room. */
async function issueFor(ms, ids, issue) {
  const end = Date.now() + ms;
  let count = 0;
  while (Date.now() < end && count + STEP <= ids.length) {
    const ready = issue(ids, count, count + STEP);
    if (ready instanceof Promise) await ready;
    count += STEP;
  }
  return { count, endMs: Date.now() };
}

/** What passes from here on, of the clock and of the process's CPU. */
function stopwatch() {
  const cpu = process.cpuUsage();
  const begin = process.hrtime.bigint();
  return () => {
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpu_seconds: (user + system) / 1e6 };
  };
}

// The memory is written before the run, so that its pages exist when the clock starts.
async function issueInAThread() {
  const { gate, memory, ms } = workerData;
  const ids = new BigUint64Array(memory).fill(1n);
  const issue = keepingLoop('ids[i] = generator.nextId()', { generator: new Generator({ worker: 2 }) });
  await issueFor(WARM_UP_MS, ids, issue);
  parentPort.postMessage('warm');
  Atomics.wait(gate, 0, 0);
  parentPort.postMessage(await issueFor(ms, ids, issue));
}

/** Threads on one node id, which is one shared state. */
export async function saturated(threads, ms) {
  const layout = new Layout('polyflake');
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const memories = Array.from({ length: threads }, () => new SharedArrayBuffer(8 * CAPACITY * (ms + 500)));
  const start = (memory) => new Worker(new URL(import.meta.url), { workerData: { gate, memory, ms } });
  const workers = memories.map(start);
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const ends = workers.map((worker) => once(worker, 'message'));
  const stop = stopwatch();
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const issued = (await Promise.all(ends)).map(([end]) => end);
  const passed = stop();
  await Promise.all(workers.map((worker) => worker.terminate()));
  const parts = memories.map((memory, i) => new BigUint64Array(memory, 0, issued[i].count));
  const timesAt = (index) => parts.map((part) => layout.decode(part.at(index)).timeMs);
  const [first, last] = [Math.min(...timesAt(0)), Math.max(...timesAt(-1))];
  const ids = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    threads,
    ...passed,
    ids,
    duplicates: duplicatesAmong(parts),
    taken: ids,
    possible: CAPACITY * (last - first + 1),
    ahead_ms: last - Math.max(...issued.map(({ endMs }) => endMs)),
  };
}

/** A peer on this thread. What turning text into a number costs is not theirs: then there is no figure of the CPU. */
export async function peerSaturated({ keptCall, numberOf, scope, capacity, timeOf }, ms) {
  const ids = new BigUint64Array(PEER_ROOM).fill(1n);
  const issue = keepingLoop(`ids[i] = ${numberOf ? `numberOf(${keptCall})` : keptCall}`, { ...scope, numberOf });
  await issueFor(WARM_UP_MS, ids, issue);
  const stop = stopwatch();
  const { count, endMs } = await issueFor(ms, ids, issue);
  const passed = stop();
  return {
    threads: 1,
    seconds: passed.seconds,
    cpu_seconds: numberOf ? null : passed.cpu_seconds,
    ids: count,
    duplicates: duplicatesAmong([ids.subarray(0, count)]),
    taken: count,
    possible: Math.round(capacity * passed.seconds * 1000),
    ahead_ms: timeOf(ids[count - 1]) - endMs,
  };
}

if (!isMainThread) await issueInAThread();
