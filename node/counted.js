'use strict';
// Sources whose ids are numbers of a counter in a store: the common part of Segment and DateIds.

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { PolyflakeError, described } = require('./error.js');
const native = require('./native.js');
const { Positions, addDisposal, isStore } = require('./positions.js');
const { throwIfAborted } = require('./wait.js');

/** Refuses a string that is not an address without showing it, as it may contain a password. */
function checkStore(store) {
  if (isStore(store) || (typeof store === 'string' && native.isStoreAddress(store))) return;
  const given = typeof store === 'string' && store !== '' ? 'another text' : described(store);
  const hint = store === undefined || store === '' ? ': is it read from an environment variable that is not set?' : '';
  throw new PolyflakeError(
    'option_invalid',
    `store must be the address of a store, such as 'redis://host/0?namespace=shop', or a store of polyflake/stores, ` +
      `got ${given}${hint}`,
  );
}

// Returns a counter as a runner holds it: see runnerOf(). numbers: of native.counterOptions(), as
// the user gave them. dates: { period, digits, zone, index of the numbers }, unless a segment.
function counterOf(kind, name, numbers, dates) {
  const given = {};
  for (const [one, value] of Object.entries(numbers)) {
    if (value !== undefined) given[one] = check.int64(value, one, 'option_invalid');
  }
  const { index, ...shape } = dates ?? {};
  const words = Object.entries({ ...shape, ...given }).map(([one, value]) => `${one}=${value}`);
  const make = (store) => native.newCounter(store.address, name, given, store.placeholder, index, shape.zone);
  return { key: [kind, name, ...words].join(' '), make };
}

// Opens the numbers of a counter: once some are held, or with a step of 1 once it was read. store,
// name, signal, numbers: as the user gave them. kind, dates: as counterOf() has them.
async function openNumbers(kind, { store, name, signal: asked }, numbers, dates) {
  const signal = check.signal(asked);
  checkStore(store);
  const counter = counterOf(kind, check.text(name, 'name', 'option_invalid'), numbers, dates);
  throwIfAborted(signal);
  const { leave, runnerOf } = require('./lease.js');
  const { opened } = require('./stores/url.js');
  const runner = await runnerOf(() => opened(store), store, counter, signal);
  let source;
  try {
    source = new Positions(native.openSource({ kind, counter: runner.index }), runner);
    // A number that waits for its caller would be out of the order of the calls of all hosts.
    if (Number(numbers.step) !== 1) await claim.untilHeld(source, signal);
    return source;
  } catch (error) {
    // In the background, so that an aborted opening rejects at once.
    if (source === undefined) leave(runner);
    else source.end();
    throw error;
  }
}

/** Closes; resolves when the numbers that are held were given back, or the attempt ended. */
let end;

/** Not part of the public surface. */
class Counted {
  #source;

  // source: of openNumbers(); anything else is what a user passed
  constructor(source) {
    if (!(source instanceof Positions)) {
      const { name } = new.target;
      throw new PolyflakeError(
        'option_invalid',
        `kind '${this.kind}' takes round trips to its store, so neither \`new ${name}()\` nor openSync() can open ` +
          `it: use \`await ${name}.open({ store, name })\``,
      );
    }
    this.#source = source;
  }

  static {
    end = (numbers) => numbers.#source.end();
  }

  nextId() {
    return claim.nextNumber(this.#source);
  }

  tryNextId() {
    return claim.tryNumber(this.#source);
  }

  nextIdString() {
    return String(this.nextId());
  }

  nextIdAsync(options) {
    return claim.nextNumberAsync(this.#source, options);
  }

  nextIds(count) {
    return this.fill(new BigUint64Array(check.count(count)));
  }

  nextIdsAsync(count, options) {
    return claim.nextNumbersAsync(this.#source, count, options);
  }

  fill(ids) {
    claim.fillNumbers(this.#source, ids, check.roomForIds(ids));
    return ids;
  }

  state() {
    return this.#source.state();
  }

  stats() {
    return this.#source.stats();
  }

  close() {
    this.#source.end();
  }

  get closed() {
    return this.#source.closed;
  }

  [inspect.custom](depth, options) {
    const { name } = this.constructor;
    if (!(#source in this)) return `${name} {}`; // such as a stub of a test tool
    return `${name} ${inspect({ state: this.state().name }, options)}`;
  }
}

addDisposal(Counted, end);

module.exports = { Counted, openNumbers };
