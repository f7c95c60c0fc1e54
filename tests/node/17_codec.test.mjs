// Codecs as objects of JavaScript, and by the million; single texts are in the vectors.
import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Codec } from 'polyflake';
import { randomIds } from './random_ids.mjs';
import { isRefusal, refuses } from './refusal.mjs';

const NAMES = ['decimal', 'hex', 'crockford32', 'base36', 'base58', 'base62', 'zbase32', 'base58-flickr'];
const FULL_WIDTHS = { decimal: 20, hex: 16, crockford32: 13, base36: 13, base58: 11, base62: 11 };

if (isMainThread) {
  // Of every length, 64 bits among them.
  const ids = randomIds('codec', 1_000_000).map((id, i) => (i % 2 ? id : id >> BigInt((i / 2) % 64)));

  for (const name of NAMES) {
    test(`a million random ids are read back from ${name}`, () => {
      const codec = new Codec(name);
      assert.ok(Buffer.from(codec.decodeMany(codec.encodeMany(ids)).buffer).equals(Buffer.from(ids.buffer)));
    });
  }

  for (const [name, width] of Object.entries(FULL_WIDTHS)) {
    test(`a million texts of ${name} of one width sort like their ids`, () => {
      const texts = new Codec(name, { width }).encodeMany(ids.slice().sort());
      assert.ok(texts.every((text, i) => text.length === width && (i === 0 || texts[i - 1] <= text)));
    });
  }

  test('many are what one by one are', () => {
    const some = ids.slice(0, 1000);
    for (const name of NAMES) {
      const codec = new Codec(name);
      const texts = Array.from(some, (id) => codec.encode(id));
      assert.deepEqual(codec.encodeMany(some), texts);
      assert.deepEqual(codec.decodeMany(texts), some);
      assert.deepEqual(
        texts.map((text) => codec.decode(text)),
        [...some],
      );
    }
  });

  test('worker threads have codecs of their own, which write the same', async () => {
    const some = ids.slice(0, 50_000);
    const workers = [0, 1, 2].map(() => new Worker(new URL(import.meta.url), { workerData: some }));
    const written = await Promise.all(
      workers.map((worker) => new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))),
    );
    const expected = new Codec('base62').encodeMany(some);
    for (const texts of written) assert.deepEqual(texts, expected);
  });

  test('a codec prints readably', () => {
    assert.equal(inspect(new Codec('base62')), "Codec('base62', { width: 11, check: false })");
    assert.equal(`${new Codec('base62')}`, "Codec('base62', { width: 11, check: false })");
    const checked = new Codec('crockford32', { width: 0, check: true });
    assert.equal(inspect({ checked }), "{ checked: Codec('crockford32', { width: 0, check: true }) }");
    assert.equal(inspect(Object.create(Codec.prototype)), 'Codec {}');
  });

  test('a codec says what it is and cannot be changed', () => {
    const codec = new Codec('base36');
    assert.deepEqual(
      { ...codec },
      { name: 'base36', digits: '0123456789abcdefghijklmnopqrstuvwxyz', width: 13, check: false },
    );
    assert.throws(() => (codec.width = 0), TypeError);
    assert.throws(() => (codec.more = 0), TypeError);
  });

  test('methods of a codec are not taken by others', () => {
    const { encode, decode, encodeMany, decodeMany } = Codec.prototype;
    for (const stranger of [undefined, {}, Object.create(Codec.prototype)]) {
      assert.throws(() => encode.call(stranger, 1n), TypeError);
      assert.throws(() => decode.call(stranger, '1'), TypeError);
      assert.throws(() => encodeMany.call(stranger, [1n]), TypeError);
      assert.throws(() => decodeMany.call(stranger, ['1']), TypeError);
    }
    assert.throws(() => Codec('base62'), TypeError);
  });

  test('a subclass is a codec', () => {
    class Short extends Codec {
      encode(id) {
        return `id-${super.encode(id)}`;
      }
    }
    assert.equal(new Short('base62', { width: 0 }).encode(61n), 'id-z');
    assert.deepEqual(new Short('base62', { width: 0 }).encodeMany([61n]), ['z']);
  });

  test('any iterable will do', () => {
    const codec = new Codec('base62', { width: 0 });
    const generated = function* generated() {
      yield 0n;
      yield 61n;
    };
    for (const iterable of [[0n, 61n], new Set([0n, 61n]), generated(), BigUint64Array.of(0n, 61n)]) {
      assert.deepEqual(codec.encodeMany(iterable), ['0', 'z']);
    }
    for (const iterable of [['0', 'z'], new Set(['0', 'z'])]) {
      assert.deepEqual(codec.decodeMany(iterable), BigUint64Array.of(0n, 61n));
    }
    assert.deepEqual(codec.encodeMany([]), []);
    assert.deepEqual(codec.decodeMany([]), new BigUint64Array(0));
  });

  test('what is no list is refused', () => {
    const codec = new Codec('decimal');
    const notIterable = { [Symbol.iterator]: 5 };
    for (const wrong of [
      null,
      undefined,
      5n,
      5,
      '123',
      Object('123'),
      {},
      { length: 1 },
      notIterable,
      () => [],
      Symbol('1'),
    ]) {
      refuses('id_out_of_range', () => codec.encodeMany(wrong));
      refuses('text_invalid', () => codec.decodeMany(wrong));
    }
  });

  test('ids of an array of another realm are ids', () => {
    const foreign = vm.runInNewContext('BigUint64Array.of(0n, 61n)');
    assert.deepEqual(new Codec('base62', { width: 0 }).encodeMany(foreign), ['0', 'z']);
  });

  test('an array may change while it is read', () => {
    const codec = new Codec('base62', { width: 0 });
    const changing = [1n, 2n, 3n];
    const iterator = changing[Symbol.iterator].bind(changing);
    changing[Symbol.iterator] = function* shrinking() {
      for (const id of { [Symbol.iterator]: iterator }) {
        changing.length = 2;
        yield id;
      }
    };
    assert.deepEqual(codec.encodeMany(changing), ['1', '2']);
  });

  test('what an iterable throws comes out unchanged', () => {
    const broken = function* broken() {
      yield 1n;
      throw new EvalError('no more');
    };
    assert.throws(() => new Codec('base62').encodeMany(broken()), EvalError);
  });

  test('a refusal among many says which and where', () => {
    const codec = new Codec('base62');
    assert.throws(
      () => codec.decodeMany(['00000000000', '000-0000000']),
      (error) => isRefusal('text_invalid', 'text 1 of the list')(error) && error.position === 3,
    );
    const narrow = new Codec('base62', { width: 2 });
    refuses('id_out_of_range', () => narrow.encodeMany([0n, 1n, 62n ** 2n]), 'id 2 of the list');
  });

  test('what is no id or no text among many is told with its index', () => {
    const codec = new Codec('base62');
    refuses('id_out_of_range', () => codec.encodeMany([0n, 1]), 'id 1 of the list: an id is a BigInt, got 1');
    refuses('id_out_of_range', () => codec.encodeMany(new Set([0n, 1n, -1n])), 'id 2 of the list: an id is 0n to');
    refuses(
      'text_invalid',
      () => codec.decodeMany(['00000000000', 7]),
      'text 1 of the list: the text of an id must be',
    );
  });

  test('what is no id or no text is refused', () => {
    const codec = new Codec('base62');
    for (const wrong of [1, '1', null, undefined, true, -1n, 2n ** 64n, {}, [1n], Symbol('1')]) {
      refuses('id_out_of_range', () => codec.encode(wrong));
      refuses('id_out_of_range', () => codec.encodeMany([wrong]));
    }
    for (const wrong of [1, 1n, null, undefined, {}, ['0'], Object('00000000000'), Symbol('1')]) {
      refuses('text_invalid', () => codec.decode(wrong));
      refuses('text_invalid', () => codec.decodeMany([wrong]));
    }
  });

  // Characters whose low byte is a digit, and texts around the length that is read by one call.
  test('other characters are never taken for digits, at any length', () => {
    const codec = new Codec('base62', { width: 0 });
    for (const odd of ['\u0130', '\u{10030}', '\u0660', '\uff10', '\ud800', '\u00b1', '\u0000', ' ']) {
      for (const length of [0, 1, 10, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 1000]) {
        refuses('text_invalid', () => codec.decode(`1${'0'.repeat(length)}${odd}`));
        refuses('text_invalid', () => codec.decode(`${odd}${'0'.repeat(length)}`));
      }
    }
    for (let length = 12; length < 70; length++) {
      assert.throws(
        () => codec.decode('1'.repeat(length)),
        (error) => isRefusal('text_invalid', `of ${length} characters`)(error) && error.position === 11,
      );
    }
  });

  test('options of a wrong type or name are refused', () => {
    for (const options of [
      { width: 1.5 },
      { width: '11' },
      { width: true },
      { check: 1 },
      { check: null },
      { wide: 1 },
    ]) {
      refuses('option_invalid', () => new Codec('crockford32', options));
    }
    for (const width of [-1, 14, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n]) {
      refuses('option_invalid', () => new Codec('crockford32', { width }));
    }
    for (const name of [undefined, null, 62, 'Base62', '', {}]) refuses('option_invalid', () => new Codec(name));
    for (const options of [null, 11, 'width', [11]]) refuses('option_invalid', () => new Codec('base62', options));
  });
} else {
  parentPort.postMessage(new Codec('base62').encodeMany(workerData));
}
