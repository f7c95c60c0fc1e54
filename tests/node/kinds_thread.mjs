// A worker thread that issues ids of a kind: in turns by nextId(), nextIds() and fill(), as bytes into shared memory.
import { parentPort, workerData } from 'node:worker_threads';
import { openSync } from 'polyflake';

const { kind, options, idBytes, memory, offset, count } = workerData;
const source = openSync(kind, options);
const ids = Buffer.from(memory, offset * idBytes, count * idBytes);
const write = (id, i) => ids.write(id.replaceAll('-', ''), i * idBytes, 'hex');
for (let i = 0; i < count; i += 100) {
  for (let k = 0; k < 40; k++) write(source.nextId(), i + k);
  source.nextIds(30).forEach((id, k) => write(id, i + 40 + k));
  source.fill(new Uint8Array(memory, (offset + i + 70) * idBytes, 30 * idBytes));
}
parentPort.postMessage('done');
