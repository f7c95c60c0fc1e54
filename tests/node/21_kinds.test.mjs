// uuid7, uuid4 and objectid: their values, how they are issued, and what holds for each of them.
import './registry.mjs';
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import * as polyflake from 'polyflake';
import { Generator, Layout, ManualClock, ObjectIds, Uuid4, Uuid7 } from 'polyflake';
import { test } from 'node:test';
import { isRefusal, refuses } from './refusal.mjs';

const START = Date.UTC(2026, 0, 1);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Given words of entropy: 0, 1, 2, ... */
const words = (count) => new Uint8Array(BigUint64Array.from({ length: count }, (_, i) => BigInt(i)).buffer).reverse();

const SOURCES = {
  uuid7: { open: (options) => new Uuid7(options), bytes: 16, pattern: UUID, version: '7' },
  uuid4: { open: (options) => new Uuid4(options), bytes: 16, pattern: UUID, version: '4' },
  objectid: { open: (options) => new ObjectIds(options), bytes: 12, pattern: /^[0-9a-f]{24}$/ },
};
const rising = (texts) => texts.every((text, i) => i === 0 || text > texts[i - 1]);
const hex = (text) => text.replaceAll('-', '');

for (const [kind, { open, bytes, pattern, version }] of Object.entries(SOURCES)) {
  test(`${kind}: every way gives texts of the one form, none twice`, async () => {
    const ids = open();
    const many = [ids.nextId(), ids.tryNextId(), ids.nextIdString(), await ids.nextIdAsync(), ...ids.nextIds(10_000)];
    assert.equal(new Set(many).size, 10_004);
    for (const id of many) {
      assert.match(id, pattern);
      assert.equal(pattern.exec(id)[1], version);
    }
    if (kind !== 'uuid4') assert.ok(rising(many));
  });

  test(`${kind}: fill gives the bytes of the ids that follow`, () => {
    const ids = open();
    const before = ids.nextId();
    const memory = Buffer.alloc(1000 * bytes);
    assert.equal(ids.fill(memory), memory);
    const filled = Array.from({ length: 1000 }, (_, i) => memory.hexSlice(i * bytes, (i + 1) * bytes));
    const all = [hex(before), ...filled, hex(ids.nextId())];
    assert.equal(new Set(all).size, 1002);
    if (kind !== 'uuid4') assert.ok(rising(all));
    const inMiddle = new Uint8Array(4 * bytes);
    ids.fill(inMiddle.subarray(bytes, 2 * bytes));
    const zeros = (from, to) => inMiddle.subarray(from, to).every((byte) => byte === 0);
    assert.deepEqual([zeros(0, bytes), zeros(bytes, 2 * bytes), zeros(2 * bytes)], [true, false, true]);
    ids.fill(new Uint8Array(new SharedArrayBuffer(bytes)));
    assert.equal(ids.fill(new Uint8Array(0)).length, 0);
  });

  test(`${kind}: batches and single ids are the same ids`, () => {
    const openGiven = () => open({ clock: new ManualClock(START), entropy: words(20) });
    const [one, batch, filled] = [openGiven(), openGiven(), openGiven()];
    const singles = Array.from({ length: 5 }, () => one.nextId());
    assert.deepEqual(batch.nextIds(5), singles);
    assert.equal(Buffer.from(filled.fill(new Uint8Array(5 * bytes))).toString('hex'), singles.map(hex).join(''));
  });

  test(`${kind}: what is no memory or no count is refused`, () => {
    const ids = open();
    for (const wrong of [
      undefined,
      null,
      5,
      'text',
      [],
      new ArrayBuffer(bytes),
      new BigUint64Array(2),
      new DataView(new ArrayBuffer(bytes)),
      new Uint8Array(bytes + 1),
      new Int8Array(bytes),
    ])
      refuses('option_invalid', () => ids.fill(wrong));
    for (const wrong of [undefined, null, -1, 1.5, '5', 5n]) refuses('option_invalid', () => ids.nextIds(wrong));
    assert.deepEqual(ids.nextIds(0), []);
  });

  test(`${kind}: options are checked`, () => {
    for (const wrong of [
      null,
      5,
      'text',
      [],
      new Map(),
      { wrong: 1 },
      { clock: 5 },
      { entropy: 'text' },
      { entropy: [1] },
    ])
      refuses('option_invalid', () => open(wrong));
    refuses('option_invalid', () => open({ entropy: words(1) }), 'manual clock');
    refuses('option_invalid', () => open({ clock: new ManualClock(START), entropy: new Uint8Array(7) }), '8 bytes');
    refuses(
      'option_invalid',
      () => open({ clock: new ManualClock(START), entropy: new Uint8Array(0) }).nextId(),
      'entropy',
    );
    open({ clock: undefined, entropy: undefined });
  });

  test(`${kind}: a closed source refuses to issue`, async () => {
    const ids = open();
    assert.equal(ids.closed, false);
    ids.nextId();
    ids.close();
    ids.close();
    assert.equal(ids.closed, true);
    const calls = ['nextId', 'tryNextId', 'nextIdString'].map((name) => () => ids[name]());
    for (const call of [...calls, () => ids.nextIds(0), () => ids.nextIds(1), () => ids.fill(new Uint8Array(bytes))])
      refuses('generator_closed', call);
    await assert.rejects(ids.nextIdAsync(), isRefusal('generator_closed'));
    assert.ok(ids.stats().issued > 0);
    assert.ok(open().nextId(), 'another one goes on');
  });

  test(`${kind}: it says what it is`, () => {
    const ids = open();
    assert.equal(ids.kind, kind);
    const { name } = ids.constructor;
    assert.match(inspect([ids]), new RegExp(`${name} \\{`));
    assert.equal(inspect(Object.create(ids.constructor.prototype)), `${name} {}`);
    assert.deepEqual(Object.keys(ids.stats()), Object.keys(new Generator({ worker: 1 }).stats()));
  });

  test(`${kind}: using and await using close it`, { skip: !Symbol.asyncDispose }, async () => {
    const [one, other] = [open(), open()];
    one[Symbol.dispose]();
    await other[Symbol.asyncDispose]();
    assert.deepEqual([one.closed, other.closed], [true, true]);
  });
}

