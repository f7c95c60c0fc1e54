'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { indexOfClock } = require('./clock.js');
const { PolyflakeError, described, publicCode } = require('./error.js');
const { Layout } = require('./layout.js');
const native = require('./native.js');

const OPTIONS = ['worker', 'layout', ...native.numberOptions, 'ordering', 'clock'];

const forgotten = new FinalizationRegistry(native.forgetGenerator);

/** A generator that was opened elsewhere: what Generator.open() gives the constructor. */
class Opened {
  constructor(index) {
    this.index = index;
  }
}

/** What is to be said of this process's registry folder, once. */
function passWarningOn() {
  const text = native.takeWarning();
  if (text !== '') process.emitWarning(text, 'PolyflakeWarning', 'POLYFLAKE_HOST_ON_OVERLAY');
}

/**
 * A worker that was given but holds nothing is refused: it mostly comes from an environment variable, and the default
 * in its place would be a node id that nobody asked for.
 */
function workerOf(worker) {
  if (worker === undefined || worker === null || worker === '') {
    throw new PolyflakeError(
      'worker_source_invalid',
      `worker is ${described(worker)}: is it read from an environment variable that is not set? ` +
        "Leave the option out to get the default, which is POLYFLAKE_WORKER, else 'host'",
    );
  }
  if (typeof worker === 'string') return worker;
  if (check.isPlain(worker)) return check.fields(worker);
  if (typeof worker === 'number' || typeof worker === 'bigint') {
    return check.int64(worker, 'worker', 'worker_source_invalid', 'field_out_of_range');
  }
  throw new PolyflakeError(
    'worker_source_invalid',
    `worker must be an integer, a source such as 'host', or { field: integer }, got ${described(worker)}`,
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

/** Issues ids. Generators of one process with one layout and node id share one state, on all its threads. */
class Generator {
  #index;
  #layout;

  /**
   * Never waits: the first id does, where the node id may not be used yet. Blocking: a `host` source reads and writes
   * files; Generator.open() does so on another thread.
   * @param {object} [options]
   * @throws {PolyflakeError} option_invalid, worker_source_invalid, field_out_of_range, unknown_field,
   *   layout_invalid, layout_too_wide, unknown_preset, clock_before_epoch, time_exhausted, worker_in_use,
   *   no_worker_free, registry_unusable
   */
  constructor(options = {}) {
    const opened = options instanceof Opened;
    this.#index = opened ? options.index : native.openGenerator(...openArguments(options));
    forgotten.register(this, this.#index);
    passWarningOn();
  }

  /** Opens a generator without blocking the event loop. Options and errors are those of the constructor. */
  static async open(options = {}) {
    return new Generator(new Opened(await native.openGeneratorAsync(...openArguments(options))));
  }

  /** The addon's number of a generator; option_invalid for anything else. */
  static indexOf(generator) {
    if (typeof generator === 'object' && generator !== null && #index in generator) return generator.#index;
    throw new PolyflakeError('option_invalid', `expected a Generator, got ${described(generator)}`);
  }

  /**
   * The next id, below 2^63. Blocks this thread for at most maxWaitMs (and one tick); the first call for what is left
   * until the node id may be used.
   * @throws {PolyflakeError} clock_behind, clock_before_epoch, time_exhausted, generator_closed, forked_generator
   */
  nextId() {
    return claim.next(this.#index);
  }

  /** The next id, or null where nextId() would have to wait. Never waits. Errors are those of nextId(). */
  tryNextId() {
    return native.tryClaim(this.#index);
  }

  /** The next id as canonical decimal text: for JSON. Waits and fails like nextId(). */
  nextIdString() {
    return claim.nextText(this.#index);
  }

  /** The next id. Waits without blocking the event loop. Errors are those of nextId(). */
  nextIdAsync() {
    return claim.nextAsync(this.#index);
  }

  /**
   * The next `count` ids: exactly those that as many calls of nextId() would give. Blocks this thread as long as
   * their number needs.
   * @throws {PolyflakeError} option_invalid, and those of nextId()
   */
  nextIds(count) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new PolyflakeError('option_invalid', `count must be an integer from 0, got ${described(count)}`);
    }
    return this.fill(new BigUint64Array(count));
  }

  /**
   * Fills the array with the next ids and returns it. Blocks like nextIds(). When it throws, the array's content
   * is unspecified and must not be used.
   * @throws {PolyflakeError} option_invalid (not a BigUint64Array), and those of nextId()
   */
  fill(ids) {
    claim.fill(this.#index, ids);
    return ids;
  }

  /**
   * Does the file I/O of a `host` source ahead of need: no call for an id does it for about 2 s. Nothing to do for a
   * static number. Blocking: I/O. Errors are those of nextId().
   */
  renew() {
    native.renew(this.#index);
  }

  /** Whether ids can be had, and the code of what stops them: for health checks. Issues nothing, never throws. */
  state() {
    const { name, code } = native.state(this.#index);
    return { name, code: code === '' ? null : publicCode(code) };
  }

  /** Ends this generator; calls that issue ids fail with generator_closed from now on. Idempotent. */
  close() {
    native.close(this.#index);
  }

  /** Whether close() was called. */
  get closed() {
    return native.closed(this.#index);
  }

  /** The node id: the node fields read as one number. */
  get worker() {
    return native.worker(this.#index);
  }

  /** @returns {Layout} */
  get layout() {
    this.#layout ??= new Layout(native.layoutText(this.#index));
    return this.#layout;
  }

  /** Counters since the state was made, and where it stands. See index.d.ts for each. */
  stats() {
    return native.stats(this.#index);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'Generator {}'; // a stub of a test tool, say
    const { worker, layout } = this;
    return `Generator ${inspect({ worker, layout: String(layout), state: this.state().name }, options)}`;
  }
}

// Not part of the public class.
const { indexOf } = Generator;
delete Generator.indexOf;

if (Symbol.dispose) {
  Object.defineProperty(Generator.prototype, Symbol.dispose, {
    value: Generator.prototype.close,
    configurable: true,
    writable: true,
  });
}

module.exports = { Generator, indexOfGenerator: indexOf };
