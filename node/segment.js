'use strict';
// segment: numbers of a counter in a store.

const check = require('./check.js');
const { Counted, openNumbers } = require('./counted.js');
const native = require('./native.js');

const OPTIONS = ['store', 'name', ...native.counterOptions(), 'signal'];

class Segment extends Counted {
  static async open(options = {}) {
    const { store, name, signal, ...numbers } = check.options(options, OPTIONS, 'Segment');
    return new Segment(await openNumbers('segment', { store, name, signal }, numbers));
  }

  get kind() {
    return 'segment';
  }
}

module.exports = { Segment };