for (const kind of ['uuid7', 'objectid']) {
  const { open } = SOURCES[kind];

  test(`${kind}: an hour back is held, and ids go on rising`, () => {
    const clock = new ManualClock(START);
    const ids = open({ clock, entropy: words(1000) });
    const before = ids.nextIds(10);
    clock.advance(-3_600_000);
    const held = ids.nextIds(10);
    assert.equal(ids.stats().heldMs, 3_600_000);
    clock.advance(1000);
    const later = ids.nextIds(10);
    assert.ok(rising([...before, ...held, ...later]));
    assert.equal(ids.decode(held[0]).timeMs, START);
    assert.equal(ids.decode(later[0]).timeMs, START + 1000);
    clock.set(START + 10_000);
    ids.nextId();
    assert.equal(ids.stats().heldMs, 0, 'the clock has caught up');
  });

  test(`${kind}: beyond 24 days back it is refused`, () => {
    const clock = new ManualClock(START);
    const ids = open({ clock });
    ids.nextId();
    clock.advance(-25 * 86_400_000);
    refuses('clock_behind', () => ids.nextId());
  });

  test(`${kind}: tryNextId never waits, and claims nothing then`, () => {
    const clock = new ManualClock(START);
    const ids = open({ clock, maxWaitMs: 5000 });
    let issued = 0;
    let last = ids.nextId();
    const room = kind === 'uuid7' ? 2 ** 18 : 2 ** 24;
    const memory = new Uint8Array((room / 4) * SOURCES[kind].bytes);
    while (clock.timeMs === START && issued < room / 2) {
      ids.fill(memory);
      issued += room / 4;
    }
    for (let id = ids.tryNextId(); id !== null && issued < 2 * room; id = ids.tryNextId()) {
      assert.ok(id > last);
      last = id;
      issued += 1;
    }
    assert.equal(clock.timeMs, START, 'the clock was not moved');
    assert.equal(ids.tryNextId(), null);
    const { issued: counted } = ids.stats();
    assert.equal(ids.tryNextId(), null);
    assert.equal(ids.stats().issued, counted);
    assert.ok(ids.nextId() > last, 'and nextId() waits');
    assert.ok(clock.timeMs > START);
  });

  test(`${kind}: decode tells the parts, which can be written as JSON`, () => {
    const clock = new ManualClock(START);
    const ids = open({ clock });
    const parts = ids.decode(ids.nextId());
    assert.equal(parts.timeMs, START);
    assert.equal(parts.time.getTime(), START);
    const names = kind === 'uuid7' ? ['tick', 'sequence', 'node', 'tail'] : ['process', 'counter'];
    assert.deepEqual(Object.keys(parts), ['time', 'timeMs', ...names]);
    for (const name of names)
      assert.equal(typeof parts[name], ['sequence', 'counter'].includes(name) ? 'number' : 'bigint', name);
    const json = JSON.parse(JSON.stringify(parts));
    assert.deepEqual(Object.keys(json), ['time', 'timeMs', ...names]);
    for (const name of names) assert.equal(String(json[name]), String(parts[name]));
  });

  test(`${kind}: bounds enclose the ids of their time`, () => {
    const clock = new ManualClock(START);
    const ids = open({ clock });
    const id = ids.nextId();
    for (const time of [new Date(START), START, BigInt(START)])
      assert.ok(ids.firstId(time) <= id && id <= ids.lastId(time));
    assert.ok(ids.lastId(START - 1) < id && ids.firstId(START + 1000) > id);
    for (const wrong of ['2026', null, undefined, {}, 1.5, new Date(NaN)])
      refuses('option_invalid', () => ids.firstId(wrong));
    refuses('field_out_of_range', () => ids.firstId(-1));
    refuses('field_out_of_range', () => ids.lastId(2 ** 50));
  });

  test(`${kind}: texts that are none are refused, with the position`, () => {
    const ids = open();
    const id = ids.nextId();
    for (const wrong of [undefined, null, 5, 5n, {}, new Uint8Array(16)])
      refuses('text_invalid', () => ids.decode(wrong));
    for (const [text, position] of [
      [id.toUpperCase(), id.search(/[a-f]/)],
      [id.slice(0, -1), id.length - 1],
      [`${id}0`, id.length],
      [`g${id.slice(1)}`, 0],
      ['', 0],
    ]) {
      assert.throws(
        () => ids.decode(text),
        (error) => isRefusal('text_invalid')(error) && error.position === position,
        text,
      );
    }
  });

  test(`${kind}: sources of one process share one state`, () => {
    const [one, other] = [open(), open()];
    const texts = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? one : other).nextId());
    assert.ok(rising(texts));
    assert.equal(one.stats().issued, other.stats().issued);
  });

  test(`${kind}: state tells whether ids can be had`, () => {
    const ids = open();
    assert.deepEqual(ids.state(), { name: 'open', code: null });
    ids.close();
    assert.deepEqual(ids.state(), { name: 'closed', code: 'ERR_POLYFLAKE_GENERATOR_CLOSED' });
  });
}

