// A worker thread that issues: half of its share by nextId(), half by fill(), into shared memory.
import { parentPort, workerData } from 'node:worker_threads';
import { Generator } from 'polyflake';

const { options, memory, offset = 0, count } = workerData;
const generator = new Generator(options);
const ids = new BigUint64Array(memory, offset * 8, count);
const singles = Math.ceil(count / 2);
for (let i = 0; i < singles; i++) ids[i] = generator.nextId();
for (let i = singles; i < count; i += 1000) generator.fill(ids.subarray(i, Math.min(i + 1000, count)));
parentPort.postMessage('done');
