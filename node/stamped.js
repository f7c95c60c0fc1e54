'use strict';
// uuid7 and objectid: ids that are the positions of a generator, spelled as text by the addon.

const { inspect } = require('node:util');
const check = require('./check.js');
const claim = require('./claim.js');
const { Layout, unixMs, withTexts } = require('./layout.js');
const native = require('./native.js');
const { Positions, addDisposal, openAtOnce, openLater } = require('./positions.js');
const { textsOf } = require('./texts.js');

const UUID7 = {
  name: 'Uuid7',
  kind: 'uuid7',
  options: ['worker', 'layout', 'maxWaitMs', 'maxLeadMs', 'clock', 'entropy'],
  withoutWorker: 'ids without a node id',
};
const OBJECT_IDS = { name: 'ObjectIds', kind: 'objectid', options: ['maxWaitMs', 'maxLeadMs', 'clock', 'entropy'] };

/** What both have in common. Not part of the public surface. */
class Stamped {
  #positions;
  #index; // of the positions, at hand for every id
  #idBytes;

  constructor(positions, idBytes) {
    this.#positions = positions;
    this.#index = positions.index;
    this.#idBytes = idBytes;
  }

  /** close() that resolves when the node id of a lease was given back, or that was given up. */
  static ended(ids) {
    return ids.#positions.end();
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

  nextIdAsync() {
    return claim.nextSpelledAsync(this.#positions);
  }

  nextIds(count) {
    return textsOf(this.fill(new Uint8Array(check.count(count) * this.#idBytes)), this.#idBytes);
  }

  fill(bytes) {
    check.roomFor(bytes, this.#idBytes);
    claim.fillSpelled(this.#index, bytes);
    return bytes;
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

  stats() {
    return this.#positions.stats();
  }

  [inspect.custom](depth, options) {
    const { name } = this.constructor;
    if (!(#index in this)) return `${name} {}`; // a stub of a test tool, say
    return `${name} ${inspect({ state: this.state().name }, options)}`;
  }
}

const { ended } = Stamped;
delete Stamped.ended;
addDisposal(Stamped, ended);

class Uuid7 extends Stamped {
  #positions;

  constructor(options = {}) {
    const positions = options instanceof Positions ? options : openAtOnce(UUID7, options);
    super(positions, 16);
    this.#positions = positions;
  }

  static async open(options = {}) {
    return new Uuid7(await openLater(UUID7, options));
  }

  get kind() {
    return 'uuid7';
  }

  get worker() {
    return this.#positions.worker;
  }

  get layout() {
    return new Layout(this.#positions.layoutText);
  }

  renew() {
    this.#positions.renew();
  }

  decode(id) {
    const text = check.text(id, 'a UUID', 'text_invalid');
    const [timeMs, tick, sequence, node, tail] = native.decodeUuid7(this.#positions.layoutText, text);
    return withTexts({ time: new Date(timeMs), timeMs, tick, sequence, node, tail });
  }

  firstId(time) {
    return native.firstUuid7(unixMs(time));
  }

  lastId(time) {
    return native.lastUuid7(unixMs(time));
  }
}

class ObjectIds extends Stamped {
  constructor(options = {}) {
    super(openAtOnce(OBJECT_IDS, options), 12);
  }

  get kind() {
    return 'objectid';
  }

  decode(id) {
    const [timeMs, processBits, counter] = native.decodeObjectId(check.text(id, 'an ObjectId', 'text_invalid'));
    return withTexts({ time: new Date(timeMs), timeMs, process: processBits, counter });
  }

  firstId(time) {
    return native.firstObjectId(unixMs(time));
  }

  lastId(time) {
    return native.lastObjectId(unixMs(time));
  }
}

module.exports = { ObjectIds, Uuid7 };
