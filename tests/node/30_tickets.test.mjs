// Numbers of ticket servers: two real MariaDB servers, which die and forget.
import './registry.mjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Tickets, kinds, open, openSync } from 'polyflake';
import { eventually } from './patience.mjs';
import { code, isRefusal, refuses } from './refusal.mjs';
import { PATIENT, TicketServers, takerPath } from './tickets.mjs';

const require = createRequire(import.meta.url);
const servers = new TicketServers();

before(() => servers.start());
after(() => servers.end());

const residues = (numbers) => [...numbers].map((number) => Number(number % 2n));
const rising = (count) => Array.from({ length: count }, (_, i) => BigInt(i + 1));

async function withTickets(use, options = {}) {
  const table = await servers.table();
  const ids = await open('ticket', { store: servers.store, table, ...PATIENT, ...options });
  try {
    return await use(ids, table);
  } finally {
    ids.close();
  }
}

test('servers give numbers by turns', () =>
  withTickets(async (ids, table) => {
    const numbers = [];
    for (let i = 0; i < 10; i++) numbers.push(await ids.nextIdAsync());
    assert.deepEqual([...numbers, ...(await ids.nextIdsAsync(10))], rising(20));
    assert.equal(ids.kind, 'ticket');
    assert.equal(ids.stats().issued, 20);
    assert.deepEqual(ids.state(), { name: 'open', code: null });
    assert.ok(kinds().includes('ticket'));
    const alone = await open(`ticket:${servers.store[0]}`, { table, ...PATIENT });
    assert.equal(await alone.nextIdAsync(), 21n);
    alone.close();
  }));

test('calls that do not wait name those that do', () =>
  withTickets((ids) => {
    assert.equal(ids.tryNextId(), null);
    for (const call of [
      () => ids.nextId(),
      () => ids.nextIdString(),
      () => ids.nextIds(1),
      () => ids.fill(new BigUint64Array(1)),
    ]) {
      refuses('store_unavailable', call, 'nextIdAsync()');
    }
    assert.deepEqual(ids.nextIds(0), new BigUint64Array());
    refuses('option_invalid', () => ids.fill(new Uint8Array(8)));
    refuses('option_invalid', () => ids.nextIds(-1));
  }));

test('calls wait for their turn', () =>
  withTickets(async (ids) => {
    const numbers = await Promise.all(Array.from({ length: 200 }, () => ids.nextIdAsync()));
    assert.equal(new Set(numbers).size, 200);
    assert.equal(ids.stats().storeFailures, 0);
  }));

test('processes and threads get each number once', async () => {
  const table = await servers.table();
  const taker = [takerPath, table, '50', ...servers.store];
  const processes = Array.from({ length: 3 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, taker);
    return stdout.split(' ').map(BigInt);
  });
  const thread = new Promise((resolve, reject) => {
    const worker = new Worker(takerPath, { argv: taker.slice(1), stdout: true });
    let said = '';
    worker.stdout.on('data', (text) => {
      said += text;
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve(said.split(' ').map(BigInt)));
  });
  const taken = await Promise.all([...processes, thread]);
  for (const numbers of taken.slice(0, 3)) assert.deepEqual(residues(numbers), Array(25).fill([1, 0]).flat());
  assert.equal(new Set(taken.flat()).size, 200);
});

test('clients of mysql2 are taken, and a connection of each is kept', async () => {
  const table = await servers.table();
  const pool = require('mysql2').createPool({ uri: servers.store[0], connectionLimit: 2 });
  let made = 0;
  const connect = () => {
    made += 1;
    return require('mysql2/promise').createConnection(servers.store[1]);
  };
  const ids = await Tickets.open({ store: [pool, connect], table, ...PATIENT });
  const again = await Tickets.open({ store: [pool, connect], table, ...PATIENT });
  assert.deepEqual([...(await ids.nextIdsAsync(4)), ...(await again.nextIdsAsync(4))], rising(8));
  assert.equal(made, 1);
  ids.close();
  again.close();
  await promisify(pool.end.bind(pool))();
});

