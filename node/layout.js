'use strict';

const { inspect, types } = require('node:util');
const check = require('./check.js');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');

const forgotten = new FinalizationRegistry(native.forgetLayout);

// JSON has no BigInt: what may be larger than 2^53 is text there. Not enumerable, so that parts compare, copy and print
// as what they are.
const TO_JSON = {
  value() {
    return { ...this, tick: String(this.tick), node: String(this.node) };
  },
};

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
    const number = typeof id === 'string' ? native.fromText(id, 'decimal') : check.id(id);
    const [timeMs, tick, sequence, node, ...values] = native.decode(this.#index, number);
    const fields = {};
    this.#nodeFields.forEach((name, i) => {
      fields[name] = values[i];
    });
    return Object.defineProperty({ time: new Date(timeMs), timeMs, tick, sequence, node, fields }, 'toJSON', TO_JSON);
  }

  firstId(time) {
    return native.firstId(this.#index, unixMs(time));
  }

  lastId(time) {
    return native.lastId(this.#index, unixMs(time));
  }

  toString() {
    return this.#text;
  }

  [inspect.custom](depth, { stylize }) {
    if (!(#text in this)) return 'Layout {}'; // a stub of a test tool, say
    return `Layout(${stylize(`'${this.#text}'`, 'string')})`;
  }
}

function unixMs(time) {
  return types.isDate(time) ? check.dateMs(time, 'the time') : wholeMs(time, 'the time');
}

function wholeMs(ms, what) {
  return check.int64(ms, what, 'option_invalid', 'field_out_of_range');
}

module.exports = { Layout };
