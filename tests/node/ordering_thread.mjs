// A worker thread that notes, on a counter all threads share, when each of its calls began and ended.
import { parentPort, workerData } from 'node:worker_threads';
import { Generator } from 'polyflake';

const { options, counter, history, threads, count } = workerData;
const generator = new Generator(options);
const clock = new Int32Array(counter);
const events = new BigUint64Array(history); // at each time: the id of the call that ended, or 0 where one began
const begins = new Int32Array(count);
const ends = new Int32Array(count);
Atomics.add(clock, 1, 1);
while (Atomics.load(clock, 1) < threads); // all begin together
for (let i = 0; i < count; i++) {
  begins[i] = Atomics.add(clock, 0, 1);
  const id = generator.nextId();
  ends[i] = Atomics.add(clock, 0, 1);
  events[ends[i]] = id;
}
parentPort.postMessage({ begins, ends });
