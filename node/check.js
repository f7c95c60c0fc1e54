'use strict';
// Checks of what a user passed, before anything is handed to the addon. Nothing is coerced.

const { types } = require('node:util');
const { advice } = require('./advice.js');
const { PolyflakeError, described, quoted } = require('./error.js');

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The value as a signed BigInt of 64 bits; `code` is for what is no integer, `rangeCode` for one too large. */
function int64(value, what, code, rangeCode = code) {
  if (typeof value === 'bigint') {
    if (value >= INT64_MIN && value <= INT64_MAX) return value;
    throw new PolyflakeError(rangeCode, `${what} must fit 64 bits, got ${described(value)}`);
  }
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Number.isInteger(value)) {
    throw new PolyflakeError(rangeCode, `${what} is ${value}: numbers are exact up to 2^53 only, pass a BigInt`);
  }
  throw new PolyflakeError(code, `${what} must be an integer, got ${described(value)}`);
}

/** Unix milliseconds of a valid Date. */
function dateMs(value, what) {
  if (types.isDate(value)) {
    const ms = Date.prototype.getTime.call(value);
    if (!Number.isNaN(ms)) return BigInt(ms);
    throw new PolyflakeError('option_invalid', `${what} is an invalid Date`);
  }
  throw new PolyflakeError('option_invalid', `${what} must be a Date, got ${described(value)}`);
}

/** The id itself, when it is one. */
function id(value) {
  if (typeof value === 'bigint') {
    if (value >= 0n && value < 2n ** 64n) return value;
    throw new PolyflakeError('id_out_of_range', `an id is 0n to 18446744073709551615n, got ${described(value)}`);
  }
  const hint = typeof value === 'number' ? '; a number cannot hold every id: keep ids as BigInt or string' : '';
  throw new PolyflakeError('id_out_of_range', `an id is a BigInt, got ${described(value)}${hint}`);
}

/** The text itself, when it is a string. */
function text(value, what, code) {
  if (typeof value === 'string') return value;
  throw new PolyflakeError(code, `${what} must be a string, got ${described(value)}`);
}

/** Whether the value is a plain object, of any realm: others (a Map, say) keep their content elsewhere. */
function isPlain(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An object with no properties but these. */
function options(value, known, what) {
  if (!isPlain(value)) {
    throw new PolyflakeError('option_invalid', `${what} takes a plain object, got ${described(value)}`);
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      const message = `${what} has no option ${quoted(name)}${advice(name, known)}; it has ${known.join(', ')}`;
      throw new PolyflakeError('option_invalid', message);
    }
  }
  return value;
}

/** Names and values of fields, in two arrays of equal length. */
function fields(values) {
  const names = Object.keys(values);
  return [names, names.map((name) => int64(values[name], `field ${quoted(name)}`, 'field_out_of_range'))];
}

module.exports = { dateMs, fields, id, int64, isPlain, options, text };
