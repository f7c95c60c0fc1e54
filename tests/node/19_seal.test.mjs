// Private ids in Node; what every language must do is in the vectors.
import './registry.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Seal, SealRing } from 'polyflake';
import { randomIds } from './random_ids.mjs';
import { refuses } from './refusal.mjs';

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const polyflake = fileURLToPath(new URL('../../node/index.js', import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-seal-'));
after(() => fs.rmSync(folder, { recursive: true }));

function keyFile(text, mode = 0o600) {
  const file = path.join(folder, 'key');
  fs.writeFileSync(file, text);
  fs.chmodSync(file, mode);
  return file;
}

function refusal(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('was not refused');
}

test('a million random ids go in and out', () => {
  for (const bits of [63, 64]) {
    const seal = new Seal(key, { tweak: 'order', bits });
    const ids = randomIds(`seal of ${bits}`, 500_000).map((id) => BigInt.asUintN(bits, id));
    const texts = seal.encodeMany(ids);
    const back = seal.decodeMany(texts);
    assert.ok(ids.every((id, i) => id === back[i]));
    assert.equal(new Set(texts).size, new Set(ids).size);
    for (const id of ids.subarray(0, 5000)) {
      assert.equal(seal.unseal(seal.seal(id)), id);
      assert.equal(seal.decode(seal.encode(id)), id);
    }
  }
});

test('a text has eleven characters unless a codec is named', () => {
  const seal = new Seal(key, { tweak: 'order' });
  assert.equal(seal.encode(7n).length, 11);
  assert.equal(seal.encode(7n, 'hex'), seal.seal(7n).toString(16).padStart(16, '0'));
  assert.equal(seal.decode(seal.encode(7n, 'hex'), 'hex'), 7n);
  assert.deepEqual(seal.encodeMany([7n], 'hex'), [seal.encode(7n, 'hex')]);
  assert.deepEqual(seal.decodeMany(new Set([seal.encode(7n)])), BigUint64Array.of(7n));
});

test('a tweak is text or its bytes, and half of a character is refused', () => {
  const text = '\u00e9t\u00e9';
  assert.equal(new Seal(key, { tweak: text }).seal(7n), new Seal(key, { tweak: Buffer.from(text) }).seal(7n));
  assert.equal(new Seal(key).seal(7n), new Seal(key, { tweak: undefined }).seal(7n));
  refuses('option_invalid', () => new Seal(key, { tweak: 'a\ud800' }));
  assert.equal(new Seal(key, { tweak: '\u{1f600}' }).tweak, '\u{1f600}');
});

test('a tweak in bytes cannot be changed through its seal', () => {
  const given = Buffer.from('order');
  const seal = new Seal(key, { tweak: given });
  const shown = inspect(seal);
  seal.tweak[0] = 1;
  given[0] = 2;
  assert.deepEqual(seal.tweak, new TextEncoder().encode('order'));
  assert.equal(inspect(seal), shown);
});

test('options have names, and others are refused', () => {
  refuses('option_invalid', () => new Seal(key, { keyid: 'k1' }), 'keyId');
  refuses('option_invalid', () => new Seal(key, 'order'));
  const seal = new Seal(key, { tweak: 'order', bits: 64, keyId: 'k1' });
  assert.deepEqual({ ...seal }, { tweak: 'order', bits: 64, keyId: 'k1' });
  assert.ok(Object.isFrozen(seal));
});

test('a key may be a Buffer, of another realm too, and be wiped once the seal is made', () => {
  const expected = new Seal(key).seal(7n);
  const buffer = Buffer.from(key);
  const seal = new Seal(buffer);
  buffer.fill(0);
  assert.equal(seal.seal(7n), expected);
  assert.equal(new Seal(vm.runInNewContext('Uint8Array.from({ length: 32 }, (_, i) => i)')).seal(7n), expected);
  assert.equal(
    new Seal(new Uint8Array(Buffer.concat([Buffer.alloc(8), key]).buffer.slice(0)).subarray(8, 40)).bits,
    63,
  );
  refuses('option_invalid', () => new Seal(new Uint16Array(16)));
  refuses('option_invalid', () => new Seal(key.buffer));
});

/** How often the writable memory of a process has these bytes. */
function occurrences(pid, bytes) {
  const memory = fs.openSync(`/proc/${pid}/mem`);
  let found = 0;
  for (const [, from, to] of fs.readFileSync(`/proc/${pid}/maps`, 'latin1').matchAll(/^(\w+)-(\w+) rw/gm)) {
    const part = Buffer.alloc(Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)));
    try {
      fs.readSync(memory, part, 0, part.length, BigInt(`0x${from}`));
    } catch {
      continue; // not ours to read
    }
    for (let at = part.indexOf(bytes); at >= 0; at = part.indexOf(bytes, at + 1)) ++found;
  }
  fs.closeSync(memory);
  return found;
}

test('a key that is wiped is nowhere in memory', { skip: process.platform !== 'linux' }, async () => {
  const byteOf = (i) => (41 + i * i * 7) % 256;
  const program = `
    const { Seal } = require(${JSON.stringify(polyflake)});
    const keys = [new Uint8Array(32), Buffer.alloc(32), Buffer.from(new ArrayBuffer(32))];
    for (const key of keys) {
      for (let i = 0; i < 32; i++) key[i] = (${byteOf})(i);
      if (process.argv[1] === 'used') try { new Seal(key, { bits: 62 }); } catch {}
      if (process.argv[1] !== 'kept') key.fill(0);
    }
    process.stdout.write('done');
    setInterval(() => keys, 1000);`;
  const left = async (how) => {
    const child = spawn(process.execPath, ['-e', program, how], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      return occurrences(child.pid, Buffer.from(Array.from({ length: 32 }, (_, i) => byteOf(i))));
    } finally {
      child.kill();
    }
  };
  assert.ok((await left('kept')) >= 3);
  assert.equal(await left('used'), 0);
});

