'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const { PolyflakeError, described } = require('./error.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetCodec);
const OPTIONS = ['width', 'check'];

class Codec {
  #index;

  constructor(name, options = {}) {
    const { width, check: withCheck = false } = check.options(options, OPTIONS, 'Codec');
    if (typeof withCheck !== 'boolean') {
      throw new PolyflakeError('option_invalid', `check must be a boolean, got ${described(withCheck)}`);
    }
    const characters = width === undefined ? undefined : check.int64(width, 'width', 'option_invalid');
    this.#index = native.newCodec(check.text(name, 'the name of a codec', 'option_invalid'), characters, withCheck);
    forgotten.register(this, this.#index);
    Object.assign(this, native.describeCodec(this.#index));
    Object.freeze(this);
  }

  encode(id) {
    return native.encodeText(this.#index, typeof id === 'bigint' ? id : check.id(id));
  }

  decode(text) {
    return native.decodeText(this.#index, check.text(text, 'the text of an id', 'text_invalid'));
  }

  // One by one: faster than an array in the addon. After an error the call for all has the index.
  encodeMany(ids) {
    const numbers = check.ids(ids);
    const texts = new Array(numbers.length);
    try {
      for (let i = 0; i < texts.length; i++) texts[i] = native.encodeText(this.#index, numbers[i]);
    } catch {
      return native.encodeTexts(this.#index, numbers);
    }
    return texts;
  }

  decodeMany(texts) {
    const strings = check.texts(texts);
    const ids = new BigUint64Array(strings.length);
    try {
      for (let i = 0; i < ids.length; i++) ids[i] = native.decodeText(this.#index, strings[i]);
    } catch {
      return native.decodeTexts(this.#index, strings);
    }
    return ids;
  }

  toString() {
    return inspect(this);
  }

  [inspect.custom](depth, { stylize }) {
    if (!(#index in this)) return 'Codec {}'; // such as a stub of a test tool
    return `Codec(${stylize(`'${this.name}'`, 'string')}, { width: ${this.width}, check: ${this.check} })`;
  }
}

module.exports = { Codec };
