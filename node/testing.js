'use strict';
// Known ids in tests: the default generator on a ManualClock.

const check = require('./check.js');
const { ManualClock } = require('./clock.js');
const { defaultGenerator, freeze } = require('./default.js');
const { Generator } = require('./generator.js');

class Frozen {
  #generator;
  #thaw;

  constructor(clock, generator) {
    this.#thaw = freeze(generator);
    this.#generator = generator;
    this.clock = clock;
    Object.freeze(this);
  }

  close() {
    if (!this.#generator.closed) this.#thaw();
    this.#generator.close();
  }
}

if (Symbol.dispose !== undefined) {
  const value = Frozen.prototype.close;
  Object.defineProperty(Frozen.prototype, Symbol.dispose, { value, configurable: true, writable: true });
}

function frozen(time, options = {}) {
  const { worker = 0, layout } = check.options(options, ['worker', 'layout'], 'frozen()');
  const clock = new ManualClock(time);
  const asked = layout ?? defaultGenerator()?.layout ?? 'polyflake';
  const generator = new Generator({ worker, layout: asked, clock });
  try {
    return new Frozen(clock, generator);
  } catch (error) {
    generator.close();
    throw error;
  }
}

module.exports = { frozen };
