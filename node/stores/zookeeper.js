'use strict';
// polyflake/stores/zookeeper: the store of ZooKeeper, and what operators do with its namespaces.

const { ZooKeeperStore } = require('./zookeeper_store.js');

module.exports = { ...require('./namespaces.js'), ZooKeeperStore };
