// No message, cause, warning or inspection shows a text that was passed at the wrong place: it may hold a secret.
import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as polyflake from 'polyflake';
import * as stores from 'polyflake/stores';

const SPELLINGS = 10_000; // of all places together
const WINDOW = 8; // as many characters of a secret in a row are a leak
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STRANGE = '!#$%^&*()+=[]{};:\'"|,<>?`~ @'; // of these a word has none
const key = Uint8Array.from({ length: 16 }, (_, i) => i);
const nowMs = 1_767_225_600_123;
const uuid = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
const objectId = '507f1f77bcf86cd799439011';

/** A generator of random numbers below n: xorshift32, the same in each run. */
function drawing(seed) {
  let state = seed;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

const draw = drawing(7);

/** A word of 25 and more characters, a text with a character that no word has, or a key. */
function secret() {
  const of = (letters, length) => Array.from({ length }, () => letters[draw(letters.length)]).join('');
  const length = 25 + draw(36);
  return [
    () => of(LETTERS, length),
    () => of(LETTERS + STRANGE, length) + of(STRANGE, 1),
    () => of('0123456789abcdef', [32, 48, 64][draw(3)]),
  ][draw(3)]();
}

const ADDRESSES = [
  (s) => `redis:/user:${s}@host`,
  (s) => `user:${s}@host`,
  (s) => `host=h password=${s}`,
  (s) => `redis//user:${s}@host`,
  (s) => `redis://user:${s}`,
  (s) => `redis://user:${s}@host`,
  (s) => `redis://user:${s}@host?namespace=A`,
  (s) => `rediss://host?namespace=orders&password=${s}&namespace=orders`,
  (s) => `postgresql://user:${s}@host/db?namespace=orders&window_ms=x`,
  (s) => `postgresql+psycopg://user:${s}@host/db?namespace=orders`,
  (s) => `mysql://user:${s}@host?namespace=orders&db=1`,
  (s) => `zookeeper://user:${s}@h1,h2/a/?namespace=orders`,
  (s) => `etcd://user:${s}@host?namespace=orders&${s}=1`,
  (s) => `host:${s}`,
  (s) => `uuid7:${s}`,
  (s) => `${s}\n`,
  (s) => `timestamp:41 worker:${s} sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z`,
];

/** What is passed: the secret alone, in an address, or in a value of another type. */
function forms(text) {
  return [text, ADDRESSES[draw(ADDRESSES.length)](text), [text], { [text]: 1 }, { worker: text }, Buffer.from(text)];
}

const { Codec, DateIds, DateNumbers, Generator, Hashids, Layout, ManualClock, ObjectIds } = polyflake;
const { Seal, SealRing, Segment, Sqids, Tickets, Uuid4, Uuid7 } = polyflake;
const clock = () => new ManualClock(nowMs);
const seal = new Seal(key, { keyId: 'k1' });
const options = {
  worker: 1,
  layout: 'polyflake',
  maxWaitMs: 10,
  maxLeadMs: 0,
  sequenceSpread: undefined,
  ordering: 'strict',
  clock: undefined,
};
const timed = { maxWaitMs: 10, maxLeadMs: 0, clock: undefined, entropy: undefined };
const numbers = { step: undefined, holdMs: 1000, minStep: 1, maxStep: 10, timeoutMs: 50, signal: undefined };
const counted = { store: 'memory://secrets?namespace=orders', name: 'orders', ...numbers };
const counter = { after: 0, kind: 'segment', failover: 'jump', rate: undefined, burst: undefined, top: undefined };
const dates = { period: 'yyyyMMdd', digits: 6, prefix: 'ORD' };
const dated = { ...dates, store: counted.store, name: 'dates', zone: 'UTC', step: 1, timeoutMs: 50, signal: undefined };
const dateCounter = { after: 0, kind: 'date', failover: 'jump', period: 'yyyyMMdd', digits: 6, zone: 'UTC' };
const ticketed = { store: ['mysql://127.0.0.1:1/db'], table: 'Tickets64', timeoutMs: 50, signal: undefined };
const sealing = { tweak: 'order', bits: 63, keyId: 'k1' };

// All public calls that take something, with valid arguments. In an object each property is a place, too.
const CALLS = {
  Codec: [Codec, ['base62', { width: 11, check: false }]],
  DateIds: [DateIds, [dated]],
  DateNumbers: [DateNumbers, [dates]],
  Generator: [Generator, [options]],
  Hashids: [Hashids, ['salt', 0, LETTERS]],
  Layout: [Layout, ['polyflake']],
  ManualClock: [ManualClock, [nowMs]],
  ObjectIds: [ObjectIds, [timed]],
  Seal: [Seal, [key, sealing]],
  SealRing: [SealRing, [[seal]]],
  Segment: [Segment, [counted]],
  Sqids: [Sqids, [{ alphabet: LETTERS, minLength: 0, blocklist: [] }]],
  Tickets: [Tickets, [ticketed]],
  Uuid4: [Uuid4, [{ clock: undefined, entropy: undefined }]],
  Uuid7: [Uuid7, [{ worker: undefined, layout: undefined, ...timed }]],
  decode: [polyflake.decode, [7n, 'polyflake']],
  explain: [polyflake.explain, [7n, { now: new Date(nowMs) }]],
  fromText: [polyflake.fromText, ['7', 'decimal']],
  idFromText: [polyflake.idFromText, ['7']],
  jsonReplacer: [polyflake.jsonReplacer, ['id', 7n]],
  jsonReviver: [(ids) => JSON.parse('{"id": 7}', polyflake.jsonReviver(ids)), [['id']]],
  open: [polyflake.open, ['snowflake', options]],
  openSync: [polyflake.openSync, ['snowflake', options]],
  register: [polyflake.register, ['', () => null]],
  setDefault: [polyflake.setDefault, [undefined]],
  toText: [polyflake.toText, [7n, 'decimal']],
  'stores.counters': [stores.counters, [undefined]],
  'stores.initCounter': [stores.initCounter, [counted.store, 'invoices', counter]],
  'stores.initCounter of dates': [stores.initCounter, [counted.store, dated.name, dateCounter]],
  'stores.initNamespace': [stores.initNamespace, [undefined, { layout: 'polyflake', fresh: false, replicas: 'named' }]],
  'stores.leases': [stores.leases, [undefined, {}]],
  'stores.raiseCounter': [stores.raiseCounter, [counted.store, 'invoices', { after: 0, period: undefined }]],
  'stores.raiseFloor': [stores.raiseFloor, [undefined, nowMs, {}]],
};

await stores.initNamespace(counted.store, { fresh: true });
await stores.initCounter(counted.store, counted.name, counter);
await stores.initCounter(counted.store, dated.name, dateCounter);
const segment = await Segment.open({ ...counted, step: 1_000_000 });
const dateIds = await DateIds.open({ ...dated, step: 100_000 });

const tickets = await Tickets.open(ticketed);

const METHODS = {
  Codec: [() => new Codec('base62'), { encode: [7n], decode: ['7'], encodeMany: [[7n]], decodeMany: [['7']] }],
  DateIds: [() => dateIds, { fill: [new BigUint64Array(1)], nextIds: [1], nextIdsAsync: [1, { signal: undefined }] }],
  DateNumbers: [
    () => new DateNumbers(dates),
    { number: [20230414, 1], parts: [20230414000001n], text: [20230414000001n], parse: ['ORD20230414000001'] },
  ],
  Generator: [
    () => new Generator({ worker: 1 }),
    { decode: [7n], fill: [new BigUint64Array(1)], firstId: [nowMs], lastId: [nowMs], nextIds: [1] },
  ],
  Hashids: [() => new Hashids('salt'), { encode: [[7n]], decode: ['7'] }],
  Layout: [
    () => new Layout('polyflake'),
    {
      decode: [7n],
      encode: [{ timeMs: nowMs, time: undefined, tick: undefined, sequence: 0, worker: 1 }],
      firstId: [nowMs],
      lastId: [nowMs],
      friendly: [7n, { timeZone: 'UTC', utcOffsetSeconds: undefined }],
      fromFriendly: ['20260101', { timeZone: 'UTC', utcOffsetSeconds: undefined }],
      toUuid: [7n],
      fromUuid: [uuid],
    },
  ],
  ManualClock: [clock, { advance: [1], set: [nowMs] }],
  ObjectIds: [
    () => new ObjectIds(),
    { decode: [objectId], fill: [key], firstId: [nowMs], lastId: [nowMs], nextIds: [1] },
  ],
  Seal: [
    () => seal,
    {
      seal: [7n],
      unseal: [7n],
      encode: [7n, 'base62'],
      decode: ['k1_7', 'base62'],
      encodeMany: [[7n], 'base62'],
      decodeMany: [['k1_7'], 'base62'],
    },
  ],
  SealRing: [
    () => new SealRing([seal]),
    {
      seal: [7n],
      unseal: [7n, 'k1'],
      encode: [7n, 'base62'],
      decode: ['k1_7', 'base62'],
      encodeMany: [[7n], 'base62'],
      decodeMany: [['k1_7'], 'base62'],
    },
  ],
  Segment: [() => segment, { fill: [new BigUint64Array(1)], nextIds: [1], nextIdsAsync: [1, { signal: undefined }] }],
  Sqids: [() => new Sqids(), { encode: [[7n]], decode: ['7'] }],
  Tickets: [() => tickets, { fill: [new BigUint64Array(1)], nextIds: [1], nextIdsAsync: [1, { signal: undefined }] }],
  Uuid4: [() => new Uuid4(), { fill: [key], nextIds: [1] }],
  Uuid7: [() => new Uuid7(), { decode: [uuid], fill: [key], firstId: [nowMs], lastId: [nowMs], nextIds: [1] }],
};

const STATICS = {
  'DateIds.open': [(...given) => DateIds.open(...given), [dated]],
  'Generator.open': [(...given) => Generator.open(...given), [options]],
  'Segment.open': [(...given) => Segment.open(...given), [counted]],
  'Tickets.open': [(...given) => Tickets.open(...given), [ticketed]],
  'Seal.fromFile': [(...given) => Seal.fromFile(...given), ['/dev/null', sealing]],
  'Uuid7.open': [(...given) => Uuid7.open(...given), [{ worker: undefined, layout: undefined, ...timed }]],
};

const TAKES_NOTHING = [
  'close',
  'nextId',
  'nextIdString',
  'nextIdAsync',
  'tryNextId',
  'renew',
  'state',
  'stats',
  'toString',
  'toJSON',
];

/** Every call as { name, call, valid }. */
function* calls() {
  for (const [name, [call, valid]] of Object.entries({ ...CALLS, ...STATICS })) {
    const isClass = /^[A-Z]\w*$/.test(name);
    yield { name, call: isClass ? (...given) => new call(...given) : call, valid };
  }
  for (const [name, [make, methods]] of Object.entries(METHODS)) {
    for (const [method, valid] of Object.entries(methods)) {
      yield { name: `${name}.${method}`, call: (...given) => make()[method](...given), valid };
    }
  }
}

const replaced = (values, i, value) => values.map((one, j) => (j === i ? value : one));

/** Every place for a text in these arguments: a function that puts a value there. */
function* places(valid) {
  for (const [i, argument] of valid.entries()) {
    yield (value) => replaced(valid, i, value);
    if (argument === null || typeof argument !== 'object' || Object.getPrototypeOf(argument) !== Object.prototype)
      continue;
    for (const name of Object.keys(argument)) yield (value) => replaced(valid, i, { ...argument, [name]: value });
    yield (value) => replaced(valid, i, { ...argument, [typeof value === 'string' ? value : 'x']: 1 });
  }
}

const warned = [];
process.on('warning', (warning) => warned.push(inspect(warning)));

/** All that is said of a call: its error with causes, or the inspection of its result. */
async function said(call, given) {
  try {
    const result = await call(...given);
    result?.close?.();
    const isMade = Object.keys(METHODS).includes(result?.constructor?.name);
    return { text: isMade ? `${inspect(result)} ${String(result)}` : '', refused: false };
  } catch (error) {
    return { text: `${inspect(error, { depth: 9, showHidden: true })} ${error.message}`, refused: true };
  }
}

const leaks = (text, secretText) =>
  Array.from({ length: secretText.length - WINDOW + 1 }, (_, i) => secretText.slice(i, i + WINDOW)).some((piece) =>
    text.includes(piece),
  );

test('all public calls are known', () => {
  const known = new Set([...calls()].map(({ name }) => name.replace(/^stores\./, '')));
  const missing = [];
  for (const [name, value] of [...Object.entries(polyflake), ...Object.entries(stores)]) {
    if (typeof value !== 'function' || name === 'PolyflakeError' || name === 'Store') continue;
    if (!known.has(name) && value.length > 0) missing.push(name);
    for (const method of Object.getOwnPropertyNames(value.prototype ?? {})) {
      if (method === 'constructor' || TAKES_NOTHING.includes(method)) continue;
      const { value: is } = Object.getOwnPropertyDescriptor(value.prototype, method);
      if (typeof is === 'function' && METHODS[name] && !known.has(`${name}.${method}`))
        missing.push(`${name}.${method}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('no call shows a secret', async () => {
  let given = 0;
  let refused = 0;
  while (given < SPELLINGS) {
    for (const { name, call, valid } of calls()) {
      for (const put of places(valid)) {
        const text = secret();
        const values = forms(text);
        const value = values[draw(values.length)];
        const what = await said(call, put(value));
        given++;
        refused += what.refused ? 1 : 0;
        const all = what.text + warned.join(' ');
        assert.ok(!leaks(all, text), `${name} of ${inspect(put(value))} says ${all}`);
      }
    }
  }
  assert.ok(refused > given / 2, `only ${refused} of ${given} were refused`);
});
