// The page's copy of the rules passes the vectors that every language passes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';

const vectors = JSON.parse(fs.readFileSync(new URL('../vectors/vectors.json', import.meta.url), 'utf8'));
// It issues no ids or numbers, takes no keys or alphabets, and writes friendly forms in UTC alone: the other groups are
// run whole.
const NOT_IN_THE_PAGE = [
  'generator',
  'options',
  'sqids',
  'hashids',
  'seal',
  'kind_text',
  'uuid',
  'uuid_generator',
  'objectid',
  'id_text',
  'counter',
  'step',
  'date',
  'ticket',
];
const isInThePage = (name, { op, utc_offset_s: offset }) => name !== 'friendly' || (op === 'write' && offset === 0);
const groups = vectors.groups
  .filter(({ name }) => !NOT_IN_THE_PAGE.includes(name))
  .map(({ name, tests }) => ({ name, tests: tests.filter((vector) => isInThePage(name, vector)) }));

let browser;
let page;
before(async () => {
  browser = await launch();
  page = await open(browser);
});
after(async () => {
  await page.close();
  await browser.close();
});

/** Runs in the page; returns a line for each vector that failed. */
function run({ group, tests }) {
  const { Codec, Layout, explain, utcText } = window.polyflake;
  const idOf = ({ id }) => BigInt(id);
  const idText = (id) => ({ id: String(id), hex: id.toString(16).padStart(16, '0') });

  const encode = ({ layout, tick, time_ms: timeMs, sequence = 0, fields }) => {
    const given = Object.entries({ ...fields, sequence }).map(([name, value]) => [name, BigInt(value)]);
    const time = tick === undefined ? { timeMs: BigInt(timeMs) } : { tick: BigInt(tick) };
    return idText(new Layout(layout).encode({ ...Object.fromEntries(given), ...time }));
  };
  const partsOf = ({ tick, timeMs, sequence, node, fields }) => {
    const numbers = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Number(value)]));
    const parts = { time_ms: String(timeMs), tick: String(tick), sequence: Number(sequence), node: String(node) };
    return { ...parts, fields: numbers };
  };
  const decode = ({ layout, input, expect }) => {
    const parts = new Layout(layout).decode(idOf(input));
    return { ...partsOf(parts), ...(expect?.utc ? { utc: utcText(parts.timeMs) } : {}) };
  };
  const layoutOperations = {
    encode,
    decode,
    first_id: ({ layout, time_ms: timeMs }) => idText(new Layout(layout).firstId(BigInt(timeMs))),
    last_id: ({ layout, time_ms: timeMs }) => idText(new Layout(layout).lastId(BigInt(timeMs))),
  };
  const codecOperations = {
    make: ({ digits, width, check }) => ({ digits, width, check }),
    encode: (codec, { input }) => ({ text: codec.encode(idOf(input)) }),
    decode: (codec, { text }) => idText(codec.decode(text)),
  };
  const operations = {
    layout: (vector) => layoutOperations[vector.op](vector),
    layout_text({ text, name }) {
      const layout = new Layout(text ?? name);
      const fields = layout.fields.map((field) => [field.name, field.width]);
      return { text: layout.text, tick_ms: Number(layout.tickMs), epoch_ms: String(layout.epochMs), fields };
    },
    codec: (vector) => codecOperations[vector.op](new Codec(vector.codec, vector.options), vector),
    published(vector) {
      const parts = layoutOperations[vector.op](vector);
      if (vector.op === 'decode') {
        const { id } = encode({ ...parts, layout: vector.layout, time_ms: undefined });
        if (id !== vector.input.id) throw new Error(`encodes to ${id}`);
      }
      if (vector.preset && new Layout(vector.preset).text !== vector.layout) throw new Error('the preset is another');
      return parts;
    },
    friendly: ({ layout, input }) => ({ text: new Layout(layout).friendly(idOf(input)) }),
    explain: ({ input, now_ms: nowMs }) =>
      explain(idOf(input), BigInt(nowMs)).map(({ preset, whyNot, parts }) => ({
        preset,
        why_not: whyNot === '' ? null : whyNot,
        parts: parts ? partsOf(parts) : null,
      })),
  };

  /** With the properties in one order. */
  const inOrder = (value) => {
    if (Array.isArray(value)) return value.map(inOrder);
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, inner]) => [name, inOrder(inner)]));
  };
  const outcome = (vector) => {
    try {
      return { expect: operations[group](vector) };
    } catch (error) {
      if (error.code === undefined) return { thrown: String(error) };
      const { message_has: parts = [], position } = vector;
      const lacking = parts.filter((part) => !error.message.includes(part));
      return { error: error.code, ...(position === undefined ? {} : { position: error.position }), lacking };
    }
  };
  const wanted = ({ expect, error, position }) =>
    error === undefined ? { expect } : { error, ...(position === undefined ? {} : { position }), lacking: [] };
  return tests.flatMap((vector) => {
    const [actual, expected] = [outcome(vector), wanted(vector)].map((one) => JSON.stringify(inOrder(one)));
    return actual === expected ? [] : [`${vector.id} (${vector.comment}): ${actual}, not ${expected}`];
  });
}

