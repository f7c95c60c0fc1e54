'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { PolyflakeError, described } = require('./error.js');
const { Layout } = require('./layout.js');
const native = require('./native.js');
const { Positions, addDisposal, openAtOnce, openLater } = require('./positions.js');

const GENERATOR = {
  name: 'Generator',
  options: ['worker', 'layout', ...native.numberOptions('snowflake'), 'ordering', 'clock'],
  withoutWorker: "the default, which is POLYFLAKE_WORKER, else 'host'",
};

/** Closes; resolves when the node id of a lease was given back, or the attempt ended. */
let endGenerator;
/** Returns the addon's number of a generator. Errors: option_invalid for any other value. */
let indexOfGenerator;

class Generator {
  #positions;
  #index; // of the positions, kept here for speed
  #layout;

  constructor(options = {}) {
    this.#positions = options instanceof Positions ? options : openAtOnce(GENERATOR, options);
    this.#index = this.#positions.index;
  }

  static async open(options = {}) {
    return new Generator(await openLater(GENERATOR, options));
  }

  // Not part of the public class.
  static {
    endGenerator = (generator) => generator.#positions.end();
    indexOfGenerator = (generator) => {
      if (typeof generator === 'object' && generator !== null && #index in generator) return generator.#index;
      throw new PolyflakeError('option_invalid', `expected a Generator, got ${described(generator)}`);
    };
  }

  get kind() {
    return 'snowflake';
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

  nextIdAsync(options) {
    return claim.nextAsync(this.#positions, options);
  }

  nextIds(count) {
    return this.fill(new BigUint64Array(check.count(count)));
  }

  fill(ids) {
    check.roomForIds(ids);
    claim.fill(this.#index, ids);
    return ids;
  }

  renew() {
    this.#positions.renew();
  }

  state() {
    return this.#positions.state();
  }

  close() {
    this.#positions.end();
  }

  get closed() {
    return this.#positions.closed;
  }

  get worker() {
    return this.#positions.worker;
  }

  get layout() {
    this.#layout ??= new Layout(this.#positions.layoutText);
    return this.#layout;
  }

  stats() {
    return this.#positions.stats();
  }

  decode(id) {
    return this.layout.decode(id);
  }

  firstId(time) {
    return this.layout.firstId(time);
  }

  lastId(time) {
    return this.layout.lastId(time);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'Generator {}'; // such as a stub of a test tool
    const { worker, layout } = this;
    return `Generator ${inspect({ worker, layout: String(layout), state: this.state().name }, options)}`;
  }
}

addDisposal(Generator, endGenerator);

module.exports = { Generator, endGenerator, indexOfGenerator };
