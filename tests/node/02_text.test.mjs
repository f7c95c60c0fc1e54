import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Hashids, Sqids, fromText, toText } from 'polyflake';
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

test('what is no id is told how ids are passed', () => {
  refuses('id_out_of_range', () => toText(5), 'an id is a BigInt, got 5; a number cannot hold every id');
  refuses('id_out_of_range', () => toText('5'), "an id is a BigInt, got '5'; fromText() reads text");
});

for (const texts of [new Sqids(), new Hashids('salt')]) {
  const { name } = texts.constructor;

  test(`${name}: ids are one BigInt or any iterable of them`, () => {
    const one = texts.encode(7n);
    for (const ids of [[7n], BigUint64Array.of(7n), new Set([7n])]) assert.equal(texts.encode(ids), one);
    assert.deepEqual(texts.decode(one), [7n]);
    assert.deepEqual(texts.decode(texts.encode([])), []);
  });

  test(`${name}: what is no id is refused`, () => {
    for (const wrong of [7, '7', -1n, 2n ** 64n, [7], [7n, -1n], undefined, null, {}, new Map([[7n, 7n]])]) {
      refuses('id_out_of_range', () => texts.encode(wrong));
    }
  });

  test(`${name}: ids that are no list are refused, where the others would be lost`, () => {
    refuses('option_invalid', () => texts.encode(1n, 2n, 3n), 'several ids go in a list: encode([1n, 2n])');
    refuses('option_invalid', () => texts.encode([1n], 2n));
    refuses('id_out_of_range', () => texts.encode([1n, 2]), 'id 1 of the list: an id is a BigInt, got 2');
  });

  test(`${name}: a refusal says where`, () => {
    const good = texts.encode([1n, 2n, 3n]);
    assert.throws(() => texts.decode(`${good.slice(0, 3)}-${good}`), {
      code: 'ERR_POLYFLAKE_TEXT_INVALID',
      position: 3,
    });
  });

  test(`${name}: an object is frozen, prints readably, and its methods want it`, () => {
    assert.throws(() => {
      texts.minLength = 5;
    }, TypeError);
    assert.match(inspect(texts), new RegExp(`^${name}\\(.*62 characters, not shown.*\\)$`));
    assert.equal(`${texts}`, inspect(texts));
    assert.equal(inspect(Object.create(Object.getPrototypeOf(texts))), `${name} {}`);
    assert.throws(() => texts.encode.call({}, 7n), TypeError);
  });
}

test('options of Sqids are checked', () => {
  for (const wrong of [
    { minlength: 5 },
    { alphabet: 'ab' },
    { minLength: 256 },
    { minLength: 1.5 },
    { blocklist: 'word' },
    null,
  ]) {
    refuses('option_invalid', () => new Sqids(wrong));
  }
  const words = Sqids.defaultBlocklist();
  assert.equal(words.length, 560);
  const usual = new Sqids().encode(1000000n);
  assert.notEqual(new Sqids({ blocklist: new Set([...words, usual]) }).encode(1000000n), usual);
});

test('separators of Hashids cannot be chosen, and are not dropped', () => {
  refuses('option_invalid', () => new Hashids('salt', 0, undefined, 'cfhist'), 'separators');
});

test('a salt with half of a character is refused, since it has no bytes', () => {
  for (const salt of ['\ud800', 'a\udc00b', '\udc00\ud800']) refuses('option_invalid', () => new Hashids(salt));
  assert.deepEqual(new Hashids('\ud83d\ude00').decode(new Hashids('\u{1f600}').encode(1n)), [1n]);
});
