// Leases over clients that misbehave, and over stores that cannot be had.
import './registry.mjs';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { Generator } from 'polyflake';
import { initNamespace } from 'polyflake/stores';
import { RedisStore } from 'polyflake/stores/redis';
import { EtcdStore } from 'polyflake/stores/etcd';
import { ZooKeeperStore } from 'polyflake/stores/zookeeper';
import { CASES } from './misbehaving_clients.mjs';
import { OwnServers } from './own_servers.mjs';
import { eventually } from './patience.mjs';
import { code } from './refusal.mjs';
import { STORES, address, endClients, fresh, freshName, server } from './stores.mjs';

const require = createRequire(import.meta.url);
const native = require('../../node/native.js');
const UNAVAILABLE = code('store_unavailable');

after(endClients);

/** The code that the call is refused with; undefined if it gives something. */
function codeOf(call) {
  try {
    call();
    return undefined;
  } catch (error) {
    return error.code;
  }
}

test('no client can end the process: what it does is store_unavailable in time', async (t) => {
  const program = fileURLToPath(new URL('misbehaving_clients.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  const outcomes = stdout.trimEnd().split('\n').map(JSON.parse);
  assert.deepEqual(
    outcomes.map(({ name }) => name),
    Object.keys(CASES),
  );
  for (const { name, code: refusedWith, message, ms } of outcomes) {
    await t.test(name, () => {
      assert.equal(refusedWith, UNAVAILABLE.code, message);
      assert.doesNotMatch(message, /secretword/);
      assert.ok(ms < 20_000, `${ms} ms`); // opening may take ten minutes, a command 0.2 s
    });
  }
});

test('a client that rejects with undefined after the first window costs the ids beyond it, until it is well again', async () => {
  let ill = false;
  const client = require('redis').createClient({ url: server('redis') });
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (options) => {
    const made = duplicate(options);
    const send = made.sendCommand.bind(made);
    made.sendCommand = (...words) => {
      return ill ? Promise.reject() : send(...words);
    };
    return made;
  };
  const namespace = freshName();
  await initNamespace(address({ namespace, windowMs: 3000 }, server('redis')), { fresh: true });
  const worker = new RedisStore(client, { namespace });
  const generator = await Generator.open({ worker });
  ill = true;
  await eventually(() => codeOf(() => generator.nextId()) === UNAVAILABLE.code);
  assert.equal(generator.state().code, UNAVAILABLE.code);
  ill = false;
  await eventually(() => codeOf(() => generator.nextId()) === undefined);
  generator.close();
});

test('a runner that fails is a lease that ends: its window is used up, and the next opening gets another lease', async (t) => {
  const worker = await fresh(address({ namespace: 'orders', windowMs: 4000 }, `memory://${freshName()}`));
  const generator = await Generator.open({ worker });
  const step = t.mock.method(native, 'step', () => {
    throw new Error('no step');
  });
  generator.renew();
  await eventually(() => step.mock.callCount() > 0);
  step.mock.restore();
  assert.ok(generator.nextId() > 0n);
  await eventually(() => codeOf(() => generator.nextId()) === UNAVAILABLE.code);
  await assert.rejects(generator.nextIdAsync(), UNAVAILABLE);
  const next = await Generator.open({ worker });
  assert.ok((await next.nextIdAsync()) > 0n);
  generator.close();
  next.close();
});

// --- stores that cannot be had -------------------------------------------------------------------

let nobody;

before(async () => {
  const socket = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => socket.once('listening', resolve));
  nobody = `127.0.0.1:${socket.address().port}`;
  socket.close();
});

const NOT_RESOLVED = `${'x'.repeat(64)}.invalid:7`; // refused without a question to anybody

const url = (kind, place) => server(kind).replace(/\/\/([^@]*@)?[^/]*/, `//reader:secretword@${place}`);
const own = (kind) => /^.*\/\/(?:[^@]*@)?([^/]*)/.exec(server(kind))[1];

// Soon: long before the time that opening may take, 30 s.
async function assertRefusedSoon(worker, words) {
  const began = performance.now();
  await assert.rejects(Generator.open({ worker }), (error) => {
    assert.equal(error.code, UNAVAILABLE.code, error.message);
    assert.doesNotMatch(inspect(error), /secretword|reader/);
    assert.match(error.message, words);
    return true;
  });
  assert.ok(performance.now() - began < 20_000, `${performance.now() - began} ms`);
}

const unresolved = /: (ENOTFOUND|EAI_\w+|TypeError|Error)(; this host name is not known here)?$/;

for (const [name, { kind, make }] of Object.entries(STORES)) {
  test(`where nobody is, opening over ${name} fails at once`, async () => {
    const options = { namespace: 'orders' };
    await assertRefusedSoon(make(options, url(kind, nobody)), /: ECONNREFUSED; no server listens at this address$/);
    await assertRefusedSoon(make(options, url(kind, NOT_RESOLVED)), unresolved);
  });
}

test('where no sentinel is, opening fails at once', () =>
  assertRefusedSoon(
    `redis+sentinel://reader:secretword@${nobody}/main?namespace=orders`,
    /: no sentinel names the primary$/,
  ));

const PASSWORDS = {
  redis: /: WRONGPASS; the server refused this user and password$/,
  postgresql: /: 28P01; the server refused this user and password$/,
  mysql: /: ER_ACCESS_DENIED_ERROR; the server refused this user and password$/,
};

for (const [name, { kind, make }] of Object.entries(STORES)) {
  if (!(kind in PASSWORDS)) continue;
  test(`with a wrong password, opening over ${name} fails at once`, () =>
    assertRefusedSoon(make({ namespace: 'orders' }, url(kind, own(kind))), PASSWORDS[kind]));
}

test('with a wrong password, opening over etcd fails at once, and with the right one it does not', async (t) => {
  const servers = new OwnServers();
  t.after(() => servers.end());
  const port = await servers.startEtcd('rightword');
  const worker = (password) => `etcd://root:${password}@127.0.0.1:${port}?namespace=orders`;
  await assertRefusedSoon(
    worker('secretword'),
    /: HTTP 400; the server refused this user and password, or asks for them/,
  );
  await assertRefusedSoon(
    worker('').replace('root:@', ''),
    /: HTTP 400; the server refused this user and password, or asks for them/,
  );
  const client = { endpoints: `http://127.0.0.1:${port}`, username: 'root', password: 'secretword' };
  await assertRefusedSoon(
    new EtcdStore(client, { namespace: 'orders' }),
    /: HTTP 400; the server refused this user and password, or asks for them/,
  );
  const generator = await Generator.open({ worker: await fresh(worker('rightword')) });
  assert.ok(generator.nextId() > 0n);
  generator.close();
});

test('a parameter that nobody reads is refused', async () => {
  for (const start of ['etcds://h?cacert=/ca.pem', 'zookeeper://h?timeout=3']) {
    const worker = `${start}&namespace=orders`;
    await assert.rejects(Generator.open({ worker }), { code: 'ERR_POLYFLAKE_OPTION_INVALID' });
  }
});

test('an address with a port that is none is refused', async () => {
  for (const scheme of ['redis', 'redis+sentinel', 'zookeeper', 'etcd', 'postgresql', 'mysql']) {
    await assert.rejects(Generator.open({ worker: `${scheme}://127.0.0.1:99999/0?namespace=orders` }), (error) =>
      /_(WORKER_SOURCE_INVALID|STORE_UNAVAILABLE)$/.test(error.code),
    );
  }
  const client = require('node-zookeeper-client').createClient('user:secretword@h:1');
  assert.throws(() => new ZooKeeperStore(client, { namespace: 'orders' }), {
    code: 'ERR_POLYFLAKE_WORKER_SOURCE_INVALID',
  });
});
