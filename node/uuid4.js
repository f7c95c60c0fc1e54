'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { indexOfClock } = require('./clock.js');
const native = require('./native.js');
const { addDisposal } = require('./positions.js');
const { textsOf } = require('./texts.js');

const forgotten = new FinalizationRegistry(native.forgetRandomUuids);
const ID_BYTES = 16;

class Uuid4 {
  #index;

  constructor(options = {}) {
    const { clock, entropy } = check.options(options, ['clock', 'entropy'], 'Uuid4');
    this.#index = native.newRandomUuids(
      clock === undefined ? undefined : indexOfClock(clock),
      entropy === undefined ? undefined : check.bytes(entropy, 'entropy'),
    );
    forgotten.register(this, this.#index);
  }

  get kind() {
    return 'uuid4';
  }

  nextId() {
    return claim.nextRandom(this.#index);
  }

  tryNextId() {
    return claim.nextRandom(this.#index);
  }

  nextIdString() {
    return claim.nextRandom(this.#index);
  }

  // eslint-disable-next-line require-await -- a failure is a rejection, as with sources that wait
  async nextIdAsync() {
    return claim.nextRandom(this.#index);
  }

  nextIds(count) {
    return textsOf(this.fill(new Uint8Array(check.count(count) * ID_BYTES)), ID_BYTES);
  }

  fill(bytes) {
    check.roomFor(bytes, ID_BYTES);
    native.fillRandom(this.#index, bytes);
    return bytes;
  }

  close() {
    native.closeRandom(this.#index);
  }

  get closed() {
    return native.randomClosed(this.#index);
  }

  stats() {
    return native.randomStats(this.#index);
  }

  [inspect.custom](depth, options) {
    if (!(#index in this)) return 'Uuid4 {}'; // a stub of a test tool, say
    return `Uuid4 ${inspect({ closed: this.closed }, options)}`;
  }
}

// eslint-disable-next-line require-await -- there is nothing to wait for
addDisposal(Uuid4, async (ids) => ids.close());

module.exports = { Uuid4 };
