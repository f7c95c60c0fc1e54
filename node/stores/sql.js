'use strict';
// polyflake/stores/sql: the store of databases, and what operators do in it.

const { SqlStore } = require('./sql_store.js');

module.exports = { ...require('./counters.js'), ...require('./namespaces.js'), SqlStore };
