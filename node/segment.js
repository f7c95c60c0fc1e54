'use strict';
// segment: numbers of a counter in a store.

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { PolyflakeError, described } = require('./error.js');
const native = require('./native.js');
const { Positions, addDisposal, isStore } = require('./positions.js');
const { throwIfAborted } = require('./wait.js');

const NUMBERS = native.counterOptions();
const OPTIONS = ['store', 'name', ...NUMBERS, 'signal'];

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

/** Returns the counter of these options as a runner holds it: see runnerOf(). */
function counterOf(name, options) {
  const numbers = {};
  for (const one of NUMBERS) {
    if (options[one] !== undefined) numbers[one] = check.int64(options[one], one, 'option_invalid');
  }
  const given = Object.entries(numbers).map(([one, value]) => `${one}=${value}`);
  const make = (store) => native.newCounter(store.address, name, numbers, store.placeholder);
  return { key: ['counter', name, ...given].join(' '), make };
}

/** Opens the numbers of a counter: once some are held, or with a step of 1 once it was read. */
async function openNumbers(given) {
  const { store, name, signal: asked, ...numbers } = check.options(given, OPTIONS, 'Segment');
  const signal = check.signal(asked);
  checkStore(store);
  const counter = counterOf(check.text(name, 'name', 'option_invalid'), numbers);
  throwIfAborted(signal);
  const { leave, runnerOf } = require('./lease.js');
  const { opened } = require('./stores/url.js');
  const runner = await runnerOf(() => opened(store), store, counter, signal);
  let source;
  try {
    source = new Positions(native.openSource({ kind: 'segment', counter: runner.index }), runner);
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

class Segment {
  #source;

  constructor(source) {
    if (!(source instanceof Positions)) {
      throw new PolyflakeError(
        'option_invalid',
        'a segment takes round trips to its store, so neither `new Segment()` nor openSync() can open it: use ' +
          '`await Segment.open({ store, name })`',
      );
    }
    this.#source = source;
  }

  static async open(options = {}) {
    return new Segment(await openNumbers(options));
  }

  // Not part of the public class.
  static {
    end = (numbers) => numbers.#source.end();
  }

  get kind() {
    return 'segment';
  }

  nextId() {
    return claim.nextNumber(this.#source);
  }

  tryNextId() {
    return claim.tryNumber(this.#source);
  }

  nextIdString() {
    return String(claim.nextNumber(this.#source));
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
    if (!(#source in this)) return 'Segment {}'; // such as a stub of a test tool
    return `Segment ${inspect({ state: this.state().name }, options)}`;
  }
}

addDisposal(Segment, end);

module.exports = { Segment };
