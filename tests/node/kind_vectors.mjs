// The groups of vectors about kinds of ids: kind_text, uuid, uuid_generator and objectid.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Layout, ManualClock, ObjectIds, Uuid7, kinds, openSync, register } from 'polyflake';
import { camel, compare, equalsId, number, refuses } from './vector_checks.mjs';

/** What a name of ours opens: it keeps what its factory was given. */
class Recorded {
  constructor(kind, { store = null, ...others }) {
    assert.deepEqual(others, {});
    Object.assign(this, { kind, store });
  }
  close() {}
}

const BUILT_IN = kinds();
for (const name of ['orders', 'a', 'a_', 'a0', 'z_9', 'e_e', 'abcdefghijklmnopqrstuvwxyz_01234'])
  register(name, (options) => new Recorded(name, options));

// By its path: the package, installed or here, does not export it.
const require = createRequire(import.meta.url);
const native = require(join(dirname(require.resolve('polyflake')), 'native.js'));

function openByText({ text, expect }) {
  // Opening it would take a store.
  if (expect?.kind === 'segment') return parsed(text);
  const source = openSync(text, text === 'snowflake' ? { worker: 1 } : {});
  source.close();
  return source;
}

function parsed(text) {
  const { name, store = null } = native.parseKind(text, []);
  return { kind: name, store };
}

const equalsText = (actual, { text }) => assert.equal(actual, text);

function equalsUuidParts({ time, timeMs, tick, sequence, node, tail }, expected) {
  const texts = { time_ms: String(timeMs), tick: String(tick), node: String(node), tail: String(tail) };
  assert.deepEqual({ ...texts, sequence }, expected);
  assert.equal(time.getTime(), timeMs);
}

function equalsObjectIdParts({ time, timeMs, process: processBits, counter }, expected) {
  const digits = processBits.toString(16).padStart(10, '0');
  assert.deepEqual({ time_ms: String(timeMs), process: digits, counter }, expected);
  assert.equal(time.getTime(), timeMs);
}

/** All bits of a number, in hexadecimal. */
const hex = (value, digits) => value.toString(16).padStart(digits, '0');

/** A UUID is a string here: what reads it is decode(), which knows those of version 7 alone. */
function parseUuid(vector) {
  const read = () => new Uuid7().decode(vector.text);
  if (vector.error) return refuses(vector, read);
  const { hex: digits } = vector.expect;
  assert.equal(vector.text.replaceAll('-', ''), digits);
  if (digits[12] !== '7' || !'89ab'.includes(digits[16])) return refuses({ error: 'id_out_of_range' }, read);
  const { timeMs, sequence, tail } = read();
  const low = (BigInt(sequence) << 56n) | tail;
  const halves = [hex(0x7000n | (low >> 62n), 4), hex((2n << 62n) | BigInt.asUintN(62, low), 16)];
  return assert.equal(hex(BigInt(timeMs), 12) + halves.join(''), digits);
}

function parseObjectId(vector) {
  const spell = ({ timeMs, process: processBits, counter }) =>
    hex(BigInt(timeMs) / 1000n, 8) + hex(processBits, 10) + hex(counter, 6);
  compare(
    vector,
    () => new ObjectIds().decode(vector.text),
    (parts, expected) => assert.equal(spell(parts), expected.hex),
  );
}

/** What has issued such UUIDs. */
function sourceOf({ layout }) {
  if (layout === undefined) return new Uuid7();
  return new Uuid7({ worker: 0, layout, clock: new ManualClock(new Layout(layout).epochMs) });
}

const uuidOperations = {
  parse: parseUuid,
  decode: (vector) => compare(vector, () => sourceOf(vector).decode(vector.text), equalsUuidParts),
  first_id: (vector) => compare(vector, () => new Uuid7().firstId(number(vector.time_ms)), equalsText),
  last_id: (vector) => compare(vector, () => new Uuid7().lastId(number(vector.time_ms)), equalsText),
  to_uuid: (vector) => compare(vector, () => new Layout(vector.layout).toUuid(number(vector.input.id)), equalsText),
  from_uuid: (vector) => compare(vector, () => new Layout(vector.layout).fromUuid(vector.text), equalsId),
};

const objectIdOperations = {
  parse: parseObjectId,
  decode: (vector) => compare(vector, () => new ObjectIds().decode(vector.text), equalsObjectIdParts),
  first_id: (vector) => compare(vector, () => new ObjectIds().firstId(number(vector.time_ms)), equalsText),
  last_id: (vector) => compare(vector, () => new ObjectIds().lastId(number(vector.time_ms)), equalsText),
};

