'use strict';
// The public surface: index.mjs exports the same objects to ES modules, index.d.ts describes them.

const native = require('./native.js'); // first: in a bundle it says what is wrong
const check = require('./check.js');
const { ManualClock } = require('./clock.js');
const { Codec } = require('./codec.js');
const { DateNumbers } = require('./date_numbers.js');
const { defaultGenerator, nextId, nextIdString, setDefault } = require('./default.js');
const { PolyflakeError } = require('./error.js');
const { explain } = require('./explain.js');
const { Generator } = require('./generator.js');
const { jsonReplacer, jsonReviver } = require('./json.js');
const { Hashids } = require('./hashids.js');
const { Layout } = require('./layout.js');
const { Sqids } = require('./sqids.js');
const { Seal, SealRing } = require('./seal.js');

let preset; // of ids, as long as this thread has no default generator

function decode(id, layout) {
  if (layout === undefined) {
    const generator = defaultGenerator();
    return (generator === null ? (preset ??= new Layout('polyflake')) : generator.layout).decode(id);
  }
  return (layout instanceof Layout ? layout : new Layout(layout)).decode(id);
}

function toText(id, codec = 'decimal') {
  return native.toText(check.id(id), check.text(codec, 'codec', 'option_invalid'));
}

function fromText(text, codec = 'decimal') {
  const name = check.text(codec, 'codec', 'option_invalid');
  return native.fromText(check.text(text, 'the text of an id', 'text_invalid'), name);
}

function idFromText(text) {
  return native.idFromText(check.text(text, 'the text of an id', 'text_invalid'));
}

module.exports = {
  ...require('./sources.js'),
  // Loaded at first use: most programs know the kind of their ids, and start faster so.
  get kinds() {
    return require('./kinds.js').kinds;
  },
  get open() {
    return require('./kinds.js').open;
  },
  get openSync() {
    return require('./kinds.js').openSync;
  },
  get register() {
    return require('./kinds.js').register;
  },
  Codec,
  DateNumbers,
  Generator,
  Hashids,
  Layout,
  ManualClock,
  PolyflakeError,
  Sqids,
  Seal,
  SealRing,
  decode,
  defaultGenerator,
  explain,
  fromText,
  idFromText,
  jsonReplacer,
  jsonReviver,
  nextId,
  nextIdString,
  presets: Object.freeze(native.presets()),
  setDefault,
  toText,
  version: native.version(),
};
