'use strict';
// Prints as JSON what the state of a `host` generator is when it is open, what its first call gave
// and how long that took. Argument: the call, an expression.
const { Generator } = require('polyflake');

// Its first window begins in about four seconds.
const layout = 'timestamp:39 worker:12 sequence:12 tick=2s epoch=2020-01-01T00:00:00.000Z';
const generator = new Generator({ worker: 'host', layout });
const opened = performance.now();
const state = generator.state();
const early = generator.tryNextId();
const ids = new Function('generator', `return ${process.argv[2]}`)(generator);
process.stdout.write(
  JSON.stringify({
    firstMs: performance.now() - opened,
    state,
    early,
    ids: Array.from([ids].flat(), String),
    next: String(generator.nextId()),
  }),
);
