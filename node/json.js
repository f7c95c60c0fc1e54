'use strict';
// JSON: ids as decimal text, because JSON numbers are read as doubles.

const check = require('./check.js');
const { quoted, refusalOf } = require('./error.js');
const native = require('./native.js');

function jsonReplacer(key, value) {
  if (typeof value === 'bigint') return String(value);
  return value instanceof BigUint64Array ? Array.from(value, String) : value;
}

function jsonReviver(keys) {
  const given = check.listOf(keys, 'keys', 'option_invalid');
  const ids = new Set(Array.from(given, (key) => check.text(key, 'a key', 'option_invalid')));
  const read = (value, key) => (value === null ? null : idOf(value, key));
  return (key, value) => {
    if (!ids.has(key)) return value;
    return Array.isArray(value) ? value.map((one) => read(one, key)) : read(value, key);
  };
}

function idOf(value, key) {
  const what = `the id ${quoted(key)}`;
  const text = check.text(value, what, 'text_invalid');
  try {
    return native.idFromText(text);
  } catch (error) {
    throw refusalOf(what, error);
  }
}

module.exports = { jsonReplacer, jsonReviver };