test('numbers beyond 2^53 are exact', () =>
  withTickets(async (ids, table) => {
    for (const server of [0, 1]) {
      await servers.ask(server, `ALTER TABLE ${table} AUTO_INCREMENT = ${2n ** 60n + 256n}`);
    }
    const numbers = await ids.nextIdsAsync(6);
    assert.deepEqual(
      [...numbers].sort(),
      [256n, 257n, 258n, 259n, 260n, 261n].map((last) => 2n ** 60n + last),
    );
  }));

test('a server that dies costs no call, and is asked again once it is back', () =>
  withTickets(async (ids) => {
    const numbers = [...(await ids.nextIdsAsync(4))];
    await servers.tell('kill', 1);
    try {
      const began = performance.now();
      numbers.push(...(await ids.nextIdsAsync(6)));
      assert.deepEqual(residues(numbers.slice(-6)), Array(6).fill(1));
      const { storeFailures } = ids.stats();
      assert.ok(
        storeFailures >= 1 && storeFailures <= 1 + (performance.now() - began) / 1000,
        'asked once in 1, 2, 4 s',
      );
    } finally {
      await servers.tell('start', 1);
    }
    await eventually(async () => {
      numbers.push(await ids.nextIdAsync());
      return numbers.at(-1) % 2n === 0n;
    });
    assert.equal(new Set(numbers).size, numbers.length);
  }));

test('numbers come back once a server is back', () =>
  withTickets(
    async (ids) => {
      const numbers = [...(await ids.nextIdsAsync(4))];
      for (const server of [0, 1]) await servers.tell('kill', server);
      await assert.rejects(ids.nextIdAsync(), isRefusal('store_unavailable', 'ECONN'));
      assert.deepEqual(ids.state(), { name: 'waiting', code: code('store_unavailable').code });
      for (const server of [0, 1]) await servers.tell('start', server);
      await eventually(async () => {
        try {
          numbers.push(await ids.nextIdAsync());
        } catch (error) {
          isRefusal('store_unavailable')(error);
        }
        return residues(numbers.slice(4)).includes(0) && residues(numbers.slice(4)).includes(1);
      });
      assert.equal(new Set(numbers).size, numbers.length);
    },
    { timeoutMs: 5000 },
  ));

test('a server that does not answer leaves time for another', () =>
  withTickets(
    async (ids, table) => {
      const first = await open('ticket', { store: servers.store, table, ...PATIENT });
      assert.equal(await first.nextIdAsync(), 1n); // by turns with the other
      first.close();
      await servers.tell('pause', 1);
      try {
        assert.equal(await ids.nextIdAsync(), 3n);
        assert.equal(ids.stats().storeFailures, 1);
      } finally {
        await servers.tell('resume', 1);
      }
    },
    { timeoutMs: 4000 },
  ));

test('a signal ends a call', () =>
  withTickets(async (ids) => {
    await assert.rejects(ids.nextIdAsync({ signal: AbortSignal.abort(new Error('mine')) }), { message: 'mine' });
    assert.equal(await ids.nextIdAsync(), 1n);
    await servers.tell('pause', 1);
    const abort = new AbortController();
    const call = ids.nextIdAsync({ signal: abort.signal });
    abort.abort(new Error('mine'));
    await assert.rejects(call, { message: 'mine' });
    await servers.tell('resume', 1);
  }));

test('a table that was put back takes its server out for good', () =>
  withTickets(async (ids, table) => {
    await ids.nextIdsAsync(9);
    await servers.ask(1, `TRUNCATE TABLE ${table}`);
    await assert.rejects(ids.nextIdAsync(), isRefusal('store_went_back'));
    assert.deepEqual(residues(await ids.nextIdsAsync(4)), [1, 1, 1, 1]);
    ids.close();
    const again = await Tickets.open({ store: servers.store, table, ...PATIENT });
    assert.deepEqual(residues(await again.nextIdsAsync(2)), [1, 1]);
    again.close();
  }));

