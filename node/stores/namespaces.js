'use strict';
// What operators do with namespaces.

const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const { Layout } = require('../layout.js');
const { carryOut } = require('../lease.js');
const native = require('../native.js');
const { Store, storeOf } = require('./store.js');

function opened(store) {
  if (store instanceof Store) return store;
  if (typeof store === 'string') return storeOf(store);
  throw new PolyflakeError('option_invalid', `a store object or a store's address is needed, got ${described(store)}`);
}

function layoutOf(layout = 'polyflake') {
  return layout instanceof Layout ? layout : new Layout(layout);
}

/** Carries out the task that `begin` makes; resolves to what `result` finds in it. */
async function taskIn(given, layout, begin, result) {
  const store = opened(given);
  const task = begin(store.address, String(layoutOf(layout)), store.placeholder);
  try {
    await carryOut(task, store);
    return result(task);
  } finally {
    native.forgetTalk(task);
  }
}

async function initNamespace(store, options = {}) {
  const { layout, fresh = false } = check.options(options, ['layout', 'fresh'], 'initNamespace');
  if (typeof fresh !== 'boolean') {
    throw new PolyflakeError('option_invalid', `fresh must be true or false, got ${described(fresh)}`);
  }
  return await taskIn(store, layout, (...where) => native.initTask(...where, fresh), native.taskUuid);
}

async function leases(store, options = {}) {
  const { layout } = check.options(options, ['layout'], 'leases');
  return await taskIn(store, layout, native.leasesTask, native.taskLeases);
}

async function raiseFloor(store, options = {}) {
  const {
    layout,
    timeMs,
    id,
    lower = false,
  } = check.options(options, ['layout', 'timeMs', 'id', 'lower'], 'raiseFloor');
  if ((timeMs === undefined) === (id === undefined)) {
    throw new PolyflakeError('option_invalid', 'raiseFloor needs either timeMs or id');
  }
  if (typeof lower !== 'boolean') {
    throw new PolyflakeError('option_invalid', `lower must be true or false, got ${described(lower)}`);
  }
  const ms = id === undefined ? check.int64(timeMs, 'timeMs', 'option_invalid') : timeAfter(id, layoutOf(layout));
  await taskIn(
    store,
    layout,
    (...where) => native.raiseFloorTask(...where, ms, lower),
    () => undefined,
  );
}

/** Unix ms of the tick after that of an id. */
function timeAfter(id, layout) {
  return BigInt(layout.decode(layout.encode({ tick: layout.decode(id).tick + 1n })).timeMs);
}

module.exports = { initNamespace, leases, raiseFloor };
