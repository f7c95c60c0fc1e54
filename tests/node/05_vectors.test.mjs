// Runs every vector of the groups that the package has through the public API. An unknown group is a failure.
import { freshRegistry } from './registry.mjs';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import {
  Codec,
  Generator,
  Hashids,
  Layout,
  ManualClock,
  Seal,
  SealRing,
  Sqids,
  decode as decodeBy,
  explain,
  fromText,
  idFromText,
  setDefault,
  toText,
} from 'polyflake';
import { date } from './date_vectors.mjs';
import { kindGroups } from './kind_vectors.mjs';
import { refuses as refusesWith } from './refusal.mjs';
import { camel, compare, equalsId, idOf, number, refuses } from './vector_checks.mjs';

const read = (name) => JSON.parse(fs.readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'));
const vectors = read('vectors.json');
const untyped = read('untyped.json');

function encode({ layout, tick, time_ms: timeMs, sequence, fields }) {
  const time = tick === undefined ? { timeMs: number(timeMs) } : { tick: number(tick) };
  return new Layout(layout).encode({ ...fields, ...time, ...(sequence === undefined ? {} : { sequence }) });
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

/** The ways to say where a local time is: the zone, if there is one, and the offset, if there is exactly one. */
function zonesOf({ zone }, offsets) {
  const zones = zone === undefined ? [] : [{ timeZone: zone }];
  if (offsets.length === 1) zones.push({ utcOffsetSeconds: offsets[0] });
  if (offsets.length === 1 && offsets[0] === 0) zones.push(undefined, {});
  return zones;
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
    refuses(expected, issue);
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

function sealOf({ key, tweak_hex: tweakHex, ...options }) {
  if (tweakHex !== undefined) options.tweak = Buffer.from(tweakHex, 'hex');
  return new Seal(Buffer.from(key, 'hex'), camel(options));
}

const layoutOperations = {
  encode: (vector) => compare(vector, () => encode(vector), equalsId),
  decode,
  first_id: (vector) => compare(vector, () => new Layout(vector.layout).firstId(number(vector.time_ms)), equalsId),
  last_id: (vector) => compare(vector, () => new Layout(vector.layout).lastId(number(vector.time_ms)), equalsId),
};

/** Sqids and Hashids do the same things. */
function checkTexts(vector, make) {
  if (vector.op === 'encode') {
    const ids = vector.ids.map(number);
    compare(
      vector,
      () => make().encode(ids),
      (text, expect) => assert.equal(text, expect.text),
    );
    if (ids.length === 1)
      compare(
        vector,
        () => make().encode(ids[0]),
        (text, expect) => assert.equal(text, expect.text),
      );
    if (vector.expect) assert.deepEqual(make().decode(vector.expect.text), ids);
  } else if (vector.op === 'decode') {
    compare(
      vector,
      () => make().decode(vector.text),
      (ids, expect) => assert.deepEqual(ids.map(String), expect.ids),
    );
  } else {
    assert.equal(vector.op, 'make');
    compare(vector, make, ({ alphabet, minLength }, expect) =>
      assert.deepEqual({ alphabet, min_length: minLength }, expect),
    );
  }
}

const groups = {
  ...kindGroups,
  date,
  sqids(vector) {
    if (vector.op === 'default_blocklist') return assert.deepEqual(Sqids.defaultBlocklist(), vector.expect.words);
    const { min_length: minLength, ...options } = vector.options ?? {};
    return checkTexts(vector, () => new Sqids(minLength === undefined ? options : { ...options, minLength }));
  },
  hashids(vector) {
    const { salt, min_length: minLength, alphabet } = vector.options ?? {};
    checkTexts(vector, () => new Hashids(salt, minLength, alphabet));
  },
  layout: (vector) => layoutOperations[vector.op](vector),
  layout_text: (vector) => compare(vector, () => new Layout(vector.text ?? vector.name), equalsLayout),
  codec(vector) {
    const make = () => new Codec(vector.codec, vector.options);
    const plain = vector.options === undefined; // then the functions for a single id do the same
    if (vector.op === 'make') {
      compare(vector, make, ({ digits, width, check }, expect) => assert.deepEqual({ digits, width, check }, expect));
    } else if (vector.op === 'encode') {
      const id = idOf(vector.input);
      const ways = [() => make().encode(id), () => make().encodeMany([id])[0]];
      if (plain) ways.push(() => toText(id, vector.codec));
      for (const way of ways) compare(vector, way, (text, expect) => assert.equal(text, expect.text));
    } else {
      assert.equal(vector.op, 'decode');
      const ways = [() => make().decode(vector.text), () => make().decodeMany([vector.text])[0]];
      if (plain) ways.push(() => fromText(vector.text, vector.codec));
      for (const way of ways) compare(vector, way, equalsId);
    }
  },
  id_text: (vector) => compare(vector, () => idFromText(vector.text), equalsId),
  seal(vector) {
    const { op, text, codec = undefined, expect } = vector;
    const id = vector.input && idOf(vector.input);
    const made = () => (vector.ring ? new SealRing(vector.ring.map(sealOf)) : sealOf(vector.seal));
    const equalsText = (actual) => assert.equal(actual, expect.text);
    if (op === 'seal') {
      compare(vector, () => made().seal(id), equalsId);
    } else if (op === 'unseal') {
      compare(vector, () => made().unseal(id, ...(vector.ring ? [vector.key_id] : [])), equalsId);
    } else if (op === 'encode') {
      compare(vector, () => made().encode(id, codec), equalsText);
      compare(vector, () => made().encodeMany([id], codec)[0], equalsText);
    } else {
      assert.equal(op, 'decode');
      compare(vector, () => made().decode(text, codec), equalsId);
      compare(vector, () => made().decodeMany([text], codec)[0], equalsId);
    }
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
  friendly(vector) {
    const layout = () => new Layout(vector.layout);
    if (vector.op === 'write') {
      for (const zone of zonesOf(vector, [vector.utc_offset_s])) {
        const { id } = vector.input;
        for (const given of [idOf(vector.input), id]) {
          compare(
            vector,
            () => layout().friendly(given, zone),
            (text, expect) => assert.equal(text, expect.text),
          );
        }
      }
    } else {
      assert.equal(vector.op, 'read');
      const zones = zonesOf(vector, vector.utc_offsets_s);
      for (const zone of zones) compare(vector, () => layout().fromFriendly(vector.text, zone), equalsId);
    }
  },
  explain(vector) {
    const now = new Date(Number(vector.now_ms));
    const explanations = explain(idOf(vector.input), { now });
    assert.deepEqual(explain(vector.input.id, { now }), explanations);
    assert.equal(explanations.length, vector.expect.length);
    explanations.forEach(({ preset, plausible, whyNot, parts }, i) => {
      const expect = vector.expect[i];
      assert.deepEqual({ preset, whyNot }, { preset: expect.preset, whyNot: expect.why_not });
      assert.equal(plausible, expect.why_not === null);
      if (expect.parts === null) assert.equal(parts, null);
      else equalsParts(parts, expect.parts);
    });
  },
};

const START_MS = Date.UTC(2026, 0, 1);
const polyflake = new Layout('polyflake');
const openWith = (options) => new Generator({ worker: 1, clock: new ManualClock(START_MS), ...camel(options) });

function encodeWith(parts) {
  const timed = ['tick', 'time_ms', 'time'].some((name) => Object.hasOwn(parts, name));
  return polyflake.encode({ ...(timed ? {} : { tick: 1 }), ...camel(parts) });
}

const sealWith = ({ key = Uint8Array.from({ length: 32 }, (_, i) => i), ...options }) =>
  new Seal(key, { tweak: 'order', ...camel(options) });
const ringOfOne = () => new SealRing([sealWith({})]);

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
  id_from_text: ({ text }) => idFromText(text),
  next_ids: ({ count }) => openWith({}).nextIds(count),
  fill: ({ buffer }) => openWith({}).fill(buffer),
  manual_clock: ({ time_ms: timeMs }) => new ManualClock(timeMs),
  clock_set: ({ time_ms: timeMs }) => new ManualClock(START_MS).set(timeMs),
  clock_advance: ({ ms }) => new ManualClock(START_MS).advance(ms),
  set_default: ({ generator }) => setDefault(generator),
  friendly: ({ id }) => polyflake.friendly(id),
  from_friendly: ({ text }) => polyflake.fromFriendly(text),
  explain: ({ id = 1n, ...options }) => explain(id, options),
  new_seal: sealWith,
  seal_file: ({ path }) => Seal.fromFile(path),
  seal: ({ id }) => sealWith({}).seal(id),
  unseal: ({ id }) => sealWith({}).unseal(id),
  seal_encode: ({ id = 1n, codec = 'base62' }) => sealWith({}).encode(id, codec),
  seal_decode: ({ text = '00000000000', codec = 'base62' }) => sealWith({}).decode(text, codec),
  new_ring: ({ seals }) => new SealRing(seals),
  ring_unseal: ({ id = 1n, key_id: keyId = null }) => ringOfOne().unseal(id, keyId),
  ring_decode: ({ text }) => ringOfOne().decode(text),
  encode_many: ({ ids }) => new Codec('base62').encodeMany(ids),
  decode_many: ({ texts }) => new Codec('decimal').decodeMany(texts),
  seal_encode_many: ({ ids }) => sealWith({}).encodeMany(ids),
  seal_decode_many: ({ texts }) => sealWith({}).decodeMany(texts),
  sqids: (options) => new Sqids(camel(options)),
  sqids_encode: ({ ids }) => new Sqids().encode(ids),
  sqids_decode: ({ text }) => new Sqids().decode(text),
  hashids: ({ salt = '', min_length: minLength = 0, alphabet }) => new Hashids(salt, minLength, alphabet),
  hashids_encode: ({ ids }) => new Hashids().encode(ids),
  hashids_decode: ({ text }) => new Hashids().decode(text),
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

const NOT_IN_NODE = {
  counter: 'a rule of the core, which tests/core runs',
  step: 'a rule of the core, which tests/core runs',
};
const groupsHere = vectors.groups.filter(({ name }) => !Object.hasOwn(NOT_IN_NODE, name));
const numberOf = (those) => those.reduce((sum, { tests }) => sum + tests.length, 0);

let passed = 0;
for (const { name, tests } of groupsHere) {
  test(`vectors: ${name}`, () => {
    assert.ok(Object.hasOwn(groups, name), `unknown group ${name}`);
    passed += runAll(tests, (vector) => {
      if (vector.flags?.includes('fresh_registry')) freshRegistry();
      groups[name](vector);
    });
  });
}

test('every vector was run', (t) => {
  t.diagnostic(`vectors: ${passed} of ${numberOf(groupsHere)} passed (node)`);
  assert.equal(passed, numberOf(groupsHere));
  assert.equal(numberOf(vectors.groups), vectors.number_of_tests);
});

test('the groups that are left out are in the vectors and cannot run', () => {
  const names = vectors.groups.map(({ name }) => name);
  assert.deepEqual([...Object.keys(groups), ...Object.keys(NOT_IN_NODE)].sort(), names.sort());
});

test('vectors: values of a wrong type', (t) => {
  const ran = runAll(untyped.tests, ({ op, given, error }) => {
    assert.ok(Object.hasOwn(untypedCalls, op), `unknown operation ${op}`);
    refusesWith(error, () => untypedCalls[op](given));
  });
  t.diagnostic(`untyped vectors: ${ran} of ${untyped.number_of_tests} passed (node)`);
  assert.equal(ran, untyped.number_of_tests);
});
