// What an id costs in Node, next to floors measured in the same run.
//
//   node tests/bench/node/bench.mjs [--json FILE]
//
// A ratio compares a chunk of work with the mean of the floor's chunks before and after it, so that a machine
// that changes speed changes both; shown are the median and the quartiles of all rounds.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { Generator, version } from 'polyflake';

const ROUNDS = 120;
const CHUNK_NS = 1e6;
const { values: given } = parseArgs({ options: { json: { type: 'string' } } });

// A tick holds four million ids, so that no call waits: what is measured is work.
const WIDE = 'timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z';

function time(loop, count) {
  const begin = process.hrtime.bigint();
  loop(count);
  return Number(process.hrtime.bigint() - begin);
}

/** How often the loop's body runs in about one chunk, once it is compiled. */
function calibrate(loop) {
  let count = 1;
  while (time(loop, count) < CHUNK_NS) count *= 2;
  for (let i = 0; i < 20; i++) loop(count);
  return Math.max(1, Math.round((count * CHUNK_NS) / time(loop, count)));
}

function quantile(sorted, q) {
  return sorted[Math.round(q * (sorted.length - 1))];
}

/** Alternates floor, candidate, floor, candidate, ..., floor. */
function compare(name, floorName, floor, candidate) {
  const floorCount = calibrate(floor);
  const count = calibrate(candidate);
  const ratios = [];
  const costs = [];
  const floorCosts = [];
  let before = time(floor, floorCount) / floorCount;
  for (let round = 0; round < ROUNDS; round++) {
    const cost = time(candidate, count) / count;
    const after = time(floor, floorCount) / floorCount;
    ratios.push(cost / ((before + after) / 2));
    costs.push(cost);
    floorCosts.push(after);
    before = after;
  }
  const sorted = (values) => [...values].sort((a, b) => a - b);
  const all = sorted(ratios);
  return {
    name,
    floor: floorName,
    ns: quantile(sorted(costs), 0.5),
    floor_ns: quantile(sorted(floorCosts), 0.5),
    ratio: quantile(all, 0.5),
    quartiles: [quantile(all, 0.25), quantile(all, 0.75)],
    rounds: ROUNDS,
  };
}

let sink; // so that no loop is without effect

function nextIdRow() {
  const generator = new Generator({ layout: WIDE, worker: 0 });
  return compare(
    'nextId()',
    'process.hrtime.bigint()',
    (count) => {
      for (let i = 0; i < count; i++) sink = process.hrtime.bigint();
    },
    (count) => {
      for (let i = 0; i < count; i++) sink = generator.nextId();
    },
  );
}

function fillRow() {
  const generator = new Generator({ layout: WIDE, worker: 0 });
  const ids = new BigUint64Array(4096);
  const prepared = BigUint64Array.from(ids, (_, i) => BigInt(i) << 40n);
  return compare(
    'fill(4096 ids)',
    'BigUint64Array.set(4096)',
    (count) => {
      for (let i = 0; i < count; i++) ids.set(prepared);
    },
    (count) => {
      for (let i = 0; i < count; i++) generator.fill(ids);
    },
  );
}

/** The default layout as fast as it goes for two seconds, every id kept and compared. */
function saturatedRow() {
  const generator = new Generator({ worker: 1, maxWaitMs: 100 });
  const ids = new BigUint64Array(4096 * 2600).fill(1n); // filled, so that its pages exist before the clock starts
  for (let i = 0; i < 200_000; i++) sink = generator.nextId();
  const cpuBefore = process.cpuUsage();
  const begin = process.hrtime.bigint();
  const beginMs = Date.now();
  let count = 0;
  while (Date.now() - beginMs < 2000) {
    for (let i = 0; i < 4096; i++) ids[count++] = generator.nextId();
  }
  const elapsedMs = Number(process.hrtime.bigint() - begin) / 1e6;
  const cpu = process.cpuUsage(cpuBefore);
  const issued = ids.subarray(0, count);
  for (let i = 1; i < count; i++) {
    if (issued[i] <= issued[i - 1]) throw new Error(`id ${i} is not above the one before it`);
  }
  const { layout } = generator;
  const ticks = Number(layout.decode(issued[count - 1]).tick - layout.decode(issued[0]).tick) + 1;
  return {
    name: 'default layout, one thread, saturated',
    ids: count,
    duplicates: 0, // strictly increasing, or this line is not reached
    ticks_of_ids: ticks,
    elapsed_ms: elapsedMs,
    share_of_ceiling_by_ids: count / (4096 * ticks),
    share_of_ceiling_by_clock: count / (4096 * elapsedMs),
    cpu_seconds_per_million: (cpu.user + cpu.system) / count,
    cores: (cpu.user + cpu.system) / 1000 / elapsedMs,
  };
}

const compared = [nextIdRow(), fillRow()];
const saturated = saturatedRow();

const percent = (share) => `${(share * 100).toFixed(2)} %`;
const lines = compared.map(
  ({ name, floor, ns, floor_ns: floorNs, ratio, quartiles }) =>
    `${name.padEnd(16)} ${ns.toFixed(1).padStart(8)} ns   ${floor.padEnd(26)} ${floorNs.toFixed(1).padStart(8)} ns   ` +
    `${ratio.toFixed(2)} x (${quartiles.map((q) => q.toFixed(2)).join(' to ')})`,
);
lines.push(
  `${saturated.name}: ${saturated.ids} ids, no duplicate; ${percent(saturated.share_of_ceiling_by_ids)} of the ceiling by ` +
    `the ids' ticks, ${percent(saturated.share_of_ceiling_by_clock)} by the clock; ` +
    `${saturated.cpu_seconds_per_million.toFixed(3)} CPU s per million ids (${saturated.cores.toFixed(2)} cores)`,
);
process.stdout.write(`${lines.join('\n')}\n`);

if (given.json) {
  const report = { language: 'node', runtime: process.version, version, rows: [...compared, saturated] };
  fs.writeFileSync(given.json, `${JSON.stringify(report, null, 2)}\n`);
}
