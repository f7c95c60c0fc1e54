// Takes numbers of a counter until its input ends; see tests/python/takers.py for the arguments and the lines it writes.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pauseFor } from 'node:timers/promises';

const { PolyflakeError, Segment } = createRequire(import.meta.url)(process.env.POLYFLAKE_PACKAGE);
const [store, path, step] = process.argv.slice(2);
const prefix = 'ERR_POLYFLAKE_';

const file = fs.openSync(path, 'w');
const say = (line) => fs.writeSync(file, `${line}\n`);
let end = false;
process.stdin.resume().on('end', () => {
  end = true;
});

const options = { store, name: 'orders', step: Number(step) || undefined, minStep: 20, holdMs: 500, timeoutMs: 400 };

/** Ten of them, which each may wait for. */
async function numbers(ids) {
  const taken = [];
  while (taken.length < 10) taken.push(await ids.nextIdAsync());
  return taken;
}

let ids;
while (!end) {
  await pauseFor(1);
  try {
    ids ??= await Segment.open(options);
    say(`${(await numbers(ids)).join(' ')} .`);
  } catch (error) {
    if (!(error instanceof PolyflakeError)) throw error;
    say(`! ${error.code.slice(prefix.length).toLowerCase()} ${error.message}`);
  }
}
await ids?.close();
