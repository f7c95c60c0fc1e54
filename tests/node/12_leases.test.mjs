// Leases over each kind of client, on the real servers; what concerns no client, in memory.
import './registry.mjs';
import './patient_close.cjs';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { Generator, Uuid7, open } from 'polyflake';
import { initNamespace, leases, raiseFloor } from 'polyflake/stores';
import { RedisStore } from 'polyflake/stores/redis';
import { SqlStore } from 'polyflake/stores/sql';
import { HANG_MS, eventually, sleep } from './patience.mjs';
import { code } from './refusal.mjs';
import { STORES, address, endClients, fresh, freshName, server } from './stores.mjs';

const require = createRequire(import.meta.url);
const native = require('../../node/native.js');
const root = fileURLToPath(new URL('../..', import.meta.url));
const patientClose = path.join(root, 'tests/node/patient_close.cjs');

/** A maker of workers of one namespace: ({ options }) -> worker. No lease is renewed or ends. */
function within(name, namespace = freshName()) {
  const { kind, at = kind, make } = STORES[name];
  return (options = {}) => make({ namespace, windowMs: 600_000, ...options }, server(at));
}

/** The same in the memory of this process. */
function withinMemory() {
  const url = `memory://${freshName()}`;
  return (options = {}) => address({ namespace: 'orders', windowMs: 600_000, ...options }, url);
}

/**
 * A worker of a new namespace whose windows are that short. Its first command may take as long as
 * in one with long windows, and calls wait for a late window.
 */
async function shortWindows(windowMs, { vouched = true } = {}) {
  const worker = withinMemory();
  await initNamespace(worker({ windowMs }), { fresh: vouched });
  return worker({ renewWaitMs: HANG_MS });
}

after(endClients);

for (const name of Object.keys(STORES)) {
  test(`a lease over ${name}, which is given back`, async () => {
    const worker = within(name);
    await assert.rejects(Generator.open({ worker: worker() }), code('namespace_not_initialised'));
    const uuid = await initNamespace(worker(), { fresh: true });
    assert.match(uuid, /^[0-9a-f]{32}$/);
    assert.equal(await initNamespace(worker()), uuid);

    const one = await Generator.open({ worker: worker() });
    const other = await Generator.open({ worker: worker({ label: false }) });
    assert.deepEqual([one.worker, other.worker], [0n, 1n]);
    assert.equal(one.stats().namespaceUuid, uuid);
    const { untilMs } = one.stats();
    await eventually(() => {
      one.renew();
      return one.stats().untilMs > untilMs;
    });
    const held = await leases(worker());
    assert.deepEqual(
      held.map(({ node }) => node),
      [0n, 1n],
    );
    assert.match(held[0].label, new RegExp(`/${process.pid}$`));
    assert.equal(held[1].label, '');

    await assert.rejects(Generator.open({ worker: worker(), layout: 'twitter' }), code('layout_mismatch'));
    await assert.rejects(Generator.open({ worker: worker({ uuid: '0'.repeat(32) }) }), code('wrong_namespace'));

    for (const generator of [one, other]) generator.close();
    await eventually(async () => (await leases(worker())).length === 0);

    const floor = Date.now() + 1000;
    await raiseFloor(worker(), { timeMs: floor });
    const late = await Generator.open({ worker: worker({ acquireTimeoutMs: HANG_MS }) });
    assert.ok(late.layout.decode(await late.nextIdAsync()).timeMs >= floor);
    late.close();
  });
}

test('windows over the memory follow each other', async () => {
  const worker = await shortWindows(1500);
  const generator = await Generator.open({ worker });
  const ids = new Set();
  let calls = 0;
  await eventually(async () => {
    ids.add(await generator.nextIdAsync());
    calls += 1;
    return generator.stats().renewals >= 3;
  });
  assert.equal(ids.size, calls);
  await eventually(async () => (await leases(worker)).length === 1);
  generator.close();
});

