// Sources by the name of their kind, and kinds of one's own.
import './registry.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generator, ManualClock, ObjectIds, Uuid4, Uuid7, kinds, open, openSync, register } from 'polyflake';
import { isRefusal, refuses } from './refusal.mjs';

const CLASSES = { snowflake: Generator, uuid7: Uuid7, uuid4: Uuid4, objectid: ObjectIds };

for (const [kind, Class] of Object.entries(CLASSES)) {
  test(`${kind} opens by its name`, async () => {
    const options = kind === 'snowflake' ? { worker: 3 } : undefined;
    for (const ids of [openSync(kind, options), await open(kind, options)]) {
      assert.ok(ids instanceof Class);
      assert.equal(ids.kind, kind);
      assert.notEqual(ids.nextId(), ids.nextId());
      ids.close();
    }
    refuses('option_invalid', () => openSync(kind, { banana: 1 }), 'banana');
    await assert.rejects(open(kind, { banana: 1 }), isRefusal('option_invalid', 'banana'));
    refuses('option_invalid', () => openSync(`${kind}:redis://h`), 'store');
  });
}

test('what is no kind is refused', async () => {
  for (const wrong of [undefined, null, 5, {}, ['uuid7']]) {
    refuses('text_invalid', () => openSync(wrong));
    await assert.rejects(open(wrong), isRefusal('text_invalid'));
  }
  for (const [text, position] of [
    ['UUID7', 0],
    ['uuid 7', 4],
    ['', 0],
    ['uuid7:', 6],
  ]) {
    assert.throws(
      () => openSync(text),
      (error) => isRefusal('text_invalid')(error) && error.position === position,
      text,
    );
  }
  refuses('unknown_kind', () => openSync('uuid8'), "'uuid7'");
});

test('a store as worker is for open() alone', () => {
  refuses('option_invalid', () => openSync('uuid7', { worker: 'redis://h?namespace=orders' }), 'open');
  refuses('option_invalid', () => openSync('snowflake', { worker: 'redis://h?namespace=orders' }), 'open');
});

/** Counts up from what it is told. */
class Counter {
  #next;
  closed = false;

  constructor(first, store) {
    this.#next = first;
    this.store = store;
  }
  get kind() {
    return 'counter';
  }
  nextId() {
    return this.#next++;
  }
  close() {
    this.closed = true;
  }
}

const made = [];
const keep = (counter) => {
  made.push(counter);
  return counter;
};

register('counter', ({ first = 1n, store }) => keep(new Counter(first, store)));
register('deleting', (options) => {
  const { first } = options;
  delete options.unused;
  return keep(new Counter(first));
});
register('later', async ({ first = 1n }) => keep(new Counter(await first)));
register('broken', () => undefined);
register('failing', () => {
  throw new RangeError('mine');
});

test('an own kind opens by its name, with its options and its store', async () => {
  const own = ['counter', 'deleting', 'later', 'broken', 'failing'];
  assert.deepEqual(kinds(), [...Object.keys(CLASSES), 'segment', 'date', 'ticket', ...own]);
  assert.equal(openSync('counter').nextId(), 1n);
  assert.equal((await open('counter', { first: 5n })).nextId(), 5n);
  assert.equal(openSync('counter:redis://h/0?a=b:c').store, 'redis://h/0?a=b:c');
  assert.equal(openSync('counter', { store: 'given' }).store, 'given');
  assert.equal(openSync('deleting', { first: 3n, unused: 1 }).nextId(), 3n);
  assert.equal(openSync('counter:x', { store: undefined, first: undefined, another: undefined }).store, 'x');
  refuses('option_invalid', () => openSync('counter:x', { store: 'y' }), 'store');
});

test('options that a factory leaves are refused, and what it opened is closed', async () => {
  refuses('option_invalid', () => openSync('counter', { frist: 5n }), 'counter', 'frist');
  assert.equal(made.at(-1).closed, true);
  refuses('option_invalid', () => openSync('deleting:store', {}), 'store');
  await assert.rejects(open('later', { frist: 5n }), isRefusal('option_invalid', 'frist'));
  assert.equal(made.at(-1).closed, true);
  for (const wrong of [null, 5, [], new Map()]) refuses('option_invalid', () => openSync('counter', wrong));
});

test('a close that fails does not hide the refusal of options', async () => {
  const warnings = [];
  process.on('warning', (warning) => warnings.push(warning.message));
  const close = () => {
    throw new RangeError('mine');
  };
  const unclosing = {
    at_once: { close },
    in_time: { close: () => Promise.reject(new RangeError('mine')) },
    not_at_all: { close: 5 },
  };
  for (const [name, source] of Object.entries(unclosing)) {
    register(name, () => source);
    refuses('option_invalid', () => openSync(name, { frist: 1 }), 'frist');
    await assert.rejects(open(name, { frist: 1 }), isRefusal('option_invalid', 'frist'));
  }
  register('late_failure', () => Promise.resolve(unclosing.at_once));
  refuses('option_invalid', () => openSync('late_failure'), 'await open()');
  await new Promise(setImmediate);
  assert.equal(warnings.length, 7);
  assert.match(warnings[0], /^closing a source of kind 'at_once': mine$/);
});

test('an own kind may be called as something that every object has', () => {
  register('constructor', () => new Counter(7n));
  assert.equal(openSync('constructor').nextId(), 7n);
});

test('a factory may take its time, for open() alone', async () => {
  assert.equal((await open('later', { first: 4n })).nextId(), 4n);
  const before = made.length;
  refuses('option_invalid', () => openSync('later'), 'await open()');
  await new Promise(setImmediate);
  assert.equal(made.length, before + 1);
  assert.equal(made.at(-1).closed, true, 'what nobody took is closed');
});

test('what a factory throws is thrown, and what is no source is refused', async () => {
  assert.throws(() => openSync('failing'), RangeError);
  await assert.rejects(open('failing'), RangeError);
  refuses('option_invalid', () => openSync('broken'), 'broken');
  await assert.rejects(open('broken'), isRefusal('option_invalid'));
});

test("the user's own options stay as they are", () => {
  const options = Object.freeze({ first: 2n });
  openSync('counter', options);
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  openSync('uuid7', Object.freeze({ clock }));
  assert.deepEqual(options, { first: 2n });
});

test('names that are taken or are none cannot be registered', () => {
  const nothing = () => {};
  for (const taken of ['uuid7', 'snowflake', 'counter'])
    refuses('option_invalid', () => register(taken, nothing), taken);
  for (const wrong of ['', 'Own', 'own kind', '1own', 'own:', 'x'.repeat(33)])
    refuses('text_invalid', () => register(wrong, nothing));
  for (const wrong of [undefined, null, 5, {}]) {
    refuses('text_invalid', () => register(wrong, nothing));
    refuses('option_invalid', () => register('new_one', wrong));
  }
  assert.ok(!kinds().includes('new_one'));
});

test('the example of an own kind runs', () => {
  const example = fileURLToPath(new URL('../../examples/node/own_kind.mjs', import.meta.url));
  const out = execFileSync(process.execPath, [example], { encoding: 'utf8' });
  assert.match(out, /^order-[0-9a-hjkmnp-tv-z]{13}\norder-[0-9a-hjkmnp-tv-z]{13}\n$/i);
});
