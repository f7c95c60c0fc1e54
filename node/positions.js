'use strict';
// Opening: from what a user passed to an object of the addon that positions are claimed from, here or on another thread, or on
// the lease of a store.

const check = require('./check.js');
const claim = require('./claim.js');
const { indexOfClock } = require('./clock.js');
const { PolyflakeError, described, publicCode } = require('./error.js');
const { Layout } = require('./layout.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry((index) => {
  claim.leased.delete(index);
  native.forgetGenerator(index);
});

// Keepers of the leases of generators that were dropped without close().
const abandoned = new FinalizationRegistry((keeper) => require('./lease.js').leave(keeper));

/** Warns of this process's registry folder, or of a store's copies: once each. */
function passWarningOn() {
  const text = native.takeWarning();
  const code = text.includes('standbys') ? 'POLYFLAKE_STORE_STANDBYS' : 'POLYFLAKE_HOST_ON_OVERLAY';
  if (text !== '') process.emitWarning(text, 'PolyflakeWarning', code);
}

/** Where the ids of a generator, or those that its positions are spelled as, come from: open, and then closed. */
class Positions {
  #keeper; // of its lease, if it has one

  constructor(index, keeper) {
    this.index = index;
    forgotten.register(this, index);
    if (keeper !== undefined) {
      this.#keeper = keeper;
      claim.leased.add(index);
      abandoned.register(this, keeper, this);
    }
    passWarningOn();
  }

  renew() {
    if (this.#keeper === undefined || this.closed) native.renew(this.index);
    else this.#keeper.hurry();
  }

  state() {
    const { name, code } = native.state(this.index);
    return { name, code: code === '' ? null : publicCode(code) };
  }

  /** Resolves when the node id of a lease was given back, or that was given up. Closes at once. */
  async end() {
    const alreadyClosed = this.closed;
    native.close(this.index);
    if (this.#keeper === undefined || alreadyClosed) return;
    abandoned.unregister(this);
    await require('./lease.js').leave(this.#keeper);
  }

  get closed() {
    return native.closed(this.index);
  }

  get worker() {
    return native.worker(this.index);
  }

  get layoutText() {
    return native.layoutText(this.index);
  }

  stats() {
    return { ...native.stats(this.index), ...this.#keeper?.stats() };
  }
}

function isStore(worker) {
  return typeof worker === 'object' && worker instanceof require('./stores/store.js').Store;
}

/** One that was given but is empty is refused: the default would be a node id that nobody asked for, or none. */
function workerOf(worker, instead) {
  if (worker === undefined || worker === null || worker === '') {
    throw new PolyflakeError(
      'worker_source_invalid',
      `worker is ${described(worker)}: is it read from an environment variable that is not set? ` +
        `Leave the option out to get ${instead}`,
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

// `what` is the class that it is opened for: { name, kind, options, withoutWorker }, of which kind is undefined where positions are the ids.

/** The arguments of the addon's open functions, in their order. */
function openArguments(what, given) {
  const { worker, layout, ordering, clock, entropy, ...numbers } = check.options(given, what.options, what.name);
  for (const name in numbers) {
    if (numbers[name] !== undefined) numbers[name] = check.int64(numbers[name], name, 'option_invalid');
  }
  return [
    Object.hasOwn(given, 'worker') ? workerOf(worker, what.withoutWorker) : undefined,
    layoutOf(layout),
    orderingOf(ordering),
    clock === undefined ? undefined : indexOfClock(clock),
    numbers,
    what.kind,
    entropy === undefined ? undefined : check.bytes(entropy, 'entropy'),
  ];
}

/** The store that a worker means, by its object or its address; undefined where it means none. */
function storeAsked(what, worker) {
  const asked = worker ?? (what.kind === undefined ? process.env.POLYFLAKE_WORKER : undefined);
  return isStore(asked) || (typeof asked === 'string' && native.isStoreAddress(asked)) ? asked : undefined;
}

/** Opens here and now: no store can be asked. */
function openAtOnce(what, given) {
  const all = openArguments(what, given);
  if (storeAsked(what, all[0]) === undefined) return new Positions(native.openGenerator(...all));
  throw new PolyflakeError(
    'option_invalid',
    `a lease takes round trips to its store, so it cannot be opened by \`new ${what.name}()\`: use ` +
      `\`await ${what.name}.open({ worker })\`` +
      (all[0] === undefined ? ', also where POLYFLAKE_WORKER is an address, and setDefault() for nextId()' : ''),
  );
}

/** Opens on another thread, or on a lease. */
async function openLater(what, given) {
  const all = openArguments(what, given);
  const store = storeAsked(what, all[0]);
  return store === undefined ? new Positions(await native.openGeneratorAsync(...all)) : openOverStore(store, all);
}

async function openOverStore(asked, [, layout, ordering, clock, numbers, kind, entropy]) {
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
    const worker = { lease: keeper.index };
    return new Positions(native.openGenerator(worker, text, ordering, undefined, numbers, kind, entropy), keeper);
  } catch (error) {
    await leave(keeper);
    throw error;
  }
}

/** Gives a class `using`, which is its close(), and `await using`, which waits for end(), where the runtime has these. */
function addDisposal(Class, end) {
  const values = {
    dispose: Class.prototype.close,
    asyncDispose() {
      return end(this);
    },
  };
  for (const [name, value] of Object.entries(values)) {
    if (Symbol[name] === undefined) continue;
    Object.defineProperty(Class.prototype, Symbol[name], { value, configurable: true, writable: true });
  }
}

module.exports = { Positions, addDisposal, openAtOnce, openLater };
