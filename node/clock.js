'use strict';

const { inspect, types } = require('node:util');
const check = require('./check.js');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetClock);

/** Returns the number that the addon gave a clock. Errors: option_invalid for any other value. */
let indexOfClock;

/** Returns the Unix milliseconds of a Date, or of a number of them. */
function instantOf(time) {
  return types.isDate(time) ? check.dateMs(time, 'the time') : check.int64(time, 'timeMs', 'option_invalid');
}

class ManualClock {
  #index;

  constructor(time) {
    this.#index = native.newClock(instantOf(time));
    forgotten.register(this, this.#index);
  }

  // Not part of the public class.
  static {
    indexOfClock = (clock) => {
      if (typeof clock === 'object' && clock !== null && #index in clock) return clock.#index;
      throw new PolyflakeError('option_invalid', 'clock must be a ManualClock');
    };
  }

  set(time) {
    native.setClock(this.#index, instantOf(time));
  }

  advance(ms) {
    native.advanceClock(this.#index, check.int64(ms, 'ms', 'option_invalid'));
  }

  get timeMs() {
    return native.clockTime(this.#index);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'ManualClock {}'; // such as a stub of a test tool
    return `ManualClock ${inspect({ timeMs: this.timeMs }, options)}`;
  }
}

module.exports = { ManualClock, indexOfClock };
