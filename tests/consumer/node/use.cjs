'use strict';
const { Generator, decode } = require('polyflake');

const generator = new Generator({ worker: 7 });
const parts = decode(generator.nextId());
if (parts.fields.worker !== 7) throw new Error(`worker ${parts.fields.worker}`);
process.stdout.write(`${parts.time.toISOString()}\n`);
