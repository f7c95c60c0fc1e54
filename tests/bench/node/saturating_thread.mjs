// A worker thread of saturation.mjs: issues for a while into shared memory.
import { parentPort, workerData } from 'node:worker_threads';
import { Generator } from 'polyflake';
import { Words } from './kept.mjs';
import { WARM_UP_MS, issueFor } from './saturation.mjs';

const { gate, memory, ms } = workerData;
const kept = new Words(memory);
const fill = kept.filler('generator.nextId()', { generator: new Generator({ worker: 2 }) });
await issueFor(WARM_UP_MS, kept.room, fill);
parentPort.postMessage('warm');
Atomics.wait(gate, 0, 0);
parentPort.postMessage(await issueFor(ms, kept.room, fill));
