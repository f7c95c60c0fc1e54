'use strict';
// Opens a `host` generator and takes its first id without blocking; prints as JSON how long that took and the longest
// time between two turns of the event loop meanwhile. Argument: 'new' or 'open'.
const { Generator } = require('polyflake');

let longestMs = 0;
let previous = performance.now();
let done = false;

function turn() {
  const now = performance.now();
  longestMs = Math.max(longestMs, now - previous);
  previous = now;
  if (!done) setImmediate(turn);
}

setImmediate(async () => {
  previous = performance.now();
  turn();
  const began = performance.now();
  const generator = process.argv[2] === 'new' ? new Generator({ worker: 'host' }) : await Generator.open({ worker: 'host' });
  await generator.nextIdAsync();
  turn(); // what was done since the last one counts
  done = true;
  process.stdout.write(JSON.stringify({ longestMs, tookMs: performance.now() - began }));
});
