'use strict';
// The default generator, one per thread: what the functions of the module issue from.

const claim = require('./claim.js');
const { PolyflakeError } = require('./error.js');
const { Generator, indexOfGenerator } = require('./generator.js');

let generator; // the one that setDefault() was given, or that was opened
let index = -1; // its number once it was used: what is asked for at each id is one small number

function open() {
  generator ??= new Generator();
  index = indexOfGenerator(generator);
  return index;
}

function setDefault(given) {
  indexOfGenerator(given);
  if (index >= 0) {
    throw new PolyflakeError('option_invalid', 'the default generator was used already: set it before the first id');
  }
  if (generator !== undefined && generator !== given) {
    throw new PolyflakeError('option_invalid', 'another default generator was set before');
  }
  generator = given;
}

function nextId() {
  return claim.next(index < 0 ? open() : index);
}

function nextIdString() {
  return claim.nextText(index < 0 ? open() : index);
}

module.exports = { nextId, nextIdString, setDefault };
