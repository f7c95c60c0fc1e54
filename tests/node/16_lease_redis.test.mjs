// Redis behind a sentinel, as a cluster and with TLS.
import './registry.mjs';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generator } from 'polyflake';
import { leases } from 'polyflake/stores';
import { RedisStore } from 'polyflake/stores/redis';
import { OwnServers, freePort, makeCertificates } from './own_servers.mjs';
import { eventually, sleep } from './patience.mjs';
import { code } from './refusal.mjs';
import { fresh, freshName } from './stores.mjs';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));
const WINDOW_MS = 4000; // of a lease that is to be renewed
const PASSWORD = 'secretword';

function serversFor(t) {
  const servers = new OwnServers();
  t.after(() => servers.end());
  return servers;
}

/** A client of ioredis that no error of ends the process. */
function ioredis(t, make) {
  const client = make(require('ioredis'));
  client.on('error', () => {});
  t.after(() => client.disconnect());
  return client;
}

/** Three copies, so that two of them are a majority when one is taken away; the ports of the primary and the sentinel. */
async function watched(servers) {
  const withPassword = { requirepass: PASSWORD, masterauth: PASSWORD, 'repl-diskless-sync-delay': 0 };
  const primary = await servers.startRedis(withPassword);
  for (let i = 0; i < 2; i++) await servers.startRedis({ ...withPassword, replicaof: `127.0.0.1 ${primary}` });
  return { primary, sentinel: await servers.startSentinel(primary, PASSWORD) };
}

test('a lease behind a sentinel, by an address and by a client of ioredis, outlives a failover', async (t) => {
  const servers = serversFor(t);
  const { primary, sentinel } = await watched(servers);
  const asking = ioredis(t, ({ Redis }) => new Redis(sentinel));
  await eventually(async () => (await asking.call('SENTINEL', 'replicas', 'main')).length === 2);
  const client = ioredis(
    t,
    ({ Redis }) =>
      new Redis({
        sentinels: [{ host: '127.0.0.1', port: sentinel }],
        name: 'main',
        password: PASSWORD,
        lazyConnect: true,
      }),
  );
  const url = (namespace, password = PASSWORD) =>
    `redis+sentinel://:${password}@127.0.0.1:${sentinel}/main/0?namespace=${namespace}&window_ms=${WINDOW_MS}`;
  const workers = [url(freshName()), new RedisStore(client, { namespace: freshName(), windowMs: WINDOW_MS })];
  const generators = [];
  for (const worker of workers) generators.push(await Generator.open({ worker: await fresh(worker) }));
  const ids = generators.map((generator) => [generator.nextId()]);
  // Either of them may take over, and two of three copies were enough for the namespace. A replica that is online may lag.
  const first = ioredis(t, ({ Redis }) => new Redis(primary, { password: PASSWORD }));
  await first.set('after', 'the namespace');
  await eventually(async () => (await first.wait(2, 1000)) === 2);
  const failover = () =>
    asking.call('SENTINEL', 'FAILOVER', 'main').then(
      () => true,
      () => false, // it does not know yet how well they are
    );
  await eventually(failover);
  await eventually(
    async () => (await asking.call('SENTINEL', 'get-master-addr-by-name', 'main'))[1] !== String(primary),
  );
  const failedOverMs = Date.now();
  for (const [i, generator] of generators.entries()) {
    await eventually(() => {
      try {
        ids[i].push(generator.nextId());
        return generator.stats().untilMs > failedOverMs + WINDOW_MS;
      } catch (error) {
        assert.equal(error.code, code('store_unavailable').code);
        return false;
      }
    });
    assert.ok(ids[i].every((id, k) => k === 0 || id > ids[i][k - 1]));
    await eventually(async () => (await leases(workers[i])).some(({ node }) => node === generator.worker));
    generator.close();
  }
  await assert.rejects(Generator.open({ worker: url('orders', 'wrongword') }), (error) => {
    assert.equal(error.code, code('store_unavailable').code);
    assert.match(error.message, /: WRONGPASS; the server refused this user and password$/);
    return true;
  });
  const unknown = url('orders').replace('/main/', '/other/');
  await assert.rejects(Generator.open({ worker: unknown }), { message: /: no sentinel names the primary$/ });
});

test('a Sentinel object and a pool of redis are refused, saying what to pass', () => {
  const { createSentinel, createClientPool } = require('redis');
  const sentinel = createSentinel({ name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }] });
  const refused = (client, message) =>
    assert.throws(() => new RedisStore(client, { namespace: 'orders' }), { ...code('option_invalid'), message });
  refused(sentinel, /redis\+sentinel:\/\/.*ioredis/);
  refused(createClientPool({ url: 'redis://127.0.0.1:1' }), /pass a client or a Cluster of redis/);
});

