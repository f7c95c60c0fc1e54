import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromText, toText } from 'polyflake';
import { refuses } from './refusal.mjs';

test('decimal is the default codec', () => {
  assert.equal(toText(0n), '0');
  assert.equal(toText(2n ** 64n - 1n), '18446744073709551615');
  assert.equal(fromText('18446744073709551615'), 2n ** 64n - 1n);
});

test('hex is 16 lower-case digits', () => {
  assert.equal(toText(255n, 'hex'), '00000000000000ff');
  assert.equal(fromText('00000000000000ff', 'hex'), 255n);
  refuses('text_invalid', () => fromText('ff', 'hex'));
  refuses('text_invalid', () => fromText('00000000000000FF', 'hex'));
});

test('what BigInt() would accept is refused', () => {
  for (const text of ['', ' 12', '12\n', '0x10', '0b1', '-0', '+5', '007', '1\u0000', '\u0661\u0662', '\ud800']) {
    refuses('text_invalid', () => fromText(text));
  }
  refuses('id_out_of_range', () => fromText('18446744073709551616'));
});

test('a long text is refused and not echoed', () => {
  assert.throws(
    () => fromText('9'.repeat(1_000_000)),
    (error) => error.code === 'ERR_POLYFLAKE_TEXT_INVALID' && error.message.length < 300,
  );
});

test('values of a wrong type are refused', () => {
  for (const wrong of [5, '5', null, undefined, true, -1n, 2n ** 64n]) refuses('id_out_of_range', () => toText(wrong));
  for (const wrong of [5, 5n, null, undefined, {}, ['5']]) refuses('text_invalid', () => fromText(wrong));
  for (const wrong of ['base64', '', 'HEX', 16, null, {}]) {
    refuses('option_invalid', () => toText(1n, wrong));
    refuses('option_invalid', () => fromText('1', wrong));
  }
});
