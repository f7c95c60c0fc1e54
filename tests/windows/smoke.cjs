// A program of Windows that issues ids from the host registry, and starts a second one that asks for the same node id:
//
//   node.exe smoke.cjs          the first
//   node.exe smoke.cjs WORKER   the second, which must be refused
//
// POLYFLAKE_PACKAGE is the package's main file.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

const { Generator, decode } = require(process.env.POLYFLAKE_PACKAGE);

const worker = process.argv[2];

if (worker) {
  assert.throws(() => new Generator({ worker: `host:${worker}` }), { code: 'ERR_POLYFLAKE_WORKER_IN_USE' });
} else {
  const generator = new Generator({ worker: 'host' });
  const ids = Array.from({ length: 1000 }, () => generator.nextId());
  assert(ids.every((id, i) => i === 0 || id > ids[i - 1]));
  assert(ids.every((id) => decode(id).node === generator.worker));
  const { status } = spawnSync(process.execPath, [__filename, `${generator.worker}`], { stdio: 'inherit' });
  assert.strictEqual(status, 0);
}
