'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetHashids);

class Hashids {
  #index;

  constructor(salt = '', minLength = 0, alphabet = native.hashidsAlphabet, ...others) {
    if (others.length > 0) throw new PolyflakeError('option_invalid', 'Hashids here has no separators of your own');
    check.wholeText(salt, 'salt', 'option_invalid');
    const letters = check.text(alphabet, 'alphabet', 'option_invalid');
    const length = check.int64(minLength, 'minLength', 'option_invalid');
    this.#index = native.newHashids(salt, length, letters);
    forgotten.register(this, this.#index);
    Object.assign(this, native.describeHashids(this.#index));
    Object.freeze(this);
  }

  encode(ids, ...others) {
    check.noMoreIds(others);
    return native.encodeHashids(this.#index, check.idOrIds(ids));
  }

  decode(text) {
    return native.decodeHashids(this.#index, check.text(text, 'the text of ids', 'text_invalid'));
  }

  toString() {
    return inspect(this);
  }

  [inspect.custom](depth, { stylize }) {
    if (!(#index in this)) return 'Hashids {}'; // such as a stub of a test tool
    return `Hashids(<salt>, ${this.minLength}, ${stylize(native.quoted(this.alphabet), 'string')})`;
  }
}

module.exports = { Hashids };
