// Known ids in the tests of an application: polyflake/testing. The default generator is one per thread.
import './registry.mjs';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Generator, ManualClock, decode, defaultGenerator, nextId, nextIdString, setDefault } from 'polyflake';
import { frozen } from 'polyflake/testing';
import { refuses } from './refusal.mjs';

const NOW = new Date('2026-01-01T00:00:00Z');
const OWN = 'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2024-01-01T00:00:00.000Z';

/** The first ids of a generator that is opened at this time. */
function known(count, time = NOW, options = { worker: 0 }) {
  return [...new Generator({ ...options, clock: new ManualClock(time) }).nextIds(count)];
}

test('ids are the same in each run, and the clock is that of the test', () => {
  const begun = frozen(NOW);
  assert.deepEqual([nextId(), BigInt(nextIdString())], known(2));
  begun.clock.advance(3_600_000);
  assert.deepEqual([nextId()], known(1, NOW.getTime() + 3_600_000));
  assert.equal(defaultGenerator().worker, 0n);
  begun.close();

  const again = frozen(NOW.getTime(), { worker: 5, layout: 'twitter' });
  assert.deepEqual([nextId()], known(1, NOW, { worker: 5, layout: 'twitter' }));
  assert.equal(decode(nextId()).fields.worker, 5);
  again.close();
});

test('both forms of the package have it', () => {
  assert.equal(createRequire(import.meta.url)('polyflake/testing').frozen, frozen);
});

test('close() ends it, and a second one does nothing', () => {
  const ended = frozen(NOW);
  const inner = defaultGenerator();
  ended.close();
  refuses('generator_closed', () => inner.nextId());
  assert.equal(defaultGenerator(), null);
  const next = frozen(NOW);
  ended.close();
  assert.deepEqual([nextId()], known(1));
  (Symbol.dispose === undefined ? next.close : next[Symbol.dispose]).call(next);
  assert.equal(defaultGenerator(), null);
});

test('another one is refused, and so is setDefault', () => {
  const one = frozen(NOW);
  refuses('option_invalid', () => frozen(NOW));
  refuses('option_invalid', () => setDefault(new Generator({ worker: 1, clock: new ManualClock(NOW) })));
  assert.deepEqual([nextId()], known(1));
  one.close();
});

test('a wrong argument freezes nothing', () => {
  for (const time of [undefined, null, '2026-01-01', new Date(NaN), 1.5]) refuses('option_invalid', () => frozen(time));
  for (const options of [null, 7, { wroker: 7 }]) refuses('option_invalid', () => frozen(NOW, options));
  refuses('field_out_of_range', () => frozen(NOW, { worker: 1024 }));
  refuses('unknown_preset', () => frozen(NOW, { layout: 'twiter' }));
  const one = frozen(NOW);
  assert.deepEqual([nextId()], known(1));
  one.close();
});

/** What the body of a function returns on a thread of its own. */
async function answerOf(body) {
  const program = `const { Generator, ManualClock, defaultGenerator, decode, nextId, setDefault } = require('polyflake');
    const { frozen } = require('polyflake/testing');
    const [now, layout] = [${NOW.getTime()}, '${OWN}'];
    require('node:worker_threads').parentPort.postMessage((() => { ${body} })());`;
  const [answer] = await once(new Worker(program, { eval: true }), 'message');
  return answer;
}

test('the default generator of before goes on', async () => {
  const answer = await answerOf(`
    const first = nextId();
    const opened = defaultGenerator();
    const one = frozen(now);
    const { timeMs } = decode(nextId());
    one.close();
    return [timeMs === now, defaultGenerator() === opened, nextId() > first];`);
  assert.deepEqual(answer, [true, true, true]);
});

test('a generator that was set and not used may still be used', async () => {
  const answer = await answerOf(`
    frozen(now).close();
    const mine = new Generator({ worker: 7, layout, clock: new ManualClock(now + 5) });
    setDefault(mine);
    const one = frozen(now);
    const ofMine = [String(defaultGenerator().layout), decode(nextId()).timeMs];
    one.close();
    setDefault(mine);
    return [...ofMine, defaultGenerator() === mine, Number(mine.stats().issued), decode(nextId()).timeMs];`);
  assert.deepEqual(answer, [OWN, NOW.getTime(), true, 0, NOW.getTime() + 5]);
});