test('nothing shows the key', () => {
  const secret = Buffer.from('hunter2hunter2!!');
  const seal = new Seal(secret, { tweak: 'order', keyId: 'k1' });
  assert.equal(inspect(seal), "Seal(<key>, 'order', { bits: 63, keyId: 'k1' })");
  assert.equal(inspect(new SealRing([seal])), `SealRing([ ${inspect(seal)} ])`);
  assert.equal(`${seal}`, inspect(seal));
  assert.equal(`${new SealRing([seal])}`, inspect(new SealRing([seal])));
  assert.equal(JSON.stringify(seal), '{"tweak":"order","bits":63,"keyId":"k1"}');
  assert.equal(inspect(Object.create(Seal.prototype)), 'Seal {}');
  for (const call of [() => new Seal(String(secret)), () => new Seal(secret, { bits: 62 })]) {
    assert.ok(!refusal(call).message.includes('hunter'));
  }
});

test('the fault of a text has a position, and its index is in the message', () => {
  const seal = new Seal(key, { keyId: 'k1' });
  const good = seal.encode(7n);
  const error = refusal(() => seal.decodeMany([good, `${good.slice(0, -1)}-`]));
  assert.equal(error.code, 'ERR_POLYFLAKE_TEXT_INVALID');
  assert.equal(error.position, 13);
  assert.match(error.message, /text 1 of the list/);
  assert.match(refusal(() => seal.encodeMany([1n, 2n ** 63n])).message, /id 1 of the list/);
});

test('a key file has hex digits', () => {
  const file = keyFile(`${Buffer.from(key).toString('hex')}\n`);
  assert.equal(Seal.fromFile(file, { tweak: 'order' }).seal(7n), new Seal(key, { tweak: 'order' }).seal(7n));
  assert.equal(Seal.fromFile(file, { keyId: 'k1', bits: 64 }).keyId, 'k1');
});

test('a path is what node:fs takes', () => {
  const file = keyFile(Buffer.from(key).toString('hex'));
  const given = Buffer.from(file);
  for (const one of [given, pathToFileURL(file)]) assert.equal(Seal.fromFile(one).seal(7n), new Seal(key).seal(7n));
  assert.equal(String(given), file);
  refuses('option_invalid', () => Seal.fromFile(new URL('https://example.org/key')), 'file');
  refuses('option_invalid', () => Seal.fromFile(7));
});

test('a subclass reads its key from a file, too', () => {
  class OrderSeal extends Seal {
    constructor(secret) {
      super(secret, { tweak: 'order' });
    }
  }
  const seal = OrderSeal.fromFile(keyFile(Buffer.from(key).toString('hex')));
  assert.ok(seal instanceof OrderSeal);
  assert.equal(seal.tweak, 'order');
});

test('a key file that is wrong is refused without its content', () => {
  const error = refusal(() => Seal.fromFile(keyFile('c0ffee'.repeat(10))));
  assert.equal(error.code, 'ERR_POLYFLAKE_TEXT_INVALID');
  assert.equal(error.position, 60);
  assert.ok(!error.message.includes('c0ffee'));
  refuses('option_invalid', () => Seal.fromFile(keyFile('c0ffee', 0o644)), 'chmod');
  refuses('option_invalid', () => Seal.fromFile(path.join(folder, 'missing')));
  refuses('option_invalid', () => Seal.fromFile('key\0file'));
});

test('a ring seals by its first seal and opens by the key id', () => {
  const old = new Seal(key.subarray(0, 16), { keyId: '1' });
  const current = new Seal(key, { keyId: '2' });
  const ring = new SealRing(new Set([current, old]));
  assert.deepEqual(ring.seals, [current, old]);
  assert.equal(ring.encode(7n), current.encode(7n));
  assert.deepEqual(ring.decodeMany([old.encode(7n), current.encode(8n)]), BigUint64Array.of(7n, 8n));
  assert.deepEqual(ring.encodeMany([7n], 'hex'), [current.encode(7n, 'hex')]);
  assert.equal(ring.unseal(old.seal(7n), '1'), 7n);
  refuses('option_invalid', () => ring.unseal(7n), 'keyId');
  for (const seal of [old, new Seal(key)]) {
    assert.equal(new SealRing([current, seal]).unseal(seal.seal(7n), seal.keyId), 7n);
    assert.equal(new Seal(key, { keyId: seal.keyId }).keyId, seal.keyId);
  }
  assert.equal(refusal(() => ring.decode(`3${old.encode(7n).slice(1)}`)).position, 0);
});

test('a ring keeps its seals when nobody else does', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const ring = new SealRing([new Seal(key, { keyId: '1' })]);
  await setImmediate();
  collect();
  await setImmediate(); // what was collected is finalised
  assert.equal(ring.decode(ring.encode(7n)), 7n);
});

test('other threads make the same of the same key', async () => {
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { Seal } = require(workerData.polyflake);
    const seal = new Seal(workerData.key, { tweak: 'order' });
    parentPort.postMessage(Array.from({ length: 1000 }, (_, i) => seal.encode(BigInt(i))));`;
  const answers = [1, 2].map(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker(program, { eval: true, workerData: { key, polyflake } });
        worker.on('message', resolve).on('error', reject);
      }),
  );
  const seal = new Seal(key, { tweak: 'order' });
  const expected = Array.from({ length: 1000 }, (_, i) => seal.encode(BigInt(i)));
  for (const answer of await Promise.all(answers)) assert.deepEqual(answer, expected);
});
