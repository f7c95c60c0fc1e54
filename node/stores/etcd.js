'use strict';
// polyflake/stores/etcd: the store of etcd, and what operators do with its namespaces.

const { EtcdStore } = require('./etcd_store.js');

module.exports = { ...require('./namespaces.js'), EtcdStore };
