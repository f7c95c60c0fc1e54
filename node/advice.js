'use strict';
// What somebody may have meant by an option that does not exist.

const LAYOUT = "'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z'";

// Options of other libraries, in the spelling of plain(), and what takes their place here.
const ELSEWHERE = {
  epoch: `the epoch is a part of the layout, such as layout: ${LAYOUT}`,
  workerid: 'the node id is given as worker: 7',
  machineid: 'the node id is given as worker: 7',
  nodeid: 'the node id is given as worker: 7',
  datacenterid: "the fields of a node id are given as worker: { datacenter: 1, worker: 7 }, with layout: 'twitter'",
};

const FARTHEST = 2; // typing errors between a name and the one that was meant

/** A name without what spellings differ in: max_wait_ms, max-wait-ms and maxWaitMs are the same. */
function plain(name) {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** How many characters must be inserted, removed or replaced to turn one into the other (Levenshtein). */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, character] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      next.push(Math.min(row[j] + (character === other[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[other.length];
}

/** What follows an unknown name in a message: a blank and an advice in brackets, or ''. */
function advice(name, known) {
  const given = plain(name.slice(0, 32));
  if (Object.hasOwn(ELSEWHERE, given)) return ` (${ELSEWHERE[given]})`;
  const [best] = known
    .map((option) => ({ option, errors: distance(given, plain(option)) }))
    .sort((a, b) => a.errors - b.errors);
  return best.errors <= FARTHEST ? ` (did you mean ${best.option}?)` : '';
}

module.exports = { advice };
