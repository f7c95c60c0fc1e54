'use strict';
// Claiming ids and waiting for them: the one place that knows how the addon hands out an id.
//
// claim() takes and returns nothing. Which generator is meant, the id, and whether it must be waited for are in memory
// that these arrays share with it: compiled code gets at an array element in a nanosecond, while an argument costs a few
// and a BigInt made by Node-API more than the claim itself. The memory belongs to this thread's environment, and each
// reader takes the id before any other code can run.
//
// An id of 0n is never issued: it stands for "nothing can be claimed yet", and is waited for like a claimed one.

const { PolyflakeError } = require('./error.js');
const native = require('./native.js');
const { pause, sleep } = require('./wait.js');

const { claim, claimableInNs, claimRange, claimSpelled, claimText } = native;
const { fillSpelled: fillFrom, randomText, spellPosition, toText, waitNs } = native;
const claimedId = new BigUint64Array(native.claimed, 0, 1);
const claimedWaits = new Int32Array(native.claimed, 8, 1);
const generatorToClaimFrom = new Uint32Array(native.claimed, 12, 1);

function claimFrom(index) {
  generatorToClaimFrom[0] = index;
  claim();
}

/** How long to wait for a claimed id, piece by piece; returns false where it may not be used: claim again. */
function* waits(index, id) {
  let waited = 0;
  let ns;
  while ((ns = waitNs(index, id, waited)) > 0) {
    yield ns;
    waited += ns;
  }
  return ns === 0;
}

// Generators of a lease. What lets those claim again runs on this thread: blocking it would be in vain.
const leased = new Set();

const SHORT_NS = 10e6;

// Where nothing can be claimed of a lease: blocks if its window begins in a moment, and returns false: now is the time to
// claim again. Else this throws why.
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

/** Blocks this thread until the id may be used. False: it may not be, now is the time to claim again. */
function sleepUntilDue(index, id) {
  if (id === 0n && leased.has(index)) return sleepUntilWindow(index);
  const wait = waits(index, id);
  let piece = wait.next();
  for (; !piece.done; piece = wait.next()) sleep(piece.value);
  return piece.value;
}

/** The same without blocking the event loop. */
async function pauseUntilDue(index, id) {
  const wait = waits(index, id);
  let piece = wait.next();
  for (; !piece.done; piece = wait.next()) await pause(piece.value);
  return piece.value;
}

function slowNext(index) {
  for (;;) {
    const id = claimedId[0];
    if (claimedWaits[0] === 0 || sleepUntilDue(index, id)) return id;
    claimFrom(index);
  }
}

/** The next id; waits on this thread if it must. */
function next(index) {
  claimFrom(index);
  return claimedWaits[0] === 0 ? claimedId[0] : slowNext(index);
}

/** The next id as decimal text. */
function nextText(index) {
  generatorToClaimFrom[0] = index;
  return claimText() ?? toText(slowNext(index), 'decimal');
}

/** The next id; waits on a timer, and not at all when it is ready. Holds the positions, lest they be forgotten meanwhile. */
async function nextAsync(positions) {
  for (;;) {
    claimFrom(positions.index);
    const id = claimedId[0];
    if (claimedWaits[0] === 0 || (await pauseUntilDue(positions.index, id))) return id;
  }
}

/** Fills an array of so many ids; waits on this thread as long as that needs. */
function fill(index, array, length) {
  let offset = 0;
  do {
    const count = claimRange(index, array, offset);
    offset += count;
    // What was lost with the node id on the way is not to be used, nor the ids before.
    if (claimedWaits[0] !== 0 && !sleepUntilDue(index, claimedId[0]) && count > 0) offset = 0;
  } while (offset < length);
}

/** The id of a kind, of a position that must be waited for, or of a later one. */
function slowSpelled(index) {
  for (;;) {
    const position = claimedId[0];
    const text = sleepUntilDue(index, position) ? spellPosition(index, position) : undefined;
    if (text !== undefined) return text;
    generatorToClaimFrom[0] = index;
    const other = claimSpelled();
    if (other !== undefined) return other;
  }
}

/** The next id of a kind, as text; waits on this thread if it must. */
function nextSpelled(index) {
  generatorToClaimFrom[0] = index;
  return claimSpelled() ?? slowSpelled(index);
}

/** The same; waits on a timer, and not at all when it is ready. */
async function nextSpelledAsync(positions) {
  for (;;) {
    generatorToClaimFrom[0] = positions.index;
    const text = claimSpelled();
    if (text !== undefined) return text;
    const position = claimedId[0];
    if (!(await pauseUntilDue(positions.index, position))) continue;
    const other = spellPosition(positions.index, position);
    if (other !== undefined) return other;
  }
}

/** Fills the whole Uint8Array with ids of a kind; waits on this thread as long as their number needs. */
function fillSpelled(index, bytes) {
  let done = fillFrom(index, bytes, 0);
  while (claimedWaits[0] !== 0) {
    const position = claimedId[0];
    const goesOn = sleepUntilDue(index, position) || position === 0n;
    done = fillFrom(index, bytes, goesOn ? done : 0);
  }
}

/** An id of uuid4, as text. */
function nextRandom(index) {
  generatorToClaimFrom[0] = index;
  return randomText();
}

module.exports = {
  fill,
  fillSpelled,
  leased,
  next,
  nextAsync,
  nextRandom,
  nextSpelled,
  nextSpelledAsync,
  nextText,
};
