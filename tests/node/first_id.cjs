'use strict';
// Prints as JSON how long a `host` generator took to open, and its first id to come.
const { Generator } = require('polyflake');

const began = performance.now();
const generator = new Generator({ worker: 'host' });
const opened = performance.now();
generator.nextId();
process.stdout.write(JSON.stringify({ openedMs: opened - began, firstMs: performance.now() - opened }));
