'use strict';
// polyflake/stores/redis: the store of Redis, and what operators do with its namespaces.

const { RedisStore } = require('./redis_store.js');

module.exports = { ...require('./namespaces.js'), RedisStore };