test('a uuid7 on a lease carries its node id', async () => {
  const worker = withinMemory();
  await initNamespace(worker(), { fresh: true });
  const generator = await Generator.open({ worker: worker() });
  const ids = await Uuid7.open({ worker: worker() });
  const other = await open('uuid7', { worker: worker() });
  const first = await ids.nextIdAsync();
  assert.equal(ids.decode(first).node, generator.worker, 'one lease for all generators of a thread');
  assert.ok((await other.nextIdAsync()) > first);
  assert.ok(ids.nextIds(1000).every((id, i, all) => i === 0 || id > all[i - 1]));
  assert.match(ids.stats().namespaceUuid, /^[0-9a-f]{32}$/);
  await assert.rejects(Uuid7.open({ worker: worker(), entropy: new Uint8Array(8) }), code('option_invalid'));
  await Promise.all([ids, other].map((one) => one.close()));
  assert.ok(generator.nextId() > 0n);
  generator.close();
});

test('generators of one store and layout share a lease, until the last one is closed', async () => {
  const worker = await fresh(withinMemory()());
  const [one, other] = await Promise.all([Generator.open({ worker }), Generator.open({ worker })]);
  assert.equal(one.worker, other.worker);
  assert.notEqual(one.nextId(), other.nextId());
  one.close();
  one.close();
  assert.throws(() => one.nextId(), code('generator_closed'));
  assert.ok(other.nextId() > 0n);
  assert.equal((await leases(worker)).length, 1);
  other.close();
  const again = await Generator.open({ worker });
  assert.ok((await again.nextIdAsync()) > 0n);
  again.close();
});

test('leases that ended, and those that never were granted, give their numbers back', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const missing = withinMemory()();
  const worker = await fresh(withinMemory()());
  for (let i = 0; i < 60; i++) {
    const generator = await Generator.open({ worker });
    generator.close();
    await assert.rejects(Generator.open({ worker: missing }), code('namespace_not_initialised'));
    await setImmediate();
    collect();
    await setImmediate();
  }
  // With all 120 numbers free, as many more leases have no other ones.
  await eventually(async () => {
    collect();
    await setImmediate();
    const again = Array.from({ length: 120 }, () => native.newLease(native.parseAddress(worker), 'polyflake', '?'));
    for (const number of again) native.forgetSession(number);
    return Math.max(...again) < 150;
  });
});

