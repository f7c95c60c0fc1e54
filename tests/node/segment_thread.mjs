// A worker thread, or a program, that takes numbers of a counter in every way, and gives back the rest.
import { parentPort, workerData } from 'node:worker_threads';
import { openPatiently } from './segments.mjs';

const { kind, options, count } = workerData ?? JSON.parse(process.argv[2]);
const ids = await openPatiently(options, kind);
const numbers = [...(await ids.nextIdsAsync(count / 2))];
while (numbers.length < count) numbers.push(ids.tryNextId() ?? (await ids.nextIdAsync()));
if (parentPort === null) console.log(numbers.join(' '));
else parentPort.postMessage(numbers);
