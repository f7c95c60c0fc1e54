'use strict';

const { inspect, types } = require('node:util');
const check = require('./check.js');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');
const { offsetOf, offsetsOf } = require('./zones.js');

const forgotten = new FinalizationRegistry(native.forgetLayout);

// JSON has no BigInt: values that may exceed 2^53 become text. Not enumerable, so that parts
// compare, copy and print without it.
const TO_JSON = {
  value() {
    const texts = Object.entries(this).filter(([, value]) => typeof value === 'bigint');
    return { ...this, ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])) };
  },
};

/** Returns the parts of an id with a toJSON(). */
function withTexts(parts) {
  return Object.defineProperty(parts, 'toJSON', TO_JSON);
}

class Layout {
  #index;
  #text;
  #nodeFields;

  constructor(textOrPreset) {
    this.#index = native.newLayout(check.text(textOrPreset, 'a layout', 'layout_invalid'));
    forgotten.register(this, this.#index);
    const { text, names, widths, nodeFields, tickMs, epochMs } = native.describeLayout(this.#index);
    this.#text = text;
    this.#nodeFields = nodeFields;
    this.fields = Object.freeze(names.map((name, i) => Object.freeze({ name, width: widths[i] })));
    this.tickMs = tickMs;
    this.epochMs = epochMs;
    Object.freeze(this);
  }

  encode(parts) {
    if (!check.isPlain(parts)) {
      throw new PolyflakeError('option_invalid', 'encode takes a plain object, such as { timeMs, worker: 7 }');
    }
    const { tick, timeMs, time, sequence = 0, ...nodeFields } = parts;
    if ([tick, timeMs, time].filter((value) => value !== undefined).length !== 1) {
      throw new PolyflakeError('option_invalid', 'encode takes exactly one of tick, timeMs and time');
    }
    const position = check.int64(sequence, 'sequence', 'field_out_of_range');
    const [names, values] = check.fields(nodeFields);
    if (tick !== undefined) {
      const count = check.int64(tick, 'tick', 'field_out_of_range');
      return native.encodeTick(this.#index, count, position, names, values);
    }
    const ms = time === undefined ? wholeMs(timeMs, 'timeMs') : check.dateMs(time, 'time');
    return native.encodeTime(this.#index, ms, position, names, values);
  }

  decode(id) {
    return partsOf(native.decode(this.#index, idOf(id)), this.#nodeFields);
  }

  firstId(time) {
    return native.firstId(this.#index, unixMs(time));
  }

  lastId(time) {
    return native.lastId(this.#index, unixMs(time));
  }

  friendly(id, options = {}) {
    const number = idOf(id);
    const offset = offsetOf(options, () => native.decode(this.#index, number)[0]);
    return native.friendly(this.#index, number, offset);
  }

  fromFriendly(text, options = {}) {
    const given = check.text(text, 'a friendly form', 'text_invalid');
    const offsets = offsetsOf(options, () => native.friendlyLocalSeconds(this.#index, given));
    return native.fromFriendly(this.#index, given, offsets);
  }

  toUuid(id) {
    return native.layoutToUuid(this.#text, idOf(id));
  }

  fromUuid(text) {
    return native.layoutFromUuid(this.#text, check.text(text, 'a UUID', 'text_invalid'));
  }

  toString() {
    return this.#text;
  }

  [inspect.custom](depth, { stylize }) {
    if (!(#text in this)) return 'Layout {}'; // such as a stub of a test tool
    return `Layout(${stylize(`'${this.#text}'`, 'string')})`;
  }
}

/** Returns an id given as a BigInt, or as its canonical decimal text. */
function idOf(id) {
  return typeof id === 'string' ? native.fromText(id, 'decimal') : check.id(id);
}

/** Returns parts from the values of the addon, and the names of the node fields. */
function partsOf([timeMs, tick, sequence, node, ...values], nodeFields) {
  const fields = {};
  nodeFields.forEach((name, i) => {
    fields[name] = values[i];
  });
  return withTexts({ time: new Date(timeMs), timeMs, tick, sequence, node, fields });
}

function unixMs(time) {
  return types.isDate(time) ? check.dateMs(time, 'the time') : wholeMs(time, 'the time');
}

function wholeMs(ms, what) {
  return check.int64(ms, what, 'option_invalid', 'field_out_of_range');
}

module.exports = { Layout, idOf, partsOf, unixMs, withTexts };
