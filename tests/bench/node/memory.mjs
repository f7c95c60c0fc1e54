// Prints the resident memory that an open generator takes, as JSON; run by start.mjs with --expose-gc.
import { Generator } from 'polyflake';

const GENERATORS = 10_000;
const NODE_IDS = 1000;

function resident() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  return process.memoryUsage.rss();
}

/** Opens generators and returns the bytes that each added. */
function bytesEach(count, workerOf) {
  const open = new Array(count).fill(null);
  const before = resident();
  for (let i = 0; i < count; i++) open[i] = new Generator({ worker: workerOf(i) });
  const bytes = (resident() - before) / count;
  for (const generator of open) generator.close();
  return bytes;
}

bytesEach(100, () => 1023); // compiles, and opens the node id
const generator = bytesEach(GENERATORS, () => 1023);
const nodeId = bytesEach(NODE_IDS, (i) => i);
process.stdout.write(`${JSON.stringify({ generator, nodeId })}\n`);
