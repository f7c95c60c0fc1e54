// Runs every vector through the public API. There is no skip list, and an unknown group is a failure.
import { freshRegistry } from './registry.mjs';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { Generator, Layout, ManualClock, decode as decodeBy, fromText, setDefault, toText } from 'polyflake';
import { refuses } from './refusal.mjs';

const read = (name) => JSON.parse(fs.readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'));
const vectors = read('vectors.json');
const untyped = read('untyped.json');

// The vectors' numbers are digits written by their author, not text that a user passed.
const number = (digits) => BigInt(digits);
const idOf = ({ id, hex }) => {
  assert.equal(number(id), number(`0x${hex}`), 'the twins differ');
  return number(id);
};

/** Whatever gives a result or a refusal: both are compared. */
function compare(vector, call, check) {
  if (vector.error) refuses(vector.error, call, ...(vector.message_has ?? []));
  else check(call(), vector.expect);
}

function encode({ layout, tick, time_ms: timeMs, sequence, fields }) {
  const time = tick === undefined ? { timeMs: number(timeMs) } : { tick: number(tick) };
  return new Layout(layout).encode({ ...fields, ...time, ...(sequence === undefined ? {} : { sequence }) });
}

function equalsId(actual, expected) {
  assert.equal(actual, idOf(expected));
}

function equalsParts(actual, { utc, ...expected }) {
  const { time, timeMs, tick, ...rest } = actual;
  assert.equal(String(timeMs), expected.time_ms);
  assert.equal(String(tick), expected.tick);
  assert.deepEqual(
    { ...rest, node: String(rest.node) },
    { sequence: expected.sequence, node: expected.node, fields: expected.fields },
  );
  const shown = Math.abs(timeMs) <= 8.64e15;
  assert.equal(time.getTime(), shown ? timeMs : NaN);
  if (utc) assert.equal(time.toISOString(), utc);
}

function equalsLayout(layout, expected) {
  assert.equal(String(layout), expected.text);
  assert.equal(layout.tickMs, expected.tick_ms);
  assert.equal(String(layout.epochMs), expected.epoch_ms);
  assert.deepEqual(
    layout.fields.map(({ name, width }) => [name, width]),
    expected.fields,
  );
}

function decode(vector) {
  const id = idOf(vector.input);
  compare(vector, () => new Layout(vector.layout).decode(id), equalsParts);
  compare(vector, () => new Layout(vector.layout).decode(vector.input.id), equalsParts);
}

/** The same properties, named as in JavaScript. */
function camel(properties) {
  const name = (snake) => snake.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(properties).map(([snake, value]) => [name(snake), value]));
}

function open({ layout, worker, options = {} }, clock) {
  return new Generator({ layout, ...(worker === undefined ? {} : { worker }), clock, ...camel(options) });
}

/** One step of a script: what is called, and the ids it must give. */
function step(generator, clock, { set, advance, next, try: attempt, batch, ...expected }) {
  if (set !== undefined) return clock.set(number(set));
  if (advance !== undefined) return clock.advance(advance);
  const issue = () => {
    if (next !== undefined) return Array.from({ length: next }, () => generator.nextId());
    if (batch !== undefined) return [...generator.nextIds(batch)];
    assert.equal(attempt, 1);
    const id = generator.tryNextId();
    return id === null ? [] : [id];
  };
  if (expected.error) {
    refuses(expected.error, issue, ...(expected.message_has ?? []));
  } else if (expected.ids) {
    assert.deepEqual(issue().map(String), expected.ids);
  } else {
    const ids = issue();
    assert.deepEqual([ids.length, String(ids[0]), String(ids.at(-1))], [batch, expected.first, expected.last]);
    assert.equal(
      String(
        BigInt.asUintN(
          64,
          ids.reduce((sum, id) => sum + id, 0n),
        ),
      ),
      expected.sum,
    );
  }
  assert.equal(String(clock.timeMs), expected.clock_ms);
}

