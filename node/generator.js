'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { indexOfClock } = require('./clock.js');
const { PolyflakeError, described, publicCode } = require('./error.js');
const { Layout } = require('./layout.js');
const native = require('./native.js');

const OPTIONS = ['worker', 'layout', ...native.numberOptions, 'ordering', 'clock'];

const forgotten = new FinalizationRegistry((index) => {
  claim.leased.delete(index);
  native.forgetGenerator(index);
});

// Keepers of the leases of generators that were dropped without close().
const abandoned = new FinalizationRegistry((keeper) => require('./lease.js').leave(keeper));

/** A generator that was opened elsewhere: what Generator.open() gives the constructor. */
class Opened {
  constructor(index, keeper) {
    this.index = index;
    this.keeper = keeper;
  }
}

/** What is to be said of this process's registry folder, once. */
function passWarningOn() {
  const text = native.takeWarning();
  if (text !== '') process.emitWarning(text, 'PolyflakeWarning', 'POLYFLAKE_HOST_ON_OVERLAY');
}

function isStore(worker) {
  return typeof worker === 'object' && worker instanceof require('./stores/store.js').Store;
}

/** One that was given but is empty is refused: the default would be a node id that nobody asked for. */
function workerOf(worker) {
  if (worker === undefined || worker === null || worker === '') {
    throw new PolyflakeError(
      'worker_source_invalid',
      `worker is ${described(worker)}: is it read from an environment variable that is not set? ` +
        "Leave the option out to get the default, which is POLYFLAKE_WORKER, else 'host'",
    );
  }
  if (typeof worker === 'string' || isStore(worker)) return worker;
  if (check.isPlain(worker)) return check.fields(worker);
  if (typeof worker === 'number' || typeof worker === 'bigint') {
    return check.int64(worker, 'worker', 'worker_source_invalid', 'field_out_of_range');
  }
  throw new PolyflakeError(
    'worker_source_invalid',
    `worker must be an integer, a source such as 'host', { field: integer } or a store, got ${described(worker)}`,
  );
}

function layoutOf(layout) {
  if (layout === undefined || typeof layout === 'string') return layout;
  if (layout instanceof Layout) return layout.toString();
  throw new PolyflakeError('layout_invalid', `layout must be a string or a Layout, got ${described(layout)}`);
}

function orderingOf(ordering) {
  if (ordering === undefined || typeof ordering === 'string') return ordering;
  throw new PolyflakeError('option_invalid', `ordering must be 'strict' or 'per_thread', got ${described(ordering)}`);
}

/** The arguments of the addon's open functions, in their order. */
function openArguments(given) {
  const { worker, layout, ordering, clock, ...numbers } = check.options(given, OPTIONS, 'Generator');
  for (const name in numbers) {
    if (numbers[name] !== undefined) numbers[name] = check.int64(numbers[name], name, 'option_invalid');
  }
  return [
    Object.hasOwn(given, 'worker') ? workerOf(worker) : undefined,
    layoutOf(layout),
    orderingOf(ordering),
    clock === undefined ? undefined : indexOfClock(clock),
    numbers,
  ];
}

/** The store that a worker means, by its object or its address; undefined where it means none. */
function storeAsked(worker) {
  const asked = worker ?? process.env.POLYFLAKE_WORKER;
  return isStore(asked) || (typeof asked === 'string' && native.isStoreAddress(asked)) ? asked : undefined;
}

/** Opens here and now: no store can be asked. */
function openAtOnce(given) {
  const all = openArguments(given);
  const store = storeAsked(all[0]);
  if (store === undefined) return new Opened(native.openGenerator(...all));
  throw new PolyflakeError(
    'option_invalid',
    'a lease takes round trips to its store, so it cannot be opened by `new Generator()`: use ' +
      '`await Generator.open({ worker })`' +
      (all[0] === undefined ? ', also where POLYFLAKE_WORKER is an address, and setDefault() for nextId()' : ''),
  );
}

