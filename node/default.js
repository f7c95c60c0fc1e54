'use strict';
// The default generator, one per thread, from which the functions of the module issue.

const claim = require('./claim.js');
const { PolyflakeError } = require('./error.js');
const { Generator, indexOfGenerator } = require('./generator.js');

let generator; // the one given to setDefault(), or opened at the first id
let index = -1; // its number once it was used: a small number is the fastest argument for each id

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

function defaultGenerator() {
  return generator ?? null;
}

function nextId() {
  return claim.next(index < 0 ? open() : index);
}

function nextIdString() {
  return claim.nextText(index < 0 ? open() : index);
}

let isFrozen = false;

// For polyflake/testing: puts a generator in place of the default one, until the returned function
// is called. Errors: option_invalid if another one is in its place already.
function freeze(replacement) {
  if (isFrozen) {
    throw new PolyflakeError('option_invalid', 'the default generator is frozen already: close() that one before');
  }
  const before = [generator, index];
  isFrozen = true;
  generator = replacement;
  index = indexOfGenerator(replacement);
  return () => {
    [generator, index] = before;
    isFrozen = false;
  };
}

module.exports = { defaultGenerator, freeze, nextId, nextIdString, setDefault };
