'use strict';
// Claiming ids and waiting for them: the one place that knows how the addon hands out an id.
//
// claim() returns nothing. It writes the id, and whether it is due, into memory that these two arrays read:
// compiled code reads an array element in a few nanoseconds, while a BigInt made by Node-API costs more than
// the claim itself. The memory belongs to this thread's environment, and each reader takes the id before any
// other code can run.
//
// An id of 0n is never issued: it stands for "nothing can be claimed yet", and is waited for like a claimed one.

const native = require('./native.js');
const { pause, sleep } = require('./wait.js');

const { claim, claimRun, claimText, toText, waitNs } = native;
const claimedId = new BigUint64Array(native.claimed, 0, 1);
const claimedDue = new Int32Array(native.claimed, 8, 1);

/** Blocks this thread until the id may be used. False: it may not be, now is the time to claim again. */
function sleepUntilDue(index, id) {
  let waited = 0;
  let ns;
  while ((ns = waitNs(index, id, waited)) > 0) {
    sleep(ns);
    waited += ns;
  }
  return ns === 0;
}

function slowNext(index, first) {
  let id = first;
  while (!sleepUntilDue(index, id)) {
    claim(index);
    id = claimedId[0];
    if (claimedDue[0] === 0) return id;
  }
  return id;
}

/** The next id; waits on this thread if it must. */
function next(index) {
  claim(index);
  const id = claimedId[0];
  return claimedDue[0] === 0 ? id : slowNext(index, id);
}

/** The next id as decimal text. */
function nextText(index) {
  return claimText(index) ?? toText(slowNext(index, claimedId[0]), 'decimal');
}

/** The next id; waits on a timer, and not at all when it is ready. */
async function nextAsync(index) {
  for (;;) {
    claim(index);
    const id = claimedId[0];
    if (claimedDue[0] === 0) return id;
    let waited = 0;
    let ns;
    while ((ns = waitNs(index, id, waited)) > 0) {
      await pause(ns);
      waited += ns;
    }
    if (ns === 0) return id;
  }
}

/** Fills the whole array; waits on this thread as long as its size needs. */
function fill(index, array) {
  let offset = 0;
  do {
    const count = claimRun(index, array, offset);
    offset += Math.abs(count);
    if (count === 0 && array.length > 0) sleepUntilDue(index, 0n);
    // A copied process discards the pieces written so far, too: they belong to the original.
    if (count < 0 && !sleepUntilDue(index, claimedId[0])) offset = 0;
  } while (offset < array.length);
}

module.exports = { fill, next, nextAsync, nextText };
