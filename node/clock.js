'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetClock);

class ManualClock {
  #index;

  constructor(timeMs) {
    this.#index = native.newClock(check.int64(timeMs, 'timeMs', 'option_invalid'));
    forgotten.register(this, this.#index);
  }

  /** The addon's number of a clock; option_invalid for anything else. */
  static indexOf(clock) {
    if (typeof clock === 'object' && clock !== null && #index in clock) return clock.#index;
    throw new PolyflakeError('option_invalid', 'clock must be a ManualClock');
  }

  set(timeMs) {
    native.setClock(this.#index, check.int64(timeMs, 'timeMs', 'option_invalid'));
  }

  advance(ms) {
    native.advanceClock(this.#index, check.int64(ms, 'ms', 'option_invalid'));
  }

  get timeMs() {
    return native.clockTime(this.#index);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'ManualClock {}'; // a stub of a test tool, say
    return `ManualClock ${inspect({ timeMs: this.timeMs }, options)}`;
  }
}

// Not part of the public class.
const { indexOf } = ManualClock;
delete ManualClock.indexOf;

module.exports = { ManualClock, indexOfClock: indexOf };
