// JSON that keeps ids exact: the replacer and the reviver.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Generator, ManualClock, decode, jsonReplacer, jsonReviver } from 'polyflake';
import { refuses } from './refusal.mjs';

const LARGEST = 2n ** 63n - 1n;

test('ids beyond 2^53 go through JSON and come back as they were', () => {
  for (const id of [0n, 1n, 2n ** 53n + 1n, LARGEST]) {
    const text = JSON.stringify({ id, customer: 'Ada', amount: 5 }, jsonReplacer);
    assert.equal(text, `{"id":"${id}","customer":"Ada","amount":5}`);
    assert.deepEqual(JSON.parse(text, jsonReviver(['id'])), { id, customer: 'Ada', amount: 5 });
  }
});

test('a batch of ids is an array of texts', () => {
  const ids = new Generator({ worker: 1, clock: new ManualClock(1767225600000) }).nextIds(3);
  const text = JSON.stringify({ ids }, jsonReplacer);
  assert.deepEqual(JSON.parse(text), { ids: Array.from(ids, String) });
  assert.deepEqual(JSON.parse(text, jsonReviver(['ids'])).ids, [...ids]);
});

test('keys are found at any depth, and nothing else is touched', () => {
  const text = '{"orders":[{"id":"7","parent":null,"note":"7"},{"id":"8","parent":"7","tags":["9"]}],"ids":["1",null]}';
  assert.deepEqual(JSON.parse(text, jsonReviver(new Set(['id', 'parent', 'ids']))), {
    orders: [
      { id: 7n, parent: null, note: '7' },
      { id: 8n, parent: 7n, tags: ['9'] },
    ],
    ids: [1n, null],
  });
});

test('the parts of an id keep the form that their toJSON gives them', () => {
  const parts = decode(820674996354437127n);
  assert.equal(JSON.stringify({ parts }, jsonReplacer), JSON.stringify({ parts }));
});

test('what is no canonical decimal text under such a key is refused', () => {
  for (const wrong of [
    '""',
    '" 7"',
    '"07"',
    '"+7"',
    '"0x7"',
    '"7n"',
    '7',
    '1e3',
    '9007199254740993',
    'true',
    '{}',
    '["7",7]',
    '[["7"]]',
    '[[]]',
  ]) {
    refuses('text_invalid', () => JSON.parse(`{"id":${wrong}}`, jsonReviver(['id'])));
  }
  for (const wrong of [LARGEST + 1n, 2n ** 64n - 1n, 2n ** 64n]) {
    refuses('id_out_of_range', () => JSON.parse(`{"id":"${wrong}"}`, jsonReviver(['id'])));
  }
});

test('a refusal names the key, and where the text is at fault', () => {
  for (const [json, message, position] of [
    ['{"order":{"id":""}}', /^the id 'id': /, 0],
    ['{"id":["7","8x"]}', /^the id 'id': .*8x/, 1],
    ['{"id":"18446744073709551616"}', /^the id 'id': /, 19],
    ['{"id":7}', /^the id 'id' must be a string, got 7$/, undefined],
  ]) {
    const refused = (error) => message.test(error.message) && error.position === position;
    assert.throws(() => JSON.parse(json, jsonReviver(['id'])), refused, json);
  }
});

test('a key named like a property of every object is a key like others', () => {
  const read = JSON.parse('{"constructor":"5","__proto__":"6","toString":"7"}', jsonReviver(['constructor']));
  assert.equal(read.constructor, 5n);
  assert.equal(read.toString, '7');
});

test('what is no list of keys is refused', () => {
  for (const wrong of ['id', undefined, null, 5, {}, [5], [undefined], true]) {
    refuses('option_invalid', () => jsonReviver(wrong));
  }
});