const layoutOperations = {
  encode: (vector) => compare(vector, () => encode(vector), equalsId),
  decode,
  first_id: (vector) => compare(vector, () => new Layout(vector.layout).firstId(number(vector.time_ms)), equalsId),
  last_id: (vector) => compare(vector, () => new Layout(vector.layout).lastId(number(vector.time_ms)), equalsId),
};

const groups = {
  layout: (vector) => layoutOperations[vector.op](vector),
  layout_text: (vector) => compare(vector, () => new Layout(vector.text ?? vector.name), equalsLayout),
  codec(vector) {
    if (vector.op === 'encode') assert.equal(toText(idOf(vector.input), vector.codec), vector.expect.text);
    else compare(vector, () => fromText(vector.text, vector.codec), equalsId);
  },
  generator(vector) {
    const clock = new ManualClock(number(vector.clock_ms));
    const generator = open(vector, clock);
    for (const one of vector.steps) step(generator, clock, one);
  },
  options(vector) {
    const clock = new ManualClock(number(vector.clock_ms));
    compare(
      vector,
      () => open(vector, clock),
      (generator, { worker }) => assert.equal(String(generator.worker), worker),
    );
  },
  published(vector) {
    layoutOperations[vector.op](vector);
    if (vector.preset) assert.equal(String(new Layout(vector.preset)), vector.layout);
  },
};

const START_MS = Date.UTC(2026, 0, 1);
const polyflake = new Layout('polyflake');
const openWith = (options) => new Generator({ worker: 1, clock: new ManualClock(START_MS), ...camel(options) });

function encodeWith(parts) {
  const timed = ['tick', 'time_ms', 'time'].some((name) => Object.hasOwn(parts, name));
  return polyflake.encode({ ...(timed ? {} : { tick: 1 }), ...camel(parts) });
}

// What a vector does not give is right.
const untypedCalls = {
  generator: openWith,
  layout: ({ layout }) => new Layout(layout),
  decode: ({ id = 1n, layout = 'polyflake' }) => decodeBy(id, layout),
  encode: encodeWith,
  first_id: ({ time }) => polyflake.firstId(time),
  last_id: ({ time }) => polyflake.lastId(time),
  to_text: ({ id = 1n, codec = 'decimal' }) => toText(id, codec),
  from_text: ({ text = '1', codec = 'decimal' }) => fromText(text, codec),
  next_ids: ({ count }) => openWith({}).nextIds(count),
  fill: ({ buffer }) => openWith({}).fill(buffer),
  manual_clock: ({ time_ms: timeMs }) => new ManualClock(timeMs),
  clock_set: ({ time_ms: timeMs }) => new ManualClock(START_MS).set(timeMs),
  clock_advance: ({ ms }) => new ManualClock(START_MS).advance(ms),
  set_default: ({ generator }) => setDefault(generator),
};

/** Runs all of them; returns how many passed. */
function runAll(tests, run) {
  const failures = [];
  for (const vector of tests) {
    try {
      run(vector);
    } catch (error) {
      failures.push(`${vector.id} (${vector.comment}): ${error.message}`);
    }
  }
  assert.equal(failures.length, 0, `${failures.length} vectors failed:\n${failures.slice(0, 20).join('\n')}`);
  return tests.length;
}

let passed = 0;
for (const { name, tests } of vectors.groups) {
  test(`vectors: ${name}`, () => {
    assert.ok(Object.hasOwn(groups, name), `unknown group ${name}`);
    passed += runAll(tests, (vector) => {
      if (vector.flags?.includes('fresh_registry')) freshRegistry();
      groups[name](vector);
    });
  });
}

test('every vector was run', (t) => {
  t.diagnostic(`vectors: ${passed} of ${vectors.number_of_tests} passed (node)`);
  assert.equal(passed, vectors.number_of_tests);
});

test('vectors: values of a wrong type', (t) => {
  const ran = runAll(untyped.tests, ({ op, given, error }) => {
    assert.ok(Object.hasOwn(untypedCalls, op), `unknown operation ${op}`);
    refuses(error, () => untypedCalls[op](given));
  });
  t.diagnostic(`untyped vectors: ${ran} of ${untyped.number_of_tests} passed (node)`);
  assert.equal(ran, untyped.number_of_tests);
});
