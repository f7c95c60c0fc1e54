'use strict';
// The public surface: index.mjs exports the same objects to ES modules, index.d.ts describes them.

const check = require('./check.js');
const { ManualClock } = require('./clock.js');
const { Codec } = require('./codec.js');
const { nextId, nextIdString, setDefault } = require('./default.js');
const { PolyflakeError } = require('./error.js');
const { explain } = require('./explain.js');
const { Generator } = require('./generator.js');
const { jsonReplacer, jsonReviver } = require('./json.js');
const { Hashids } = require('./hashids.js');
const { Layout } = require('./layout.js');
const { kinds, open, openSync, register } = require('./kinds.js');
const native = require('./native.js');
const { Sqids } = require('./sqids.js');
const { ObjectIds, Uuid7 } = require('./stamped.js');
const { Seal, SealRing } = require('./seal.js');
const { Uuid4 } = require('./uuid4.js');

let defaultLayout;

function decode(id, layout) {
  if (layout === undefined) {
    defaultLayout ??= new Layout('polyflake');
    return defaultLayout.decode(id);
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

module.exports = {
  Codec,
  Generator,
  Hashids,
  Layout,
  ManualClock,
  ObjectIds,
  PolyflakeError,
  Sqids,
  Seal,
  SealRing,
  Uuid4,
  Uuid7,
  decode,
  explain,
  fromText,
  jsonReplacer,
  jsonReviver,
  kinds,
  nextId,
  nextIdString,
  open,
  openSync,
  presets: Object.freeze(native.presets()),
  register,
  setDefault,
  toText,
  version: native.version(),
};
