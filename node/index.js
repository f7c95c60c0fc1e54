'use strict';
// The public surface: index.mjs exports the same objects to ES modules, index.d.ts describes them.

const check = require('./check.js');
const { ManualClock } = require('./clock.js');
const { nextId, nextIdString, setDefault } = require('./default.js');
const { PolyflakeError } = require('./error.js');
const { Generator } = require('./generator.js');
const { Layout } = require('./layout.js');
const native = require('./native.js');

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
  Generator,
  Layout,
  ManualClock,
  PolyflakeError,
  decode,
  fromText,
  nextId,
  nextIdString,
  presets: Object.freeze(native.presets()),
  setDefault,
  toText,
  version: native.version(),
};