function operation(operations, vector) {
  assert.ok(Object.hasOwn(operations, vector.op), `unknown operation ${vector.op}`);
  operations[vector.op](vector);
}

const ID_BYTES = { uuid7: 16, uuid4: 16, objectid: 12 };

/** The sum of all ids as numbers, modulo what an id can be, in as many digits as an id has. */
function sumOf(texts, idBytes) {
  const sum = texts.reduce((before, text) => before + BigInt(`0x${text.replaceAll('-', '')}`), 0n);
  return hex(BigInt.asUintN(8 * idBytes, sum), 2 * idBytes);
}

function skip(ids, count) {
  const idBytes = ID_BYTES[ids.kind];
  const memory = new Uint8Array(Math.min(count, 1 << 16) * idBytes);
  for (let left = count; left > 0; left -= memory.length / idBytes) ids.fill(memory.subarray(0, left * idBytes));
}

/** A step that asks for ids: what comes of it. */
function issue(ids, { next, try: attempt, batch, ...expected }) {
  const texts = () => {
    if (next !== undefined) return Array.from({ length: next }, () => ids.nextId());
    if (batch !== undefined) return ids.nextIds(batch);
    assert.equal(attempt, 1, 'unknown step');
    const id = ids.tryNextId();
    return id === null ? [] : [id];
  };
  if (expected.error) return refuses(expected, texts);
  const issued = texts();
  if (expected.ids) return assert.deepEqual(issued, expected.ids);
  const sum = sumOf(issued, ID_BYTES[ids.kind]);
  const { first, last } = expected;
  return assert.deepEqual([issued.length, issued[0], issued.at(-1), sum], [batch, first, last, expected.sum]);
}

function step(ids, clock, { clock_ms: clockMs, set, advance, held_ms: heldMs, skip: skipped, ...issuing }) {
  if (set !== undefined) return clock.set(number(set));
  if (advance !== undefined) return clock.advance(advance);
  if (heldMs !== undefined) assert.equal(ids.stats().heldMs, heldMs);
  else if (skipped !== undefined) skip(ids, skipped);
  else issue(ids, issuing);
  if (heldMs === undefined) assert.notEqual(clockMs, undefined);
  if (clockMs !== undefined) assert.equal(String(clock.timeMs), clockMs);
  return undefined;
}

function open({ kind, options, entropy: digits, zero_words: zeroWords = 0 }, clock) {
  const entropy = Buffer.concat([Buffer.from(digits, 'hex'), Buffer.alloc(8 * zeroWords)]);
  return openSync(kind, { ...camel(options), entropy, ...(clock && { clock }) });
}

/** A call for a number of ticket servers: the number, or the code. */
function ticketOf(rules, { now_ms: now, asks }) {
  const nowMs = BigInt(now);
  let [server, setAgain] = [0, false];
  for (const ask of asks) {
    if (server === 0) server = native.nextTicketServer(rules, nowMs);
    assert.deepEqual([server, setAgain], [ask.server, ask.set_again ?? false]);
    setAgain = false;
    if (ask.reply === 'failed') {
      native.failTicketServer(rules, server, nowMs);
      server = 0;
    } else if (ask.reply !== 'deadlock' && ask.reply !== 'lock_wait') {
      const result = native.judgeTicket(rules, server, ask.reply);
      if (result !== 'again') return result;
      setAgain = true;
    }
  }
  assert.equal(native.nextTicketServer(rules, nowMs), 0);
  return 'store_unavailable';
}

export const kindGroups = {
  ticket({ op, servers, server, replies, results, calls }) {
    const rules = native.newTicketRules(servers);
    if (op === 'replies') {
      const judged = replies.map((reply) => native.judgeTicket(rules, server, reply));
      return assert.deepEqual(judged, results);
    }
    assert.equal(op, 'calls');
    for (const call of calls) assert.equal(ticketOf(rules, call), call.number ?? call.error);
  },
  kind_text(vector) {
    compare(
      vector,
      () => openByText(vector),
      (source, { kind, store }) => {
        assert.equal(source.kind, kind);
        if (BUILT_IN.includes(kind) && kind !== 'segment') assert.equal(store, null);
        else assert.equal(source.store, store);
      },
    );
  },
  uuid: (vector) => operation(uuidOperations, vector),
  objectid: (vector) => operation(objectIdOperations, vector),
  uuid_generator(vector) {
    const clock = vector.clock_ms === undefined ? undefined : new ManualClock(number(vector.clock_ms));
    if (vector.error) return refuses(vector, () => open(vector, clock));
    const ids = open(vector, clock);
    for (const one of vector.steps) step(ids, clock, one);
    return ids.close();
  },
};
