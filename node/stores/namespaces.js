'use strict';
// The tasks of operators on namespaces.

const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const { Layout } = require('../layout.js');
const native = require('../native.js');
const { carryOut } = require('../store_session.js');
const { opened } = require('./url.js');

function layoutOf(layout = 'polyflake') {
  return layout instanceof Layout ? layout : new Layout(layout);
}

/** Carries out the task that `begin` makes; resolves to the value that `result` reads from it. */
async function taskIn(given, layout, begin, result, prepare = () => {}) {
  const store = opened(given);
  const task = begin(store.address, String(layoutOf(layout)), store.placeholder);
  try {
    prepare(task);
    await carryOut(task, store);
    return result(task);
  } finally {
    native.forgetSession(task);
  }
}

async function initNamespace(store, options = {}) {
  const known = ['layout', 'fresh', 'replicas'];
  const { layout, fresh = false, replicas = 'named' } = check.options(options, known, 'initNamespace');
  if (typeof fresh !== 'boolean') {
    throw new PolyflakeError('option_invalid', `fresh must be true or false, got ${described(fresh)}`);
  }
  if (replicas !== 'named' && replicas !== 'fenced') {
    throw new PolyflakeError('option_invalid', `replicas must be 'named' or 'fenced', got ${described(replicas)}`);
  }
  const fence = (task) => (replicas === 'fenced' ? native.fence(task) : undefined);
  return await taskIn(store, layout, (...where) => native.initTask(...where, fresh), native.taskUuid, fence);
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
    copies,
  } = check.options(options, ['layout', 'timeMs', 'id', 'lower', 'copies'], 'raiseFloor');
  if (timeMs !== undefined && id !== undefined) {
    throw new PolyflakeError('option_invalid', 'raiseFloor takes either timeMs or id');
  }
  if (timeMs === undefined && id === undefined && copies === undefined) {
    throw new PolyflakeError('option_invalid', 'raiseFloor needs timeMs, id or copies');
  }
  if (timeMs === undefined && id === undefined && lower) {
    throw new PolyflakeError('option_invalid', 'lower needs timeMs or id: with copies alone the floor stays');
  }
  if (typeof lower !== 'boolean') {
    throw new PolyflakeError('option_invalid', `lower must be true or false, got ${described(lower)}`);
  }
  if (copies !== undefined && !Array.isArray(copies)) {
    throw new PolyflakeError('option_invalid', `copies must be a list of texts, got ${described(copies)}`);
  }
  const ms = floorOf(timeMs, id, layoutOf(layout));
  await taskIn(
    store,
    layout,
    (...where) => native.raiseFloorTask(...where, ms, lower),
    () => undefined,
    (task) => {
      if (copies === undefined) return;
      native.nameCopies(task, copies.map((one) => check.text(one, 'copies', 'option_invalid')).join());
    },
  );
}

/** Returns Unix ms; without timeMs and id the epoch of the layout, below any floor. */
function floorOf(timeMs, id, layout) {
  if (id !== undefined) return timeAfter(id, layout);
  return timeMs === undefined ? BigInt(layout.epochMs) : check.int64(timeMs, 'timeMs', 'option_invalid');
}

/** Returns the Unix ms of the tick after that of an id. */
function timeAfter(id, layout) {
  return BigInt(layout.decode(layout.encode({ tick: layout.decode(id).tick + 1n })).timeMs);
}

module.exports = { initNamespace, leases, raiseFloor };
