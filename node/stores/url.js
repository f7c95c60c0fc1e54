'use strict';
// Stores by their addresses: the one module that knows every kind of store.

const { PolyflakeError, described } = require('../error.js');
const { Address, Store } = require('./store.js');
const native = require('../native.js');

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
  return storeAt(new Address(native.parseAddress(url)));
}

/** Returns the ticket server of an address, as a store. Errors: as storeOf(). */
function ticketServerAt(url) {
  return storeAt(new Address(native.parseTicketServer(url)));
}

/** Returns a ticket server over a client of the user, as a store. Errors: option_invalid. */
function ticketServerOver(client, number) {
  return new (CLASSES.mysql())(client, new Address(native.newAddress('mysql', `${number} of the list`)));
}

function storeAt(address) {
  const Class = CLASSES[address.kind]();
  try {
    return new Class(address.client, address);
  } catch (error) {
    if (error instanceof PolyflakeError) throw error;
    // Leaves out the error of the client, which may hold the whole address.
    throw new PolyflakeError('worker_source_invalid', `the client of ${address.shown} does not take this address`);
  }
}

/** Returns the store of an address, or a store object itself. Errors: as storeOf(). */
function opened(store) {
  if (store instanceof Store) return store;
  if (typeof store === 'string') return storeOf(store);
  throw new PolyflakeError('option_invalid', `a store object or a store's address is needed, got ${described(store)}`);
}

module.exports = { opened, storeOf, ticketServerAt, ticketServerOver };