async function openOverStore(asked, [, layout, ordering, clock, numbers]) {
  if (clock !== undefined) {
    throw new PolyflakeError(
      'option_invalid',
      'a lease goes by the clocks of this host and its store, not by a manual clock',
    );
  }
  const { keeperOf, leave } = require('./lease.js');
  const { storeOf } = require('./stores/store.js');
  const text = String(new Layout(layout ?? 'polyflake'));
  const keeper = await keeperOf(() => (typeof asked === 'string' ? storeOf(asked) : asked), asked, text);
  try {
    return new Opened(native.openGenerator({ lease: keeper.index }, text, ordering, undefined, numbers), keeper);
  } catch (error) {
    await leave(keeper);
    throw error;
  }
}

class Generator {
  #index;
  #layout;
  #keeper; // of its lease, if it has one

  constructor(options = {}) {
    const { index, keeper } = options instanceof Opened ? options : openAtOnce(options);
    this.#index = index;
    forgotten.register(this, index);
    if (keeper !== undefined) {
      this.#keeper = keeper;
      claim.leased.add(index);
      abandoned.register(this, keeper, this);
    }
    passWarningOn();
  }

  static async open(options = {}) {
    const all = openArguments(options);
    const store = storeAsked(all[0]);
    if (store !== undefined) return new Generator(await openOverStore(store, all));
    return new Generator(new Opened(await native.openGeneratorAsync(...all)));
  }

  /** close() that resolves when the node id of a lease was given back, or that was given up. */
  static ended(generator) {
    return generator.#end();
  }

  /** The addon's number of a generator; option_invalid for anything else. */
  static indexOf(generator) {
    if (typeof generator === 'object' && generator !== null && #index in generator) return generator.#index;
    throw new PolyflakeError('option_invalid', `expected a Generator, got ${described(generator)}`);
  }

  nextId() {
    return claim.next(this.#index);
  }

  tryNextId() {
    return native.tryClaim(this.#index);
  }

  nextIdString() {
    return claim.nextText(this.#index);
  }

  nextIdAsync() {
    return claim.nextAsync(this.#index);
  }

  nextIds(count) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new PolyflakeError('option_invalid', `count must be an integer from 0, got ${described(count)}`);
    }
    return this.fill(new BigUint64Array(count));
  }

  fill(ids) {
    claim.fill(this.#index, ids);
    return ids;
  }

  renew() {
    if (this.#keeper === undefined || this.closed) native.renew(this.#index);
    else this.#keeper.hurry();
  }

  state() {
    const { name, code } = native.state(this.#index);
    return { name, code: code === '' ? null : publicCode(code) };
  }

  close() {
    this.#end();
  }

  /** Resolves when the node id of a lease was given back, or that was given up. */
  async #end() {
    const alreadyClosed = this.closed;
    native.close(this.#index);
    if (this.#keeper === undefined || alreadyClosed) return;
    abandoned.unregister(this);
    await require('./lease.js').leave(this.#keeper);
  }

  get closed() {
    return native.closed(this.#index);
  }

  get worker() {
    return native.worker(this.#index);
  }

  get layout() {
    this.#layout ??= new Layout(native.layoutText(this.#index));
    return this.#layout;
  }

  stats() {
    return { ...native.stats(this.#index), ...this.#keeper?.stats() };
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'Generator {}'; // a stub of a test tool, say
    const { worker, layout } = this;
    return `Generator ${inspect({ worker, layout: String(layout), state: this.state().name }, options)}`;
  }
}

// Not part of the public class.
const { ended, indexOf } = Generator;
delete Generator.ended;
delete Generator.indexOf;

if (Symbol.dispose) {
  Object.defineProperty(Generator.prototype, Symbol.dispose, {
    value: Generator.prototype.close,
    configurable: true,
    writable: true,
  });
}

if (Symbol.asyncDispose) {
  Object.defineProperty(Generator.prototype, Symbol.asyncDispose, {
    value() {
      return ended(this);
    },
    configurable: true,
    writable: true,
  });
}

module.exports = { Generator, endGenerator: ended, indexOfGenerator: indexOf };
