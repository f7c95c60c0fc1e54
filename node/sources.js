'use strict';
// The kinds of this package other than snowflake: ids are text, those of stores numbers.
// index.js and index.mjs export what this file does, and kinds.js opens it by the name of its kind.

const check = require('./check.js');
const { DateIds } = require('./date_ids.js');
const { Layout, unixMs, withTexts } = require('./layout.js');
const native = require('./native.js');
const { Positions, openAtOnce, openLater } = require('./positions.js');
const { Segment } = require('./segment.js');
const { Spelled } = require('./spelled.js');
const { Tickets } = require('./tickets.js');

const UUID7 = {
  name: 'Uuid7',
  kind: 'uuid7',
  options: ['worker', 'layout', ...native.numberOptions('uuid7'), 'clock', 'entropy'],
  withoutWorker: 'ids without a node id',
};
const OBJECT_IDS = {
  name: 'ObjectIds',
  kind: 'objectid',
  options: [...native.numberOptions('objectid'), 'clock', 'entropy'],
};
const UUID4 = { name: 'Uuid4', kind: 'uuid4', options: ['clock', 'entropy'] };

/** A source whose ids are spelled from positions. */
class Stamped extends Spelled {
  #positions;

  constructor(positions) {
    super(positions);
    this.#positions = positions;
  }

  state() {
    return this.#positions.state();
  }
}

class Uuid7 extends Stamped {
  #positions;

  constructor(options = {}) {
    const positions = options instanceof Positions ? options : openAtOnce(UUID7, options);
    super(positions);
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
    const [ms, tick, sequence, node, tail] = native.decodeIdOf('uuid7', this.#positions.layoutText, text);
    const timeMs = Number(ms);
    return withTexts({ time: new Date(timeMs), timeMs, tick, sequence: Number(sequence), node, tail });
  }

  firstId(time) {
    return native.firstIdOf('uuid7', unixMs(time));
  }

  lastId(time) {
    return native.lastIdOf('uuid7', unixMs(time));
  }
}

class ObjectIds extends Stamped {
  constructor(options = {}) {
    super(openAtOnce(OBJECT_IDS, options));
  }

  get kind() {
    return 'objectid';
  }

  decode(id) {
    const text = check.text(id, 'an ObjectId', 'text_invalid');
    const [ms, processBits, counter] = native.decodeIdOf('objectid', '', text);
    const timeMs = Number(ms);
    return withTexts({ time: new Date(timeMs), timeMs, process: processBits, counter: Number(counter) });
  }

  firstId(time) {
    return native.firstIdOf('objectid', unixMs(time));
  }

  lastId(time) {
    return native.lastIdOf('objectid', unixMs(time));
  }
}

class Uuid4 extends Spelled {
  constructor(options = {}) {
    super(openAtOnce(UUID4, options));
  }

  get kind() {
    return 'uuid4';
  }
}

module.exports = { DateIds, ObjectIds, Segment, Tickets, Uuid4, Uuid7 };
