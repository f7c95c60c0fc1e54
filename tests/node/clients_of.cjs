'use strict';
// `node --require clients_of.cjs`: the clients of stores are those of the folder in POLYFLAKE_TEST_CLIENTS.

const Module = require('node:module');
const path = require('node:path');

const CLIENTS = ['redis', 'ioredis', 'pg', 'mysql2', 'node-zookeeper-client'];
const root = path.resolve(__dirname, '../..');
const theirs = Module.createRequire(path.resolve(process.env.POLYFLAKE_TEST_CLIENTS, 'package.json'));

/** Returns true if a file of this project, not one of a client, asks for a client. */
function isAsked(name, parent) {
  const file = parent?.filename ?? '';
  const isOurs = file.startsWith(root) && !file.includes('node_modules') && !file.includes('lowest-clients');
  return isOurs && CLIENTS.some((client) => name === client || name.startsWith(`${client}/`));
}

const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, parent, ...others) {
  return isAsked(name, parent) ? theirs.resolve(name) : resolve.call(this, name, parent, ...others);
};
