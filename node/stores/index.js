'use strict';
// The tasks of operators, for all kinds of store. Entries such as this one are in a
// form whose names Node finds for ES modules, too.

const { Store } = require('./store.js');

module.exports = { ...require('./counters.js'), ...require('./namespaces.js'), Store };
