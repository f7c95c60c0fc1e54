'use strict';
// Opens a `host` generator and takes its first id without blocking; prints as JSON how long that took and the longest
// time between two turns of the event loop meanwhile, without what other programs had of the processor. Argument: 'new'
// or 'open'.
const fs = require('node:fs');
const { Generator } = require('polyflake');

/** How long this thread was ready to run and did not, since another had its processor; 0 where nobody says. */
function queuedMs() {
  try {
    return Number(fs.readFileSync('/proc/thread-self/schedstat', 'ascii').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

let longestMs = 0;
let previous;
let done = false;

const ownMs = () => performance.now() - queuedMs();

function turn() {
  const now = ownMs();
  longestMs = Math.max(longestMs, now - previous);
  previous = now;
  if (!done) setImmediate(turn);
}

setImmediate(async () => {
  const began = performance.now();
  previous = ownMs();
  turn();
  const generator =
    process.argv[2] === 'new' ? new Generator({ worker: 'host' }) : await Generator.open({ worker: 'host' });
  await generator.nextIdAsync();
  turn(); // what was done since the last one counts
  done = true;
  process.stdout.write(JSON.stringify({ longestMs, tookMs: performance.now() - began }));
});
