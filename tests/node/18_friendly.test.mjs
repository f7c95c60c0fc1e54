// Friendly forms in zones, and explain(): what JavaScript adds to the core. Forms and rankings are in the vectors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Generator, Layout, decode, explain } from 'polyflake';
import { refuses } from './refusal.mjs';

const layout = new Layout('polyflake');
const BERLIN = { timeZone: 'Europe/Berlin' };
const BACK = Date.UTC(2026, 9, 25, 1); // Berlin's clocks go back from 03:00 to 02:00

test('ids of a zone read back, but for the hour that comes twice', () => {
  for (let i = 0; i < 1000; i += 1) {
    const time = new Date(BACK + (i - 500) * 179_999);
    const id = layout.encode({ time, worker: i, sequence: i });
    const text = layout.friendly(id, BERLIN);
    if (Math.abs(time - BACK) < 3_600_000) {
      refuses('text_invalid', () => layout.fromFriendly(text, BERLIN));
      assert.equal(layout.fromFriendly(text, { utcOffsetSeconds: time < BACK ? 7200 : 3600 }), id);
    } else {
      assert.equal(layout.fromFriendly(text, BERLIN), id);
    }
  }
});

test('the text is what Date shows in UTC', () => {
  const id = 1541815603606036480n;
  const twitter = new Layout('twitter');
  const shown = twitter.decode(id).time.toISOString().replace(/\D/g, '');
  assert.equal(twitter.friendly(id), `${shown}-11-26-0`);
});

test('a name that is no zone is not shown', () => {
  const timeZone = `\u00e9\x1b[31m\n${'x'.repeat(1e6)}`;
  assert.throws(
    () => layout.friendly(1n, { timeZone }),
    (error) => {
      assert.equal(error.code, 'ERR_POLYFLAKE_OPTION_INVALID');
      assert.match(error.message, /^[\x20-\x7e]{1,150}$/);
      assert.equal(error.cause, undefined);
      return true;
    },
  );
});

test('beyond what Date can show offsets are known and zones are not', () => {
  const wide = new Layout('timestamp:62 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z');
  const last = 2n ** 63n - 1n;
  const east = { utcOffsetSeconds: 19_800n };
  assert.equal(wide.fromFriendly(wide.friendly(last, east), east), last);
  refuses('id_out_of_range', () => wide.friendly(last, BERLIN), 'utcOffsetSeconds');
  refuses('field_out_of_range', () => wide.fromFriendly(wide.friendly(last), BERLIN), 'utcOffsetSeconds');
  const yitter = new Layout('yitter');
  assert.equal(yitter.fromFriendly(yitter.friendly(last, BERLIN), BERLIN), last);
});

test('what is no zone and no offset is refused', () => {
  const options = [
    { timeZone: 'Europe/Nowhere' },
    { timeZone: '' },
    { timeZone: 5 },
    { timeZone: null },
    { utcOffsetSeconds: 64_801 },
    { utcOffsetSeconds: -(2n ** 63n) },
    { utcOffsetSeconds: 0.5 },
    { utcOffsetSeconds: '0' },
    { timeZone: 'UTC', utcOffsetSeconds: 0 },
    { timezone: 'UTC' },
    'UTC',
    null,
  ];
  for (const wrong of options) {
    refuses('option_invalid', () => layout.friendly(0n, wrong));
    refuses('option_invalid', () => layout.fromFriendly('20200101000000000-0-0', wrong));
  }
});

test('a wrong text has a position', () => {
  assert.throws(() => layout.fromFriendly('20220320133617924-05-0'), { position: 18 });
});

test('explain takes the present where none is given', () => {
  const id = new Generator({ worker: 1 }).nextId();
  const [first] = explain(id);
  assert.deepEqual({ ...first }, { preset: 'polyflake', plausible: true, whyNot: null, parts: decode(id) });
  assert.deepEqual(explain(String(id)), explain(id, { now: new Date() }));
});

test('explain refuses options that it does not have, and an invalid Date', () => {
  for (const wrong of [{ nowMs: 5 }, { now: new Date(NaN) }, 7, null])
    refuses('option_invalid', () => explain(1n, wrong));
});

test('explanations are JSON, with text for what numbers cannot hold', () => {
  const [first] = explain(820674996354437127n, { now: new Date(Date.UTC(2026, 5, 1)) });
  const read = JSON.parse(JSON.stringify(first));
  assert.equal(read.parts.tick, String(first.parts.tick));
});
