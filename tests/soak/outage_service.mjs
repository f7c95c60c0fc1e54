// A service on Node's event loop for outage.py: `node outage_service.mjs URL RATE`. Reads "healed" and "end" from stdin.
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Generator } from 'polyflake';

const TICK_MS = 5;
const [url, rate] = [process.argv[2], Number(process.argv[3])];
const figures = { requests: 0, ids: 0, codes: {}, stall_ms: 0, request_ms: 0, back_ms: Infinity };
const requests = new Set();
let healedAt;
let ended = false;

async function request(generator) {
  const began = performance.now();
  try {
    await generator.nextIdAsync();
    figures.ids += 1;
    if (healedAt !== undefined && figures.back_ms === Infinity) figures.back_ms = performance.now() - healedAt;
  } catch ({ code }) {
    const name = code.replace('ERR_POLYFLAKE_', '').toLowerCase();
    figures.codes[name] = (figures.codes[name] ?? 0) + 1;
  }
  figures.request_ms = Math.max(figures.request_ms, performance.now() - began);
}

const words = createInterface({ input: process.stdin });
words.on('line', (word) => {
  if (word === 'healed') healedAt = performance.now();
  if (word === 'end') ended = true;
});
const generator = await Generator.open({ worker: url });
console.log('open');
const began = performance.now();
for (let last = began; !ended;) {
  await sleep(TICK_MS);
  const now = performance.now();
  figures.stall_ms = Math.max(figures.stall_ms, now - last - TICK_MS);
  last = now;
  while (figures.requests < ((now - began) * rate) / 1000) {
    figures.requests += 1;
    const one = request(generator).finally(() => requests.delete(one));
    requests.add(one);
  }
}
await Promise.all(requests);
generator.close();
words.close();
console.log(JSON.stringify(figures));
