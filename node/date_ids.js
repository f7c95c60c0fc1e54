'use strict';
// date: numbers of a counter in a store that begin with the date.

const check = require('./check.js');
const { Counted, openNumbers } = require('./counted.js');
const { DateNumbers, indexOf } = require('./date_numbers.js');
const { checkZone } = require('./zones.js');

const OPTIONS = ['store', 'name', 'prefix', 'period', 'digits', 'zone', 'step', 'timeoutMs', 'signal'];

class DateIds extends Counted {
  #numbers;

  // numbers: of the source; not there if a user called it
  constructor(source, numbers) {
    super(source);
    this.#numbers = numbers;
  }

  static async open(options = {}) {
    const known = check.options(options, OPTIONS, 'DateIds');
    const { store, name, prefix, period, digits, zone = '+00:00', step = 1, timeoutMs, signal } = known;
    const numbers = new DateNumbers({ period, digits, prefix });
    const dates = { period: numbers.period, digits: numbers.digits, zone: checkZone(zone), index: indexOf(numbers) };
    const source = await openNumbers('date', { store, name, signal }, { step, timeoutMs }, dates);
    return new DateIds(source, numbers);
  }

  get kind() {
    return 'date';
  }

  get numbers() {
    return this.#numbers;
  }

  nextIdString() {
    return this.#numbers.text(this.nextId());
  }
}

module.exports = { DateIds };
