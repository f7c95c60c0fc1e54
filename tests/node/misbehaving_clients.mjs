// Clients that do what no client should, each as a worker to be opened. As a program: opens all of them, one after the other,
// and prints what came of it, a line of JSON each; ends with status 0 unless one of them has ended it.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { Generator } = require('polyflake');
const { EtcdStore } = require('polyflake/stores/etcd');
const { RedisStore } = require('polyflake/stores/redis');
const { SqlStore } = require('polyflake/stores/sql');
const { ZooKeeperStore } = require('polyflake/stores/zookeeper');

const OPTIONS = { namespace: 'orders', windowMs: 600, acquireTimeoutMs: 600_000 };

const raise = (what) => {
  throw what;
};
const never = () => new Promise(() => {});

// What is thrown by who does not throw errors, and errors that cannot be looked at.
const THROWN = {
  'an error': () => new Error('redis://user:secretword@h'),
  undefined: () => undefined,
  null: () => null,
  'a string': () => 'redis://user:secretword@h',
  'an object without a prototype': () => Object.create(null),
  'an error with a symbol for a code': () => Object.assign(new Error(), { code: Symbol('code') }),
  'an error with an object for a code': () => Object.assign(new Error(), { code: Object.create(null), errno: {} }),
  'an error with an address for a code': () => Object.assign(new Error(), { code: 'redis://user:secretword@h' }),
  'an error with a symbol for a name': () => Object.assign(new Error(), { name: Symbol('name') }),
  'an error that cannot be looked at': () =>
    new Proxy(new Error(), { get: () => raise(new Error('looked')), getPrototypeOf: () => raise(undefined) }),
  'an error that is its own cause': () => {
    const error = new Error();
    error.cause = error;
    return error;
  },
};

/** A client of redis with methods of its own. */
function redisClient(methods) {
  const client = Object.assign(new EventEmitter(), {
    duplicate: () => client,
    connect: () => Promise.resolve(client),
    unref() {},
    sendCommand: () => Promise.resolve([]),
    destroy() {},
    ...methods,
  });
  return client;
}

const redis = (methods) => () => new RedisStore(redisClient(methods), OPTIONS);
const etcd = (fetch) => () => new EtcdStore({ endpoints: 'http://127.0.0.1:1', fetch }, OPTIONS);
const sql = (factory) => () => new SqlStore(factory, { ...OPTIONS, kind: 'postgresql' });
const pool = (getConnection) => () => new SqlStore({ getConnection }, OPTIONS);

function pgClient(methods) {
  return Object.assign(new EventEmitter(), {
    unref() {},
    query: () => Promise.resolve({ rows: [] }),
    end: () => Promise.resolve(),
    connection: { stream: { destroy() {} } },
    ...methods,
  });
}

function zooKeeper(methods) {
  class Client extends EventEmitter {
    connectionManager = Object.assign(new EventEmitter(), {
      servers: [{ host: '127.0.0.1', port: 1 }],
      credentials: [],
    });
    transaction() {}
    connect() {}
    close() {}
  }
  Object.assign(Client.prototype, methods);
  return () => new ZooKeeperStore(new Client(), OPTIONS);
}

const LATE_MS = 3000; // long after a command is given up
const tooLate = {};
tooLate.ended = new Promise((resolve) => (tooLate.end = resolve));

