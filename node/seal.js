'use strict';
// Private ids: seals, and rings of them.

const { fileURLToPath } = require('node:url');
const { inspect, types } = require('node:util');
const check = require('./check.js');
const { PolyflakeError, described } = require('./error.js');
const native = require('./native.js');

const forgottenSeals = new FinalizationRegistry(native.forgetSeal);
const forgottenRings = new FinalizationRegistry(native.forgetRing);
const OPTIONS = ['tweak', 'bits', 'keyId'];

const checkCodec = (codec) => check.text(codec, 'the name of a codec', 'option_invalid');
const checkText = (text) => check.text(text, 'the text of an id', 'text_invalid');

/** Represents a key in a file; only this module can make one. */
class KeyFile {
  constructor(path) {
    this.path = path;
  }
}

/** Returns the bytes of a path of any kind that node:fs takes. */
function pathBytes(path) {
  if (types.isUint8Array(path)) return Buffer.from(path);
  if (typeof path?.href !== 'string') return Buffer.from(check.text(path, 'a path', 'option_invalid'));
  try {
    return Buffer.from(fileURLToPath(path));
  } catch (error) {
    throw new PolyflakeError('option_invalid', `no path of a file: ${error.message}`);
  }
}

/** Returns a copy of the key outside the heap of V8, to be wiped. */
function keyBytes(key) {
  if (types.isUint8Array(key)) {
    // The memory of an array of up to 64 bytes, and of many a Buffer, is inside the heap. V8 moves
    // it out when the addon asks for its address, and no code can wipe the copy left behind.
    const copy = new Uint8Array(new ArrayBuffer(key.length));
    for (let i = 0; i < key.length; i++) copy[i] = key[i]; // set() throws if the memory is gone
    return copy;
  }
  // A value that is not a key may still be a secret: no message shows it.
  const hint = typeof key === 'string' ? ": Buffer.from(text, 'hex') reads hex, Seal.fromFile() a file" : '';
  throw new PolyflakeError('option_invalid', `a key must be a Uint8Array, got a value of type ${typeof key}${hint}`);
}

/** Returns the bytes of a tweak. */
function tweakBytes(tweak) {
  if (types.isUint8Array(tweak)) return tweak;
  if (typeof tweak !== 'string') {
    throw new PolyflakeError('option_invalid', `tweak must be a string or a Uint8Array, got ${described(tweak)}`);
  }
  return new TextEncoder().encode(check.wholeText(tweak, 'tweak', 'option_invalid'));
}

let indexOf; // of a seal, for rings

class Seal {
  #index;

  static {
    indexOf = (seal) => {
      if (typeof seal === 'object' && seal !== null && #index in seal) return seal.#index;
      throw new PolyflakeError('option_invalid', `a ring is made of seals, not of ${described(seal)}`);
    };
  }

  constructor(key, options = {}) {
    const inFile = key instanceof KeyFile;
    const bytes = inFile ? key.path : keyBytes(key);
    try {
      const { tweak = '', bits = 63, keyId = null } = check.options(options, OPTIONS, 'Seal');
      if (keyId !== null) check.text(keyId, 'keyId', 'option_invalid');
      const count = check.int64(bits, 'bits', 'option_invalid');
      this.#index = native.newSeal(inFile, bytes, tweakBytes(tweak), count, keyId);
      forgottenSeals.register(this, this.#index);
      const kept = typeof tweak === 'string' ? tweak : new Uint8Array(tweak);
      // returns copies of arrays only
      Object.defineProperty(this, 'tweak', { enumerable: true, get: () => kept.slice() });
      this.bits = Number(count);
      this.keyId = keyId;
    } finally {
      bytes.fill(0);
    }
    Object.freeze(this);
  }

  static fromFile(path, options = {}) {
    return new this(new KeyFile(pathBytes(path)), options);
  }

  seal(id) {
    return native.seal(this.#index, check.id(id));
  }

  unseal(sealed) {
    return native.unseal(this.#index, check.id(sealed));
  }

  encode(id, codec = 'base62') {
    return native.encodeSealed(this.#index, check.id(id), checkCodec(codec));
  }

  decode(text, codec = 'base62') {
    return native.decodeSealed(this.#index, checkText(text), checkCodec(codec));
  }

  encodeMany(ids, codec = 'base62') {
    return native.encodeManySealed(this.#index, check.ids(ids), checkCodec(codec));
  }

  decodeMany(texts, codec = 'base62') {
    return native.decodeManySealed(this.#index, check.texts(texts), checkCodec(codec));
  }

  toString() {
    return inspect(this);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'Seal {}'; // such as a stub of a test tool
    const { bits, keyId } = this;
    const tweak = typeof this.tweak === 'string' ? native.quoted(this.tweak) : `<${this.tweak.length} bytes>`;
    return `Seal(<key>, ${tweak}, ${inspect({ bits, keyId }, { ...options, compact: true, breakLength: Infinity })})`;
  }
}

class SealRing {
  #index;

  constructor(seals) {
    this.seals = Object.freeze([...check.listOf(seals, 'the seals of a ring', 'option_invalid')]);
    this.#index = native.newRing(this.seals.map(indexOf));
    forgottenRings.register(this, this.#index);
    Object.freeze(this);
  }

  seal(id) {
    return native.sealByRing(this.#index, check.id(id));
  }

  unseal(sealed, keyId) {
    if (keyId !== null) check.text(keyId, 'keyId', 'option_invalid');
    return native.unsealByRing(this.#index, check.id(sealed), keyId);
  }

  encode(id, codec = 'base62') {
    return native.encodeByRing(this.#index, check.id(id), checkCodec(codec));
  }

  decode(text, codec = 'base62') {
    return native.decodeByRing(this.#index, checkText(text), checkCodec(codec));
  }

  encodeMany(ids, codec = 'base62') {
    return native.encodeManyByRing(this.#index, check.ids(ids), checkCodec(codec));
  }

  decodeMany(texts, codec = 'base62') {
    return native.decodeManyByRing(this.#index, check.texts(texts), checkCodec(codec));
  }

  toString() {
    return inspect(this);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'SealRing {}';
    return `SealRing(${inspect(this.seals, options)})`;
  }
}

module.exports = { Seal, SealRing };
