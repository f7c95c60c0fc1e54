'use strict';

const check = require('./check.js');
const { idOf, partsOf } = require('./layout.js');
const native = require('./native.js');

function explain(id, options = {}) {
  const { now } = check.options(options, ['now'], 'explain');
  const number = idOf(id);
  const nowMs = now === undefined ? BigInt(Date.now()) : check.dateMs(now, 'now');
  return native.explain(number, nowMs).map(([preset, whyNot, nodeFields, values]) => ({
    preset,
    plausible: whyNot === null,
    whyNot,
    parts: values && partsOf(values, nodeFields),
  }));
}

module.exports = { explain };
