'use strict';
// polyflake/stores/etcd: the store of etcd, and what operators do in it.

const { EtcdStore } = require('./etcd_store.js');

module.exports = { ...require('./counters.js'), ...require('./namespaces.js'), EtcdStore };
