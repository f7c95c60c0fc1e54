'use strict';
// The loaded addon, told which error class to throw. Everything in this package calls it through here.

const { load } = require('./addon.js');
const { PolyflakeError } = require('./error.js');

const native = load();
native.setError(PolyflakeError);

module.exports = native;
