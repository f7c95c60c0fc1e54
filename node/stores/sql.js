'use strict';
// polyflake/stores/sql: the store of databases, and what operators do with its namespaces.

const { SqlStore } = require('./sql_store.js');

module.exports = { ...require('./namespaces.js'), SqlStore };
