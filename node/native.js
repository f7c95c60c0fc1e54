'use strict';
// The loaded addon. Everything in this package calls it through here.

const { load } = require('./addon.js');

module.exports = load();
