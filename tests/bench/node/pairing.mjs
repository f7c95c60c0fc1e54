// How fast an expression is, as a multiple of a floor measured at the same time.
//
// Chunks alternate: floor, candidate, floor. A candidate's chunk is divided by the mean of its two neighbours, so
// that a machine that changes its speed changes both. The result is the median of the rounds, with its quartiles.
//
// "tool_ns" is an independent check of "ns": mitata times the same expression by itself (peers: the same chunks),
// right after the rounds, on its own clock and with its own loop; its median.
import { singleCall, timedLoop } from './loops.mjs';

export const FLOOR = 'process.hrtime.bigint()';

const CHUNK_NS = 1e6;
const WARM_UP_NS = 3e8;
const WARM_UP_CHUNK = 500;
const PEERS_CHUNK = 2000; // ids at most, begun at a fresh millisecond: work is measured, not waiting for the next one
const PEERS_CHUNK_NS = 2e6;
const FLOOR_CHUNK = 2000;

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(q * (sorted.length - 1))];
}

export const quartilesOf = (values) => [quantile(values, 0.25), quantile(values, 0.75)];

/** What the rounds of one candidate say. */
class Rounds {
  #costs = [];
  #floors = [];
  #ratios = [];

  add(before, cost, after) {
    this.#costs.push(cost);
    this.#floors.push(after);
    this.#ratios.push(cost / ((before + after) / 2));
  }

  figures() {
    return {
      floor: FLOOR,
      ns: quantile(this.#costs, 0.5),
      floor_ns: quantile(this.#floors, 0.5),
      ratio: quantile(this.#ratios, 0.5),
      quartiles: quartilesOf(this.#ratios),
      rounds: this.#ratios.length,
    };
  }
}

/** How many runs take about one chunk, once they are compiled. */
async function calibrated(loop, chunkNs) {
  let count = 1;
  while ((await loop(count)) < chunkNs) count *= 2;
  let warm = 0;
  while (warm < WARM_UP_NS / 4) warm += await loop(count);
  return Math.max(1, Math.round((count * chunkNs) / (await loop(count))));
}

/**
 * mitata's median; null without mitata. Its `gc` is left out: it needs a flag of Node's, without which mitata
 * allocates 1 GiB instead.
 */
async function toolMedian(mitata, subject, options) {
  if (!mitata) return null;
  return (await mitata.measure(subject, { gc: false, ...options })).p50;
}

/**
 * One row of kind "ratio".
 * @param {{ call: string, scope: object, per?: number, chunkNs?: number }} operation `per`: ids that one run
 *   issues, where the row is per id; `chunkNs`: for what makes so much garbage that a chunk of 1 ms seldom holds
 *   its share of collecting it
 */
export async function ratioRow(operation, { rounds, mitata, toolNs }) {
  const { call, scope, per = 1, chunkNs = CHUNK_NS, ...words } = operation;
  const floor = timedLoop(FLOOR, {});
  const candidate = timedLoop(call, scope);
  const floorCount = await calibrated(floor, chunkNs);
  const count = await calibrated(candidate, chunkNs);
  const found = new Rounds();
  let before = floor(floorCount) / floorCount;
  for (let round = 0; round < rounds; round++) {
    const cost = (await candidate(count)) / count / per;
    const after = floor(floorCount) / floorCount;
    found.add(before, cost, after);
    before = after;
  }
  const tool = await toolMedian(mitata, singleCall(call, scope), { min_cpu_time: toolNs });
  return { kind: 'ratio', ...words, ...found.figures(), tool_ns: tool && tool / per };
}

function freshMillisecond() {
  const now = Date.now();
  while (Date.now() === now);
}

/** What one run costs in ns once the loop is compiled. */
async function warmUp(loop) {
  const costs = [];
  for (let warm = 0; warm < WARM_UP_NS; warm += 1e6 + costs.at(-1) * WARM_UP_CHUNK) {
    freshMillisecond();
    costs.push((await loop(WARM_UP_CHUNK)) / WARM_UP_CHUNK);
  }
  return quantile(costs.slice(costs.length / 2), 0.5);
}

/**
 * Rows of kind "ratio" for libraries that issue a limited number of ids a millisecond, interleaved: each round
 * measures each of them. A chunk is half of what the library can issue in one millisecond, at most 2000 ids, and of
 * a slow library about 2 ms.
 */
export async function interleavedRows(operations, { rounds, mitata, toolNs }) {
  const floor = timedLoop(FLOOR, {});
  const candidates = operations.map(({ call, scope, capacity, ...words }) => ({
    words,
    loop: timedLoop(call, scope),
    count: capacity === null ? PEERS_CHUNK : Math.min(PEERS_CHUNK, capacity / 2),
    found: new Rounds(),
  }));
  await warmUp(floor);
  for (const candidate of candidates) {
    const ns = await warmUp(candidate.loop);
    candidate.count = Math.ceil(Math.min(candidate.count, PEERS_CHUNK_NS / ns));
  }
  for (let round = 0; round < rounds; round++) {
    for (const { loop, count, found } of candidates) {
      const before = floor(FLOOR_CHUNK) / FLOOR_CHUNK;
      freshMillisecond();
      const cost = (await loop(count)) / count;
      found.add(before, cost, floor(FLOOR_CHUNK) / FLOOR_CHUNK);
    }
  }
  const rows = [];
  for (const { words, loop, count, found } of candidates) {
    // A parameter of mitata's is made anew before each sample, outside of what is timed.
    function* chunks() {
      yield { 0: freshMillisecond, bench: (_fresh) => loop(count) };
    }
    const tool = await toolMedian(mitata, chunks, { min_cpu_time: toolNs / 4, batch_threshold: 0 });
    rows.push({ kind: 'ratio', ...words, ...found.figures(), tool_ns: tool && tool / count });
  }
  return rows;
}
