'use strict';
// Stores: where hosts share node ids, each over a client of the user's own or one that is made for an address.
//
// A store makes connections: { open(setup), run(name, parts), close(), lost }. run() carries out one command of the core
// (core/src/lease/dialect.hpp) and resolves to rows of strings and nulls; whatever it throws is a failure of unknown outcome,
// after which the connection is closed. close() may come at any time and ends what is under way. `lost` says that the
// connection is known to be of no use any more.

const { inspect } = require('node:util');
const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const native = require('../native.js');

const NUMBERS = { windowMs: 'window_ms', toleranceMs: 'tolerance_ms', acquireTimeoutMs: 'acquire_timeout_ms' };
Object.assign(NUMBERS, { renewWaitMs: 'renew_wait_ms' });
const OPTIONS = ['namespace', 'uuid', 'autoInit', ...Object.keys(NUMBERS), 'label'];

const forgotten = new FinalizationRegistry(native.forgetAddress);

/** What storeOf() gives a store instead of options. */
class Address {
  constructor(url) {
    this.index = native.parseAddress(url);
    Object.assign(this, native.describeAddress(this.index));
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

  /** The addon's number of the address. */
  get address() {
    return this.#address;
  }

  /** How the client writes the arguments of SQL. */
  get placeholder() {
    return '?';
  }

  /** The store's own code for an error, '' where it has none. */
  codeOf(_error) {
    return '';
  }

  /** [code, words] of what a client threw, without what it may say of credentials. Never throws, whatever that was. */
  failureOf(error) {
    try {
      const code = this.codeOf(error);
      return [wordIn(typeof code === 'number' ? String(code) : code) ?? '', `${this.#shown}: ${wordOf(error)}`];
    } catch {
      return ['', `${this.#shown}: failed`]; // it cannot even be looked at
    }
  }

  toString() {
    return this.#shown;
  }

  [inspect.custom]() {
    return #shown in this ? `${this.constructor.name} <${this.#shown}>` : `${this.constructor.name} {}`;
  }
}

/** The value, if it is a few words. */
function wordIn(value) {
  return typeof value === 'string' && /^[\w -]{1,64}$/.test(value) ? value : undefined;
}

/** Codes are words of the client's and the server's; messages may hold anything. */
function wordOf(error) {
  const { code, name, message } = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : {};
  return wordIn(code) ?? /^[A-Z]{3,}\b/.exec(message)?.[0] ?? wordIn(name) ?? 'failed';
}

const CLASSES = {
  redis: () => require('./redis.js').RedisStore,
  zookeeper: () => require('./zookeeper.js').ZooKeeperStore,
  etcd: () => require('./etcd.js').EtcdStore,
  postgresql: () => require('./sql.js').SqlStore,
  mysql: () => require('./sql.js').SqlStore,
};

/** The store of an address, over a client that is made for it. Errors: worker_source_invalid, option_invalid. */
function storeOf(url) {
  const address = new Address(url);
  const Class = CLASSES[address.kind]();
  try {
    return new Class(address.client, address);
  } catch (error) {
    if (error instanceof PolyflakeError) throw error;
    // Without the client's own error, which may hold the address as it is.
    throw new PolyflakeError('worker_source_invalid', `the client of ${address.shown} does not take this address`);
  }
}

/** A package that is needed for an address. Errors: worker_source_invalid, naming the package. */
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

module.exports = { Address, Store, clientPackage, storeOf };
