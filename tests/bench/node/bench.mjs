// What an id costs in Node, next to floors and to other packages measured in the same run.
//
//   cp tests/bench/node/peers/package*.json build/bench-node/        (a folder that is yours)
//   npm ci --prefix build/bench-node --ignore-scripts --no-audit --no-fund
//   node tests/bench/node/bench.mjs --modules build/bench-node [--json FILE] [--quick] [--no-peers]
//
// --modules DIR   where the packages of peers/package.json were installed
// --json FILE     writes the rows there, too
// --quick         few rounds and short runs: shows that everything works, its figures mean little
// --no-peers      Polyflake alone; without --modules, without mitata too
//
// Ratios: pairing.mjs says how they are measured, and how mitata's figures relate to them. Saturated runs:
// saturation.mjs. The exit status is 1 if Polyflake issued a duplicate.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { version } from 'polyflake';
import { callRows } from './calls.mjs';
import { packagesIn } from './packages.mjs';
import { interleavedRows } from './pairing.mjs';
import { openPeers, peerOperations } from './peers.mjs';
import { oneThread, peerRow, twoThreads } from './saturation.mjs';
import { startRows } from './start.mjs';
import { tableOf } from './table.mjs';

const OPTIONS = {
  help: { type: 'boolean' },
  json: { type: 'string' },
  modules: { type: 'string' },
  'no-peers': { type: 'boolean' },
  quick: { type: 'boolean', default: false },
};

function givenOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.help || values.modules || values['no-peers']) return values;
    throw new Error('give --modules DIR, or --no-peers; see --help');
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return process.exit(2);
  }
}

/** The header of this file. */
function printHelp() {
  const lines = fs.readFileSync(new URL(import.meta.url), 'utf8').split('\n');
  const header = lines.slice(0, lines.findIndex((line) => !line.startsWith('//')));
  process.stdout.write(`${header.map((line) => line.slice(3)).join('\n')}\n`);
}

/** Rows of a child that cannot cache the tick. */
async function plainClock(settings) {
  const script = new URL('./plain_clock.mjs', import.meta.url);
  const child = fork(script, [JSON.stringify(settings)], { env: { ...process.env, POLYFLAKE_TICK_CACHE: 'off' } });
  const exit = once(child, 'exit');
  const message = once(child, 'message');
  const [code] = await Promise.race([exit, message.then(() => exit)]);
  if (code !== 0) throw new Error(`${script.pathname} ended with ${code}`);
  return (await message)[0];
}

async function measure({ modules, quick, 'no-peers': alone }) {
  const rounds = quick ? 9 : 121;
  const toolNs = quick ? 1e7 : 4e8;
  const ownMs = quick ? 300 : 2000;
  const peerMs = quick ? 100 : 1000;
  const packages = modules && packagesIn(modules);
  const settings = { rounds, toolNs, mitata: packages && (await packages.load('mitata')) };

  const calls = await callRows(settings);
  const plain = await plainClock({ rounds, toolNs, ownMs, modules });
  const singles = calls.findLastIndex((row) => row.group === 'single call') + 1;
  calls.splice(singles, 0, ...plain.calls);

  const peers = packages && !alone ? await openPeers(packages) : [];
  const saturated = [
    await oneThread(ownMs, 'node.saturated.1', 'default layout'),
    await twoThreads(ownMs, 'node.saturated.2', 'default layout, one node id'),
    plain.saturated,
  ];
  const compared = await interleavedRows(peerOperations(peers), settings);
  for (const peer of peers) saturated.push(await peerRow(peerMs, peer));
  return [...calls, ...compared, ...saturated, ...startRows({ quick })];
}

const given = givenOptions();
if (given.help) {
  printHelp();
} else {
  const rows = await measure(given);
  process.stdout.write(tableOf(rows));
  if (given.json) {
    const report = { language: 'node', runtime: `Node ${process.version}`, version, rows };
    fs.writeFileSync(given.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (rows.some((row) => row.library.startsWith('polyflake ') && row.duplicates > 0)) process.exitCode = 1;
}
