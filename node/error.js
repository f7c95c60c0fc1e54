'use strict';

const native = require('./native.js');

const kinds = native.errorKinds();

/** Returns a code of the core's table as users see it. */
function publicCode(name) {
  return `ERR_POLYFLAKE_${name.toUpperCase()}`;
}

// The same in every copy of this package, and in every load of one.
const BRAND = Symbol.for('polyflake.PolyflakeError');

class PolyflakeError extends Error {
  /** True for the errors of other copies, too, such as one from before jest.resetModules(). */
  static [Symbol.hasInstance](value) {
    if (this !== PolyflakeError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value?.[BRAND] === true;
  }

  /** The name is the code as the core spells it: 'clock_behind'. */
  constructor(name, message, position, options) {
    super(message, options);
    this.code = publicCode(name);
    this.kind = kinds[name];
    if (position !== undefined) this.position = position;
  }
}
Object.defineProperty(PolyflakeError.prototype, BRAND, { value: true });
Object.defineProperty(PolyflakeError.prototype, 'name', {
  value: 'PolyflakeError',
  configurable: true,
  writable: true,
});
native.setError(PolyflakeError);

/** Returns a refusal with `what` before its message; returns other errors as they are. */
function refusalOf(what, error) {
  const name = Object.keys(kinds).find((one) => publicCode(one) === error?.code);
  return name === undefined ? error : new PolyflakeError(name, `${what}: ${error.message}`, error.position);
}

/** Describes a value in a few words. Never runs code of the value. */
function described(value) {
  switch (typeof value) {
    case 'string':
      return native.quoted(value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return value >= -(2n ** 64n) && value <= 2n ** 64n ? `${value}n` : 'a BigInt of more than 64 bits';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

module.exports = { PolyflakeError, described, publicCode, quoted: native.quoted, refusalOf };