test('uuid7: many asynchronous calls give different ids, and the loop goes on', async () => {
  const ids = new Uuid7();
  let turned = false;
  const turn = setImmediate().then(() => (turned = true));
  const texts = await Promise.all(Array.from({ length: 1000 }, () => ids.nextIdAsync()));
  assert.equal(new Set(texts).size, 1000);
  await turn;
  assert.ok(turned);
});

test('uuid7: calls that wait, on a layout of two ids a ms, go on rising', () => {
  const layout = 'timestamp:41 worker:20 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z';
  const ids = new Uuid7({ worker: 8, layout, maxWaitMs: 5000 });
  const texts = Array.from({ length: 20 }, () => ids.nextId()).concat(ids.nextIds(20), ids.nextIdString());
  // On a busy machine ticks pass between two calls.
  while (ids.stats().waits < 10) texts.push(...ids.nextIds(20));
  assert.ok(rising(texts));
  assert.equal(ids.decode(texts.at(-1)).node, 8n);
});

test('uuid7: an asynchronous call that waits holds its source, and is refused where that is closed meanwhile', async () => {
  const layout = 'timestamp:41 worker:20 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z';
  const texts = await Promise.all(
    Array.from({ length: 40 }, () => new Uuid7({ worker: 9, layout, maxWaitMs: 5000 }).nextIdAsync()),
  );
  assert.equal(new Set(texts).size, 40);
  // The ids after these are a minute ahead of the clock.
  new Uuid7({ worker: 9, layout, maxLeadMs: 600_000 }).fill(new Uint8Array(120_000 * 16));
  const ids = new Uuid7({ worker: 9, layout, maxWaitMs: 600_000 });
  const waiting = Array.from({ length: 100 }, () => ids.nextIdAsync());
  ids.close();
  const outcomes = await Promise.allSettled(waiting);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 100);
  for (const { reason } of refused) assert.ok(isRefusal('generator_closed')(reason));
});

test('uuid7 with a worker: the node id, and the layout, are in the ids', () => {
  const clock = new ManualClock(START);
  const ids = new Uuid7({ worker: { datacenter: 3, worker: 9 }, layout: 'twitter', clock });
  const parts = ids.decode(ids.nextId());
  assert.deepEqual([parts.node, parts.timeMs], [(3n << 5n) | 9n, START]);
  const layout = new Layout('twitter');
  const generator = new Generator({ worker: { datacenter: 3, worker: 9 }, layout, clock: new ManualClock(START) });
  const { tick, sequence, node } = layout.decode(generator.nextId());
  assert.deepEqual([parts.tick, parts.sequence, parts.node], [tick, sequence, node]);
  assert.ok(rising(ids.nextIds(10_000)));
});

