'use strict';
// The tasks of operators on counters: making them, listing them, setting one.

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

/** Carries out a task; resolves to the value that `result` reads from it. */
async function finish(task, store, result = () => undefined) {
  try {
    await carryOut(task, store);
    return result(task);
  } finally {
    native.forgetSession(task);
  }
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** Returns pairs of a name and the number that its counter follows. */
function lastsOf(name, after) {
  const isList = Array.isArray(name) || !isObject(name);
  if (!isList && after !== undefined) {
    throw new PolyflakeError('option_invalid', 'an object has what is after for each name: leave out after');
  }
  const pairs = isList
    ? [name].flat(1).map((one) => [one, after])
    : [...(name instanceof Map ? name : Object.entries(name))];
  if (pairs.length === 0) throw new PolyflakeError('option_invalid', 'no name of a counter was given');
  return pairs.map(([one, last]) => [check.text(one, 'name', 'option_invalid'), positive(last, 'after')]);
}

async function initCounter(store, name, options = {}) {
  const given = check.options(options, ['after', ...TEXTS, ...NUMBERS], 'initCounter');
  const texts = textsOf(given);
  const lasts = lastsOf(name, given.after);
  const where = opened(store);
  const shape = [Object.keys(texts), Object.values(texts)];
  // All are made first: nothing is written if an argument is refused.
  const tasks = tasksOf(lasts, ([one, last]) =>
    native.initCounterTask(where.address, one, last, ...shape, where.placeholder),
  );
  try {
    for (const task of tasks) await carryOut(task, where);
  } finally {
    tasks.forEach(native.forgetSession);
  }
}

/** Returns what `make` returns for each; forgets those made if it fails. */
function tasksOf(all, make) {
  const tasks = [];
  try {
    for (const one of all) tasks.push(make(one));
  } catch (error) {
    tasks.forEach(native.forgetSession);
    throw error;
  }
  return tasks;
}

async function raiseCounter(store, name, options = {}) {
  const { after, period } = check.options(options, ['after', 'period'], 'raiseCounter');
  const counter = check.text(name, 'name', 'option_invalid');
  const last = positive(after, 'after');
  const label = period === undefined ? 0n : positive(period, 'period');
  if (period !== undefined && label === 0n) {
    throw new PolyflakeError('option_invalid', 'period is a label, like 20230414, not 0');
  }
  const where = opened(store);
  await finish(native.setCounterTask(where.address, counter, last, label, where.placeholder), where);
}

async function counters(store) {
  const where = opened(store);
  const task = native.listCountersTask(where.address, where.placeholder);
  return await finish(task, where, native.taskCounters);
}

module.exports = { counters, initCounter, raiseCounter };
