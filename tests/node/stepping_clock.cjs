'use strict';
// Issues under libfaketime while the clock is stepped, ids of a generator or of the kind KIND; prints what each call gave as JSON.
const fs = require('node:fs');
const { Generator, openSync } = require('polyflake');

/** So that no tick that was read before the step is still at hand: for as long as one lasts the clock is not asked again. */
const awaitNextTick = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);

const { KIND } = process.env;
const generator = KIND === undefined ? new Generator({ worker: 1, maxWaitMs: 50 }) : openSync(KIND);
const outcomes = process.argv.slice(2).map((step) => {
  fs.writeFileSync(process.env.FAKETIME_TIMESTAMP_FILE, `${step}\n`);
  awaitNextTick();
  try {
    return { step, ids: Array.from(generator.nextIds(50), String) };
  } catch ({ code, message }) {
    return { step, code, message };
  }
});
process.stdout.write(JSON.stringify({ outcomes, stats: generator.stats() }));
