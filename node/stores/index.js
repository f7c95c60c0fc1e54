'use strict';
// What operators do with namespaces, in whatever kind of store.

const namespaces = require('./namespaces.js');
const { Store } = require('./store.js');

module.exports = { ...namespaces, Store };
