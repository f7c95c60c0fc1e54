'use strict';
// Stores by their addresses: the one module that knows every kind of store.

const { PolyflakeError } = require('../error.js');
const { Address } = require('./store.js');

const CLASSES = {
  redis: () => require('./redis_store.js').RedisStore,
  zookeeper: () => require('./zookeeper_store.js').ZooKeeperStore,
  etcd: () => require('./etcd_store.js').EtcdStore,
  postgresql: () => require('./sql_store.js').SqlStore,
  mysql: () => require('./sql_store.js').SqlStore,
  memory: () => require('./memory.js').MemoryStore,
};

/** Returns the store of an address. Errors: worker_source_invalid, option_invalid. */
function storeOf(url) {
  const address = new Address(url);
  const Class = CLASSES[address.kind]();
  try {
    return new Class(address.client, address);
  } catch (error) {
    if (error instanceof PolyflakeError) throw error;
    // Leaves out the error of the client, which may hold the whole address.
    throw new PolyflakeError('worker_source_invalid', `the client of ${address.shown} does not take this address`);
  }
}

module.exports = { storeOf };