test('a table without numbers is misconfigured', () =>
  withTickets(async (ids, table) => {
    await servers.ask(1, `ALTER TABLE ${table} MODIFY id bigint unsigned NOT NULL DEFAULT 0`);
    assert.equal(await ids.nextIdAsync(), 1n);
    await assert.rejects(ids.nextIdAsync(), isRefusal('store_misconfigured', 'gave 0'));
    assert.deepEqual([...(await ids.nextIdsAsync(2))], [3n, 5n]);
  }));

test('after close() calls are refused, and no connection keeps the process', async () => {
  const ids = await Tickets.open({ store: servers.store, table: await servers.table(), ...PATIENT });
  assert.equal(await ids.nextIdAsync(), 1n);
  const call = ids.nextIdAsync();
  ids.close();
  ids.close();
  assert.equal(await call, 2n, 'a call in progress gets its number');
  assert.equal(ids.closed, true);
  assert.deepEqual(ids.state(), { name: 'closed', code: code('generator_closed').code });
  for (const refused of [
    () => ids.nextId(),
    () => ids.tryNextId(),
    () => ids.nextIds(0),
    () => ids.nextIdString(),
    () => ids.fill(new BigUint64Array(0)),
  ]) {
    refuses('generator_closed', refused);
  }
  await assert.rejects(ids.nextIdAsync(), isRefusal('generator_closed'));
  await assert.rejects(ids.nextIdsAsync(0), isRefusal('generator_closed'));
});

const server = 'mysql://h/db';
for (const [options, name] of [
  [{ store: [] }, 'option_invalid'],
  [{}, 'option_invalid'],
  [{ store: [null] }, 'option_invalid'],
  [{ store: [7] }, 'option_invalid'],
  [{ store: [{}] }, 'option_invalid'],
  [{ store: [server, server] }, 'option_invalid'],
  [{ store: Array.from({ length: 65 }, (_, i) => `mysql://h${i}/db`) }, 'option_invalid'],
  [{ store: 'redis://h/0' }, 'option_invalid'],
  [{ store: 'mysql://h/db?namespace=shop' }, 'option_invalid'],
  [{ store: 'mysql://h/db?ssl-ca=/missing' }, 'option_invalid'],
  [{ store: 'mysql://h:99999/db' }, 'worker_source_invalid'],
  [{ store: 'h' }, 'worker_source_invalid'],
  [{ store: server, table: 'a b' }, 'option_invalid'],
  [{ store: server, table: 7 }, 'option_invalid'],
  [{ store: server, timeoutMs: 0 }, 'option_invalid'],
  [{ store: server, timeoutMs: 2 ** 31 }, 'option_invalid'],
  [{ store: server, timeoutMs: '2000' }, 'option_invalid'],
  [{ store: server, name: 'orders' }, 'option_invalid'],
]) {
  test(`refused: ${JSON.stringify(options).slice(0, 60)}`, async () => {
    await assert.rejects(Tickets.open(options), isRefusal(name));
  });
}

test('neither new nor openSync() opens them', () => {
  refuses('option_invalid', () => new Tickets({ store: server }), 'Tickets.open');
  refuses('option_invalid', () => openSync('ticket', { store: server }), 'Tickets.open');
});

test('no password is shown', async () => {
  const url = new URL(servers.store[0]);
  url.password = 'swordfish-1234567890';
  const ids = await Tickets.open({ store: url.href, timeoutMs: 5000 });
  await assert.rejects(ids.nextIdAsync(), (error) => {
    isRefusal('store_unavailable', 'refused this user')(error);
    assert.ok(!`${error.stack}`.includes('swordfish'));
    return true;
  });
  ids.close();
});
