'use strict';
// Prints as JSON how long a `host` generator took to open and what its first call took and gave. Argument: the call, an
// expression.
const { Generator } = require('polyflake');

const began = performance.now();
const generator = new Generator({ worker: 'host' });
const opened = performance.now();
const state = generator.state();
const early = generator.tryNextId();
const ids = new Function('generator', `return ${process.argv[2]}`)(generator);
process.stdout.write(
  JSON.stringify({
    openedMs: opened - began,
    firstMs: performance.now() - opened,
    state,
    early,
    ids: Array.from([ids].flat(), String),
    next: String(generator.nextId()),
  }),
);
