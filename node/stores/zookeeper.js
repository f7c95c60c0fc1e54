'use strict';
// polyflake/stores/zookeeper: the store of ZooKeeper, and what operators do in it.

const { ZooKeeperStore } = require('./zookeeper_store.js');

module.exports = { ...require('./counters.js'), ...require('./namespaces.js'), ZooKeeperStore };
