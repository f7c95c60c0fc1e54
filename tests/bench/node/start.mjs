// What the package costs before the first id: time to load, memory, size.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LIBRARY } from './calls.mjs';
import { quantile, quartilesOf } from './pairing.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const figure = (key, name, value, quartiles, unit) => ({
  kind: 'figure',
  key,
  group: 'size and start',
  library: LIBRARY,
  name,
  value,
  quartiles,
  unit,
});

function run(command, args) {
  const done = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr || done.error}`);
  return done.stdout;
}

function startMs(script) {
  const begin = process.hrtime.bigint();
  run(process.execPath, ['-e', script]);
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

/** Fresh processes alternate: bare, with the package, bare. */
function requireRow(rounds) {
  const extra = [];
  let before = startMs('0');
  for (let round = 0; round < rounds; round++) {
    const loaded = startMs('require("polyflake")');
    const after = startMs('0');
    extra.push(loaded - (before + after) / 2);
    before = after;
  }
  const name = "require('polyflake'), over bare Node";
  return figure('node.require_ms', name, quantile(extra, 0.5), quartilesOf(extra), 'ms');
}

function memoryRows(rounds) {
  const script = fileURLToPath(new URL('./memory.mjs', import.meta.url));
  const found = [];
  for (let round = 0; round < rounds; round++) found.push(JSON.parse(run(process.execPath, ['--expose-gc', script])));
  const row = (key, name, field) => {
    const values = found.map((sizes) => sizes[field]);
    return figure(key, name, quantile(values, 0.5), quartilesOf(values), 'bytes');
  };
  return [
    row('node.memory_per_generator_bytes', 'one of 10000 open generators of one node id, resident', 'generator'),
    row(null, 'the first generator of one of 1000 node ids, resident', 'nodeId'),
  ];
}

function tarballRow() {
  const [{ size }] = JSON.parse(run('npm', ['pack', '--dry-run', '--json']));
  return figure('node.tarball_kb', 'the npm tarball, as built here', size / 1000, null, 'kB');
}

export function startRows({ quick }) {
  return [requireRow(quick ? 3 : 41), ...memoryRows(quick ? 1 : 9), tarballRow()];
}
