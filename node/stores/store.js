'use strict';
// Stores in which hosts share node ids, each over a client of the user or one made for an address.
//
// A store makes connections: { open(setup), run(name, parts), close(), lost }. run() carries out
// one command of the core (core/src/lease/dialect.hpp) and resolves to rows of strings and nulls.
// Every error it throws is a failure of unknown outcome, and the connection is closed after it.
// close() may come at any time and ends the command under way. `lost` is true once the connection
// is known to be unusable.

const { inspect } = require('node:util');
const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const native = require('../native.js');

const NUMBERS = { windowMs: 'window_ms', toleranceMs: 'tolerance_ms', acquireTimeoutMs: 'acquire_timeout_ms' };
Object.assign(NUMBERS, { renewWaitMs: 'renew_wait_ms' });
const OPTIONS = ['namespace', 'uuid', 'autoInit', ...Object.keys(NUMBERS), 'label'];

const forgotten = new FinalizationRegistry(native.forgetAddress);

/** An address that the addon keeps, which a store gets instead of options. */
class Address {
  constructor(index) {
    this.index = index;
    Object.assign(this, native.describeAddress(index));
  }
}

function flag(name, value) {
  if (typeof value === 'boolean') return value ? '1' : '0';
  throw new PolyflakeError('option_invalid', `${name} must be true or false, got ${described(value)}`);
}

function addressOf(kind, shown, given, what) {
  const options = check.options(given, OPTIONS, what);
  const namespace = check.text(options.namespace, 'namespace', 'option_invalid');
  const index = native.newAddress(kind, `${shown}?namespace=${namespace.slice(0, 64)}`);
  native.setAddress(index, 'namespace', namespace);
  const { uuid, autoInit, label } = options;
  if (uuid !== undefined) native.setAddress(index, 'uuid', check.text(uuid, 'uuid', 'option_invalid'));
  if (autoInit !== undefined) {
    native.setAddress(index, 'auto_init', autoInit === 'fresh' ? autoInit : flag('autoInit', autoInit));
  }
  if (label !== undefined) native.setAddress(index, 'label', flag('label', label));
  for (const [name, plain] of Object.entries(NUMBERS)) {
    if (options[name] === undefined) continue;
    native.setAddress(index, plain, String(check.int64(options[name], name, 'option_invalid')));
  }
  return index;
}

class Store {
  #address;
  #shown;

  constructor(kind, shown, options) {
    this.#address = options instanceof Address ? options.index : addressOf(kind, shown, options, new.target.name);
    this.#shown = native.describeAddress(this.#address).shown;
    forgotten.register(this, this.#address);
  }

  /** The number that the addon gave the address. */
  get address() {
    return this.#address;
  }

  /** The placeholder of the client for an argument of SQL. */
  get placeholder() {
    return '?';
  }

  /** Returns the code that the store gives an error; '' if none. */
  codeOf(_error) {
    return '';
  }

  /**
   * Returns [code, words] of any thrown value, without text that may show credentials. The code is
   * the store's own one, else the system's. Never throws.
   */
  failureOf(error) {
    try {
      const code = this.codeOf(error);
      const word = wordOf(error);
      return [wordIn(typeof code === 'number' ? String(code) : code) || word, word];
    } catch {
      return ['', 'failed']; // it cannot even be inspected
    }
  }

  toString() {
    return this.#shown;
  }

  [inspect.custom]() {
    return #shown in this ? `${this.constructor.name} <${this.#shown}>` : `${this.constructor.name} {}`;
  }
}

/** Returns the value if it is a few words. */
function wordIn(value) {
  return typeof value === 'string' && /^[\w -]{1,64}$/.test(value) ? value : undefined;
}

/** Codes are words of the client and the server; messages may hold anything. */
function wordOf(error) {
  const { code, name, message } = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : {};
  return wordIn(code) ?? /^[A-Z]{3,}\b/.exec(message)?.[0] ?? wordIn(name) ?? 'failed';
}

/**
 * Returns the first installed package of `names`. Errors: worker_source_invalid names the package.
 */
function clientPackage(purpose, ...names) {
  for (const name of names) {
    try {
      return { name, client: require(name) };
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND' || !error.message.includes(`'${name}'`)) throw error;
    }
  }
  throw new PolyflakeError(
    'worker_source_invalid',
    `leases in ${purpose} need the package ${names.join(' or ')}: npm install ${names[0]}`,
  );
}

module.exports = { Address, Store, clientPackage };
