'use strict';
// The numbers of dates, and their texts.

const { inspect } = require('node:util');
const check = require('./check.js');
const { PolyflakeError, described } = require('./error.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetDateNumbers);
const OPTIONS = ['period', 'digits', 'prefix'];

function outOfRange(what, value) {
  throw new PolyflakeError('field_out_of_range', `${what}, got ${described(value)}`);
}

function field(value, what) {
  const number = check.int64(value, what, 'field_out_of_range');
  return number >= 0n ? number : outOfRange(`${what} cannot be negative`, value);
}

/** Returns a number that a source issued. */
function issued(value) {
  if (typeof value === 'bigint') return field(value, 'a number of a date');
  return outOfRange('a number of a date is a BigInt', value);
}

/** Returns the number that the addon gave the object. */
let indexOf;

class DateNumbers {
  #index;

  constructor(options = {}) {
    const known = check.options(options, OPTIONS, 'DateNumbers');
    const { period = 'yyyyMMdd', digits = 6, prefix = '' } = known;
    const format = check.text(period, 'period', 'option_invalid');
    const width = check.int64(digits, 'digits', 'option_invalid');
    this.#index = native.newDateNumbers(format, width, check.text(prefix, 'prefix', 'option_invalid'));
    forgotten.register(this, this.#index);
    Object.assign(this, native.describeDateNumbers(this.#index));
    Object.freeze(this);
  }

  // Not part of the public class.
  static {
    indexOf = (numbers) => numbers.#index;
  }

  number(label, count) {
    return native.dateNumber(this.#index, field(label, 'label'), field(count, 'count'));
  }

  parts(number) {
    return native.dateParts(this.#index, issued(number));
  }

  text(number) {
    return native.dateText(this.#index, issued(number));
  }

  parse(text) {
    return native.parseDate(this.#index, check.text(text, 'the text of a number', 'text_invalid'));
  }

  toString() {
    return inspect(this);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'DateNumbers {}'; // such as a stub of a test tool
    return `DateNumbers(${inspect({ ...this }, options)})`;
  }
}

module.exports = { DateNumbers, indexOf };
