'use strict';
// Leases in ZooKeeper, over node-zookeeper-client.
//
// A connection is its own session: the session of the user's client cannot be closed if a reply is
// missing.

const { PolyflakeError, described } = require('../error.js');
const { Address, Store, clientPackage } = require('./store.js');

const SESSION_MS = 10_000;
const LONGEST = 4 << 20; // bytes of a packet
const NO_NODE = -101;
const DISCONNECTED = 0; // a state of the connection manager of the package
const REFUSALS = [NO_NODE, -103, -110, -111]; // BAD_VERSION, NODE_EXISTS, NOT_EMPTY

const codeOf = (error) => error.getCode?.() ?? error.code;

/** Calls a method with a callback; resolves to the arguments of the callback. */
function call(object, method, ...words) {
  return new Promise((resolve, reject) => {
    object[method](...words, (error, ...results) => (error ? reject(error) : resolve(results)));
  });
}

/** Returns the row that `read` resolves to; an empty one if the node is missing. */
async function unlessMissing(read) {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === NO_NODE) return [];
    throw error;
  }
}

const rowOf = (client, path) =>
  unlessMissing(async () => {
    const [data, { version, mtime, numChildren }] = await call(client, 'getData', path);
    return [data?.toString() ?? '', String(version), String(mtime.readBigInt64BE()), String(numChildren)];
  });

const namesOf = (client, path) => unlessMissing(async () => (await call(client, 'getChildren', path))[0]);

const OPERATIONS = {
  check: (all, [path, version]) => [all.check(path), version],
  set: (all, [path, version, data]) => [all.setData(path, Buffer.from(data)), version],
  create: (all, [path, data]) => [all.create(path, Buffer.from(data))],
  delete: (all, [path, version]) => [all.remove(path), version],
};

function transactionOf(client, parts) {
  const transaction = client.transaction();
  for (const [what, ...words] of parts) {
    const [{ ops }, version] = OPERATIONS[what](transaction, words);
    // Not as an argument: the package takes an argument of 0 for "any version".
    if (version !== undefined) ops.at(-1).version = Number(version);
  }
  return transaction;
}

const COMMANDS = {
  get: (client, parts) => Promise.all(parts.map(([path]) => rowOf(client, path))),
  children: (client, parts) => Promise.all(parts.map(([path]) => namesOf(client, path))),
  async multi(client, parts) {
    try {
      await call(transactionOf(client, parts), 'commit');
      return [['ok']];
    } catch (error) {
      if (REFUSALS.includes(codeOf(error))) return [['refused']];
      throw error;
    }
  },
  async ensure(client, parts) {
    for (const [path] of parts) await call(client, 'mkdirp', path);
    return [];
  },
};

const failureOf = (code) => Object.assign(new Error(code), { code });

/** Rejects once every server was tried; the package itself would try them for ever. */
function rejectOnceAllWereTried(manager, reject) {
  let left = manager.servers.length;
  manager.on('state', (state) => {
    if (state !== DISCONNECTED) return;
    left -= 1;
    if (left === 0) reject(failureOf(manager.socket?.errored?.code ?? 'DISCONNECTED'));
  });
}

class Connection {
  lost = false;
  #client;
  #end = () => {};

  constructor(client) {
    this.#client = client;
  }

  async open() {
    const client = this.#client;
    await new Promise((resolve, reject) => {
      this.#end = () => reject(new Error('closed'));
      for (const event of ['disconnected', 'expired']) {
        client.on(event, () => {
          this.lost = true;
        });
      }
      client.once('authenticationFailed', () => reject(failureOf('AUTH_FAILED')));
      client.once('connected', resolve);
      rejectOnceAllWereTried(client.connectionManager, reject);
      this.#catchWhatReadingThrows(client.connectionManager, reject);
      client.connect();
      // The package makes its socket in a tick that was requested before this one.
      process.nextTick(() => client.connectionManager.socket?.unref?.());
    });
    this.lost = false; // a loss of servers tried before does not count
    client.connectionManager.socket.unref();
    client.once('disconnected', () => setImmediate(() => this.#giveUp()));
  }

  /** Catches errors of reading: in the socket event of the package they would end the process. */
  #catchWhatReadingThrows(manager, reject) {
    const read = manager.onSocketData;
    manager.onSocketData = (bytes) => {
      try {
        read.call(manager, bytes);
        if (!(manager.pendingBuffer?.length > LONGEST)) return;
      } catch {
        // The packet is invalid.
      }
      this.lost = true;
      reject(failureOf('not understood'));
      this.#giveUp();
    };
  }

  #giveUp() {
    try {
      this.close();
    } catch {
      // It was closed already.
    }
  }

  run(name, parts) {
    return COMMANDS[name](this.#client, parts);
  }

  /** Closes for ever: by itself the package would connect again and again. */
  close() {
    this.#end();
    const manager = this.#client.connectionManager;
    clearTimeout(manager.connectTimeoutHandler);
    manager.connect = () => {};
    manager.onSocketConnected = () => manager.socket.destroy();
    this.#client.close();
    manager.socket?.destroySoon();
  }
}

/** Returns { Client, servers, options, credentials } of a client of the user. */
function settingsOf(client) {
  const { connectionManager: manager, options, constructor } = client ?? {};
  if (typeof client?.transaction !== 'function' || !Array.isArray(manager?.servers)) {
    throw new PolyflakeError('option_invalid', `a client of node-zookeeper-client is needed, got ${described(client)}`);
  }
  const hosts = manager.servers.map(({ host, port }) => `${host}:${port}`).join(',');
  return {
    Client: constructor,
    servers: hosts + (manager.chrootPath ?? ''),
    options,
    credentials: manager.credentials,
  };
}

/** Reads zookeeper://[user:password@]host:port,host:port/chroot */
function settingsAt(url) {
  const { client } = clientPackage('ZooKeeper', 'node-zookeeper-client');
  const [, authority, chroot] = /^zookeeper:\/\/([^/?]*)([^?]*)/.exec(url);
  const at = authority.lastIndexOf('@');
  const credentials = [];
  if (at >= 0) credentials.push({ scheme: 'digest', auth: Buffer.from(decodeURIComponent(authority.slice(0, at))) });
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map((host) => (/:\d+$/.test(host) ? host : `${host}:2181`));
  const servers = hosts.join(',') + chroot.replace(/\/+$/, '');
  return {
    Client: client.Client ?? client.createClient,
    servers,
    options: { sessionTimeout: SESSION_MS },
    credentials,
  };
}

/** Checks ports here: the package would throw in its own callback, which ends the process. */
function checkPorts(servers) {
  for (const [, port = ''] of servers.matchAll(/:([^,/]*)/g)) {
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
      throw new PolyflakeError('worker_source_invalid', 'the port of a server of ZooKeeper is none');
    }
  }
}

class ZooKeeperStore extends Store {
  #settings;

  constructor(client, options) {
    super('zookeeper', 'zookeeper', options);
    this.#settings = options instanceof Address ? settingsAt(client) : settingsOf(client);
    checkPorts(this.#settings.servers);
  }

  connection() {
    const { Client, servers, options, credentials } = this.#settings;
    const client = new Client(servers, { ...options, retries: 0 });
    for (const { scheme, auth } of credentials) client.addAuthInfo(scheme, auth);
    return new Connection(client);
  }
}

module.exports = { ZooKeeperStore };
