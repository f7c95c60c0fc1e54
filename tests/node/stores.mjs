// The stores that leases are tested on: each kind of client, over the real servers that tests/servers starts.
import net from 'node:net';
import { createRequire } from 'node:module';
import { initNamespace } from 'polyflake/stores';
import { EtcdStore } from 'polyflake/stores/etcd';
import { RedisStore } from 'polyflake/stores/redis';
import { SqlStore } from 'polyflake/stores/sql';
import { ZooKeeperStore } from 'polyflake/stores/zookeeper';

const require = createRequire(import.meta.url);

/** The address of a server: of 'redis', 'zookeeper', 'etcd', 'postgresql', 'pgbouncer' or 'mysql', or of others of the kind, `redis2`. */
export function server(name) {
  const url = process.env[`POLYFLAKE_TEST_${name.toUpperCase()}`];
  if (url === undefined) {
    throw new Error(
      `POLYFLAKE_TEST_${name.toUpperCase()} is not set: tests/servers/run redis redis redis zookeeper etcd postgresql ` +
        'pgbouncer mariadb -- node --test ...',
    );
  }
  return url;
}

const host = (url) => url.replace(/^.*\/\/([^@]*@)?/, '');

const ends = []; // of clients that tests have made

function ended(client, end) {
  ends.push(() => end(client));
  return client;
}

/** Ends the clients that makers below have made, as stores never do. */
export async function endClients() {
  for (const end of ends.splice(0)) await end();
}

/**
 * Kinds of store, and makers of what a worker is opened with: ({ namespace, ...options of a store object }, url). `at`: the
 * server, if it is another one than that of the kind.
 */
export const STORES = {
  'an address of Redis': { kind: 'redis', make: address },
  'a client of redis': {
    kind: 'redis',
    make(options, url) {
      const client = require('redis').createClient({ url });
      client.on('error', () => {});
      return new RedisStore(client, options);
    },
  },
  'a client of ioredis': {
    kind: 'redis',
    make: (options, url) => new RedisStore(new (require('ioredis').Redis)(url, { lazyConnect: true }), options),
  },
  'an address of ZooKeeper': { kind: 'zookeeper', make: address },
  'a client of node-zookeeper-client': {
    kind: 'zookeeper',
    make: (options, url) => new ZooKeeperStore(require('node-zookeeper-client').createClient(host(url)), options),
  },
  'an address of etcd': { kind: 'etcd', make: address },
  'endpoints of etcd': { kind: 'etcd', make: (options, url) => new EtcdStore(`http://${host(url)}`, options) },
  'an address of PostgreSQL': { kind: 'postgresql', make: address },
  'a Pool of pg': {
    kind: 'postgresql',
    make: (options, url) => new SqlStore(new (require('pg').Pool)({ connectionString: url }), options),
  },
  'a Client of pg': {
    kind: 'postgresql',
    make: (options, url) => new SqlStore(new (require('pg').Client)(url), options),
  },
  'a function that connects to PostgreSQL': {
    kind: 'postgresql',
    make(options, url) {
      const connect = async () => {
        const client = new (require('pg').Client)(url);
        client.on('error', () => {});
        await client.connect();
        return client;
      };
      return new SqlStore(connect, { ...options, kind: 'postgresql' });
    },
  },
  'an address of PgBouncer': { kind: 'postgresql', at: 'pgbouncer', make: address },
  'a Pool of pg to PgBouncer': {
    kind: 'postgresql',
    at: 'pgbouncer',
    make: (options, url) => new SqlStore(new (require('pg').Pool)({ connectionString: url }), options),
  },
  'an address of MySQL': { kind: 'mysql', make: address },
  'a pool of mysql2': {
    kind: 'mysql',
    make: (options, url) =>
      new SqlStore(
        ended(require('mysql2').createPool(url), (pool) => pool.end()),
        options,
      ),
  },
  'a pool of mysql2/promise': {
    kind: 'mysql',
    make: (options, url) =>
      new SqlStore(
        ended(require('mysql2/promise').createPool(url), (pool) => pool.end()),
        options,
      ),
  },
  'a function that connects to MySQL': {
    kind: 'mysql',
    make: (options, url) =>
      new SqlStore(() => require('mysql2/promise').createConnection(url), { ...options, kind: 'mysql' }),
  },
};

const IN_ADDRESSES = {
  autoInit: 'auto_init',
  windowMs: 'window_ms',
  acquireTimeoutMs: 'acquire_timeout_ms',
  renewWaitMs: 'renew_wait_ms',
};

/** The address with these options. */
export function address(options, url) {
  const words = Object.entries(options).map(([name, value]) => {
    const text = typeof value === 'boolean' ? String(Number(value)) : value;
    return `${IN_ADDRESSES[name] ?? name}=${text}`;
  });
  return `${url}?${words.join('&')}`;
}

/** The worker, whose namespace is made for it: nothing was handed out from it yet. */
export async function fresh(worker) {
  await initNamespace(worker, { fresh: true });
  return worker;
}

let names = 0;

/** A name that no other test has. */
export function freshName() {
  names += 1;
  return `node-${process.pid}-${Date.now()}-${names}`;
}

/** Has the program that started the servers do something: see tests/servers/control.py. Resolves to what it answers. */
export function control(line) {
  const [, address_, port] = /^(.*):(\d+)$/.exec(process.env.POLYFLAKE_TEST_CONTROL);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(Number(port), address_, () => socket.write(`${line}\n`));
    socket.setEncoding('ascii');
    socket.on('error', reject);
    socket.on('data', (text) => {
      answer += text;
      if (!answer.endsWith('\n')) return;
      socket.end();
      if (answer.startsWith('ok')) resolve(answer.slice(3).trim());
      else reject(new Error(`${line}: ${answer.trim()}`));
    });
  });
}