/** Workers by what is wrong with their clients. */
export const CASES = {
  'duplicate() throws': redis({ duplicate: () => raise(undefined) }),
  'duplicate() gives nothing': redis({ duplicate() {} }),
  'duplicate() gives an object': redis({ duplicate: () => ({}) }),
  'unref() throws': redis({ unref: () => raise(null) }),
  'connect() throws': redis({ connect: () => raise('no') }),
  'connect() rejects': redis({ connect: () => Promise.reject() }),
  'connect() never settles': redis({ connect: never }),
  'a command never settles': redis({ sendCommand: never }),
  'the connection cannot be closed': redis({ sendCommand: () => raise(), destroy: () => raise() }),
  'closing the connection rejects': redis({ sendCommand: () => raise(), destroy: () => Promise.reject() }),
  'an error is emitted while it connects': redis({
    connect() {
      this.emit('error', new Error());
      setTimeout(() => this.emit('error', undefined), 5);
      return Promise.reject(new Error());
    },
  }),
  'an error is emitted after it was closed': redis({
    sendCommand: () => raise(),
    destroy() {
      setTimeout(() => this.emit('error', new Error()), 5);
    },
  }),
  'fetch never settles': etcd(never),
  'fetch gives nothing': etcd(() => undefined),
  'a reply of fetch breaks off': etcd(() => Promise.resolve({ ok: true, text: () => Promise.reject(null) })),
  'a reply of fetch is no object': etcd(() => Promise.resolve({ ok: true, text: () => Promise.resolve('null') })),
  'a factory never settles': sql(never),
  'a factory gives nothing': sql(() => undefined),
  'a factory gives an object': sql(() => ({})),
  'a factory gives a client when it is too late': sql(
    () => new Promise((resolve) => setTimeout(resolve, LATE_MS, pgClient({ end: () => raise(tooLate.end()) }))),
  ),
  'a query never settles': sql(() => pgClient({ query: never })),
  'a client of pg cannot be closed': sql(() => pgClient({ query: () => raise(), end: () => Promise.reject() })),
  'an error is emitted by a client of pg': sql(() => {
    const client = pgClient({ query: never });
    setTimeout(() => client.emit('error', new Error()), 5);
    return client;
  }),
  'a pool gives nothing': pool((done) => done()),
  'a pool never calls back': pool(() => {}),
  'connect() of ZooKeeper throws': zooKeeper({ connect: () => raise() }),
  'ZooKeeper makes no socket': zooKeeper({ connect() {} }),
  'ZooKeeper has a socket of another kind': zooKeeper({
    connect() {
      this.connectionManager.socket = {};
    },
  }),
  'ZooKeeper is disconnected without a socket': zooKeeper({
    connect() {
      setTimeout(() => this.connectionManager.emit('state', 0), 5);
    },
  }),
  'ZooKeeper is lost at once and cannot be closed': zooKeeper({
    connect() {
      this.connectionManager.socket = { unref() {}, destroySoon: () => raise() };
      setTimeout(() => this.emit('connected'), 5);
      setTimeout(() => this.emit('disconnected'), 10);
    },
  }),
  'ZooKeeper cannot be closed': zooKeeper({ close: () => raise() }),
};

for (const [what, thing] of Object.entries(THROWN)) {
  CASES[`a command throws ${what}`] = redis({ sendCommand: () => raise(thing()) });
  CASES[`a command rejects with ${what}`] = redis({ sendCommand: () => Promise.reject(thing()) });
  CASES[`fetch throws ${what}`] = etcd(() => raise(thing()));
  CASES[`a factory throws ${what}`] = sql(() => raise(thing()));
  CASES[`a query rejects with ${what}`] = sql(() => pgClient({ query: () => Promise.reject(thing()) }));
  CASES[`a pool throws ${what}`] = pool(() => raise(thing()));
}

for (const reply of [undefined, null, 7, 'text', [], [Symbol('reply')], [Object.create(null)], {}]) {
  const shown = Array.isArray(reply) ? `[${reply.map((one) => typeof one)}]` : String(reply);
  CASES[`a command gives ${shown}`] = redis({ sendCommand: () => Promise.resolve(reply) });
}

async function outcomeOf(make) {
  const before = performance.now();
  const outcome = await Generator.open({ worker: make() }).then(
    () => ({ code: 'none' }),
    ({ code, message }) => ({ code, message }),
  );
  return { ...outcome, ms: performance.now() - before };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, make] of Object.entries(CASES)) console.log(JSON.stringify({ name, ...(await outcomeOf(make)) }));
  await tooLate.ended;
  await new Promise((resolve) => setTimeout(resolve, 300));
}
