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
const { Alarm, hold, pause, sleep, throwIfAborted, unlessAborted } = require('./wait.js');

const {
  claim,
  claimableInNs,
  claimNumber,
  claimNumbers,
  claimSpelled,
  claimText,
  fill: fillNow,
  toText,
  waitNs,
} = native;
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

// Numbers of a counter. Its runner is on this thread, so blocking it cannot help: calls that do not
// wait give what is held.

function claimNumberFrom(index) {
  generatorToClaimFrom[0] = index;
  claimNumber();
}

function tryNumberSlowly(source) {
  const number = native.tryNumber(source.index);
  source.fetch();
  return number;
}

/** Returns the next number, or null if none is held; then the runner fetches more. */
function tryNumber(source) {
  claimNumberFrom(source.index);
  return claimedWaits[0] === 0 ? claimedId[0] : tryNumberSlowly(source);
}

function tooFew(source, held) {
  const { runner } = source;
  const { code } = native.state(source.index);
  const why = code === '' ? `${runner}: ${held} held` : runner.failure().message;
  const advice = 'await nextIdAsync() or nextIdsAsync(), which wait for the store; a larger step holds more';
  return new PolyflakeError('store_unavailable', `${why}. This call does not wait: ${advice}`);
}

function nextNumberSlowly(source) {
  const number = tryNumberSlowly(source);
  if (number === null) throw tooFew(source, 'no number is');
  return number;
}

// Returns the next number. Errors: store_unavailable if none is held; then the runner fetches more.
function nextNumber(source) {
  claimNumberFrom(source.index);
  return claimedWaits[0] === 0 ? claimedId[0] : nextNumberSlowly(source);
}

// Fills a whole array of this length, or takes no number. Errors: store_unavailable if too few are
// held. Numbers of a period that is over are no longer held; it may end in the middle of a call.
function fillNumbers(source, array, count) {
  const { index } = source;
  const { held } = native.stats(index);
  if (held < count) refuseToFill(source, count, held);
  let done = 0;
  do {
    const more = claimNumbers(index, array, done);
    if (more === 0 && count > 0) refuseToFill(source, count, 0);
    done += more;
  } while (done < count);
  source.fetch();
}

function refuseToFill(source, count, held) {
  waitNs(source.index, 0n, 0); // refuses if the source is closed, and asks for more if few are held
  source.fetch();
  throw tooFew(source, `${count} numbers are asked for, and ${held} are`);
}

/** Returns what changes as soon as the store gave a range, or failed in another way. */
function newsOf(index) {
  return `${native.stats(index).fetches} ${native.state(index).code}`;
}

const PIECES = 8; // in which a time limit is waited for

// Resolves once a number is held. Rejects once the time limit is over, or the signal is aborted.
async function untilHeld(source, signal) {
  const { index, runner } = source;
  const alarm = new Alarm();
  const release = hold();
  // A piece counts when it is over, so that a busy event loop is not taken for a slow store.
  const pieceMs = Math.ceil(runner.timeoutMs / PIECES);
  let pieces = 0;
  let piece;
  const pieceIsOver = () => {
    pieces += 1;
    piece = undefined;
  };
  try {
    while (waitNs(index, 0n, pieces * pieceMs * 1e6) > 0) {
      source.fetch();
      piece ??= alarm.sleep(pieceMs).then(pieceIsOver);
      // News alone wakes the runner: each of its steps ends this wait, and would begin another.
      for (const news = newsOf(index); piece !== undefined && newsOf(index) === news;) {
        await unlessAborted(Promise.race([piece, runner.moved()]), signal);
        throwIfAborted(signal);
      }
    }
    source.fetch();
  } finally {
    alarm.wake();
    release();
  }
}

// Resolves to an array of so many numbers. Rejects as untilHeld() does: then those taken are lost.
async function takeNumbers(source, count, signal) {
  const numbers = new BigUint64Array(count);
  let done = 0;
  for (;;) {
    throwIfAborted(signal); // before anything is claimed
    done += claimNumbers(source.index, numbers, done);
    source.fetch();
    if (done >= count) return numbers;
    await untilHeld(source, signal);
  }
}

/** Resolves to the next number. Rejects as untilHeld() does: then none is lost. */
async function nextNumberAsync(source, options) {
  const signal = check.signalIn(options, 'nextIdAsync()');
  throwIfAborted(signal);
  claimNumberFrom(source.index);
  if (claimedWaits[0] === 0) return claimedId[0];
  const [number] = await takeNumbers(source, 1, signal);
  return number;
}

/** Resolves to an array of numbers, as takeNumbers(). */
async function nextNumbersAsync(source, count, options) {
  const signal = check.signalIn(options, 'nextIdsAsync()');
  return await takeNumbers(source, check.count(count), signal);
}

module.exports = {
  fill,
  fillNumbers,
  leased,
  next,
  nextAsync,
  nextNumber,
  nextNumberAsync,
  nextNumbersAsync,
  nextSpelled,
  nextSpelledAsync,
  nextText,
  tryNumber,
  untilHeld,
};