test('a generator that was opened by an address in POLYFLAKE_WORKER', async (t) => {
  t.after(() => delete process.env.POLYFLAKE_WORKER);
  process.env.POLYFLAKE_WORKER = await fresh(withinMemory()());
  assert.throws(() => new Generator(), { ...code('option_invalid'), message: /Generator\.open\(/ });
  const generator = await Generator.open();
  assert.ok(generator.nextId() > 0n);
  generator.close();
});

test('the constructor refuses stores, naming Generator.open', () => {
  const worker = withinMemory();
  for (const one of [worker(), within('a client of redis')()]) {
    assert.throws(() => new Generator({ worker: one }), { ...code('option_invalid'), message: /Generator\.open\(/ });
  }
});

test('where nothing can be claimed nextId throws at once and nextIdAsync waits', async () => {
  const worker = await shortWindows(3000, { vouched: false });
  const before = performance.now();
  const generator = await Generator.open({ worker });
  assert.throws(() => generator.nextId(), code('store_unavailable'));
  assert.throws(() => generator.nextIds(3), code('store_unavailable'));
  assert.throws(() => generator.nextIdString(), code('store_unavailable'));
  assert.equal(generator.tryNextId(), null);
  assert.equal(generator.state().name, 'starting', 'its window begins in four seconds, which are not over');
  const ids = await Promise.all(Array.from({ length: 5 }, () => generator.nextIdAsync()));
  assert.equal(new Set(ids).size, 5);
  assert.ok(performance.now() - before > 1000);
  generator.close();
});

test('renew moves the window on soon', async () => {
  const generator = await Generator.open({ worker: await fresh(withinMemory()()) });
  const { untilMs } = generator.stats();
  await sleep(20);
  generator.renew();
  await eventually(() => generator.stats().untilMs > untilMs);
  generator.close();
});

test('a holder from before a raised floor takes another window, and callers hear of nothing else meanwhile', async () => {
  const worker = await shortWindows(3000);
  const generator = await Generator.open({ worker });
  const ids = [generator.nextId()];
  const former = generator.worker;
  const floor = Date.now() + 4500;
  await raiseFloor(worker, { timeMs: floor });
  const { untilMs } = generator.stats();
  assert.ok(untilMs < floor);
  const waiting = [];
  const seen = new Set();
  while (ids.length < 100 || generator.layout.decode(ids.at(-1)).timeMs < floor) {
    const { name, code: stopping } = generator.state();
    seen.add(`${name} ${stopping}`);
    if (waiting.length === 0 && name !== 'open') waiting.push(generator.nextIdAsync(), generator.nextIdAsync());
    try {
      ids.push(generator.nextId());
    } catch (error) {
      assert.equal(error.code, code('store_unavailable').code);
    }
    await sleep(10);
  }
  const allowed = ['open null', 'starting null', 'waiting ERR_POLYFLAKE_STORE_UNAVAILABLE'];
  assert.deepEqual(
    [...seen].filter((state) => !allowed.includes(state)),
    [],
  );
  await eventually(() => generator.state().name === 'open');
  const decoded = ids.map((id) => generator.layout.decode(id));
  assert.ok(decoded.every(({ node, timeMs }) => timeMs >= floor || (timeMs < untilMs && node === former)));
  assert.ok(decoded.some(({ timeMs }) => timeMs >= floor));
  assert.ok(ids.every((id, i) => i === 0 || ids[i - 1] < id));
  const all = [...ids, ...(await Promise.all(waiting))];
  assert.equal(new Set(all).size, ids.length + 2);
  generator.close();
});

test('a floor of the far future is lowered by an operator who says so', async () => {
  const worker = await fresh(withinMemory()({ windowMs: 2000 }));
  await raiseFloor(worker, { timeMs: Date.now() + 365 * 86_400_000 });
  const earliest = Date.now() + 3000;
  await raiseFloor(worker, { timeMs: Date.now(), lower: true });
  const generator = await Generator.open({ worker });
  const { timeMs } = generator.layout.decode(await generator.nextIdAsync());
  assert.ok(timeMs >= earliest && timeMs < earliest + 86_400_000);
  generator.close();
  await assert.rejects(raiseFloor(worker, { timeMs: Date.now(), lower: 1 }), code('option_invalid'));
  await assert.rejects(raiseFloor(worker, { copies: ['10.0.0.1:6379'], lower: true }), code('option_invalid'));
});

test('an operator names the copies of a Redis, or vouches for them', async () => {
  const namespace = freshName();
  const worker = address({ namespace }, server('redis'));
  await initNamespace(worker, { fresh: true, replicas: 'fenced' });
  await raiseFloor(worker, { copies: [new URL(server('redis')).host] });
  const generator = await Generator.open({ worker });
  assert.ok((await generator.nextIdAsync()) > 0n);
  generator.close();
  for (const copies of ['10.0.0.1:6379', [], ['10.0.0.1'], [7]]) {
    await assert.rejects(raiseFloor(worker, { copies }), code('option_invalid'), inspect(copies));
  }
  await assert.rejects(initNamespace(worker, { replicas: 'some' }), code('option_invalid'));
  const elsewhere = address({ namespace }, server('etcd'));
  await assert.rejects(initNamespace(elsewhere, { replicas: 'fenced' }), code('option_invalid'));
  await assert.rejects(raiseFloor(elsewhere, { copies: ['10.0.0.1:6379'] }), code('option_invalid'));
});

test('options of stores are checked', async () => {
  const client = { duplicate() {}, sendCommand() {} };
  const refused = [
    [{}, client],
    [{ namespace: 'Orders' }, client],
    [{ namespace: 'orders', windowMS: 5 }, client],
    [{ namespace: 'orders', windowMs: 1.5 }, client],
    [{ namespace: 'orders', autoInit: 'yes' }, client],
    [{ namespace: 'orders', autoInit: 'fresh' }, client],
    [{ namespace: 'orders', label: 1 }, client],
    [{ namespace: 'orders', uuid: 'A' }, client],
    [{ namespace: 'orders' }, {}],
    [undefined, client],
  ];
  for (const [options, given] of refused) {
    assert.throws(() => new RedisStore(given, options), code('option_invalid'), inspect(options));
  }
  await assert.rejects(Generator.open({ worker: 'redis://h' }), code('worker_source_invalid'));
  await assert.rejects(Generator.open({ worker: 'redis://h?namespace=o&label=2' }), code('option_invalid'));
  await assert.rejects(raiseFloor('redis://h?namespace=o', {}), code('option_invalid'));
  await assert.rejects(raiseFloor('redis://h?namespace=o', { timeMs: 1790000000 }), code('field_out_of_range'));
  await assert.rejects(leases(7), code('option_invalid'));
  await assert.rejects(Generator.open({ worker: 'redis://h?namespace=o&windowMs=5' }), code('option_invalid'));
  await assert.rejects(
    Generator.open({ worker: 'postgres://user:secret@h/d?namespace=o' }),
    ({ message }) => /redis:\/\//.test(message) && !/sec/.test(message),
  );
});

test('tables are in the schema of the address or of the option, whatever the search path', async () => {
  const namespace = freshName();
  const url = server('postgresql');
  const client = new (require('pg').Client)(url);
  await client.connect();
  await client.query('CREATE SCHEMA IF NOT EXISTS "Node-1"');
  const uuid = await initNamespace(`${url}?namespace=${namespace}&schema=Node-1`, { fresh: true });
  await assert.rejects(leases(`${url}?namespace=${namespace}`), code('namespace_not_initialised'));
  const pool = new (require('pg').Pool)({ connectionString: url });
  assert.equal(await initNamespace(new SqlStore(pool, { namespace, schema: 'Node-1' })), uuid);
  assert.throws(() => new SqlStore(pool, { namespace, schema: 'a.b' }), code('option_invalid'));
  assert.throws(
    () => new RedisStore({ duplicate() {}, sendCommand() {} }, { namespace, schema: 'a' }),
    code('option_invalid'),
  );
  await assert.rejects(leases(`redis://h?namespace=${namespace}&schema=a`), code('option_invalid'));
  await client.end();
});

test('a transaction pooler hands no setting of a lease on', async () => {
  const generator = await Generator.open({ worker: await fresh(within('an address of PgBouncer')()) });
  const { renewals } = generator.stats();
  generator.renew();
  await eventually(() => generator.stats().renewals > renewals);
  const session = new (require('pg').Client)(server('pgbouncer'));
  await session.connect();
  const settings = ['lock_timeout', 'client_min_messages', 'default_transaction_isolation'];
  const found = await session.query(`SELECT ${settings.map((name) => `current_setting('${name}') AS ${name}`)}`);
  assert.deepEqual(
    { ...found.rows[0] },
    { lock_timeout: '0', client_min_messages: 'notice', default_transaction_isolation: 'read committed' },
  );
  await session.end();
  generator.close();
});

test('a commit that PostgreSQL warns of is not had', async () => {
  const client = new (require('pg').Client)(server('postgresql'));
  await client.connect();
  await client.query('CREATE SCHEMA node_warned');
  const worker = await fresh(within('an address of PostgreSQL')({ schema: 'node_warned' }));
  const generator = await Generator.open({ worker });
  const { renewals, storeFailures } = generator.stats();
  // As a commit warns that no standby confirmed: when it is done.
  await client.query(`CREATE FUNCTION node_warned.warn() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE WARNING 'canceling wait'; RETURN NULL; END $$`);
  await client.query(`CREATE CONSTRAINT TRIGGER warning AFTER UPDATE ON node_warned.polyflake_nodes
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION node_warned.warn()`);
  generator.renew();
  await eventually(() => generator.stats().storeFailures > storeFailures);
  assert.equal(generator.stats().renewals, renewals);
  await client.query('DROP TRIGGER warning ON node_warned.polyflake_nodes');
  generator.close();
  await client.end();
});

test('neither errors nor objects show credentials', async () => {
  for (const scheme of ['redis', 'etcd', 'postgresql', 'mysql', 'zookeeper']) {
    const worker = `${scheme}://user:secret@127.0.0.1:9/0?namespace=orders`;
    await assert.rejects(Generator.open({ worker }), (error) => {
      assert.equal(error.code, 'ERR_POLYFLAKE_STORE_UNAVAILABLE');
      assert.doesNotMatch(inspect(error), /secret/);
      assert.match(error.message, /127\.0\.0\.1:9/);
      return true;
    });
  }
  const wrong = address({ namespace: 'orders' }, server('postgresql').replace(/:[^:@]*@/, ':secret@'));
  await assert.rejects(Generator.open({ worker: wrong }), (error) => {
    assert.doesNotMatch(inspect(error), /secret/);
    assert.match(error.message, /28P01/);
    return true;
  });
  const store = within('a client of redis')();
  assert.match(inspect(store), /^RedisStore <redis\?namespace=node-[-0-9]+>$/);
  assert.match(inspect({ worker: store, store: String(store) }), /RedisStore </);
});

/** Runs a program that opens a generator; resolves to its end. */
function program(body) {
  const source = `const { Generator } = require('polyflake'); (async () => { ${body} })();`;
  const options = { cwd: root, encoding: 'utf8', timeout: HANG_MS };
  return spawnSync(process.execPath, ['-r', patientClose, '-e', source], options);
}

for (const name of Object.keys(STORES).filter((one) => one.startsWith('an address'))) {
  test(`a lease over ${name} never keeps a process alive, which gives it back when it has nothing left to do`, async () => {
    const worker = await fresh(within(name)());
    const ends = {
      'await Generator.open(options)': 0,
      '(await Generator.open(options)).close()': 0,
      'const g = await Generator.open(options); g.nextId(); process.exit(3)': 3,
    };
    for (const [body, expected] of Object.entries(ends)) {
      const { status, stderr } = program(`const options = { worker: ${JSON.stringify(worker)} }; ${body}`);
      assert.equal(status, expected, stderr);
      assert.equal(stderr, '');
      assert.equal((await leases(worker)).length, expected === 0 ? 0 : 1, body);
    }
  });
}

test('of a node of ZooKeeper version 0 is a version like others, and its children are counted', async (t) => {
  const awake = setInterval(() => {}, 1000); // a store keeps no process alive
  t.after(() => clearInterval(awake));
  const connection = within('a client of node-zookeeper-client')().connection();
  await connection.open([]);
  const path_ = `/polyflake-${freshName()}`;
  const set = () => connection.run('multi', [['set', path_, '0', 'written']]);
  assert.deepEqual(await connection.run('multi', [['create', path_, '']]), [['ok']]);
  assert.deepEqual(await set(), [['ok']]);
  assert.deepEqual(await set(), [['refused']]);
  assert.deepEqual(await connection.run('multi', [['delete', path_, '0']]), [['refused']]);
  assert.deepEqual(await connection.run('multi', [['create', `${path_}/child`, '']]), [['ok']]);
  assert.deepEqual(await connection.run('multi', [['delete', path_, '1']]), [['refused']], 'before its child');
  const [[data, version, , children]] = await connection.run('get', [[path_]]);
  assert.deepEqual([data, version, children], ['written', '1', '1']);
  connection.close();
});

test('each thread has a lease of its own', async () => {
  const worker = await fresh(withinMemory()());
  const generator = await Generator.open({ worker });
  const source = `
    require(${JSON.stringify(patientClose)});
    const { parentPort } = require('node:worker_threads');
    const { Generator } = require(${JSON.stringify(path.join(root, 'node/index.js'))});
    Generator.open({ worker: ${JSON.stringify(worker)} }).then((g) => {
      parentPort.postMessage([g.worker, g.nextId()]);
      parentPort.once('message', () => g.close());
    });`;
  const threads = Array.from({ length: 3 }, () => new Worker(source, { eval: true }));
  const message = (thread) => new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
  const found = await Promise.all(threads.map(message));
  const workers = [generator.worker, ...found.map(([id]) => id)];
  assert.equal(new Set(workers).size, 4);
  const exits = threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve)));
  threads[0].postMessage('close');
  threads[1].postMessage('close');
  await threads[2].terminate();
  await Promise.all(exits);
  const held = (await leases(worker)).map(({ node }) => node);
  assert.deepEqual(held.sort(), [generator.worker, found[2][0]].sort(), 'a thread that was ended gives nothing back');
  assert.ok(generator.nextId() > 0n);
  generator.close();
});
