'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetSqids);
const OPTIONS = ['alphabet', 'minLength', 'blocklist'];

class Sqids {
  #index;

  constructor(options = {}) {
    const known = check.options(options, OPTIONS, 'Sqids');
    const { alphabet = native.sqidsAlphabet, minLength = 0, blocklist } = known;
    const letters = check.text(alphabet, 'alphabet', 'option_invalid');
    const length = check.int64(minLength, 'minLength', 'option_invalid');
    this.#index = native.newSqids(letters, length, blocklist === undefined ? undefined : words(blocklist));
    forgotten.register(this, this.#index);
    Object.assign(this, native.describeSqids(this.#index));
    Object.freeze(this);
  }

  static defaultBlocklist() {
    return native.defaultBlocklist();
  }

  encode(ids, ...others) {
    check.noMoreIds(others);
    return native.encodeSqids(this.#index, check.idOrIds(ids));
  }

  decode(text) {
    return native.decodeSqids(this.#index, check.text(text, 'the text of ids', 'text_invalid'));
  }

  toString() {
    return inspect(this);
  }

  [inspect.custom](depth, { stylize }) {
    if (!(#index in this)) return 'Sqids {}'; // such as a stub of a test tool
    return `Sqids({ alphabet: ${stylize(native.quoted(this.alphabet), 'string')}, minLength: ${this.minLength} })`;
  }
}

function words(blocklist) {
  const given = check.listOf(blocklist, 'blocklist', 'option_invalid');
  return Array.from(given, (word) => check.text(word, 'a word of the blocklist', 'option_invalid'));
}

module.exports = { Sqids };
