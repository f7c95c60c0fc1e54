import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { Layout, decode, presets } from 'polyflake';
import { refuses } from './refusal.mjs';

const layout = new Layout('polyflake');
const millennium = Date.UTC(2026, 0, 1);

test('a layout describes itself', () => {
  assert.equal(String(layout), 'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z');
  assert.deepEqual(layout.fields, [
    { name: 'timestamp', width: 41 },
    { name: 'worker', width: 10 },
    { name: 'sequence', width: 12 },
  ]);
  assert.equal(layout.tickMs, 1);
  assert.equal(layout.epochMs, Date.UTC(2020, 0, 1));
});

test('a layout cannot be changed', () => {
  assert.throws(() => {
    layout.tickMs = 2;
  }, TypeError);
  assert.throws(() => layout.fields.push(1), TypeError);
});

test('every preset opens, and its text gives the same layout', () => {
  assert.equal(presets[0], 'polyflake');
  assert.equal(presets.length, 15);
  for (const name of presets) assert.equal(String(new Layout(String(new Layout(name)))), String(new Layout(name)));
});

test('encode takes a tick, Unix milliseconds or a Date', () => {
  const tick = BigInt(millennium - layout.epochMs);
  const id = layout.encode({ tick, sequence: 9, worker: 7 });
  assert.equal(id, (tick << 22n) | (7n << 12n) | 9n);
  assert.equal(layout.encode({ timeMs: millennium, sequence: 9n, worker: 7n }), id);
  assert.equal(layout.encode({ time: new Date(millennium), sequence: 9, worker: 7 }), id);
  assert.equal(layout.encode({ tick: Number(tick), sequence: 9, worker: 7 }), id);
});

test('what is not given is 0', () => {
  assert.equal(layout.encode({ tick: 1 }), 1n << 22n);
  assert.equal(layout.encode({ tick: 1, timeMs: undefined, sequence: undefined }), 1n << 22n);
});

test('decode gives the parts back, from a BigInt and from decimal text', () => {
  const id = layout.encode({ timeMs: millennium, sequence: 9, worker: 7 });
  const expected = {
    time: new Date(millennium),
    timeMs: millennium,
    tick: BigInt(millennium - layout.epochMs),
    sequence: 9,
    node: 7n,
    fields: { worker: 7 },
  };
  assert.deepEqual(layout.decode(id), expected);
  assert.deepEqual(layout.decode(String(id)), expected);
  assert.deepEqual(decode(id), expected);
  assert.deepEqual(decode(id, layout), expected);
  assert.deepEqual(decode(id, 'tsid').fields, { node: 7 });
});

test('JSON of the parts has text where a JSON number could lie', () => {
  const parts = layout.decode(layout.encode({ timeMs: millennium, sequence: 9, worker: 7 }));
  const expected = {
    time: '2026-01-01T00:00:00.000Z',
    timeMs: millennium,
    tick: String(millennium - layout.epochMs),
    sequence: 9,
    node: '7',
    fields: { worker: 7 },
  };
  assert.deepEqual(JSON.parse(JSON.stringify(parts)), expected);
  assert.deepEqual(JSON.parse(JSON.stringify([{ parts }])), [{ parts: expected }]);
});

test('parts are plain objects: they compare, copy and print as such', () => {
  const parts = layout.decode(1n << 22n);
  const names = ['time', 'timeMs', 'tick', 'sequence', 'node', 'fields'];
  assert.deepEqual(Object.keys(parts), names);
  assert.deepEqual(structuredClone(parts), parts);
  assert.doesNotMatch(inspect(parts), /toJSON/);
});

test('a layout prints as its text', () => {
  assert.equal(inspect(layout), `Layout('${layout}')`);
  assert.equal(inspect(Object.create(Layout.prototype)), 'Layout {}', 'what is none can be printed, too');
});

test('node is the node fields read as one number', () => {
  const { node, fields } = new Layout('twitter').decode(
    new Layout('twitter').encode({ tick: 1, datacenter: 3, worker: 5 }),
  );
  assert.equal(node, 3n * 32n + 5n);
  assert.deepEqual(fields, { datacenter: 3, worker: 5 });
});

test('an instant beyond the range of Date is an invalid Date with exact milliseconds', () => {
  const wide = new Layout('timestamp:54 sequence:9 tick=1ms epoch=2020-01-01T00:00:00.000Z');
  const timeMs = 2 ** 53 - 1;
  const parts = wide.decode(wide.encode({ timeMs }));
  assert.ok(Number.isNaN(parts.time.getTime()));
  assert.equal(parts.timeMs, timeMs);
  assert.equal(parts.tick, BigInt(timeMs) - 1577836800000n);
});

