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

/** One that was given but is empty is refused: the default would be a node id that nobody asked for. */
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

class Generator {
  #index;
  #layout;

  constructor(options = {}) {
    const opened = options instanceof Opened;
    this.#index = opened ? options.index : native.openGenerator(...openArguments(options));
    forgotten.register(this, this.#index);
    passWarningOn();
  }

  static async open(options = {}) {
    return new Generator(new Opened(await native.openGeneratorAsync(...openArguments(options))));
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
    native.renew(this.#index);
  }

  state() {
    const { name, code } = native.state(this.#index);
    return { name, code: code === '' ? null : publicCode(code) };
  }

  close() {
    native.close(this.#index);
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
