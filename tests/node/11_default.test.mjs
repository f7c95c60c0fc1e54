// The functions of the module and the generator behind them. It is one per thread, so each test has a thread of its own.
import './registry.mjs';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

/** What the body of a function returns on a thread of its own; `refusal` in it is the code of what a call throws. */
async function answerOf(body) {
  const code = `const p = require('polyflake');
    const { Generator, ManualClock, decode, defaultGenerator, nextId, nextIdString, setDefault } = p;
    const generator = () => new Generator({ worker: 7, clock: new ManualClock(1767225600000) });
    const refusal = (call) => { try { call(); } catch (error) { return error.code; } };
    require('node:worker_threads').parentPort.postMessage((() => { ${body} })());`;
  const [answer] = await once(new Worker(code, { eval: true }), 'message');
  return answer;
}

const REFUSED = 'ERR_POLYFLAKE_OPTION_INVALID';

test('without setDefault the functions issue from one generator with default options', async () => {
  const [first, text, node] = await answerOf(`
    const first = nextId();
    return [first, nextIdString(), decode(first).node];`);
  assert.match(text, /^[1-9]\d*$/);
  assert.ok(BigInt(text) > first);
  assert.equal(node, 0n);
});

test('with setDefault they issue from that generator', async () => {
  const [own, first, text] = await answerOf(`
    const own = generator();
    setDefault(own);
    return [own.nextId(), nextId(), nextIdString()];`);
  assert.equal(first, own + 1n);
  assert.equal(text, String(own + 2n));
});

test('setDefault is refused after the first id', async () => {
  const refused = await answerOf(`
    const own = generator();
    setDefault(own);
    nextId();
    return [refusal(() => setDefault(generator())), refusal(() => setDefault(own))];`);
  assert.deepEqual(refused, [REFUSED, REFUSED]);
  assert.equal(await answerOf(`nextIdString(); return refusal(() => setDefault(generator()));`), REFUSED);
});

test('setDefault is refused with another generator than before, and takes the same again', async () => {
  const refused = await answerOf(`
    const own = generator();
    setDefault(own);
    return [refusal(() => setDefault(own)), refusal(() => setDefault(generator())), nextId() < own.nextId()];`);
  assert.deepEqual(refused, [undefined, REFUSED, true]);
});

test('setDefault refuses what is no generator', async () => {
  const refused = await answerOf(`
    const wrong = [undefined, null, 7, 'host', {}, [], Generator, { worker: 7 }, Object.create(Generator.prototype)];
    return wrong.map((value) => refusal(() => setDefault(value)));`);
  assert.deepEqual([...new Set(refused)], [REFUSED]);
});

test('a default generator that was closed is refused, not replaced', async () => {
  const refused = await answerOf(`
    const own = generator();
    setDefault(own);
    own.close();
    return [refusal(nextId), refusal(nextIdString)];`);
  assert.deepEqual(refused, ['ERR_POLYFLAKE_GENERATOR_CLOSED', 'ERR_POLYFLAKE_GENERATOR_CLOSED']);
});

test('a default generator that could not be opened is tried again at the next call', async (t) => {
  process.env.POLYFLAKE_WORKER = 'banana';
  t.after(() => delete process.env.POLYFLAKE_WORKER);
  const refused = await answerOf(`return [refusal(nextId), refusal(nextId), refusal(() => setDefault(generator()))];`);
  const invalid = 'ERR_POLYFLAKE_WORKER_SOURCE_INVALID';
  assert.deepEqual(refused, [invalid, invalid, undefined]);
});

test('there is no default generator before the first id or setDefault', async () => {
  const [before, afterDecode, issued, state, same] = await answerOf(`
    const before = defaultGenerator();
    decode(1n);
    const afterDecode = defaultGenerator();
    nextId();
    const opened = defaultGenerator();
    const earlier = opened.stats().issued;
    nextId();
    return [before, afterDecode, opened.stats().issued - earlier, opened.state().name, opened === defaultGenerator()];`);
  assert.deepEqual([before, afterDecode, state, same], [null, null, 'open', true]);
  assert.equal(Number(issued), 1);
});

test('ids are decoded by the layout of the default generator', async () => {
  const [byPreset, named, byDefault, preset, issued, closed, refused] = await answerOf(`
    const layout = 'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2024-01-01T00:00:00.000Z';
    const id = new p.Layout(layout).encode({ timeMs: 1767225600000, worker: 7 });
    const byPreset = decode(id).timeMs;
    const named = decode(id, 'polyflake').timeMs;
    const own = new Generator({ worker: 7, layout, clock: new ManualClock(1767225600000) });
    setDefault(own);
    if (defaultGenerator() !== own) throw new Error('another one');
    const byDefault = decode(id).timeMs;
    const preset = decode(id, 'polyflake').timeMs;
    const { issued } = own.stats();
    own.close();
    return [byPreset, named, byDefault, preset, Number(issued), decode(String(id)).timeMs, refusal(() => decode(id, null))];`);
  assert.notEqual(byPreset, 1767225600000);
  assert.deepEqual([named, preset], [byPreset, byPreset]);
  assert.deepEqual([byDefault, closed, issued], [1767225600000, 1767225600000, 0]);
  assert.equal(refused, 'ERR_POLYFLAKE_LAYOUT_INVALID');
});
