'use strict';
// Guesses the option that a caller meant by an unknown name.

const native = require('./native.js');

const LAYOUT = "'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z'";

const NODE_ID = { option: 'worker', absent: 'these ids have no node id', use: 'the node id is given as worker: 7' };
const FIELDS = "the fields of a node id are given as worker: { datacenter: 1, worker: 7 }, with layout: 'twitter'";
const EPOCH = {
  option: 'layout',
  absent: 'these ids have no layout',
  use: `the epoch is a part of the layout, such as layout: ${LAYOUT}`,
};

// Options of other libraries, in any spelling, and their replacements here.
const ELSEWHERE = {
  epoch: EPOCH,
  layout: EPOCH,
  worker: NODE_ID,
  workerid: NODE_ID,
  machineid: NODE_ID,
  nodeid: NODE_ID,
  datacenterid: { ...NODE_ID, use: FIELDS },
};

/** Returns the text after an unknown name in a message: a blank and advice in brackets, or ''. */
function advice(name, known) {
  const meant = native.closest(name, [...known, ...Object.keys(ELSEWHERE)]);
  if (meant === '') return '';
  if (known.includes(meant)) return ` (did you mean ${meant}?)`;
  const { option, absent, use } = ELSEWHERE[meant];
  return known.includes(option) ? ` (${use})` : ` (${absent})`;
}

module.exports = { advice };
