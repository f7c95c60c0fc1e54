'use strict';
// Opens a `host` generator and takes its first id without blocking; prints as JSON how long that
// took, and of the turns of the event loop meanwhile the longest work of this thread and the longest
// time, without what other programs had of the processor. Argument: 'new' or 'open'.
const fs = require('node:fs');
const { Generator } = require('polyflake');

/** Returns the ms this thread ran, and the ms it was ready and had no processor. Zeros if the system is not Linux. */
function scheduledMs() {
  try {
    const words = fs.readFileSync('/proc/thread-self/schedstat', 'ascii').split(' ');
    return [Number(words[0]) / 1e6, Number(words[1]) / 1e6];
  } catch {
    return [0, 0];
  }
}

const longest = { workMs: 0, stallMs: 0 };
let previous;
let done = false;

function read() {
  const [workMs, queuedMs] = scheduledMs();
  return { workMs, stallMs: performance.now() - queuedMs };
}

function turn() {
  const now = read();
  for (const name of Object.keys(longest)) longest[name] = Math.max(longest[name], now[name] - previous[name]);
  previous = now;
  if (!done) setImmediate(turn);
}

setImmediate(async () => {
  const began = performance.now();
  previous = read();
  turn();
  const generator =
    process.argv[2] === 'new' ? new Generator({ worker: 'host' }) : await Generator.open({ worker: 'host' });
  await generator.nextIdAsync();
  turn(); // what was done since the last one counts
  done = true;
  process.stdout.write(JSON.stringify({ ...longest, tookMs: performance.now() - began }));
});
