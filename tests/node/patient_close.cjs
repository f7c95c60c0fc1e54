'use strict';
// Required before the package, gives leases a minute for giving their node ids back, not half a
// second: a test of what is given back must not depend on how fast the machine is.
const assert = require('node:assert/strict');
const Module = require('node:module');
const path = require('node:path');

const LEASE = path.join(__dirname, '../../node/lease.js');
const CLOSING = 'const CLOSING_MS = 500;';
const compile = Module.prototype._compile;

Module.prototype._compile = function patiently(source, file, ...rest) {
  if (file !== LEASE) return compile.call(this, source, file, ...rest);
  assert.ok(source.includes(CLOSING), `${file} lacks ${CLOSING}`);
  return compile.call(this, source.replace(CLOSING, 'const CLOSING_MS = 60_000;'), file, ...rest);
};
