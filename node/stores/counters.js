'use strict';
// The tasks of operators on counters.

const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const native = require('../native.js');
const { carryOut } = require('../store_session.js');
const { checkZone } = require('../zones.js');
const { opened } = require('./url.js');

const TEXTS = ['kind', 'failover', 'period', 'zone'];
const NUMBERS = ['rate', 'burst', 'top', 'digits'];

/** Returns an integer of 0 or more as a BigInt. */
function positive(value, what) {
  const number = check.int64(value, what, 'option_invalid');
  if (number >= 0n) return number;
  throw new PolyflakeError('option_invalid', `${what} cannot be negative, got ${described(value)}`);
}

/** Returns the texts of the options of a counter by their names. */
function textsOf(options) {
  const texts = {};
  for (const name of TEXTS) {
    if (options[name] !== undefined) texts[name] = check.text(options[name], name, 'option_invalid');
  }
  if (texts.zone !== undefined) checkZone(texts.zone);
  for (const name of NUMBERS) {
    if (options[name] !== undefined) texts[name] = String(positive(options[name], name));
  }
  return texts;
}

async function finish(task, store) {
  try {
    await carryOut(task, store);
  } finally {
    native.forgetSession(task);
  }
}

async function initCounter(store, name, options = {}) {
  const given = check.options(options, ['after', ...TEXTS, ...NUMBERS], 'initCounter');
  const names = (Array.isArray(name) ? name : [name]).map((one) => check.text(one, 'name', 'option_invalid'));
  const texts = textsOf(given);
  const after = positive(given.after, 'after');
  const where = opened(store);
  for (const one of names) {
    const shape = [Object.keys(texts), Object.values(texts)];
    await finish(native.initCounterTask(where.address, one, after, ...shape, where.placeholder), where);
  }
}

async function raiseCounter(store, name, options = {}) {
  const { after } = check.options(options, ['after'], 'raiseCounter');
  const counter = check.text(name, 'name', 'option_invalid');
  const last = positive(after, 'after');
  const where = opened(store);
  await finish(native.setCounterTask(where.address, counter, last, where.placeholder), where);
}

module.exports = { initCounter, raiseCounter };
