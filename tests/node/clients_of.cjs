'use strict';
// `node --require clients_of.cjs`: clients of stores are those of the folder in POLYFLAKE_TEST_CLIENTS.

const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const CLIENTS = ['redis', 'ioredis', 'pg', 'mysql2', 'node-zookeeper-client'];
const from = Module.createRequire(path.join(process.env.POLYFLAKE_TEST_CLIENTS, 'package.json'));
const isClient = (name) => CLIENTS.some((client) => name === client || name.startsWith(`${client}/`));

const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...others) {
  return isClient(name) && others[0]?.filename?.startsWith(path.resolve(__dirname, '../..')) ? from.resolve(name) : resolve.call(this, name, ...others);
};

// The same for `import` in tests.
const hook = `
  import { createRequire } from 'node:module';
  import { pathToFileURL } from 'node:url';
  const from = createRequire(${JSON.stringify(path.join(process.env.POLYFLAKE_TEST_CLIENTS, 'package.json'))});
  const clients = ${JSON.stringify(CLIENTS)};
  export function resolve(name, context, next) {
    if (!clients.some((client) => name === client || name.startsWith(client + '/'))) return next(name, context);
    return { url: pathToFileURL(from.resolve(name)).href, shortCircuit: true };
  }`;
Module.register(`data:text/javascript,${encodeURIComponent(hook)}`, pathToFileURL(__filename));
