'use strict';
// Claims ids and waits for them: the one module that knows how the addon hands out an id.
//
// claim() takes no arguments and returns nothing. The generator, the id, and a flag for waiting are
// in memory that these arrays share with the addon: compiled code reads an array element in a
// nanosecond, while an argument costs a few, and a BigInt made by Node-API costs more than the
// claim itself. The memory belongs to the environment of this thread, and each reader takes the id
// before any other code can run.
//
// An id of 0n is never issued: it means "nothing can be claimed yet", and is waited for like a
// claimed one.

const check = require('./check.js');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');
const { pause, sleep, throwIfAborted } = require('./wait.js');

const { claim, claimableInNs, claimSpelled, claimText, fill: fillNow, toText, waitNs } = native;
const claimedId = new BigUint64Array(native.claimed, 0, 1);
const claimedWaits = new Int32Array(native.claimed, 8, 1);
const generatorToClaimFrom = new Uint32Array(native.claimed, 12, 1);

function claimFrom(index) {
  generatorToClaimFrom[0] = index;
  claim();
}

/** Yields waits for a claimed id; returns false if it may not be used: claim again. */
function* waits(index, id) {
  let waited = 0;
  let ns;
  while ((ns = waitNs(index, id, waited)) > 0) {
    yield ns;
    waited += ns;
  }
  return ns === 0;
}

// Generators of a lease. Their leases are renewed on this thread, so blocking it cannot help.
const leased = new Set();

const SHORT_NS = 10e6;

// Waits for the window of a lease: blocks if it begins within 10 ms, and returns false: claim
// again. Errors: store_unavailable if it begins later, else the failure of the lease.
function sleepUntilWindow(index) {
  const ns = claimableInNs(index);
  if (ns > SHORT_NS) {
    throw new PolyflakeError(
      'store_unavailable',
      `the window of the lease begins in ${Math.ceil(ns / 1e8) / 10} s: nextIdAsync() waits for it without blocking`,
    );
  }
  if (ns > 0) sleep(ns);
  return false;
}

/** Blocks this thread until the id may be used. Returns false if it may not: claim again. */
function sleepUntilDue(index, id) {
  if (id === 0n && leased.has(index)) return sleepUntilWindow(index);
  const wait = waits(index, id);
  let piece = wait.next();
  for (; !piece.done; piece = wait.next()) sleep(piece.value);
  return piece.value;
}

/** Does the same without blocking the event loop; rejects as soon as the signal is aborted. */
async function pauseUntilDue(index, id, signal) {
  const wait = waits(index, id);
  let piece = wait.next();
  for (; !piece.done; piece = wait.next()) await pause(piece.value, signal);
  return piece.value;
}

function slowNext(index) {
  for (;;) {
    const id = claimedId[0];
    if (claimedWaits[0] === 0 || sleepUntilDue(index, id)) return id;
    claimFrom(index);
  }
}

/** Returns the next id. Blocks: this thread if it must wait. */
function next(index) {
  claimFrom(index);
  return claimedWaits[0] === 0 ? claimedId[0] : slowNext(index);
}

/** Returns the next id as decimal text. */
function nextText(index) {
  generatorToClaimFrom[0] = index;
  return claimText() ?? toText(slowNext(index), 'decimal');
}

/** Resolves to the next id, on a timer only if it must wait. Keeps `positions` alive. */
async function nextAsync(positions, options) {
  const signal = check.signalIn(options, 'nextIdAsync()');
  for (;;) {
    throwIfAborted(signal); // before anything is claimed
    claimFrom(positions.index);
    const id = claimedId[0];
    if (claimedWaits[0] === 0 || (await pauseUntilDue(positions.index, id, signal))) return id;
  }
}

/** Fills a whole array with ids of any kind. Blocks: this thread for as long as they need. */
function fill(index, array) {
  fillNow(index, array);
  while (claimedWaits[0] !== 0) fillNow(index, array, sleepUntilDue(index, claimedId[0]));
}

function claimTextFrom(index) {
  generatorToClaimFrom[0] = index;
  return claimSpelled();
}

/** Returns the next id of a kind that is text. Blocks: this thread if it must wait. */
function nextSpelled(index) {
  let text = claimTextFrom(index);
  while (claimedWaits[0] !== 0 && !sleepUntilDue(index, claimedId[0])) text = claimTextFrom(index);
  return text;
}

/** Resolves to the next id of such a kind, on a timer only if it must wait. */
async function nextSpelledAsync(positions, options) {
  const signal = check.signalIn(options, 'nextIdAsync()');
  for (;;) {
    throwIfAborted(signal); // before anything is claimed
    const text = claimTextFrom(positions.index);
    if (claimedWaits[0] === 0 || (await pauseUntilDue(positions.index, claimedId[0], signal))) return text;
  }
}

module.exports = {
  fill,
  leased,
  next,
  nextAsync,
  nextSpelled,
  nextSpelledAsync,
  nextText,
};
