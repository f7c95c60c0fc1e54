'use strict';
// Checks the arguments of a user before the addon gets them. Nothing is coerced.

const { types } = require('node:util');
const { advice } = require('./advice.js');
const { PolyflakeError, described, quoted, refusalOf } = require('./error.js');

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Returns a signed BigInt of 64 bits. `code`: not an integer; `rangeCode`: too large. */
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

/** Returns the Unix milliseconds of a valid Date. */
function dateMs(value, what) {
  if (types.isDate(value)) {
    const ms = Date.prototype.getTime.call(value);
    if (!Number.isNaN(ms)) return BigInt(ms);
    throw new PolyflakeError('option_invalid', `${what} is an invalid Date`);
  }
  throw new PolyflakeError('option_invalid', `${what} must be a Date, got ${described(value)}`);
}

/** Returns the id itself if it is one. */
function id(value) {
  if (typeof value === 'bigint') {
    if (value >= 0n && value < 2n ** 64n) return value;
    throw new PolyflakeError('id_out_of_range', `an id is 0n to 18446744073709551615n, got ${described(value)}`);
  }
  const hint = ID_HINTS[typeof value] ?? '';
  throw new PolyflakeError('id_out_of_range', `an id is a BigInt, got ${described(value)}${hint}`);
}

const ID_HINTS = { number: '; a number cannot hold every id: keep ids as BigInt', string: '; fromText() reads text' };

/** Returns true for a list: an object that can be iterated, so not a string. */
function isList(value) {
  return typeof value === 'object' && typeof value?.[Symbol.iterator] === 'function' && !types.isStringObject(value);
}

/** Returns the value itself if it is a list. */
function listOf(value, what, code) {
  if (isList(value)) return value;
  throw new PolyflakeError(code, `${what} must be a list or another iterable, got ${described(value)}`);
}

/** Returns a check for values of a list: a refusal has the index, in the words of the core. */
function eachOf(what, check) {
  return (value, i) => {
    try {
      return check(value);
    } catch (error) {
      throw refusalOf(`${what} ${i} of the list`, error);
    }
  };
}

/** Returns the number of ids asked for. */
function count(value) {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new PolyflakeError('option_invalid', `count must be an integer from 0, got ${described(value)}`);
}

/** Returns the Uint8Array itself. */
function bytes(value, what) {
  if (types.isUint8Array(value)) return value;
  throw new PolyflakeError('option_invalid', `${what} must be a Uint8Array, got ${described(value)}`);
}

const { get: lengthOf } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length');

/** Returns the number of ids that fit a Uint8Array; its length is a multiple of `idBytes`. */
function roomFor(value, idBytes) {
  const length = lengthOf.call(bytes(value, 'what ids are written to'));
  if (length === 0) checkAttached(value);
  if (length % idBytes === 0) return length / idBytes;
  throw new PolyflakeError('option_invalid', `ids have ${idBytes} bytes each: ${length} are no multiple of it`);
}

/** Returns the real length of a BigUint64Array, which a property `length` could hide. */
function roomForIds(value) {
  if (!types.isBigUint64Array(value)) {
    throw new PolyflakeError('option_invalid', `ids are written to a BigUint64Array, got ${described(value)}`);
  }
  const room = lengthOf.call(value);
  if (room === 0) checkAttached(value);
  return room;
}

function checkAttached(array) {
  try {
    new Uint8Array(array.buffer);
  } catch {
    throw new PolyflakeError('option_invalid', 'what ids are written to has no memory: its buffer was transferred');
  }
}

/** Returns a list of ids as a BigUint64Array. */
function ids(value) {
  if (types.isBigUint64Array(value)) return value;
  return BigUint64Array.from(listOf(value, 'ids', 'id_out_of_range'), eachOf('id', id));
}

/** Refuses further arguments: ids outside a list would be lost silently. */
function noMoreIds(others) {
  if (others.length > 0) throw new PolyflakeError('option_invalid', 'several ids go in a list: encode([1n, 2n])');
}

/** Returns one id as it is, a list of them as a BigUint64Array. */
function idOrIds(value) {
  return isList(value) ? ids(value) : id(value);
}

/** Returns the text itself if it is a string. */
function text(value, what, code) {
  if (typeof value === 'string') return value;
  throw new PolyflakeError(code, `${what} must be a string, got ${described(value)}`);
}

/** Returns a list of the texts of ids as an array. */
function texts(value) {
  const read = (one) => text(one, 'the text of an id', 'text_invalid');
  return Array.from(listOf(value, 'texts', 'text_invalid'), eachOf('text', read));
}

/** Returns the text itself if it is a string that UTF-8 can encode. */
function wholeText(value, what, code) {
  if (!/\p{Surrogate}/u.test(text(value, what, code))) return value;
  throw new PolyflakeError(code, `${what} has half of a surrogate pair`);
}

/** Returns true for a plain object of any realm. Others, such as a Map, hide their content. */
function isPlain(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns an object that has no properties but the known ones. */
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

/** Returns the AbortSignal itself, of any realm; undefined for none. */
function signal(value) {
  if (value === undefined) return undefined;
  const isSignal = typeof value?.aborted === 'boolean' && typeof value.addEventListener === 'function';
  if (isSignal) return value;
  throw new PolyflakeError('option_invalid', `signal must be an AbortSignal, got ${described(value)}`);
}

/** Returns the AbortSignal in the options of a call that has no others; undefined for none. */
function signalIn(given, what) {
  return given === undefined ? undefined : signal(options(given, ['signal'], what).signal);
}

/** Returns names and values of fields, in two arrays of equal length. */
function fields(values) {
  const names = Object.keys(values);
  return [names, names.map((name) => int64(values[name], `field ${quoted(name)}`, 'field_out_of_range'))];
}

module.exports = {
  bytes,
  count,
  dateMs,
  fields,
  id,
  idOrIds,
  ids,
  int64,
  isPlain,
  listOf,
  noMoreIds,
  options,
  roomFor,
  roomForIds,
  signal,
  signalIn,
  text,
  texts,
  wholeText,
};