test('firstId and lastId enclose the ids of a tick', () => {
  const first = layout.firstId(new Date(millennium));
  const last = layout.lastId(new Date(millennium));
  assert.equal(last - first, 2n ** 22n - 1n);
  assert.equal(layout.decode(first).timeMs, millennium);
  assert.equal(layout.firstId(millennium), first);
  assert.equal(layout.lastId(BigInt(millennium)), last);
});

test('a Date and an object of another realm are as good as ours', () => {
  const foreign = vm.runInNewContext(`({ time: new Date(${millennium}), worker: 7 })`);
  assert.equal(layout.encode(foreign), layout.encode({ timeMs: millennium, worker: 7 }));
  assert.equal(layout.firstId(foreign.time), layout.firstId(millennium));
});

test('encode refuses anything but exactly one time', () => {
  refuses('option_invalid', () => layout.encode({ worker: 7 }), 'exactly one');
  refuses('option_invalid', () => layout.encode({ tick: 1, timeMs: 1 }));
  refuses('option_invalid', () => layout.encode({ tick: 1, time: new Date() }));
  for (const parts of [undefined, null, 1, 'x', [], new Map()]) refuses('option_invalid', () => layout.encode(parts));
});

test('a field of a wrong type or size is refused, never coerced', () => {
  for (const wrong of [1.5, NaN, Infinity, '7', true, null, [], {}, undefined, 2 ** 53, 2n ** 63n, -1, 1024, 1024n]) {
    refuses('field_out_of_range', () => layout.encode({ tick: 1, worker: wrong }));
  }
  for (const wrong of [1.5, NaN, '7', true, null, -1, 4096, 2n ** 64n]) {
    refuses('field_out_of_range', () => layout.encode({ tick: 1, sequence: wrong }));
    if (wrong !== 4096) refuses('field_out_of_range', () => layout.encode({ tick: wrong }));
  }
  for (const wrong of [-1, 4096, 2n ** 64n]) refuses('field_out_of_range', () => layout.encode({ timeMs: wrong }));
  refuses('unknown_field', () => layout.encode({ tick: 1, wroker: 7 }), 'wroker');
  refuses('unknown_field', () => layout.encode({ tick: 1, timestamp: 7 }));
});

test('a time that is no valid Date is refused', () => {
  for (const wrong of [new Date(NaN), 5, '2026-01-01', null, {}]) {
    refuses('option_invalid', () => layout.encode({ time: wrong }));
  }
  refuses('option_invalid', () => layout.firstId(new Date(NaN)));
  for (const wrong of [undefined, null, '2026', 1.5, {}]) {
    refuses('option_invalid', () => layout.firstId(wrong));
    refuses('option_invalid', () => layout.lastId(wrong));
  }
  for (const far of [2 ** 53, 2n ** 63n, -1, 1e300]) {
    refuses('field_out_of_range', () => layout.firstId(far));
    refuses('field_out_of_range', () => layout.lastId(far));
  }
});

test('a number is refused as an id, with advice', () => {
  refuses('id_out_of_range', () => layout.decode(5), 'BigInt');
  refuses('id_out_of_range', () => decode(Number.MAX_SAFE_INTEGER), 'BigInt');
  for (const wrong of [undefined, null, true, {}, [], -1n, 2n ** 64n, 2n ** 200n, Symbol('x')]) {
    refuses('id_out_of_range', () => layout.decode(wrong));
  }
  for (const wrong of ['', ' 1', '1 ', '+1', '01', '0x10', '1n', '1_0', '\u0661', '1.0', '1e3']) {
    refuses('text_invalid', () => layout.decode(wrong));
  }
});

test('what is no layout is refused', () => {
  for (const wrong of [undefined, null, 1, {}, []]) refuses('layout_invalid', () => new Layout(wrong));
  refuses('unknown_preset', () => new Layout('twiter'));
  refuses(
    'layout_too_wide',
    () => new Layout('timestamp:37 server:20 sequence:16 tick=1ms epoch=2020-01-01T00:00:00.000Z'),
    '73',
  );
});

test('methods refuse a foreign receiver', () => {
  const calls = { encode: { tick: 1 }, decode: 1n, firstId: millennium, lastId: millennium, toString: undefined };
  for (const [name, argument] of Object.entries(calls)) {
    assert.throws(() => Layout.prototype[name].call({}, argument), TypeError);
  }
});
