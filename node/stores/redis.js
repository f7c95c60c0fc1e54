'use strict';
// polyflake/stores/redis: the store of Redis, and what operators do in it.

const { RedisStore } = require('./redis_store.js');

module.exports = { ...require('./counters.js'), ...require('./namespaces.js'), RedisStore };
