'use strict';
// Leases in Redis, over node-redis (`redis`) or ioredis.

const { PolyflakeError, described } = require('../error.js');
const { Address, Store, clientPackage } = require('./store.js');

/** The functions for one kind of client. Its own reconnecting and retrying are off. */
const nodeRedis = {
  duplicate(client) {
    return client.duplicate({
      disableOfflineQueue: true,
      socket: { ...client.options?.socket, reconnectStrategy: false },
    });
  },
  async connect(client) {
    client.unref();
    await client.connect();
  },
  call: (client, words) => client.sendCommand(words),
  close: (client) => (client.destroy ? client.destroy() : client.disconnect()),
  primaries: (cluster) => cluster.masters.map(async (node) => await cluster.nodeClient(node)),
};

const NO_RETRIES = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: null,
  sentinelRetryStrategy: null,
  reconnectOnError: null,
};

const ioredis = {
  duplicate: (client) => client.duplicate({ ...NO_RETRIES, keyPrefix: '' }),
  async connect(client) {
    await client.connect();
    client.stream.unref();
  },
  call: (client, words) => client.call(...words),
  close: (client) => client.disconnect(),
  primaries: (cluster) => cluster.nodes('master'), // without waiting: they connect by themselves
};

/** Returns the kind of a client, found by its methods. */
function kindOf(client) {
  if (typeof client?.getSentinelNode === 'function') {
    throw new PolyflakeError(
      'option_invalid',
      "a Sentinel object of redis lends no connection: open with 'redis+sentinel://host:port/name?namespace=...', which " +
        'takes ioredis, or pass a client of ioredis that has sentinels',
    );
  }
  if (typeof client?.duplicate === 'function') {
    if (typeof client.call === 'function') return ioredis;
    if (typeof client.sendCommand === 'function') return nodeRedis;
  }
  if (typeof client?.sendCommand === 'function' && typeof client.execute === 'function') {
    throw new PolyflakeError(
      'option_invalid',
      'a pool of redis cannot be duplicated: pass a client or a Cluster of redis',
    );
  }
  throw new PolyflakeError('option_invalid', `a client of redis or ioredis is needed, got ${described(client)}`);
}

const failureOf = (code) => Object.assign(new Error(code), { code });

function inShort(error) {
  return error?.message?.startsWith('All sentinels are') ? failureOf('no sentinel names the primary') : error;
}

/**
 * Returns a list as it is, a map of RESP3 as alternating names and values, other values in a list.
 */
function wordsOf(reply) {
  if (reply === null || typeof reply !== 'object' || Buffer.isBuffer(reply)) return [reply];
  if (Array.isArray(reply)) return reply;
  return (reply instanceof Map ? [...reply] : Object.entries(reply)).flat();
}

class Connection {
  lost = false;
  #source;
  #kind;
  #client;
  #closed = false;

  constructor(source) {
    this.#source = source;
    this.#kind = kindOf(source);
  }

  async open() {
    // Connects in run(): the server may depend on the keys.
  }

  async run(name, [words, [key, connection]]) {
    if (connection === 'same' && this.#client === undefined) throw failureOf('the connection was lost');
    this.#client ??= await this.#connect(key);
    const reply = await this.#call(...words);
    return [wordsOf(reply).map(String)];
  }

  /** Rejects if the client throws: another command may be under way then. */
  async #call(...words) {
    return await this.#kind.call(this.#client, words);
  }

  async #connect(key) {
    const client = this.#kind.duplicate(await this.#primaryOf(key));
    let first;
    client.on('error', (error) => {
      this.lost = true;
      first ??= error;
    });
    client.on('end', () => {
      this.lost = true;
    });
    this.#client = client;
    if (this.#closed) throw new Error('closed');
    try {
      await this.#kind.connect(client);
    } catch (error) {
      throw inShort(first ?? error); // ioredis then says only that it is closed
    }
    return client;
  }

  /** Returns, in a cluster, a client of the server that has the key. */
  async #primaryOf(key) {
    const { call, primaries } = this.#kind;
    if (this.#source.masters === undefined && typeof this.#source.nodes !== 'function') return this.#source;
    const having = primaries(this.#source).map(async (primary) => {
      const client = await primary;
      await call(client, ['TYPE', key]);
      return client;
    });
    try {
      return await Promise.any(having);
    } catch {
      throw failureOf('no primary has the key');
    }
  }

  close() {
    this.#closed = true;
    if (this.#client === undefined) return;
    Promise.resolve(this.#kind.close(this.#client)).catch(() => {});
  }
}

class RedisStore extends Store {
  #client;

  constructor(client, options) {
    super('redis', 'redis', options);
    this.#client = options instanceof Address ? clientOf(client) : client;
    kindOf(this.#client);
  }

  connection() {
    return new Connection(this.#client);
  }
}

/** Returns a client that is never connected itself, only duplicated. */
function clientOf(url) {
  const sentinels = url.startsWith('redis+sentinel://');
  const { name, client } = clientPackage('Redis', ...(sentinels ? ['ioredis'] : ['redis', 'ioredis']));
  if (sentinels) return new client.Redis({ lazyConnect: true, ...sentinelOptions(url) });
  return name === 'redis' ? client.createClient({ url }) : new client.Redis(url, { lazyConnect: true });
}

/** Reads redis+sentinel://[user:password@]host:port,host:port/name-of-the-primary[/database] */
function sentinelOptions(url) {
  const [, authority, path] = /^redis\+sentinel:\/\/([^/]*)\/?([^?]*)/.exec(url);
  const at = authority.lastIndexOf('@');
  const [username, password] = authority.slice(0, Math.max(at, 0)).split(/:(.*)/s).map(decodeURIComponent);
  const [name, db = '0'] = path.split('/');
  const sentinels = authority
    .slice(at + 1)
    .split(',')
    .map((one) => new URL(`redis://${one}`))
    .map(({ hostname, port }) => ({ host: hostname, port: Number(port || 26379) }));
  return { sentinels, name, db: Number(db), username: username || undefined, password };
}

module.exports = { RedisStore };
