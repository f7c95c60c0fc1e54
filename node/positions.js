'use strict';
// Opens the object of the addon from which positions are claimed, from the options of a user: on
// this thread, on another one, or on the lease of a store.

const check = require('./check.js');
const claim = require('./claim.js');
const { indexOfClock } = require('./clock.js');
const { PolyflakeError, described, publicCode } = require('./error.js');
const { Layout } = require('./layout.js');
const native = require('./native.js');
const { throwIfAborted, unlessAborted } = require('./wait.js');

const forgotten = new FinalizationRegistry((index) => {
  claim.leased.delete(index);
  native.forgetSource(index);
});

// Runners of sources that were dropped without close().
const abandoned = new FinalizationRegistry((runner) => require('./lease.js').leave(runner));

/** Warns of the registry folder of this process, or of the copies of a store: once each. */
function passWarningOn() {
  const text = native.takeWarning();
  const code = text.includes('standbys') ? 'POLYFLAKE_STORE_STANDBYS' : 'POLYFLAKE_HOST_ON_OVERLAY';
  if (text !== '') process.emitWarning(text, 'PolyflakeWarning', code);
}

// The open source of the ids of a generator, of the positions that other kinds spell, or of
// numbers.
class Positions {
  #runner; // of its lease or counter, if it has one

  constructor(index, runner) {
    this.index = index;
    forgotten.register(this, index);
    if (runner !== undefined) {
      this.#runner = runner;
      claim.leased.add(index);
      abandoned.register(this, runner, this);
    }
    passWarningOn();
  }

  renew() {
    if (this.#runner === undefined || this.closed) native.renew(this.index);
    else this.#runner.hurry();
  }

  state() {
    const { name, code } = native.state(this.index);
    return { name, code: code === '' ? null : publicCode(code) };
  }

  /** The runner of the counter from which the numbers are. */
  get runner() {
    return this.#runner;
  }

  /** Has the runner of a counter fetch what was asked for. Call it after each call that asks. */
  fetch() {
    if (native.takeWake(this.index)) this.#runner.wake();
  }

  /** Closes at once. Resolves when what a store gave was given back, or the attempt ended. */
  async end() {
    const alreadyClosed = this.closed;
    native.close(this.index);
    if (this.#runner === undefined || alreadyClosed) return;
    abandoned.unregister(this);
    await require('./lease.js').leave(this.#runner);
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
    return { ...native.stats(this.index), ...this.#runner?.stats() };
  }
}

function isStore(worker) {
  return typeof worker === 'object' && worker instanceof require('./stores/store.js').Store;
}

/** Refuses a worker given but empty: the default would be an unwanted node id, or none. */
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

// `what` is the class to open: { name, kind, options, withoutWorker }. Its kind is undefined if
// positions are the ids.

/** Returns the options of the addon's open functions. */
function nativeOptions(what, given) {
  const { worker, layout, ordering, clock, entropy, ...numbers } = check.options(given, what.options, what.name);
  for (const name in numbers) {
    if (numbers[name] !== undefined) numbers[name] = check.int64(numbers[name], name, 'option_invalid');
  }
  return {
    worker: Object.hasOwn(given, 'worker') ? workerOf(worker, what.withoutWorker) : undefined,
    layout: layoutOf(layout),
    ordering: orderingOf(ordering),
    clock: clock === undefined ? undefined : indexOfClock(clock),
    numbers,
    kind: what.kind,
    entropy: entropy === undefined ? undefined : check.bytes(entropy, 'entropy'),
  };
}

/** Returns the store that a worker means, by its object or its address; undefined for none. */
function storeAsked(what, worker) {
  const asked = worker ?? (what.kind === undefined ? process.env.POLYFLAKE_WORKER : undefined);
  return isStore(asked) || (typeof asked === 'string' && native.isStoreAddress(asked)) ? asked : undefined;
}

/** Opens without a promise, so without a store. */
function openAtOnce(what, given) {
  const all = nativeOptions(what, given);
  if (storeAsked(what, all.worker) === undefined) return new Positions(native.openSource(all));
  throw new PolyflakeError(
    'option_invalid',
    `a lease takes round trips to its store, so it cannot be opened by \`new ${what.name}()\`: use ` +
      `\`await ${what.name}.open({ worker })\`` +
      (all.worker === undefined ? ', also where POLYFLAKE_WORKER is an address, and setDefault() for nextId()' : ''),
  );
}

/** Opens on another thread, or on a lease, unless the option `signal` is aborted meanwhile. */
function openLater(what, given) {
  const { signal: asked, ...options } = check.options(given, [...what.options, 'signal'], what.name);
  const signal = check.signal(asked);
  const all = nativeOptions(what, options);
  throwIfAborted(signal);
  const store = storeAsked(what, all.worker);
  return store === undefined ? openOnThread(all, signal) : openOverStore(store, all, signal);
}

async function openOnThread(all, signal) {
  const opening = native.openSourceAsync(all).then((index) => new Positions(index));
  try {
    return await unlessAborted(opening, signal);
  } catch (error) {
    // The thread goes on: close what it opens.
    opening.then(
      (late) => late.end(),
      () => {},
    );
    throw error;
  }
}

/** Returns a lease as a runner holds it: see runnerOf(). */
function leaseOf(layout) {
  const make = (store) => native.newLease(store.address, layout, store.placeholder);
  return { key: `lease ${layout}`, make };
}

async function openOverStore(asked, all, signal) {
  if (all.clock !== undefined) {
    throw new PolyflakeError(
      'option_invalid',
      'a lease goes by the clocks of this host and its store, not by a manual clock',
    );
  }
  const { runnerOf, leave } = require('./lease.js');
  const { opened } = require('./stores/url.js');
  const layout = String(new Layout(all.layout ?? 'polyflake'));
  const runner = await runnerOf(() => opened(asked), asked, leaseOf(layout), signal);
  try {
    const worker = { lease: runner.index };
    return new Positions(native.openSource({ ...all, worker, layout }), runner);
  } catch (error) {
    await leave(runner);
    throw error;
  }
}

/** Adds `using` with close(), and `await using` with end(), if the runtime has them. */
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

module.exports = { Positions, addDisposal, isStore, openAtOnce, openLater };
