'use strict';

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const native = require('./native.js');
const { addDisposal } = require('./positions.js');

/** Closes; resolves when the node id of a lease was given back, or the attempt ended. */
let end;

/** The common part of the sources whose ids are text. Not part of the public surface. */
class Spelled {
  #positions;
  #index; // of the positions, kept here for speed
  #idBytes;

  constructor(positions) {
    this.#positions = positions;
    this.#index = positions.index;
    this.#idBytes = native.idBytes(this.#index);
  }

  static {
    end = (ids) => ids.#positions.end();
  }

  nextId() {
    return claim.nextSpelled(this.#index);
  }

  tryNextId() {
    return native.trySpelled(this.#index);
  }

  nextIdString() {
    return claim.nextSpelled(this.#index);
  }

  nextIdAsync(options) {
    return claim.nextSpelledAsync(this.#positions, options);
  }

  nextIds(count) {
    const ids = this.fill(new Uint8Array(check.count(count) * this.#idBytes));
    const written = Buffer.from(native.writeTexts(this.#index, ids).buffer);
    const texts = new Array(count);
    const length = count === 0 ? 0 : written.length / count;
    for (let i = 0, at = 0; i < count; i++) texts[i] = written.latin1Slice(at, (at += length));
    return texts;
  }

  fill(bytes) {
    check.roomFor(bytes, this.#idBytes);
    claim.fill(this.#index, bytes);
    return bytes;
  }

  close() {
    this.#positions.end();
  }

  get closed() {
    return this.#positions.closed;
  }

  stats() {
    return this.#positions.stats();
  }

  [inspect.custom](depth, options) {
    const { name } = this.constructor;
    if (!(#index in this)) return `${name} {}`; // such as a stub of a test tool
    const shown = this.state === undefined ? { closed: this.closed } : { state: this.state().name };
    return `${name} ${inspect(shown, options)}`;
  }
}

addDisposal(Spelled, end);

module.exports = { Spelled };