let ran = 0;
for (const { name, tests } of groups) {
  test(`vectors: ${name}`, async () => {
    const failures = await page.evaluate(run, { group: name, tests });
    assert.equal(failures.length, 0, `${failures.length} vectors failed:\n${failures.slice(0, 20).join('\n')}`);
    ran += tests.length;
  });
}

test('every vector was run, but those that are left out', (t) => {
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['layout', 'layout_text', 'codec', 'published', 'friendly', 'explain'],
  );
  assert.equal(groups.length + NOT_IN_THE_PAGE.length, vectors.groups.length);
  t.diagnostic(`vectors: ${ran} of ${vectors.number_of_tests} passed (page)`);
  assert.equal(
    ran,
    groups.reduce((sum, { tests }) => sum + tests.length, 0),
  );
  assert.ok(groups.every(({ tests }) => tests.length > 0));
});

test('a vector that is not met is found', async () => {
  const tests = [{ id: 0, comment: 'wrong', op: 'encode', codec: 'hex', input: { id: '1' }, expect: { text: '1' } }];
  assert.equal((await page.evaluate(run, { group: 'codec', tests })).length, 1);
  const refusals = [
    { id: 0, comment: 'wrong', op: 'decode', codec: 'hex', text: 'x', error: 'text_invalid', position: 1 },
  ];
  assert.equal((await page.evaluate(run, { group: 'codec', tests: refusals })).length, 1);
});

test('the tables of presets and of digits are those of the vectors, in their order', async () => {
  const { PRESETS, DIGITS } = await page.evaluate(() => window.polyflake);
  const testsOf = (group, op) =>
    vectors.groups.find(({ name }) => name === group).tests.filter((one) => one.op === op && one.expect);
  const presets = testsOf('layout_text', 'preset').map(({ name, expect }) => [name, expect.text]);
  assert.deepEqual(Object.entries(PRESETS), presets);
  const digits = testsOf('codec', 'make').map(({ codec, expect }) => [codec, expect.digits]);
  assert.deepEqual(Object.entries(DIGITS), [...new Map(digits)]);
});

test('a field may have the name of what every object has, and is 0 where it is not given', async () => {
  const text = 'timestamp:41 constructor:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z';
  const id = await page.evaluate((given) => String(new window.polyflake.Layout(given).encode({ tick: 1n })), text);
  assert.equal(id, String(1n << 22n));
});

test('a time is plausible from a day after the epoch to a day after the present', async () => {
  const reasons = await page.evaluate(() => {
    const { Layout, whyNot } = window.polyflake;
    const layout = new Layout('polyflake');
    const [day, now] = [86_400_000n, 1_767_225_600_000n];
    const times = [layout.epochMs + day - 1n, layout.epochMs + day, now + day, now + day + 1n];
    return [...times.map((time) => layout.lastId(time)), 1n << 63n].map((id) => whyNot(layout, id, now));
  });
  assert.deepEqual(reasons, ['near_epoch', '', '', 'after_now', 'too_wide']);
});