test('a generator says what its ids mean, as other sources do', () => {
  const [ids, layout] = [new Generator({ worker: 7, layout: 'twitter' }), new Layout('twitter')];
  const id = ids.nextId();
  assert.deepEqual(ids.decode(id), layout.decode(id));
  assert.deepEqual(ids.decode(String(id)), layout.decode(id));
  assert.equal(ids.firstId(START), layout.firstId(START));
  assert.equal(ids.lastId(new Date(START)), layout.lastId(START));
  refuses('id_out_of_range', () => ids.decode(-1n));
});

test('uuid7 with a worker: sources as of a Generator, here and by open()', async () => {
  for (const ids of [new Uuid7({ worker: 'host' }), await Uuid7.open({ worker: 'host:41' }), await Uuid7.open()]) {
    assert.match(ids.nextId(), UUID);
    assert.ok(Math.abs(ids.decode(ids.nextId()).timeMs - Date.now()) < 60_000);
  }
  const renewed = new Uuid7({ worker: 'host:43' });
  renewed.renew();
  assert.equal(renewed.worker, 43n);
  assert.equal(String(renewed.layout), String(new Layout('polyflake')));
  const alone = new Uuid7();
  alone.renew();
  assert.equal(alone.worker, 0n);
  assert.match(String(alone.layout), /^timestamp:45 sequence:18 /);
  assert.equal(new Uuid7({ worker: 'host:42' }).decode(new Uuid7({ worker: 'host:42' }).nextId()).node, 42n);
});

test('uuid7: a worker and a layout are checked', async () => {
  for (const worker of [undefined, null, '', true, 1.5]) refuses('worker_source_invalid', () => new Uuid7({ worker }));
  refuses('option_invalid', () => new Uuid7({ layout: 'polyflake' }), 'worker');
  refuses('layout_invalid', () => new Uuid7({ worker: 1, layout: 'game' }));
  refuses('layout_invalid', () => new Uuid7({ worker: 1, layout: 5 }));
  refuses('option_invalid', () => new Uuid7({ worker: 'redis://h?namespace=orders' }), 'Uuid7.open');
  await assert.rejects(Uuid7.open({ worker: '' }), isRefusal('worker_source_invalid'));
});

test('uuid7: POLYFLAKE_WORKER gives it no node id', (t) => {
  process.env.POLYFLAKE_WORKER = '5';
  t.after(() => delete process.env.POLYFLAKE_WORKER);
  const ids = new Uuid7();
  assert.equal(ids.decode(ids.nextId()).node, 0n);
});

test('a layout makes UUIDs of its ids, and takes them back', () => {
  const layout = new Layout('polyflake');
  const id = new Generator({ worker: 7 }).nextId();
  const uuid = layout.toUuid(id);
  assert.match(uuid, UUID);
  assert.equal(layout.toUuid(String(id)), uuid);
  assert.equal(layout.fromUuid(uuid), id);
  for (const wrong of [5, null, undefined, 2n ** 64n]) refuses('id_out_of_range', () => layout.toUuid(wrong));
  for (const wrong of [5n, null, undefined, 'text', uuid.toUpperCase().replace(/^0/, 'A')])
    refuses('text_invalid', () => layout.fromUuid(wrong));
  refuses('id_out_of_range', () => layout.fromUuid(new Uuid4().nextId()));
  refuses('layout_invalid', () => new Layout('game').toUuid(1n));
});

test('the words of entropy are used up, and then refused before anything is claimed', () => {
  const ids = new Uuid7({ clock: new ManualClock(START), entropy: words(4) });
  ids.nextIds(2);
  refuses('option_invalid', () => ids.nextIds(2), 'entropy');
  assert.equal(ids.stats().issued, 2);
  ids.nextId();
  refuses('option_invalid', () => ids.nextId(), 'entropy');
  refuses('option_invalid', () => ids.tryNextId(), 'entropy');
});

test('no advice names an option that the kind has not', async () => {
  for (const kind of ['uuid4', 'objectid']) {
    for (const [option, lacking] of [
      ['worker', 'node id'],
      ['datacenterId', 'node id'],
      ['epoch', 'layout'],
    ]) {
      await assert.rejects(polyflake.open(kind, { [option]: 5 }), ({ message }) =>
        message.includes(`'${option}' (these ids have no ${lacking}); it has `),
      );
    }
  }
});