/** Two servers of half the slots each; the ports. */
async function cluster(t, servers) {
  const settings = async () => ({ 'cluster-enabled': 'yes', 'cluster-port': await freePort() });
  const made = [await settings(), await settings()];
  const ports = [];
  for (const [i, one] of made.entries()) {
    ports.push(await servers.startRedis({ ...one, 'cluster-config-file': `nodes${i}.conf` }));
  }
  const nodes = ports.map((port) => ioredis(t, ({ Redis }) => new Redis(port)));
  await nodes[0].call('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
  await nodes[1].call('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
  await nodes[0].call('CLUSTER', 'MEET', '127.0.0.1', String(ports[1]), String(made[1]['cluster-port']));
  for (const node of nodes) {
    await eventually(async () => {
      const info = await node.call('CLUSTER', 'INFO');
      return info.includes('cluster_state:ok') && info.includes('cluster_size:2');
    });
  }
  return ports;
}

test('leases in a cluster, over redis and ioredis, whichever server has the namespace', async (t) => {
  const ports = await cluster(t, serversFor(t));
  const ofRedis = require('redis').createCluster({
    rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })),
  });
  ofRedis.on('error', () => {});
  await ofRedis.connect();
  t.after(() => ofRedis.destroy());
  const startup = ports.map((port) => ({ host: '127.0.0.1', port }));
  const ofIoredis = ioredis(t, ({ Cluster }) => new Cluster(startup));
  await eventually(() => ofIoredis.status === 'ready');
  for (const client of [ofRedis, ofIoredis]) {
    for (let i = 0; i < 6; i++) {
      const worker = new RedisStore(client, { namespace: freshName(), windowMs: 600_000 });
      const generator = await Generator.open({ worker: await fresh(worker) });
      const { untilMs } = generator.stats();
      await sleep(20);
      generator.renew();
      await eventually(() => generator.stats().untilMs > untilMs);
      assert.ok(generator.nextId() > 0n);
      assert.equal((await leases(worker)).length, 1);
      generator.close();
    }
  }
  const unconnected = ioredis(t, ({ Cluster }) => new Cluster(startup, { lazyConnect: true }));
  const worker = new RedisStore(unconnected, { namespace: 'orders' });
  await assert.rejects(Generator.open({ worker }), { message: /: no primary has the key$/ });
});

test('rediss:// takes a server that a known authority vouches for, under its own name, and no other', async (t) => {
  const servers = serversFor(t);
  const { ca, certificate, key } = makeCertificates(servers.folder, 'IP:127.0.0.1');
  const port = await servers.startRedis({
    port: 0,
    bind: '127.0.0.1 127.0.0.2',
    requirepass: PASSWORD,
    'tls-port': await freePort(),
    'tls-cert-file': certificate,
    'tls-key-file': key,
    'tls-ca-cert-file': ca,
    'tls-auth-clients': 'no',
  });
  /** What opening gives in a process that trusts the authority, or does not: the node id, else code and message. */
  const opened = (host, trusting, { scheme = 'rediss', client } = {}) => {
    const url = `${scheme}://:${PASSWORD}@${host}:${port}`;
    const worker = {
      redis: `new RedisStore(require('redis').createClient({ url: '${url}' }), options)`,
      ioredis: `new RedisStore(new (require('ioredis').Redis)('${url}', { lazyConnect: true }), options)`,
      undefined: `'${url}?auto_init=1&namespace=' + options.namespace`,
    }[client];
    const source = `
      const { RedisStore } = require('polyflake/stores/redis');
      const options = { namespace: '${freshName()}', autoInit: true };
      require('polyflake').Generator.open({ worker: ${worker} }).then(
        (generator) => { generator.close(); console.log(String(generator.worker)); },
        ({ code, message }) => console.log(code, message));`;
    const env = trusting ? { ...process.env, NODE_EXTRA_CA_CERTS: ca } : process.env;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', source], { cwd: root, env, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.doesNotMatch(stdout, /secretword/);
    return stdout.trim();
  };
  for (const client of [undefined, 'redis', 'ioredis']) {
    assert.equal(opened('127.0.0.1', true, { client }), '0');
    const unknown = opened('127.0.0.1', false, { client });
    assert.match(
      unknown,
      /^ERR_POLYFLAKE_STORE_UNAVAILABLE redis.*: (UNABLE_TO_VERIFY_\w+|SELF_SIGNED_\w+); TLS failed/,
    );
    const another = opened('127.0.0.2', true, { client });
    assert.match(another, /^ERR_POLYFLAKE_STORE_UNAVAILABLE redis.*: ERR_TLS_CERT_ALTNAME_INVALID; TLS failed/);
  }
  assert.match(opened('127.0.0.1', true, { scheme: 'redis' }), /^ERR_POLYFLAKE_STORE_UNAVAILABLE/);
});
