'use strict';
// Guesses the option that a caller meant by an unknown name.

const native = require('./native.js');

const LAYOUT = "'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z'";

// Options of other libraries, in any spelling, and their replacements here.
const ELSEWHERE = {
  epoch: `the epoch is a part of the layout, such as layout: ${LAYOUT}`,
  workerid: 'the node id is given as worker: 7',
  machineid: 'the node id is given as worker: 7',
  nodeid: 'the node id is given as worker: 7',
  datacenterid: "the fields of a node id are given as worker: { datacenter: 1, worker: 7 }, with layout: 'twitter'",
};

/** Returns the text after an unknown name in a message: a blank and advice in brackets, or ''. */
function advice(name, known) {
  const meant = native.closest(name, [...known, ...Object.keys(ELSEWHERE)]);
  if (meant === '') return '';
  return Object.hasOwn(ELSEWHERE, meant) ? ` (${ELSEWHERE[meant]})` : ` (did you mean ${meant}?)`;
}

module.exports = { advice };
