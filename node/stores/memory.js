'use strict';
// The store of memory://name?namespace=orders, in the memory of this process: for tests of programs that take the address of
// a store. The core carries out its commands itself, so there is no connection.

const { Store } = require('./store.js');

class MemoryStore extends Store {
  constructor(_client, address) {
    super('memory', 'memory', address);
  }
}

module.exports = { MemoryStore };
