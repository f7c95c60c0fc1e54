'use strict';

const native = require('./native.js');

const TEXT_LENGTHS = { 12: 24, 16: 36 };

/** The texts of ids of so many bytes each, which a Uint8Array has one after the other. */
function textsOf(bytes, idBytes) {
  const written = Buffer.from(native.writeTexts(bytes, idBytes).buffer);
  const length = TEXT_LENGTHS[idBytes];
  const texts = new Array(written.length / length);
  for (let i = 0, at = 0; i < texts.length; i++) texts[i] = written.latin1Slice(at, (at += length));
  return texts;
}

module.exports = { textsOf };
