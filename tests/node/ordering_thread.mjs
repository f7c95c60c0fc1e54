// A worker thread that notes, on a counter all threads share, when each of its calls began and ended.
import { parentPort, workerData } from 'node:worker_threads';
import { openSync } from 'polyflake';

/** Numbers that are in order as the ids are. */
const PLACES = {
  snowflake: (id) => id,
  uuid7: (id) => BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(15, 18)}${id.slice(19, 21)}`),
  objectid: (id) => BigInt(`0x${id.slice(0, 8)}${id.slice(18)}`),
};

const { kind, options, counter, history, threads, count } = workerData;
const source = openSync(kind, options);
const clock = new Int32Array(counter);
const events = new BigUint64Array(history); // at each time: the id of the call that ended, or 0 where one began
const begins = new Int32Array(count);
const ends = new Int32Array(count);
Atomics.add(clock, 1, 1);
while (Atomics.load(clock, 1) < threads); // all begin together
for (let i = 0; i < count; i++) {
  begins[i] = Atomics.add(clock, 0, 1);
  const id = source.nextId();
  ends[i] = Atomics.add(clock, 0, 1);
  events[ends[i]] = PLACES[kind](id);
}
parentPort.postMessage({ begins, ends });
